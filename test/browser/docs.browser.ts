import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/browser.js';

describeInBrowser('the REST reference', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
  });
  afterAll(() => browsing.close());

  it('tries operations out, those that need a key with the key that it was given', async () => {
    const { page, faults } = await browsing.visit('/docs');
    const tryOut = async (operationId: string) => {
      const operation = page.locator(`#operations-products-${operationId}`);
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table tbody .response').first();
      return {
        status: await answer.locator('.response-col_status').innerText(),
        body: await answer.locator('.highlight-code code').first().innerText(),
      };
    };
    const list = await tryOut('listProducts');
    expect(list.status).toMatch(/^200/);
    expect(JSON.parse(list.body)).toEqual([]);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('form').filter({ hasText: 'X-API-Key' });
    await form.locator('input[type=text], input[type=password]').first().fill(ADMIN_KEY);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const created = await tryOut('createProduct');
    expect(created.status).toMatch(/^201/);
    expect(JSON.parse(created.body)).toMatchObject({ id: 1 });
    expect((await browsing.call('GET', '/api/v1/products/1')).status).toBe(200);
    expect(faults).toEqual([]);
  });

  it('leads to an operation by its address', async () => {
    const { page, faults } = await browsing.visit('/docs#/products/getProduct');
    await page.locator('#operations-products-getProduct .opblock-body').waitFor();
    expect(faults).toEqual([]);
  });
});
