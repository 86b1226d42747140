import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { HAS_PAGE_CACHE, HOW_TO_GET_PAGE_CACHE, startChromiumWithPageCache } from '../../testkit/chromium.js';
import { freePort } from '../../testkit/free-port.js';
import { PASSWORD } from '../support/clients/basic.js';
import { needing } from '../support/needs.js';
import {
  ADMIN_KEY,
  describeInBrowser,
  enterKey,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';
import { fieldIn, open, press } from '../support/clients/page-forms.js';

const withPageCache = needing('Chromium with pages in memory', HAS_PAGE_CACHE, HOW_TO_GET_PAGE_CACHE);

const EMAIL = 'ada@example.com';

const stored = (page: Page) =>
  page.evaluate<[Record<string, string>, Record<string, string>, string]>(
    '[{ ...sessionStorage }, { ...localStorage }, document.cookie]',
  );

const enterPassword = async (page: Page, password = PASSWORD, email = EMAIL): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const withPassword = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  await enterPassword(page);
};

/** Makes the access token of the tab expire. */
const expire = (page: Page) =>
  page.evaluate(
    `sessionStorage.setItem('store:session', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('store:session')), until: 1 }))`,
  );

const WAIT = 'There were too many requests. Try again in 58 s.';

const refuse = (route: Route) =>
  route.fulfill({
    status: 429,
    headers: { 'retry-after': '58' },
    contentType: 'application/problem+json',
    body: JSON.stringify({ status: 429, title: 'Too many requests', detail: WAIT, code: 'RATE_LIMITED' }),
  });

describeInBrowser('a sign-in', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    // The authorization server sends browsers to the address of the service. So the port of the service must be known
    // before the service starts.
    // A visitor who is not signed in may send 120 requests a minute, and these visitors send more.
    browsing = await startBrowsing({
      PORT: String(await freePort()),
      STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min',
    });
    await browsing.call('POST', '/api/v2/users', { name: 'Ada Lovelace', email: EMAIL, password: PASSWORD });
    await browsing.call('POST', '/api/v2/products', {
      name: 'Chai',
      price: { amount: 1800, currency: 'USD' },
    });
    await browsing.call('POST', '/api/v2/orders', { user_id: 1, items: [{ product_id: 1, quantity: 2 }] });
  });
  afterAll(() => browsing.close());

  it('with e-mail and password leads back to the page, which later renews the token without asking', async () => {
    const { page, faults } = await browsing.visit('/api/v2/orders?limit=5');
    await withPassword(page);
    await page.waitForURL('**/api/v2/orders?limit=5');
    await page.getByText('Signed in: Ada Lovelace').waitFor();
    await page.getByRole('row').nth(1).waitFor();

    const [session, local, cookie] = await stored(page);
    expect(Object.keys(session)).toEqual(['store:session']);
    expect(local).toEqual({});
    // The cookies of the authorization server cannot be read by scripts.
    expect(cookie).toBe('');
    const { secret } = JSON.parse(session['store:session'] ?? '') as { secret: string };

    await expire(page);
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    const [later] = await stored(page);
    const next = (JSON.parse(later['store:session'] ?? '') as { secret: string }).secret;
    expect(next).not.toBe(secret);
    expect(faults).toEqual([]);
  });

  it('leads back to the page, even if the script of this page was never loaded', async () => {
    const { page } = await browsing.visit('/health/live');
    await page.route('**/assets/browse-*.js', (route) => route.abort());
    await page.goto(`${browsing.url}/api/v2/orders?limit=5`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${browsing.url}/api/v2/orders?limit=5`);
  });

  it('shows the fault of a wrong key at the field, and opens the page for a valid key', async () => {
    const { page, faults } = await browsing.visit('/api/v2/orders');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await picture(page, 'sign-in');
    await page.getByLabel('Key', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The credential is not valid.' }).waitFor();
    const field = page.getByLabel('Key', { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').getAttribute('id')).toBe('secret');
    await field.fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/api/v2/orders');
    await page.getByText('Signed in: STORE_ADMIN_KEY').waitFor();
    expect(await page.content()).not.toContain(ADMIN_KEY);
    expect(faults.filter((fault) => !fault.includes('status of 401'))).toEqual([]);
  });

  it('is needed again after “Sign out”, and asks for the password again', async () => {
    const { page, faults } = await browsing.visit('/api/v2/orders');
    await withPassword(page);
    await page.getByText('Signed in: Ada Lovelace').click();
    await picture(page, 'signed-in');
    const [session] = await stored(page);
    const { secret } = JSON.parse(session['store:session'] ?? '') as { secret: string };
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(async () => Object.keys((await stored(page))[0])).toEqual([]);
    const headers = { authorization: `Bearer ${secret}` };
    await expect
      .poll(async () => (await fetch(`${browsing.url}/api/v2/orders`, { headers })).status)
      .toBe(401);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await page.getByLabel('Password').waitFor();
    expect(faults).toEqual([]);
  });

  it('lasts if the service cannot end it now, and the visitor can try again', async () => {
    const { page } = await browsing.visit('/api/v2/orders');
    await withPassword(page);
    await page.getByText('Signed in: Ada Lovelace').click();
    await page.route('**/oauth/session/end', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '7' }, json: { detail: 'Try again in 7 s.' } }),
    );
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Try again in 7 s.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Sign out', exact: true }).isVisible()).toBe(true);
    await page.unroute('**/oauth/session/end');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor();
  });

  it('ends in all browsers after “Sign out everywhere”', async () => {
    const one = await browsing.visit('/api/v2/orders');
    await withPassword(one.page);
    const other = await browsing.visit('/api/v2/orders');
    await withPassword(other.page);
    await other.page.getByText('Signed in: Ada Lovelace').waitFor();
    await one.page.getByText('Signed in: Ada Lovelace').click();
    await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await one.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.page.reload();
    await other.page.getByRole('heading', { name: '401' }).waitFor();
    await other.page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect((await stored(other.page))[0]).toEqual({});
    expect(one.faults).toEqual([]);
  });

  it('never leads to another site', async () => {
    for (const path of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const { page, faults, leave } = await browsing.visit(`/sign-in?return_to=${encodeURIComponent(path)}`);
      await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${browsing.url}/`);
      expect(faults).toEqual([]);
      await leave();
    }
  });

  it('refuses an authorization code that was not requested in this tab', async () => {
    const { page } = await browsing.visit('/sign-in?code=stolen&state=unknown');
    await page.getByRole('alert').filter({ hasText: 'not begun in this tab' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect((await stored(page))[0]).toEqual({});
  });

  it('with a password also works if the page was opened by another host name of the service', async () => {
    const { port } = new URL(browsing.url);
    const { page } = await browsing.visit('/sign-in?return_to=/api/v2/orders');
    await page.goto(`http://localhost:${port}/sign-in?return_to=/api/v2/orders`);
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await enterPassword(page);
    await page.getByText('Signed in: Ada Lovelace').waitFor();
    expect(page.url()).toBe(`${browsing.url}/api/v2/orders`);
  });

  it('without JavaScript, asks again and shows no data after a wrong password', async () => {
    const { page } = await browsing.visit('/sign-in?return_to=/api/v2/orders', {
      javaScriptEnabled: false,
      httpCredentials: { username: EMAIL, password: 'a wrong password' },
    });
    await picture(page, 'sign-in-without-script');
    expect(await page.getByRole('button').count()).toBe(0);
    const [answer] = await Promise.all([
      page.waitForResponse(`${browsing.url}/api/v2/orders`),
      page.getByRole('link', { name: 'sign in with e-mail address and password' }).click(),
    ]);
    expect([answer.status(), await answer.headerValue('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ]);
    await page.getByRole('heading', { name: '401' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
  });

  it.for(['/board', '/imports', '/api/v2/orders'])(
    'asks for another key on %s when the key of the tab was revoked',
    async (path) => {
      const made = await browsing.call('POST', '/api/v2/api-keys', {
        name: 'Shop',
        scopes: ['orders:read', 'orders:write', 'users:read', 'users:write', 'products:write'],
      });
      const { id, key } = (await made.json()) as { id: number; key: string };
      const { page } = await browsing.visit('/api/v2/products');
      await signInWithKey(page, key);
      await page.getByText('Signed in: Shop').waitFor();
      await browsing.call('DELETE', `/api/v2/api-keys/${id}`);
      await page.goto(browsing.url + path);
      await page.locator('#sign-in').waitFor();
      expect(await page.getByText('Signed in: Shop').isVisible()).toBe(false);
      await page.locator('main').getByRole('link', { name: 'Sign in' }).first().click();
      await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
      await page.getByText('Signed in: STORE_ADMIN_KEY').waitFor();
    },
  );

  it('is not needed again after a 401 while the key is valid', async () => {
    const { page } = await browsing.visitSignedIn('/health/live');
    await page.route('**/api/v2/orders', (route) =>
      route.fulfill({ status: 401, contentType: 'text/html', body: '<main id="main"><h1>401</h1></main>' }),
    );
    await page.goto(`${browsing.url}/api/v2/products`);
    // After a click, the header stays only if the script of the page follows the link. So the click comes after the
    // script has started.
    await page.getByText('Signed in: STORE_ADMIN_KEY').waitFor();
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await page.getByRole('heading', { name: '401' }).waitFor();
    expect(await page.getByText('Signed in: STORE_ADMIN_KEY').isVisible()).toBe(true);
  });

  it('shows the reason when the service refuses it with a 429, and succeeds at a later try', async () => {
    const { page } = await browsing.visit('/sign-in?return_to=/api/v2/orders');
    const fault = page.getByRole('alert');
    await page.route('**/api/v2/credential', refuse);
    await enterKey(page);
    await fault.filter({ hasText: WAIT }).waitFor();
    // The service has not said that the key is wrong.
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBeNull();
    await page.unroute('**/api/v2/credential');

    await page.route('**/oauth/token', refuse);
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await enterPassword(page);
    await fault.filter({ hasText: WAIT }).waitFor();
    await page.unroute('**/oauth/token');
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await page.waitForURL('**/api/v2/orders');
    await page.getByText('Signed in: Ada Lovelace').waitFor();
  });

  const failing: readonly (readonly [string, string, (route: Route) => Promise<void>, string])[] = [
    ['/oauth/auth', '429', refuse, WAIT],
    ['/oauth/auth', '503', (route) => route.fulfill({ status: 503, body: '' }), 'the status 503'],
    ['/oauth/token', '429', refuse, WAIT],
    [
      '/oauth/token',
      '500',
      (route) => route.fulfill({ status: 500, json: { error: 'server_error' } }),
      'the status 500',
    ],
    ['/api/v2/credential', '429', refuse, WAIT],
  ];
  it.for(failing)(
    'lasts while %s answers with %s, and the entries stay',
    async ([path, , answer, reason]) => {
      const { page } = await browsing.visit('/api/v2/users/1');
      await withPassword(page);
      await open(page, 'Change this user');
      await fieldIn(page, 'Name').fill('Ada King');
      await expire(page);
      const address = (url: URL) => url.pathname === path;
      await page.route(address, answer);
      await press(page, 'Save');
      await page.locator('.told').filter({ hasText: reason }).first().waitFor();
      await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
      await page.getByRole('status').filter({ hasText: reason }).waitFor();
      expect(await page.getByText('Signed in: Ada Lovelace').isVisible()).toBe(true);
      expect(await fieldIn(page, 'Name').inputValue()).toBe('Ada King');
      await page.unroute(address);
      await press(page, 'Save');
      await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
      await browsing.call('PATCH', '/api/v2/users/1', { name: 'Ada Lovelace' });
    },
  );

  it('is over when somebody else has signed in with the same browser', async () => {
    await browsing.call('POST', '/api/v2/users', {
      name: 'Bob',
      email: 'bob@example.com',
      password: PASSWORD,
    });
    const { page } = await browsing.visit('/api/v2/orders');
    await withPassword(page);
    await page.getByText('Signed in: Ada Lovelace').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${browsing.url}/oauth/session/end`);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.goto(`${browsing.url}/api/v2/orders`);
    await tab.getByRole('link', { name: 'Sign in' }).first().click();
    await tab.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await enterPassword(tab, PASSWORD, 'bob@example.com');
    await tab.getByText('Signed in: Bob').waitFor();
    await expire(page);
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await page.getByRole('heading', { name: '401' }).waitFor();
    expect((await stored(page))[0]).toEqual({});
  });

  it.for(['/api/v2/users', '/board', '/'])(
    'is needed again for %s, although the browser still has the page as it was before “Sign out”',
    withPageCache,
    async (path) => {
      const browser = await startChromiumWithPageCache();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      const shown: string[] = [];
      page.on('console', (message) => shown.push(message.text()));
      await page.addInitScript(
        'addEventListener("pageshow", ({ persisted }) => persisted && console.log(`kept ${location.pathname}`))',
      );
      await page.goto(`${browsing.url}/sign-in?return_to=${path}`);
      await enterKey(page);
      await page.waitForURL(browsing.url + path);
      const mine = page.getByText(/(Signed in:|signed in as) STORE_ADMIN_KEY/);
      await mine.waitFor();
      await page.goto(`${browsing.url}/api/v2/products`);
      await mine.click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
      await page.evaluate('history.back()');
      await expect.poll(() => shown).toContain(`kept ${path}`);
      await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
      await expect.poll(() => mine.isVisible()).toBe(false);
      expect(await page.content()).not.toContain(ADMIN_KEY);
      expect(await page.locator('main').innerText()).not.toContain(EMAIL);
    },
  );

  it('is shared by all pages of a tab', async () => {
    const { page } = await browsing.visit('/api/v2/products');
    await signInWithKey(page);
    await page.getByText('Signed in: STORE_ADMIN_KEY').waitFor();
    await page.goto(`${browsing.url}/api/v2/api-keys`);
    await page.locator('body[data-status="200"]').waitFor();
    expect(await page.locator('#who').innerText()).toBe('STORE_ADMIN_KEY');
  });
});
