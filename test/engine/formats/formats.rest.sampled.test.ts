import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { CONTRACT } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { relatedOperation, requestsTo } from '../../support/clients/requests.js';
import { nastyText } from '../../support/faults/nasty.js';
import { filledPath } from '../../../testkit/contract/good-requests.js';
import { valueIn } from '../../../testkit/contract/formats.js';
import { sampled, times } from '../../support/sampled.js';

/** Valid names. The service refuses control characters, and removes blanks at both ends. */
const name = nastyText
  // oxlint-disable-next-line no-control-regex
  .map((text) => text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '').slice(0, 200))
  .filter((text) => text.isWellFormed() && text.trim() !== '');

const FORMATS = ['xml', 'yaml', 'csv'];

describeOnEachEngine('all formats', (engine) => {
  let store: TestApp;
  const ids: Record<string, number> = {};
  let userKey: string;
  beforeAll(async () => {
    store = await startApp(engine);
    const user = await createUser(store, { name: '=1+1' });
    const order = await placeOrder(store, { user_id: user.id });
    const gone = await placeOrder(store, { user_id: user.id });
    await store.call('DELETE', `/api/products/${gone.items[0]?.product_id}`);
    const { body: key } = await store.call('POST', '/api/api-keys', {
      body: { name: 'no', user_id: user.id, scopes: [] },
    });
    const { body: client } = await store.call('POST', '/api/clients', {
      body: { name: '012', confidential: true, grant_types: ['client_credentials'], scopes: ['events:read'] },
    });
    Object.assign(ids, { User: user.id, Order: order.id, Product: order.items[0]?.product_id });
    userKey = key.key as string;
    Object.assign(ids, { ApiKey: key.id, Client: client.id });
    await store.call('PUT', `/api/products/${ids['Product']}/stock`, { body: { quantity: 3 } });
  });
  afterAll(() => store.close());

  const shown = CONTRACT.filter(
    ({ method, responses }) => method === 'GET' && responses['200']?.content?.['application/xml'],
  );

  it('are offered by every GET under /api that does not send a file, and lists of rows also offer CSV', () => {
    const lists = CONTRACT.filter(({ operationId }) => /^list(?!Events)/.test(operationId));
    const missing = CONTRACT.filter(
      ({ method, address }) =>
        method === 'GET' && address.startsWith('/api/') && !/\/(export|refused-rows)$/.test(address),
    ).flatMap((operation) =>
      ['application/xml', 'application/yaml', ...(lists.includes(operation) ? ['text/csv'] : [])]
        .filter((type) => !operation.responses['200']?.content?.[type])
        .map((type) => `${operation.operationId} ${type}`),
    );
    expect(missing).toEqual([]);
    expect(shown.length).toBeGreaterThanOrEqual(17);
    expect(lists.length).toBeGreaterThanOrEqual(10);
  });

  const few = sampled(shown, 12);
  it.each(few.map(({ operationId, address, responses }) => [operationId, address, responses] as const))(
    'show the same data as JSON for %s',
    async (operationId, address, responses) => {
      const related = relatedOperation(operationId);
      const own = Object.entries(related.pathRows).map(([parameter, entity]) => [parameter, ids[entity]]);
      const path = filledPath(address, await requestsTo(store).pathValues(related, Object.fromEntries(own)));
      // Only a user has data under `/me`.
      const key = operationId.startsWith('getMe') ? userKey : ADMIN_KEY;
      const json = await store.call('GET', path, { key });
      expect(json.status).toBe(200);
      for (const [type, { schema }] of Object.entries(responses['200']?.content ?? {})) {
        if (type === 'text/event-stream' || type === 'text/html') continue;
        const answer = await store.call('GET', path, { headers: { accept: type }, key });
        expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
        // CSV shows only the rows of a list.
        const inside = type === 'text/csv' ? (json.body.data ?? json.body) : json.body;
        expect(withoutMoment(valueIn(type, answer.text, schema))).toEqual(withoutMoment(inside));
      }
    },
  );

  it('show exactly the stored text, with any characters', async () => {
    const { id } = await create(store);
    const product = CONTRACT.find(({ operationId }) => operationId === 'getProduct')?.responses['200']
      ?.content;
    const list = CONTRACT.find(({ operationId }) => operationId === 'listProducts')?.responses['200']
      ?.content;
    if (!product || !list) throw new Error('The contract has no products.');
    await fc.assert(
      fc.asyncProperty(name, fc.integer({ min: 0, max: 10_000_000 }), async (text, cents) => {
        const wanted = { id, name: text.trim(), price: cents / 100, in_stock: true };
        const { body } = await store.call('PUT', `/api/v1/products/${id}`, { body: wanted });
        expect(body).toEqual(wanted);
        for (const format of FORMATS) {
          const path = format === 'csv' ? '/api/v1/products?limit=100&' : `/api/v1/products/${id}?`;
          const { headers, text: answer } = await store.call('GET', `${path}format=${format}`);
          const type = (headers.get('content-type') as string).split(';', 1)[0] as string;
          const content = format === 'csv' ? list : product;
          const value = valueIn(type, answer, content[type]?.schema ?? {});
          const found = Array.isArray(value)
            ? (value as { id: number }[]).find((each) => each.id === id)
            : value;
          const kept = format === 'xml' ? wanted.name.replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD') : wanted.name;
          expect(found).toEqual({ ...wanted, name: kept });
        }
      }),
      { numRuns: times(60, 12) },
    );
  });

  it('show only the requested members', async () => {
    for (const format of ['xml', 'yaml', 'csv']) {
      const path = `/api/v1/products?fields=id,name&limit=1&format=${format}`;
      const { text } = await store.call('GET', path);
      expect(text).toContain('id');
      expect(text).not.toContain('price');
    }
  });
});

/** A summary without the moment at which it was made. */
function withoutMoment(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'at' in value ? { ...value, at: null } : value;
}
