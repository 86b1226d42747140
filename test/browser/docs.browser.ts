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
    const { page, faults } = await browsing.visit('/docs?version=1');
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
    const { page, faults } = await browsing.visit('/docs?version=1');
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

  it('shows the button for a credential even after the page is scrolled', async () => {
    const { page } = await browsing.visit('/docs', { viewport: { width: 1280, height: 800 } });
    const button = page.getByRole('button', { name: 'Authorize' }).first();
    await button.waitFor();
    for (const distance of [0, 3000]) {
      await page.mouse.wheel(0, distance);
      await expect.poll(async () => (await button.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
      expect((await button.boundingBox())?.y).toBeLessThan(480);
    }
  });

  it('gets an access token by the authorization code with PKCE, even after a sign-in on the pages', async () => {
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
    const { page, faults } = await browsing.visitSignedIn('/docs');
    const tokenHeaders: Record<string, string>[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/oauth/token')) tokenHeaders.push(request.headers());
    });
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    const form = dialog.locator('.auth-container').filter({ hasText: 'authorizationCode' });
    await form.getByLabel('client_id').fill(clientId);
    await form.locator('.scopes label').filter({ hasText: 'orders:read' }).first().click();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    await popup.getByLabel('E-mail address').fill(user.email);
    await popup.getByLabel('Password').fill(PASSWORD);
    await popup.getByRole('button', { name: 'Sign in' }).click();
    await popup.getByRole('button', { name: 'Allow' }).click();
    await form.getByRole('button', { name: 'Remove authorization' }).waitFor();
    // The authorization server refuses a second credential, so the page must not send the stored key.
    expect(tokenHeaders.map((headers) => headers['x-api-key'] ?? headers['authorization'])).toEqual([
      undefined,
    ]);
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

  it('executes operations with the credential of a visitor who has signed in', async () => {
    const { page, faults } = await browsing.visitSignedIn('/docs');
    const credential = await tryOut(page, 'api-keys-getCredential');
    expect(credential.status).toMatch(/^200/);
    expect(JSON.parse(credential.body)).toMatchObject({ kind: 'client' });
    expect(faults).toEqual([]);
  });

  it('finds operations by path, method and parameters', async () => {
    const { page, faults } = await browsing.visit('/docs');
    const shown = () =>
      page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.replace('operations-', '')));
    await page.locator('#operations-products-listProducts').waitFor();
    await page.getByLabel('Search').fill('PUT /stock');
    await expect.poll(shown).toEqual(['products-setProductStock']);
    await page.getByLabel('Search').fill('idempotency POST /users');
    await expect.poll(shown).toContain('users-createUser');
    await page.getByLabel('Search').fill('nothing has these words');
    await expect.poll(shown).toEqual([]);
    await page.getByText('No operation matches.').waitFor();
    expect(await page.getByText('No operations defined').count()).toBe(0);
    await page.getByLabel('Search').fill('');
    await page.locator('#operations-products-listProducts').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows one version at a time, and leads to the guides', async () => {
    const { page, faults } = await browsing.visit('/docs', { viewport: { width: 1280, height: 900 } });
    const first = page.locator('#operations-products-listProducts');
    await first.waitFor();
    expect(await first.innerText()).toContain('/api/v2/products');
    // The introduction leaves room for the first operations.
    expect((await first.boundingBox())?.y).toBeLessThan(800);
    await page.getByRole('link', { name: 'Version 1' }).click();
    await expect.poll(() => first.innerText()).toContain('/api/v1/products');
    await page.getByRole('link', { name: 'Caching and safe edits' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('link', { name: 'REST reference and guides' }).click();
    await first.waitFor();
    expect(faults).toEqual([]);
  });
});
