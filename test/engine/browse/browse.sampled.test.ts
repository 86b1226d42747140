import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MADE, requestsTo } from '../../support/clients/requests.js';
import { BODIES } from '../../../src/generated/bodies.js';
import { OPERATIONS, type OperationId } from '../../../src/generated/operations.js';
import { VIEWS } from '../../../src/generated/views.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { sampled } from '../../support/sampled.js';
import { createKey } from '../../support/clients/keys.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const linksIn = (text: string) =>
  [...text.matchAll(/<a href="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
const answerIn = (text: string) => /data-answer[\s\S]*?<nav class="formats"/.exec(text)?.[0] ?? '';

describe('the HTML pages of the API', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'EUR' });
    for (const name of ['Chai', '<script>alert(1)</script>', 'Ginger beer'])
      await store.call('POST', '/api/v1/products', { body: { name, price: 18.5 } });
    await store.call('POST', '/api/v1/users', { body: { name: 'Ada', email: 'ada@example.com' } });
    const items = [{ product_id: 1, quantity: 2 }];
    await store.call('POST', '/api/v1/orders', { body: { user_id: 1, items } });
    await store.call('POST', '/api/v1/api-keys', { body: { name: 'Till', user_id: 1 } });
    await store.call('POST', '/api/v1/identities', {
      body: { issuer: 'https://login.example', subject: 'ada', user_id: 1 },
    });
    await store.call('POST', '/api/v1/clients', {
      body: { name: 'Till', scopes: [], grant_types: ['client_credentials'] },
    });
    const own = ['Product', 'User', 'Order', 'ApiKey', 'Identity', 'Client'];
    for (const entity of [...MADE].filter((each) => !own.includes(each)))
      await requestsTo(store).make(entity);
  });
  afterAll(() => store.close());

  const page = (path: string, headers: Record<string, string> = {}) =>
    store.call('GET', path, { headers: { accept: BROWSER, ...headers } });
  const line = async (path: string) =>
    /id="curl">([^<]*)</
      .exec((await page(path)).text)?.[1]
      ?.replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  const challenge = async (accept: string) => {
    const { status, headers } = await store.call('GET', '/api/v1/orders', {
      headers: { accept },
      key: null,
    });
    return [
      status,
      headers.get('www-authenticate')?.includes('Basic'),
      headers.get('www-authenticate')?.includes('ApiKey'),
    ];
  };
  // fetch always sends `sec-fetch-mode: cors`, so this function uses `request`.
  const opened = async (headers: Record<string, string>) => {
    const asking = request(`${store.url}/api/v1/orders`, {
      headers: { accept: BROWSER, 'sec-fetch-mode': 'navigate', ...headers },
    });
    const [answer] = (await once(asking.end(), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await textOf(answer) };
  };
  const files = async (path: string) =>
    [...(await page(path)).text.matchAll(/<a href="([^"]+)" data-export>All as (\w+)</g)].map(
      ([, address = '', name]) => [name, address.replaceAll('&amp;', '&')],
    );
  const sent = async (path: string) => {
    const { status, headers } = await fetch(store.url + path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };

  const operations = Object.keys(VIEWS) as OperationId[];

  it('exist for every GET that offers HTML, and for no other operation', () => {
    const shown = Object.values(OPERATIONS).filter(
      ({ method, answer }) => method === 'GET' && answer.mediaTypes.includes('text/html'),
    );
    expect(operations.toSorted()).toEqual(shown.map(({ id }) => id).toSorted());
    expect(operations.length).toBeGreaterThan(12);
  });

  it.each(sampled(operations, 10))(
    '%s has no inline script or style, and every link on it works',
    async (id) => {
      for (const pattern of OPERATIONS[id].paths) {
        // Paths of a user (`/me`) are left out: the administrator is not a user.
        const path = pattern.replace(':code', 'not-found').replaceAll(/:\w+/g, '1');
        if (path.endsWith('/me')) continue;
        const { status, text, headers } = await page(path);
        expect([path, status]).toEqual([path, 200]);
        expect(headers.get('content-security-policy')).toMatch(
          /^default-src 'none';(?!.*unsafe).*script-src 'self';/,
        );
        expect(text).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style| style=| on\w+=/);
        for (const address of new Set(linksIn(text))) {
          const target = await fetch(store.url + address, {
            headers: { accept: BROWSER, 'x-api-key': 'an-administrator-key-for-tests-only-0123456789' },
          });
          await target.text();
          expect([address, target.status]).toEqual([address, 200]);
        }
      }
    },
  );

  it('link each row to related rows, under the prefix of the request', async () => {
    for (const root of ['/api/v1', '/api']) {
      const related = async (path: string) =>
        linksIn(answerIn((await page(root + path)).text)).map((address) => address.replace(`${root}/`, ''));
      expect(await related('/products/1')).toEqual(['products/1/stock']);
      expect(await related('/users/1')).toEqual([
        'users/1/orders',
        'api-keys?user_id=1',
        'identities?user_id=1',
      ]);
      expect(await related('/orders/1')).toEqual(['users/1', 'products/1']);
      expect(await related('/orders')).toEqual(expect.arrayContaining(['orders/1', 'users/1', 'products/1']));
      expect(await related('/api-keys/1')).toEqual(['users/1']);
      expect(await related('/identities/1')).toEqual(['users/1']);
    }
    expect(linksIn(answerIn((await page('/users/1')).text))[0]).toBe('/api/v1/users/1');
  });

  it('link only to pages of the same version', async () => {
    const related = async (path: string) => linksIn(answerIn((await page(path)).text));
    expect(await related('/api/v2/products/1')).toEqual(['/api/v2/products/1/stock']);
    expect(await related('/api/v2/orders/1')).toEqual(['/api/v2/users/1', '/api/v2/products/1']);
    expect(await related('/api/v2/users/1')).toEqual([
      '/api/v2/users/1/orders',
      '/api/v2/api-keys?user_id=1',
      '/api/v2/identities?user_id=1',
    ]);
    expect(await related('/api/v2/api-keys')).toEqual(['/api/v2/api-keys/1', '/api/v2/users/1']);
    expect(await related('/api/v2/imports')).toEqual([
      '/api/v2/imports?sort=id',
      '/api/v2/imports/1',
      '/api/v2/imports/1/refusals',
    ]);
    expect(await related('/api/v2/imports/1')).toEqual(['/api/v2/imports/1/refusals']);
    const { text } = await page('/api/v2/products?limit=1&sort=-name');
    expect(linksIn(text)).toEqual(
      expect.arrayContaining(['/api/v2/users', '/api/v2/products?limit=1&sort=name']),
    );
    expect(text).toMatch(
      /<data value="\{&quot;amount&quot;:1850,&quot;currency&quot;:&quot;EUR&quot;\}"\s*>18\.50 EUR<\/data\s*>/,
    );
  });

  it('give each column of a list one class of width: a narrow one for ids, and a wider one for dates', async () => {
    const { text } = await page('/api/v2/products?sort=id');
    const looks = [...text.matchAll(/<td role="cell" data-name="(\w+)" class="([\w ]+)"/g)];
    const classes = new Map(looks.map(([, name, look]) => [name as string, look as string]));
    expect(new Set(looks.map(([, name, look]) => `${name} ${look}`)).size).toBe(classes.size);
    expect(classes.get('id')).toBe('number w0');
    expect(classes.get('price')).toBe('number w2');
    expect(classes.get('created_at')).toBe('w4');
    // The lines of an order are a table inside a cell. Its rows are cards, so its columns have no widths.
    const { text: orders } = await page('/api/v1/orders');
    expect(orders).toContain('<table role="table"  class="list"');
    expect(orders).toContain('<table role="table"  class="many"');
  });

  it('link only to pages of the requested version, even if both versions share one page', async () => {
    for (const version of ['v1', 'v2']) {
      const { text } = await page(`/api/${version}/products/1/stock`);
      const links = linksIn(text).filter((address) => address.startsWith('/api/'));
      expect(links).toContain(`/api/${version}/orders`);
      expect(links.filter((address) => !address.startsWith(`/api/${version}/`))).toEqual([]);
    }
  });

  it('link from a list to its exports, with the filter of the list', async () => {
    const filter = 'q=a&min_price=1';
    for (const version of ['v1', 'v2']) {
      const root = `/api/${version}`;
      expect(await files(`${root}/products?limit=1&sort=-name&${filter}`)).toEqual([
        ['CSV', `${root}/products/export?${filter}&format=csv`],
        ['NDJSON', `${root}/products/export?${filter}&format=ndjson`],
      ]);
      expect(await files(`${root}/orders?status=pending`)).toEqual([
        ['CSV', `${root}/orders/export?status=pending&format=csv`],
        ['NDJSON', `${root}/orders/export?status=pending&format=ndjson`],
      ]);
      expect(await files(`${root}/users`)).toHaveLength(2);
      // The export of users has no filter.
      expect(await files(`${root}/users?email=ada@example.com`)).toEqual([]);
      for (const other of ['api-keys', 'events', 'products/1', 'users/1/orders'])
        expect(await files(`${root}/${other}`)).toEqual([]);
      const [[, csv = ''] = []] = await files(`${root}/products?${filter}`);
      const { headers } = await store.call('GET', `${root}/products?limit=1&${filter}`);
      // The parts after the split: a row of names, the products, and an empty text after the last line break.
      const lines = Number(headers.get('x-total-count')) + 2;
      expect((await store.call('GET', csv)).text.split('\r\n')).toHaveLength(lines);
    }
    const ofAlias = ['csv', 'ndjson'].map((name) => [
      name.toUpperCase(),
      `/api/products/export?format=${name}`,
    ]);
    expect(await files('/api/products')).toEqual(ofAlias);
  });

  it('link to the next and the previous page with cursors in lists without page numbers', async () => {
    const first = await page('/api/v2/products?limit=1&sort=name');
    const [next = ''] = linksIn(first.text).filter((address) => address.includes('cursor='));
    expect(next).toMatch(/^\/api\/v2\/products\?limit=1&sort=name&cursor=[\w-]+$/);
    const second = await page(next);
    expect(second.text).toContain('>Chai<');
    expect(linksIn(second.text)).toContain('/api/v2/products?limit=1&sort=name');
    // There are two links with a cursor: to the previous page and to the next page.
    const [, ...others] = linksIn(second.text).filter((address) => /cursor=(?!.*format)/.test(address));
    expect(others).toHaveLength(1);
  });

  it('have the same Cache-Control, Vary, Link and X-Total-Count as the JSON answer', async () => {
    for (const path of ['/api/v1/products', '/api/v1/products/1', '/api/v1/orders', '/api/v1/orders/1']) {
      const [html, json] = [await page(path), await store.call('GET', path)];
      for (const name of ['cache-control', 'vary', 'link', 'x-total-count'])
        expect([name, html.headers.get(name)]).toEqual([name, json.headers.get(name)]);
    }
  });

  it('link to the same pages of a list as the Link header, and keep the other parameters', async () => {
    const { text, headers } = await page('/api/v1/products?limit=1&page=2&sort=-name');
    const links = linksIn(text);
    for (const [, target = ''] of (headers.get('link') ?? '').matchAll(/<([^>]+)>/g))
      expect(links).toContain(target);
    const unsorted = await page('/api/v1/products?limit=1&page=2');
    expect(linksIn(unsorted.text)).toContain('/api/v1/products?limit=1&sort=name');
    expect(text).toContain('aria-sort="descending"');
    expect(linksIn(text)).toContain('/api/v1/products?limit=1&sort=name');
    const events = await page('/api/v1/events?limit=1');
    expect(linksIn(events.text)).toContain('/api/v1/events?limit=1&after=1');
  });

  it('show amounts in the currency of the store, even if this currency has no minor units', async () => {
    expect((await page('/api/v1/products/1')).text).toContain('<data value="18.5">18.50 EUR</data>');
    const yen = await startApp('sqlite', { STORE_CURRENCY: 'JPY' });
    await yen.call('POST', '/api/v1/products', { body: { name: 'Chai', price: 1800 } });
    const { text } = await yen.call('GET', '/api/v1/products/1', { headers: { accept: BROWSER } });
    await yen.close();
    expect(text).toContain('<data value="1800">1800 JPY</data>');
  });

  it('show the curl command for the same data, with a placeholder for a required credential', async () => {
    expect(await line('/api/v1/products?limit=5&format=html')).toBe(
      `curl '${store.url}/api/v1/products?limit=5'`,
    );
    expect(await line("/api/v1/products?q=a'$(id)")).toBe(
      `curl '${store.url}/api/v1/products?q=a%27%24%28id%29'`,
    );
    expect(await line('/api/v1/orders')).toBe(`curl -H 'X-API-Key: …' '${store.url}/api/v1/orders'`);
  });

  it('have entity tags with a digest of the page template, and the answer is 304 if nothing has changed', async () => {
    const { headers } = await page('/api/v1/products/1');
    expect(headers.get('etag')).toMatch(/-html-[0-9a-f]{8}(\.\w+)?"$/);
    const again = await page('/api/v1/products/1', { 'if-none-match': headers.get('etag') as string });
    expect(again.status).toBe(304);
    // A browser keeps the copy, but takes the headers of the list below from the 304.
    for (const path of ['/api/v1/products/1', '/api/v1/products', '/api/v2/products']) {
      const whole = await page(path);
      const known = await page(path, { 'if-none-match': whole.headers.get('etag') as string });
      expect([path, known.status]).toEqual([path, 304]);
      for (const name of ['content-security-policy', 'cross-origin-opener-policy'])
        expect(known.headers.get(name)).toBe(whole.headers.get(name));
    }
  });

  it('show a sign-in form with 200 when a browser opens an address that needs a credential', async () => {
    const { status, headers, text } = await opened({});
    expect([status, headers['cache-control'], headers['www-authenticate']]).toEqual([
      200,
      'no-store',
      undefined,
    ]);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).toContain('<h1>Sign in</h1>');
    expect(text).toContain('data-status="401"');
    // Other requests without a valid credential, such as a request of a browser with a wrong key, get 401.
    expect((await opened({ 'sec-fetch-mode': 'cors' })).status).toBe(401);
    expect((await opened({ accept: 'application/json' })).status).toBe(401);
    expect((await opened({ 'x-api-key': 'sk_1_wrong' })).status).toBe(401);
  });

  it('do not ask for a credential if the caller has one, and only the required scope is missing', async () => {
    const key = await createKey(store, ['products:write']);
    const { status, text } = await opened({ 'x-api-key': key });
    expect(status).toBe(403);
    expect(text).toContain('The present credential does not have this right.');
    expect(text).not.toContain('This page needs a credential');
    expect(text).toMatch(/<details class="problem">\s*<summary>All members of the problem<\/summary>/);
  });

  it('send no Basic challenge, so that the browser does not ask for a password itself', async () => {
    expect(await challenge(BROWSER)).toEqual([401, false, true]);
    expect(await challenge('application/json')).toEqual([401, true, true]);
  });

  it('redirect a form to the address with the entered values, if the browser runs no script', async () => {
    expect(await sent('/browse/api/v1/products?q=a%26b&sort=&in_stock=&fields=id&fields=name')).toEqual([
      303,
      '/api/v1/products?q=a%26b&fields=id%2Cname',
    ]);
    expect(await sent('/browse/api/v1/products?q=')).toEqual([303, '/api/v1/products']);
    expect(await sent('/browse/users/1?format=')).toEqual([303, '/users/1']);
  });

  it.each([
    '//example.com',
    '/%2Fexample.com',
    '/https://example.com',
    '/oauth/x',
    '/api/%0d%0aa:b',
    '/api/v1/%5Cexample.com',
    '',
  ])('do not redirect a form to an address outside of the API: %s', async (path) => {
    const { status, headers } = await fetch(`${store.url}/browse${path}`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([404, null]);
  });

  it('show the parameters of a list in its form, with their bounds and given values', async () => {
    const { text } = await page('/api/v1/products?in_stock=false&min_price=1.5');
    for (const { name } of VIEWS.listProducts?.filters ?? [])
      expect([name, text.includes(`name="${name}"`)]).toEqual([name, name !== 'page']);
    expect(text).toContain('<option selected>false</option>');
    expect(text).toMatch(/name="min_price"[^>]*value="1.5" step="0.01"\s+min="0" max="10000000"/);
  });

  it('show the given values and the fault of each field when a form is refused', async () => {
    const { status, text } = await page(
      '/api/v1/products?min_price=%22%3Ecoffee&limit=500&sort=colour&fields=id,x',
    );
    expect(status).toBe(400);
    expect(text).toMatch(
      /type="text"\s+id="by-min_price"[^>]*aria-invalid="true"[^>]*value="&quot;&gt;coffee"/,
    );
    expect(text).toMatch(/id="fault-min_price">Min price must be a number</);
    expect(text).toMatch(/id="by-limit"[^>]*aria-invalid="true"[^>]*value="500"/);
    expect(text).toMatch(/<option selected>colour<\/option>/);
    expect(text).toMatch(/value="x"\s+checked/);
    expect(text).not.toContain('fault-max_price');
  });

  it('open the form of a list if one of its fields has a fault, and describe the fault in words', async () => {
    const { status, text } = await page('/api/v2/events?after=abc');
    expect(status).toBe(400);
    expect(text).toMatch(/<details class="filters"\s+open>/);
    expect(text).toMatch(/id="fault-after">After must be a whole number, such as 41</);
  });

  it('use the singular for one item', async () => {
    expect((await page('/api/v1/orders')).text).toContain('<summary>1 item</summary>');
  });

  it('show null in the words of the contract', async () => {
    const { text: key } = await page('/api/v2/api-keys/1');
    expect(key).toMatch(/data-name="expires_at">\s*<span class="none" data-null>never</);
    const { text: job } = await page('/api/v2/imports/1');
    expect(job).toMatch(/data-name="ended_at">\s*<span class="none" data-null>not yet</);
    expect(job).toMatch(/data-name="problem">\s*<span class="none" data-null>none</);
  });

  it('get the kinds of members and the links of a row from the contract', () => {
    expect(BODIES.getOrder?.members).toMatchObject({
      total: { kind: 'money' },
      created_at: { kind: 'time' },
    });
    expect(BODIES.getProduct?.links?.['self']).toEqual({ operation: 'getProduct', parameters: { id: 'id' } });
    // The data of an event can be a product, a user or an order. So the contract gives it no links.
    expect(BODIES.listEvents?.members?.['data']?.items?.members?.['data']?.links).toBeUndefined();
  });
});
