import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../support/clients/basic.js';
import { freePort } from '../../testkit/free-port.js';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

async function tryOut(page: Page, operation: string): Promise<{ status: string; body: string }> {
  const shown = page.locator(`#operations-${operation}`);
  // Swagger UI draws only the operations that are visible.
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
    // The authorization server tells clients its address, which contains the configured port.
    browsing = await startBrowsing({ PORT: String(await freePort()) });
  });
  afterAll(() => browsing.close());

  it('executes operations, with the entered key if they need one', async () => {
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

  it('executes operations as a user, with e-mail address and password', async () => {
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

  it('shows the field for a credential at every scroll position', async () => {
    const { page } = await browsing.visit('/docs', { viewport: { width: 1280, height: 800 } });
    const button = page.getByRole('button', { name: 'Authorize' }).first();
    await button.waitFor();
    for (const distance of [0, 3000]) {
      await page.mouse.wheel(0, distance);
      await expect.poll(async () => (await button.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
      expect((await button.boundingBox())?.y).toBeLessThan(400);
    }
  });

  it('gets an access token by the authorization code with PKCE', async () => {
    const user = { name: 'Eve', email: 'eve@example.com', password: PASSWORD };
    await browsing.call('POST', '/api/v1/users', user);
    const made = await browsing.call('POST', '/api/v1/clients', {
      name: 'The reference',
      confidential: false,
      grant_types: ['authorization_code'],
      redirect_uris: [`${browsing.url}/docs/oauth2-redirect`],
      scopes: ['orders:read'],
    });
    const { client_id: clientId } = (await made.json()) as { client_id: string };
    const { page, faults } = await browsing.visit('/docs');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('.auth-container').filter({ hasText: 'authorizationCode' });
    await form.getByLabel('client_id').fill(clientId);
    await form.locator('.scopes label').filter({ hasText: 'orders:read' }).first().click();
    const opening = page.waitForEvent('popup');
    await form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    const popup = await opening;
    await popup.getByLabel('E-mail address').fill(user.email);
    await popup.getByLabel('Password').fill(PASSWORD);
    await popup.getByRole('button', { name: 'Sign in' }).click();
    await popup.getByRole('button', { name: 'Allow' }).click();
    await form.getByRole('button', { name: 'Remove authorization' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const orders = await tryOut(page, 'orders-listOrders');
    expect(orders.status).toMatch(/^200/);
    expect(faults).toEqual([]);
  });

  it('opens an operation by its address', async () => {
    const { page, faults } = await browsing.visit('/docs#/products/getProduct');
    await page.locator('#operations-products-getProduct .opblock-body').waitFor();
    expect(faults).toEqual([]);
  });
});
