import CachePolicy from 'http-cache-semantics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpDate, readHttpDate } from '../../../src/engine/contract/http-date.js';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { ADMIN_KEY, startApp, type Answer, type Call, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, countedProduct, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';

type Headers_ = Record<string, string>;

describeOnEachEngine('an answer', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  /** The answer, and the policy of a cache for this answer (RFC 9111). */
  async function cached(
    path: string,
    {
      shared,
      headers = {},
      key = null,
      method = 'GET',
      body,
      app = store,
    }: {
      readonly shared: boolean;
      readonly headers?: Headers_;
      readonly key?: string | null;
      readonly method?: string;
      readonly body?: unknown;
      readonly app?: TestApp;
    },
  ): Promise<{ policy: CachePolicy; request: CachePolicy.Request; answer: Answer }> {
    const answer = await app.call(method, path, { key, headers, body });
    const asked = { ...headers, ...(key !== null && { 'x-api-key': key }) };
    const request = { url: path, method, headers: asked };
    const response = { status: answer.status, headers: Object.fromEntries(answer.headers) };
    return { policy: new CachePolicy(request, response, { shared }), request, answer };
  }

  async function tagOf(path: string, call: Call = {}): Promise<string> {
    return (await store.call('GET', path, call)).headers.get('etag') as string;
  }

  async function isSame(path: string, tag: string, call: Call = {}): Promise<boolean> {
    return (await store.call('GET', path, { ...call, headers: { 'if-none-match': tag } })).status === 304;
  }

  async function dateOf(path: string): Promise<string | null> {
    return (await store.call('GET', path)).headers.get('last-modified');
  }

  /** Sets the time of the last change of the product. */
  async function changedAt(id: number, at: Date): Promise<void> {
    await store.app
      .get(Database, { strict: false })
      .unitOfWork.run(() =>
        run(sql`UPDATE products SET updated_at = ${at}, version = version + 1 WHERE id = ${id}`),
      );
  }

  describe('a public answer', () => {
    it.each(['item', 'list', 'stock'])(
      'is stored by shared caches and revalidated for each request: %s',
      async (what) => {
        const id = await countedProduct(store, 3);
        const path = {
          item: `/api/products/${id}`,
          list: '/api/products',
          stock: `/api/products/${id}/stock`,
        }[what] as string;
        const { policy, request } = await cached(path, { shared: true });
        expect([policy.storable(), policy.satisfiesWithoutRevalidation(request)]).toEqual([true, false]);
        const asked = policy.revalidationHeaders(request) as Headers_;
        expect(asked['if-none-match']).toMatch(/^"/);
        const again = await store.call('GET', path, { key: null, headers: asked });
        expect([again.status, again.text]).toEqual([304, '']);
        const { modified } = policy.revalidatedPolicy(request, {
          status: again.status,
          headers: Object.fromEntries(again.headers),
        });
        expect(modified).toBe(false);
      },
    );

    it('may be reused by shared caches for the configured time', async () => {
      const app = await startApp(engine, { STORE_SHARED_CACHE_SECONDS: '60' });
      try {
        const { id } = await create(app);
        const shared = await cached(`/api/products/${id}`, { shared: true, app });
        expect(shared.policy.satisfiesWithoutRevalidation(shared.request)).toBe(true);
        expect(shared.policy.timeToLive()).toBeGreaterThan(50_000);
        const own = await cached(`/api/products/${id}`, { shared: false, app });
        expect(own.policy.satisfiesWithoutRevalidation(own.request)).toBe(false);
        const keyed = await cached(`/api/products/${id}`, { shared: true, key: ADMIN_KEY, app });
        expect(keyed.policy.storable()).toBe(false);
      } finally {
        await app.close();
      }
    });

    it('is not reused for a client that accepts another coding', async () => {
      const { id } = await create(store);
      const { policy, request } = await cached(`/api/products/${id}`, {
        shared: true,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      });
      const other = { ...request, headers: { ...request.headers, 'accept-encoding': 'br' } };
      expect((policy.revalidationHeaders(other) as Headers_)['if-none-match']).toBeUndefined();
    });
  });

  it('is stored only by private caches and revalidated for each request, if the request has a credential', async () => {
    const order = await placeOrder(store);
    const key = await createKey(store, [], order.user_id);
    for (const path of [
      `/api/orders/${order.id}`,
      '/api/orders',
      `/users/${order.user_id}`,
      '/api/products',
    ]) {
      const shared = await cached(path, { shared: true, key });
      expect([path, shared.policy.storable()]).toEqual([path, false]);
      const own = await cached(path, { shared: false, key });
      expect([own.policy.storable(), own.policy.satisfiesWithoutRevalidation(own.request)]).toEqual([
        true,
        false,
      ]);
    }
  });

  it('is not stored by caches if it belongs to a change, a refusal or a health check', async () => {
    const { id } = await create(store);
    const answers = await Promise.all([
      cached('/api/products', { shared: false, method: 'POST', key: ADMIN_KEY, body: aProduct() }),
      cached(`/api/products/${id}`, { shared: false, method: 'PATCH', key: ADMIN_KEY, body: { price: 1 } }),
      cached(`/api/products/${id}`, { shared: false, method: 'DELETE', key: ADMIN_KEY }),
      cached('/api/products/987654', { shared: false }),
      cached('/api/products?limit=0', { shared: false }),
      cached('/api/users', { shared: false }),
      cached('/health/live', { shared: false }),
    ]);
    for (const { policy, answer } of answers) {
      expect([answer.status, policy.storable(), answer.headers.get('cache-control')]).toEqual([
        answer.status,
        false,
        'no-store',
      ]);
    }
  });

  it('lists in Vary the headers on which it depends', async () => {
    const { id } = await create(store);
    const one = `/api/products/${id}`;
    const varyOf = async (path: string, key: string | null, headers: Headers_ = {}) =>
      (await store.call('GET', path, { key, headers })).headers.get('vary');
    for (const [key, vary] of [
      [null, 'Accept, Accept-Encoding'],
      [ADMIN_KEY, 'Accept, Accept-Encoding, Authorization, X-API-Key'],
    ] as const) {
      for (const path of [one, '/api/products', '/api/v2/products', '/api/products/export']) {
        expect([path, await varyOf(path, key)]).toEqual([path, vary]);
      }
      expect(await varyOf(one, key, { 'if-none-match': await tagOf(one) })).toBe(vary);
    }
    for (const path of ['/api/users', '/api/v2/orders']) {
      expect([path, await varyOf(path, ADMIN_KEY)]).toEqual([
        path,
        'Accept, Accept-Encoding, Authorization, X-API-Key',
      ]);
    }
    const { headers } = await fetch(`${store.url}/graphql?query={__typename}`);
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization, X-API-Key');
    // Refusals list the headers too, although no cache stores a refusal.
    expect(await varyOf('/api/products/987654', null)).toBe('Accept, Accept-Encoding');
  });

  describe.each(['/api/v1/users/me', '/api/users/me', '/api/v2/users/me'])('%s', (path) => {
    it.each(['json', 'xml', 'html'])('is never the copy of another user: %s', async (format) => {
      const [ada, bob] = [await createUser(store), await createUser(store)];
      const [first, second] = [await createKey(store, [], ada.id), await createKey(store, [], bob.id)];
      const address = `${path}?format=${format}`;
      const { policy, request, answer } = await cached(address, { shared: false, key: first });
      expect(answer.text).toContain(ada.email);
      const held = {
        'if-none-match': answer.headers.get('etag') as string,
        'if-modified-since': answer.headers.get('last-modified') as string,
      };
      // A cache that follows RFC 9111 sends the headers in `asked`. A cache such as that of Chromium sends the
      // validators of its copy, even if this is the copy of another user.
      const asked = policy.revalidationHeaders({ ...request, headers: { 'x-api-key': second } }) as Headers_;
      expect(asked['if-none-match']).toBeUndefined();
      const later = httpDate(Date.now() + 3_600_000);
      for (const headers of [
        held,
        { 'if-none-match': held['if-none-match'] },
        { 'if-modified-since': later },
      ]) {
        const other = await store.call('GET', address, { key: second, headers });
        expect([other.status, other.text.includes(bob.email)]).toEqual([200, true]);
      }
      const same = await store.call('GET', address, { key: first, headers: held });
      expect(same.status).toBe(304);
    });
  });

  it('with a list does not match the entity tag of a caller who may see other rows', async () => {
    const [mine, other] = [await placeOrder(store), await placeOrder(store)];
    const [first, second] = [
      await createKey(store, [], mine.user_id),
      await createKey(store, [], other.user_id),
    ];
    for (const path of ['/api/v1/orders', '/api/v2/orders']) {
      const tag = await tagOf(path, { key: first });
      expect(await isSame(path, tag, { key: first })).toBe(true);
      expect(await isSame(path, tag, { key: second })).toBe(false);
      expect(await tagOf(path, { key: second })).not.toBe(tag);
    }
  });

  describe('Last-Modified', () => {
    it('is the end of the second in which the row changed, and leads to a 304', async () => {
      const { id } = await create(store);
      await changedAt(id, new Date('2026-03-01T12:00:00.250Z'));
      const path = `/api/products/${id}`;
      expect(await dateOf(path)).toBe('Sun, 01 Mar 2026 12:00:01 GMT');
      const ask = async (since: string, more: Headers_ = {}) =>
        (await store.call('GET', path, { headers: { 'if-modified-since': since, ...more } })).status;
      expect(await ask('Sun, 01 Mar 2026 12:00:01 GMT')).toBe(304);
      expect(await ask('Mon, 02 Mar 2026 12:00:01 GMT')).toBe(304);
      expect(await ask('Sun, 01 Mar 2026 12:00:00 GMT')).toBe(200);
      expect(await ask('soon')).toBe(200);
      expect(await ask('Mon, 02 Mar 2026 12:00:01 GMT', { 'if-none-match': '"x"' })).toBe(200);
    });

    it('of the current second leads to no 304 and allows no change, because the second has not ended', async () => {
      const { id } = await create(store);
      const path = `/api/products/${id}`;
      // The change is dated 30 seconds ahead, so its second has not ended at the next requests.
      await changedAt(id, new Date(Date.now() + 30_000));
      const since = (await dateOf(path)) ?? '';
      expect(readHttpDate(since)).not.toBeNull();
      const read = await store.call('GET', path, { headers: { 'if-modified-since': since } });
      const write = await store.call('PATCH', path, {
        body: { price: 3 },
        headers: { 'if-unmodified-since': since },
      });
      expect([read.status, write.status]).toEqual([200, 412]);
    });

    it('of a second that has ended allows one change, and refuses the next change with the same date', async () => {
      const { id } = await create(store);
      await changedAt(id, new Date(Date.now() - 60_000));
      const path = `/api/products/${id}`;
      const since = (await dateOf(path)) ?? '';
      const write = (price: number) =>
        store.call('PATCH', path, { body: { price }, headers: { 'if-unmodified-since': since } });
      expect((await write(3)).status).toBe(200);
      expect((await write(4)).status).toBe(412);
    });

    it('is sent for users and orders too, but not for lists', async () => {
      const order = await placeOrder(store);
      expect(await dateOf(`/api/orders/${order.id}`)).toMatch(/GMT$/);
      expect(await dateOf(`/users/${order.user_id}`)).toMatch(/GMT$/);
      expect(await dateOf('/api/products')).toBeNull();
      expect(httpDate(0)).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
    });
  });

  describe('the tag of a list', () => {
    it.each(['/api/products', '/api/products?q=chai&sort=-price', '/api/products?fields=id&limit=100'])(
      'changes when a row is added to %s or removed from it, and is the same again without the new row',
      async (path) => {
        const { id } = await create(store, { name: 'Chai of lists', price: 9_000_000 });
        const last = path.includes('sort') ? path : `${path}${path.includes('?') ? '&' : '?'}page=1`;
        const before = await tagOf(last);
        expect(await isSame(last, before)).toBe(true);
        expect(await isSame(last, before)).toBe(true);
        await createUser(store);
        expect(await isSame(last, before)).toBe(true);
        const other = await create(store, { name: 'Another chai' });
        const created = await tagOf(last);
        expect(created).not.toBe(before);
        await store.call('DELETE', `/api/products/${other.id}`);
        expect(await tagOf(last)).toBe(before);
        await store.call('DELETE', `/api/products/${id}`);
        expect(await isSame(last, before)).toBe(false);
      },
    );

    it('changes when a row of the page changes, for example by a sale that changes in_stock', async () => {
      const id = await countedProduct(store, 1);
      const path = `/api/products?sort=-id&limit=1`;
      const before = await tagOf(path);
      await placeOrder(store, { items: [{ product_id: id, quantity: 1 }] });
      const { status, body } = await store.call('GET', path, { headers: { 'if-none-match': before } });
      expect([status, body]).toEqual([200, [expect.objectContaining({ id, in_stock: false })]]);
    });

    it('depends on the rows that the caller may see', async () => {
      const order = await placeOrder(store);
      const own = await createKey(store, [], order.user_id);
      const other = await createKey(store, [], (await createUser(store)).id);
      const tag = await tagOf('/api/orders', { key: own });
      expect(await isSame('/api/orders', tag, { key: own })).toBe(true);
      expect(await isSame('/api/orders', tag, { key: other })).toBe(false);
      await placeOrder(store);
      expect(await isSame('/api/orders', tag, { key: own })).toBe(true);
      await store.call('PATCH', `/api/orders/${order.id}`, { body: { status: 'paid' } });
      expect(await isSame('/api/orders', tag, { key: own })).toBe(false);
      expect(await isSame(`/api/users/${order.user_id}/orders`, tag)).toBe(false);
    });

    it('differs if the body differs', async () => {
      const bodies = new Map<string, string>();
      const ids: number[] = [];
      for (let step = 0; step < 40; step += 1) {
        const id = ids[(step * 7) % (ids.length || 1)];
        if (step % 4 !== 3 || id === undefined) ids.push((await create(store, { price: step })).id);
        else if (step % 8 === 3)
          await store.call('PATCH', `/api/products/${id}`, { body: { price: 500 + step } });
        else await store.call('DELETE', `/api/products/${id}`);
        for (const path of ['/api/products?sort=-id&limit=5', '/api/products?min_price=1&limit=7']) {
          const { headers, text } = await store.call('GET', path);
          const key = `${path} ${headers.get('etag')}`;
          expect(bodies.get(key) ?? text).toBe(text);
          bodies.set(key, text);
        }
      }
      expect(bodies.size).toBeGreaterThan(40);
    });
  });

  it('to HEAD has the status and the headers of the answer to GET, but no body', async () => {
    const order = await placeOrder(store);
    const { id } = await create(store);
    for (const path of [
      `/api/products/${id}`,
      '/api/products?limit=3',
      `/users/${order.user_id}`,
      `/api/orders/${order.id}`,
      '/api/products/987654',
    ]) {
      const get = await store.call('GET', path);
      const head = await store.call('HEAD', path);
      const next = await store.call('GET', path);
      expect([head.status, head.text]).toEqual([get.status, '']);
      const same = ([name]: [string, string]) => get.status < 400 || name !== 'content-length';
      // `Last-Modified` changes when the second of the last change ends, perhaps between two of these requests.
      const expected = [get, next].map((answer) => headersOf(answer).filter(same));
      expect(expected).toContainEqual(headersOf(head).filter(same));
    }
  });
});

/** The headers without those that differ in each answer. */
function headersOf({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => !/^(date|ratelimit|x-request-id|connection|keep-alive)$/.test(name));
}
