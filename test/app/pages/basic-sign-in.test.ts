import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword } from '../../support/clients/basic.js';

/** Addresses that a browser could read as another site, or as a script. */
const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  String.raw`/\evil.example`,
  String.raw`\\evil.example`,
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/api/..//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  'evil.example',
  '',
];

const signIn = (next: string) => `/basic-sign-in?${new URLSearchParams({ return_to: next }).toString()}`;

describe('the sign-in without a script', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(store.url + path, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'sec-fetch-dest': 'document',
        'sec-fetch-mode': 'navigate',
        ...headers,
      },
    });

  it('asks the browser for a password, and then leads to the requested page', async () => {
    const asked = await open(signIn('/api/v2/orders?limit=5'));
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="store", charset="UTF-8"',
    ]);
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const page = await asked.text();
    expect(page).toContain('href="/api/v2/orders?limit=5"');
    // The header of the page may show the sign-in of the tab. So the page says that the
    // sign-in without JavaScript is a separate one.
    expect(page).toContain('<h1>Sign in without JavaScript</h1>');
    expect(page).toContain('this tab has its own sign-in');
    const { status, headers } = await open(signIn('/api/v2/orders?limit=5'), {
      authorization: basic('ada@example.com'),
    });
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      303,
      '/api/v2/orders?limit=5',
      'no-store',
    ]);
  });

  it('shows the pages of the user, and asks again after a wrong password', async () => {
    const user = await createUserWithPassword(store);
    const right = await open(`/api/v2/users/${user.id}`, { authorization: basic(user.email) });
    expect([right.status, right.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const wrong = { authorization: basic(user.email, 'a wrong password') };
    const refused = await open('/api/v2/orders', wrong);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ]);
    // A request of a script must not open the password dialog of the browser.
    const asked = await open('/api/v2/orders', { ...wrong, 'sec-fetch-dest': 'empty' });
    expect(asked.headers.get('www-authenticate')).not.toContain('Basic');
  });

  it('ends when the browser opens /basic-sign-out', async () => {
    const ended = await open('/basic-sign-out', { authorization: basic('ada@example.com') });
    expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ]);
    expect(await ended.text()).toContain('<h1>The sign-in of the browser has ended</h1>');
  });

  it.each(ELSEWHERE)('never leads to another site: %j', async (next) => {
    const { origin } = new URL(store.url);
    const answer = await open(signIn(next), { authorization: basic('ada@example.com') });
    const target = answer.headers.get('location') ?? '';
    expect(answer.status).toBe(303);
    expect(target).toMatch(/^\/(?!\/)/);
    expect(new URL(target, store.url).origin).toBe(origin);
    for (const path of ['/sign-in', '/basic-sign-in']) {
      const html = await (
        await open(`${path}?${new URLSearchParams({ return_to: next }).toString()}`)
      ).text();
      for (const [, address = ''] of html.matchAll(/ href="([^"]+)"/g))
        expect(new URL(address.replaceAll('&amp;', '&'), store.url).origin).toBe(origin);
      expect(html).not.toContain('return_to=%2F%2F');
    }
  });

  it.each([
    '/evil.example',
    '/https://evil.example',
    '/api/..//evil.example',
    '/api/%5Cevil.example',
    '/api/%0d%0aX:1',
  ])('does not redirect the address of a form to another site: /browse%s', async (path) => {
    const { status, headers } = await open(`/browse${path}`);
    const target = headers.get('location');
    expect(status === 303 || status === 404 || status === 400).toBe(true);
    expect(new URL(target ?? '/', store.url).host).toBe(new URL(store.url).host);
  });
});
