import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/browser.js';

async function tryOut(page: Page, operation: string): Promise<{ status: string; body: string }> {
  const shown = page.locator(`#operations-${operation}`);
  // Of so many operations Swagger UI draws those that are in sight.
  await expect
    .poll(
      async () => {
        const isDrawn = (await shown.count()) > 0;
        if (!isDrawn) await page.mouse.wheel(0, 600);
        return isDrawn;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await shown.locator('.opblock-summary-control').click();
  await shown.getByRole('button', { name: 'Try it out' }).click();
  await shown.getByRole('button', { name: 'Execute' }).click();
  const answer = shown.locator('.live-responses-table tbody .response').first();
  return {
    status: await answer.locator('.response-col_status').innerText(),
    body: await answer.locator('.highlight-code code').first().innerText(),
  };
}

describeInBrowser('the REST reference', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
  });
  afterAll(() => browsing.close());

  it('tries operations out, those that need a key with the key that it was given', async () => {
    const { page, faults } = await browsing.visit('/docs');
    const list = await tryOut(page, 'products-listProducts');
    expect(list.status).toMatch(/^200/);
    expect(JSON.parse(list.body)).toEqual([]);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('form').filter({ hasText: 'X-API-Key' });
    await form.locator('input[type=text], input[type=password]').first().fill(ADMIN_KEY);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const created = await tryOut(page, 'products-createProduct');
    expect(created.status).toMatch(/^201/);
    expect(JSON.parse(created.body)).toMatchObject({ id: 1 });
    expect((await browsing.call('GET', '/api/v1/products/1')).status).toBe(200);
    expect(faults).toEqual([]);
  });

  it('tries operations out as a user, with e-mail address and password', async () => {
    const user = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' };
    await browsing.call('POST', '/api/v1/users', user);
    const { page, faults } = await browsing.visit('/docs');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('form').filter({ hasText: 'Username' });
    await form.locator('input[name=username]').fill(user.email);
    await form.locator('input[name=password]').fill(user.password);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const me = await tryOut(page, 'users-getMe');
    expect(me.status).toMatch(/^200/);
    expect(JSON.parse(me.body)).toMatchObject({ user: { email: user.email } });
    expect(faults).toEqual([]);
  });

  it('leads to an operation by its address', async () => {
    const { page, faults } = await browsing.visit('/docs#/products/getProduct');
    await page.locator('#operations-products-getProduct .opblock-body').waitFor();
    expect(faults).toEqual([]);
  });
});
