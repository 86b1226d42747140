import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { create, createUser } from '../../support/fixtures/fixtures.js';
import { openStream } from '../../support/clients/sse.js';

const SUCCESSOR = 'rel="successor-version"';

describe('the end of version 1', () => {
  it('is not mentioned while it is not configured', async () => {
    const store = await startApp('sqlite');
    try {
      expect(await (await fetch(`${store.url}/docs`)).text()).not.toContain('ended');
      const { headers } = await store.call('GET', '/api/v1/products');
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
      expect(headers.get('link')).not.toContain(SUCCESSOR);
    } finally {
      await store.close();
    }
  });

  describe('in the future', () => {
    let store: TestApp;
    let product: number;
    beforeAll(async () => {
      store = await startApp('sqlite', {
        STORE_V1_DEPRECATED: '2026-01-01',
        STORE_V1_SUNSET: '2999-12-31T22:00:00+01:00',
        STORE_RATE_LIMIT: 'anonymous=9/h,caller=10000/h',
      });
      ({ id: product } = await create(store));
    });
    afterAll(() => store.close());

    it.each([
      ['a page', 'GET', '/api/v1/products', '/api/v2/products', 200],
      ['a page, by the alias', 'GET', '/api/products', '/api/v2/products', 200],
      ['one row', 'GET', '/api/v1/products/1', '/api/v2/products/1', 200],
      ['HEAD', 'HEAD', '/api/v1/products', '/api/v2/products', 200],
      ['OPTIONS', 'OPTIONS', '/api/v1/products', '/api/v2/products', 204],
      ['a missing row', 'GET', '/api/v1/products/999', '/api/v2/products/999', 404],
      ['a fault', 'GET', '/api/products?page=x', '/api/v2/products', 400],
      ['an unknown method', 'DELETE', '/api/v1/products', '/api/v2/products', 405],
      ['data of both versions', 'GET', '/api/v1/products/1/stock', '/api/v2/products/1/stock', 200],
    ])('is announced with %s', async (_what, method, path, successor, expected) => {
      const { status, headers } = await store.call(method, path);
      expect(status).toBe(expected);
      expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 0, 1) / 1000}`);
      expect(headers.get('sunset')).toBe('Tue, 31 Dec 2999 21:00:00 GMT');
      expect(
        headers
          .get('link')
          ?.endsWith(`<${successor}>; ${SUCCESSOR}, </docs>; rel="deprecation"; type="text/html"`),
      ).toBe(true);
    });

    it('is announced at the short address of a user, and with 304, 401 and 429', async () => {
      const { id } = await createUser(store);
      const short = await store.call('GET', `/users/${id}`);
      expect(short.headers.get('link')).toContain(`</api/v2/users/${id}>; ${SUCCESSOR}`);
      const tag = (await store.call('GET', '/api/v1/products/1')).headers.get('etag') as string;
      const answers = [
        await store.call('GET', '/api/v1/products/1', { headers: { 'if-none-match': tag } }),
        await store.call('GET', '/api/v1/products/1', { key: 'sk_1_wrong' }),
      ];
      do answers.push(await store.call('GET', '/api/v1/products/1', { key: null }));
      while (answers.at(-1)?.status === 200);
      expect([0, 1, -1].map((at) => answers.at(at)?.status)).toEqual([304, 401, 429]);
      for (const { headers } of answers) expect(headers.get('sunset')).toContain('2999');
    });

    it('does not remove the links to the other pages of a list', async () => {
      const { headers } = await store.call('GET', '/api/v1/products?limit=1');
      expect(headers.get('link')).toMatch(
        /^<\/api\/v1\/products\?page=1&limit=1>; rel="first", .*rel="last", /,
      );
    });

    it.each(['/api/v2/products', '/api/v2/products/1/stock', '/health/live', '/openapi.yaml', '/docs'])(
      'is not announced by %s',
      async (path) => {
        const { headers } = await fetch(store.url + path, { headers: { 'x-api-key': ADMIN_KEY } });
        expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
        expect(headers.get('link') ?? '').not.toContain(SUCCESSOR);
      },
    );

    it('is announced in the headers of a stream of events', async () => {
      expect(product).toBeGreaterThan(0);
      const stream = await openStream(store, '/api/v1/events');
      expect(stream.headers.get('sunset')).toContain('2999');
      expect(stream.headers.get('link')).toContain('</api/v2/events>');
      stream.leave();
    });
  });

  it('leads to 410 for every request of version 1 after its date, and does not affect version 2', async () => {
    const store = await startApp('sqlite', {
      STORE_V1_SUNSET: '2020-06-30',
      STORE_PUBLIC_URL: 'https://store.example',
    });
    try {
      for (const [method, path] of [
        ['GET', '/api/v1/products'],
        ['GET', '/api/products/1'],
        ['POST', '/api/v1/products'],
        ['OPTIONS', '/api/v1/users'],
        ['GET', '/api/v1/nothing'],
        ['GET', '/users/1'],
      ] as const) {
        const { status, body, headers } = await store.call(method, path, { key: null });
        expect([path, status, body.code]).toEqual([path, 410, 'VERSION_GONE']);
        expect([headers.get('sunset'), headers.get('deprecation')]).toEqual([
          'Tue, 30 Jun 2020 00:00:00 GMT',
          null,
        ]);
      }
      const { headers } = await store.call('GET', '/api/v1/products/1');
      expect(headers.get('link')).toContain(`<https://store.example/api/v2/products/1>; ${SUCCESSOR}`);
      const unknown = await store.call('GET', '/api/v3/products');
      expect(unknown.body.detail).toBe('There is no version v3 of this interface. Available versions: v2.');
      const body = { name: 'Chai', price: { amount: 1, currency: 'USD' } };
      const made = await store.call('POST', '/api/v2/products', { body });
      expect(made.status).toBe(201);
      expect((await store.call('GET', `/api/v2/products/${made.body.id}`)).status).toBe(200);
      for (const path of ['/api/v1/products', '/api/nothing', '/nothing', '/api/v2/products']) {
        const { text } = await store.call('GET', path, { headers: { accept: 'text/html' } });
        const links = [...text.matchAll(/href="(\/api\/[^"]+)"/g)].map(([, address = '']) => address);
        expect(links).toContain('/api/v2/orders');
        expect(links.filter((address) => !address.startsWith('/api/v2/'))).toEqual([]);
      }
      const [overview, docs] = [await fetch(`${store.url}/`), await fetch(`${store.url}/docs`)];
      const text = await overview.text();
      expect(text).toContain("curl 'https://store.example/api/v2/products?limit=5'");
      expect(text).not.toContain('/api/v1');
      expect(await docs.text()).toContain('Version 1 has ended');
    } finally {
      await store.close();
    }
  });
});
