import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.js';
import { one, sql } from '../../src/database/sql.js';
import { FIELDS } from '../../src/generated/fields.js';
import { OPERATIONS, SCHEMES, SCOPES, type OperationId } from '../../src/generated/operations.js';
import { ROOTS } from '../../src/graphql/roots.js';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.js';
import { basic, createUserWithPassword, PASSWORD } from '../support/basic.js';
import { CONTRACT } from '../support/contract.js';
import { describeOnEachEngine } from '../support/database.js';
import { createUser, placeOrder, type OrderBody } from '../support/fixtures.js';
import { ask } from '../support/graphql.js';
import { createKey } from '../support/keys.js';
import { open } from '../support/live.js';
import { BODIES } from '../support/requests.js';

type Headers = Record<string, string>;

let nobodies = 0;
const withKey = (value: string): Headers => ({ 'x-api-key': value });
const authorization = (value: string): Headers => ({ authorization: value });

const SECURED = CONTRACT.filter(({ security }) => security.length > 0);
const GUARDED = Object.keys(FIELDS)
  .filter((name) => ROOTS.has(name.split('.')[0] as string) && FIELDS[name]?.access !== 'public')
  .toSorted();

/** An operation for each guarded root field, about what belongs to somebody. */
const DOCUMENTS: Record<string, (of: { user: number; order: number }) => string> = {
  'Query.user': ({ user }) => `{ field: user(id: ${user}) { id } }`,
  'Query.users': () => '{ field: users { id } }',
  'Query.order': ({ order }) => `{ field: order(id: ${order}) { id } }`,
  'Query.orders': ({ user }) => `{ field: orders(userId: ${user}) { id } }`,
  'Mutation.createProduct': () => 'mutation { field: createProduct(name: "a", price: 1) { id } }',
  'Mutation.replaceProduct': () =>
    'mutation { field: replaceProduct(id: 1, name: "a", price: 1, inStock: true) { id } }',
  'Mutation.updateProduct': () => 'mutation { field: updateProduct(id: 1, name: "a") { id } }',
  'Mutation.deleteProduct': () => 'mutation { field: deleteProduct(id: 1) { id } }',
  'Mutation.setProductStock': () => 'mutation { field: setProductStock(id: 1, quantity: 1) { id } }',
  'Mutation.createUser': () => 'mutation { field: createUser(name: "a", email: "a@example.com") { id } }',
  'Mutation.updateUser': ({ user }) => `mutation { field: updateUser(id: ${user}, name: "a") { id } }`,
  'Mutation.deleteUser': ({ user }) => `mutation { field: deleteUser(id: ${user}, anonymise: true) { id } }`,
  'Mutation.createOrder': ({ user }) =>
    `mutation { field: createOrder(userId: ${user}, items: [{ productId: 1, quantity: 1 }]) { id } }`,
  'Mutation.updateOrderStatus': ({ order }) =>
    `mutation { field: updateOrderStatus(id: ${order}, status: cancelled) { id } }`,
  'Subscription.newOrder': () => 'subscription { field: newOrder { id } }',
  'Subscription.orderStatusChanged': () => 'subscription { field: orderStatusChanged { id } }',
};

describeOnEachEngine('who may do what', (engine) => {
  let store: TestApp;
  /** Somebody's, who never asks. */
  let order: OrderBody;
  let rows: { user: number; order: number; apiKey: number };
  /** Credentials that are refused wherever they are sent, and by what. */
  const bad: Record<string, [status: number, headers: Headers | (() => Headers)]> = {};
  const other: Record<(typeof SCHEMES)[number], Headers> = { apiKey: {}, basic: {} };
  let powerless: Headers;

  beforeAll(async () => {
    store = await startApp(engine);
    order = await placeOrder(store);
    const user = order.user_id as number;
    rows = { user, order: order.id, apiKey: idOf(await createKey(store, [], user)) };
    const somebody = await createUserWithPassword(store);
    const good = await createKey(store, ['admin'], somebody.id);
    const [expired, revoked, rotated] = [
      await createKey(store, ['admin']),
      await createKey(store, ['admin']),
      good,
    ];
    await store.app
      .get(Database, { strict: false })
      .unitOfWork.run(() =>
        one(sql`UPDATE api_keys SET expires_at = ${new Date(0)} WHERE id = ${idOf(expired)}`),
      );
    await store.call('DELETE', `/api/api-keys/${idOf(revoked)}`);
    await store.call('POST', `/api/api-keys/${idOf(rotated)}/rotate`, { body: { overlap_seconds: 0 } });
    Object.assign(bad, {
      'a malformed key': [401, withKey('sk_1_')],
      'an unknown key': [401, withKey(`sk_987654_${'x'.repeat(43)}`)],
      'an expired key': [401, withKey(expired)],
      'a revoked key': [401, withKey(revoked)],
      'a key before its rotation': [401, withKey(rotated)],
      'malformed Basic': [401, authorization('Basic x')],
      // Somebody else each time: the tries of one are slowed.
      'an unknown user': [401, () => authorization(basic(`nobody.${(nobodies += 1)}@example.com`))],
      'a token nobody understands': [401, authorization('Bearer abc.def.ghi')],
      'two at once': [400, { ...withKey(ADMIN_KEY), ...authorization(basic(somebody.email, PASSWORD)) }],
    });
    other.apiKey = withKey(await createKey(store, [], (await createUser(store)).id));
    other.basic = authorization(basic(somebody.email));
    powerless = withKey(await createKey(store, []));
  });
  afterAll(() => store.close());

  describe('over HTTP', () => {
    const send = async (
      { operationId, method, address, hasBody }: (typeof SECURED)[number],
      headers: Headers,
    ) => {
      const place = address.includes('orders/{id}')
        ? 'order'
        : address.includes('api-keys')
          ? 'apiKey'
          : 'user';
      const body = hasBody ? await BODIES[operationId]?.(store) : undefined;
      const given = {
        ...(body as object),
        ...(operationId === 'createApiKey' && { user_id: rows.user }),
        // All else is refused to owners, whatever order it is about.
        ...(operationId === 'updateOrder' && { status: 'cancelled' }),
      };
      const path = address.replace('{id}', String(rows[place]));
      return store.call(method, path, { key: null, headers, ...(hasBody && { body: given }) });
    };

    it.each(SECURED.map((each) => [each.operationId, each] as const))('%s', async (id, operation) => {
      const anonymous = await send(operation, {});
      expect([anonymous.status, anonymous.headers.has('www-authenticate')]).toEqual([401, true]);
      for (const [what, [status, headers]] of Object.entries(bad)) {
        const answer = await send(operation, headersOf(headers));
        expect([what, answer.status, answer.headers.has('www-authenticate')]).toEqual([
          what,
          status,
          status === 401,
        ]);
      }
      // HEAD is its GET.
      const row =
        OPERATIONS[id.replace(/^head/, 'get') as OperationId] ??
        OPERATIONS[id.replace(/^head/, 'list') as OperationId];
      const asks = row.security.some((entry) => entry.every(({ scopes }) => scopes.length > 0));
      expect([id, (await send(operation, powerless)).status]).toEqual([id, asks ? 403 : 404]);
      for (const scheme of SCHEMES) {
        const { status } = await send(operation, other[scheme]);
        expect([id, scheme, status]).toEqual([id, scheme, statusForOthers(row)]);
      }
      for (const scope of row.security.flat().flatMap(({ scopes }) => scopes)) {
        const without = await createKey(
          store,
          SCOPES.filter((each) => each !== scope && each !== 'admin'),
        );
        if (row.security.flat().filter(({ scopes }) => scopes.length > 0).length > 1) continue;
        expect([scope, (await send(operation, { 'x-api-key': without })).status]).toEqual([scope, 403]);
      }
    });
  });

  /** The first message to an operation over a socket. */
  const live = async (query: string, payload: Headers) => {
    const socket = await open(store);
    socket.say({ type: 'connection_init', payload });
    await socket.hear();
    socket.say({ id: '1', type: 'subscribe', payload: { query } });
    const { type, payload: said } = await socket.hear();
    socket.socket.close();
    return type === 'error' ? { errors: said } : said;
  };

  describe.each(['HTTP', 'WebSocket'] as const)('over GraphQL by %s', (way) => {
    /** What became of the field: its value, or the code of its error. */
    const outcome = async (query: string, headers: Headers): Promise<unknown> => {
      const { data, errors } =
        way === 'HTTP'
          ? (await ask(store, { query }, { key: null, headers })).body
          : await live(query, headers);
      return errors ? errors[0].extensions.code : data.field;
    };
    const fields = GUARDED.filter((name) => way === 'WebSocket' || !name.startsWith('Subscription.'));

    it.each(fields)('%s', async (name) => {
      const document = DOCUMENTS[name]?.(rows);
      if (document === undefined) throw new Error(`Nobody knows how to ask for ${name}`);
      expect(await outcome(document, {})).toBe('UNAUTHENTICATED');
      expect(await outcome(document, powerless)).toBe('FORBIDDEN');
      const access = FIELDS[name]?.access;
      const owner = typeof access === 'object' ? (access?.owner ?? null) : null;
      // A subscriber waits for what is its own.
      if (name.startsWith('Subscription.')) return;
      for (const scheme of SCHEMES) {
        const expected =
          owner === null || owner === 'args.userId' ? 'FORBIDDEN' : name === 'Query.orders' ? [] : null;
        expect([scheme, await outcome(document, other[scheme])]).toEqual([scheme, expected]);
      }
    });
  });

  it('nobody of those has changed anything', async () => {
    expect((await store.call('GET', `/api/orders/${order.id}`)).body).toEqual(order);
  });

  it('bad credentials open neither GraphQL nor a WebSocket', async () => {
    for (const [what, [status, headers]] of Object.entries(bad)) {
      const answer = await ask(
        store,
        { query: '{ products { id } }' },
        { key: null, headers: headersOf(headers) },
      );
      expect([what, answer.status]).toEqual([what, status]);
      const socket = await open(store);
      socket.say({ type: 'connection_init', payload: headersOf(headers) });
      expect([what, (await socket.closed).code]).toEqual([what, 4000 + status]);
    }
  });
});

function headersOf(given: Headers | (() => Headers)): Headers {
  return typeof given === 'function' ? given() : given;
}

function idOf(key: string): number {
  return Number(key.split('_')[1]);
}

/** What a user without scopes is told of somebody else's. */
function statusForOthers({ id, owner, security, answer }: (typeof OPERATIONS)[OperationId]): number {
  if (id === 'getMe') return 200;
  if (owner === null || security.length === 0 || owner.startsWith('body.')) return 403;
  return owner.startsWith('row.') && answer.shape === 'page' ? 200 : 404;
}
