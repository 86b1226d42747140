import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../support/clients/basic.js';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';
import {
  confirm,
  confirmPlainly,
  fieldIn,
  open,
  openIt,
  press,
  secretOn,
  statusOf,
  unexpected,
} from '../support/clients/page-forms.js';

const EMAIL = 'ada@example.com';

/** Removes the box with the secret, so that a test does not confuse it with the next box. */
const closed = async (page: Page) => {
  await page.reload();
  await page.getByText('Signed in:').waitFor();
};

describeInBrowser('credentials', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'off' });
    await browsing.call('POST', '/api/v2/users', { name: 'Ada Lovelace', email: EMAIL, password: PASSWORD });
  });
  afterAll(() => browsing.close());

  const visit = async (path: string) => {
    const visited = await browsing.visitSignedIn(path);
    await visited.page.getByText('Signed in:').waitFor();
    return visited;
  };
  /** The names of the keys that verify tokens. */
  const known = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${browsing.url}/oauth/jwks`);
    return ((await answer.json()) as { keys: readonly { kid: string }[] }).keys.map(({ kid }) => kid);
  };

  it('of a client are made, rotated and revoked by clicks', async () => {
    const { page, faults } = await visit('/api/v2/clients');
    await open(page, 'Make a client');
    await fieldIn(page, 'Name').fill('Courier');
    await page.locator('.action-form[open]').getByRole('checkbox', { name: 'client_credentials' }).check();
    await page.locator('.action-form[open]').getByRole('checkbox', { name: 'orders:read' }).check();
    await press(page, 'Make a client');
    const first = await secretOn(page, 'client_secret');
    await picture(page, 'client-secret');
    await openIt(page, 'Courier');
    const id = new URL(page.url()).pathname;
    const { client_id: name } = (await (await browsing.call('GET', id)).json()) as { client_id: string };
    const token = async (secret: string) => {
      const answer = await fetch(`${browsing.url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'orders:read' }),
      });
      return answer.status;
    };
    expect(await token(first)).toBe(200);

    // With an overlap, both secrets are valid. Without an overlap, only the new secret is valid.
    await open(page, 'Give this client a new secret');
    await fieldIn(page, 'Seconds of overlap').fill('600');
    await press(page, 'Give this client a new secret');
    const second = await secretOn(page, 'client_secret');
    expect([await token(first), await token(second)]).toEqual([200, 200]);
    await closed(page);
    await open(page, 'Give this client a new secret');
    await fieldIn(page, 'Seconds of overlap').fill('0');
    await press(page, 'Give this client a new secret');
    const third = await secretOn(page, 'client_secret');
    expect(new Set([first, second, third]).size).toBe(3);
    await expect.poll(() => token(second)).toBe(401);
    expect([await token(first), await token(third)]).toEqual([401, 200]);

    await closed(page);
    const tab = await visit(new URL(page.url()).pathname);
    await confirm(page, 'Revoke this client');
    await expect.poll(() => token(third)).toBe(401);
    // Nothing can be done with a client that has ended. A page that was opened before the end says why.
    await expect.poll(() => page.locator('[data-operation]').count()).toBe(0);
    await expect.poll(() => tab.page.locator('[data-operation]:not([hidden])').count()).toBe(2);
    await open(tab.page, 'Give this client a new secret');
    await press(tab.page, 'Give this client a new secret');
    await tab.page
      .locator('.action-form[open] .told')
      .filter({ hasText: /revoked|ended/ })
      .waitFor();
    expect(unexpected([...faults, ...tab.faults], 409)).toEqual([]);
  });

  it('that sign tokens are rotated and revoked by clicks', async () => {
    const { page, faults } = await visit('/api/v2/signing-keys');
    const rotate = async (overlap: string): Promise<string> => {
      await page.goto(`${browsing.url}/api/v2/signing-keys`);
      await open(page, 'Rotate the signing keys');
      await fieldIn(page, 'Seconds of overlap').fill(overlap);
      await press(page, 'Rotate the signing keys');
      await page.waitForURL(/\/signing-keys\/\d+$/);
      const { pathname } = new URL(page.url());
      return ((await (await browsing.call('GET', pathname)).json()) as { kid: string }).kid;
    };
    const first = await rotate('600');
    await expect.poll(known).toContain(first);
    const second = await rotate('600');
    await expect.poll(known).toEqual(expect.arrayContaining([first, second]));
    await page.getByText(second).first().waitFor();
    await picture(page, 'signing-key');

    // The revoked key signed the tokens, so a new key takes its place. The earlier key continues to verify tokens.
    await confirm(page, 'Revoke this signing key');
    await expect.poll(known).not.toContain(second);
    expect(await known()).toContain(first);
    expect((await known()).length).toBeGreaterThanOrEqual(2);
    const last = await rotate('0');
    await expect.poll(known).toEqual([last]);
    expect(faults).toEqual([]);
  });

  it('can be rotated and revoked without JavaScript, if a password gives access to them', async () => {
    const { page, faults } = await browsing.visit('/api/v2/api-keys', {
      javaScriptEnabled: false,
      httpCredentials: { username: EMAIL, password: PASSWORD },
    });
    await page.goto(`${browsing.url}/basic-sign-in?return_to=%2Fapi%2Fv2%2Fapi-keys`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await open(page, 'Make an API key');
    await fieldIn(page, 'Name').fill('Phone');
    await page.locator('.action-form[open] input[name=user_id]').fill('1');
    await press(page, 'Make an API key');
    const first = await secretOn(page, 'key');
    await openIt(page, 'Phone');
    await open(page, 'Give this API key a new secret');
    await fieldIn(page, 'Seconds of overlap').fill('0');
    await press(page, 'Give this API key a new secret');
    const second = await secretOn(page, 'key');
    await expect.poll(() => statusOf(browsing.url, first)).toBe(401);
    expect(await statusOf(browsing.url, second)).toBe(200);
    await openIt(page, 'Phone');
    await confirmPlainly(page, 'Revoke this API key', 'Phone');
    await expect.poll(() => statusOf(browsing.url, second)).toBe(401);

    // A password gives no access to clients and signing keys. The page says 403, and offers no form.
    for (const path of ['/api/v2/clients', '/api/v2/signing-keys']) {
      await page.goto(browsing.url + path);
      await page.getByRole('heading', { name: '403' }).waitFor();
      expect(await page.locator('.action-form:visible').count()).toBe(0);
    }
    expect(unexpected(faults, 401, 403)).toEqual([]);
  });
});
