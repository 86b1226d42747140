import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Revocations } from '../../../src/store/tokens/revocations.js';
import { Database } from '../../../src/engine/database/database.js';
import { one, sql } from '../../../src/engine/database/sql.js';
import { FIELDS } from '../../../src/generated/fields.js';
import { OPERATIONS, SCOPES, type OperationId } from '../../../src/generated/operations.js';
import { ROOTS } from '../../../src/engine/graphql/roots.js';
import { ADMIN_KEY, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword, hashCheaply, PASSWORD } from '../../support/clients/basic.js';
import { CONTRACT } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder, type OrderBody } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { accessTokens, createClient, startOAuth } from '../../support/clients/oauth.js';
import { bearer, tokenOf, userTokenOf } from '../../support/clients/tokens.js';
import { SSE_PATH } from '../../../src/engine/graphql/graphql-sse.js';
import { open } from '../../support/clients/live.js';
import { goodBody, goodDocument, relatedOperation, requestsTo } from '../../support/clients/requests.js';
import { filledPath } from '../../../testkit/contract/good-requests.js';
import { openStream } from '../../support/clients/sse.js';
import { firstOfEach, oneOfEach } from '../../support/sampled.js';

type Headers = Record<string, string>;

const SOMEBODY = { name: expect.any(String) as string };
const ALL = { scope: SCOPES.join(' ') };

let nobodies = 0;
const withKey = (value: string): Headers => ({ 'x-api-key': value });
const authorization = (value: string): Headers => ({ authorization: value });

const SECURED = CONTRACT.filter(({ security }) => security.length > 0);
/** The operations that every caller with a valid credential may use, because they tell only about this caller. */
const FOR_EVERY_CALLER = SECURED.filter(({ operationId }) => {
  const { owner, security } = rowOf(operationId);
  return owner === null && security.flat().every(({ scopes }) => scopes.length === 0);
});
const LIMITED = SECURED.filter((operation) => !FOR_EVERY_CALLER.includes(operation));
const GUARDED = Object.keys(FIELDS)
  .filter((name) => ROOTS.has(name.split('.')[0] as string) && FIELDS[name]?.access !== 'public')
  .toSorted();

/** The operations of these guarded root fields. `goodDocument` makes the operations of the other fields. */
const DOCUMENTS: Record<string, (of: { readonly User: number; readonly Order: number }) => string> = {
  'Query.user': ({ User }) => `{ field: user(id: ${User}) { id } }`,
  'Query.me': () => '{ field: me { name } }',
  'Query.users': () => '{ field: users { id } }',
  'Query.usersConnection': () => '{ field: usersConnection { nodes { id } } }',
  'Query.order': ({ Order }) => `{ field: order(id: ${Order}) { id } }`,
  'Query.orders': ({ User }) => `{ field: orders(userId: ${User}) { id } }`,
  'Query.ordersConnection': ({ User }) => `{ field: ordersConnection(userId: ${User}) { nodes { id } } }`,
  'Mutation.createProduct': () => 'mutation { field: createProduct(name: "a", price: 1) { id } }',
  'Mutation.replaceProduct': () =>
    'mutation { field: replaceProduct(id: 1, name: "a", price: 1, inStock: true) { id } }',
  'Mutation.updateProduct': () => 'mutation { field: updateProduct(id: 1, name: "a") { id } }',
  'Mutation.deleteProduct': () => 'mutation { field: deleteProduct(id: 1) { id } }',
  'Mutation.setProductStock': () => 'mutation { field: setProductStock(id: 1, quantity: 1) { id } }',
  'Mutation.createUser': () => 'mutation { field: createUser(name: "a", email: "a@example.com") { id } }',
  'Mutation.updateUser': ({ User }) => `mutation { field: updateUser(id: ${User}, name: "a") { id } }`,
  'Mutation.deleteUser': ({ User }) => `mutation { field: deleteUser(id: ${User}, anonymise: true) { id } }`,
  'Mutation.createOrder': ({ User }) =>
    `mutation { field: createOrder(userId: ${User}, items: [{ productId: 1, quantity: 1 }]) { id } }`,
  'Mutation.updateOrderStatus': ({ Order }) =>
    `mutation { field: updateOrderStatus(id: ${Order}, status: cancelled) { id } }`,
  // These subscriptions begin with the first event of the log, so that an event comes at once.
  'Subscription.newOrder': () => 'subscription { field: newOrder(after: 0) { id } }',
  'Subscription.orderStatusChanged': () => 'subscription { field: orderStatusChanged(after: 0) { id } }',
};

/** The rows of a user. */
interface Rows {
  readonly User: number;
  readonly Order: number;
  /** The id of a row of this entity. The first call makes the row. Undefined for an entity that `MAKERS` lacks. */
  idOf(entity: string): Promise<number> | undefined;
}

/**
 * For each entity, a function that returns the id of a row. If the rows of the entity belong to users, the row belongs
 * to the user of the order.
 */
const MAKERS: Readonly<Record<string, (store: TestApp, order: OrderBody) => Promise<number>>> = {
  User: (_, order) => Promise.resolve(order.user_id as number),
  Order: (_, order) => Promise.resolve(order.id),
  Product: (_, order) => Promise.resolve(order.items[0]?.product_id as number),
  ApiKey: async (store, order) => idOf(await createKey(store, [], order.user_id)),
  Client: async (store) => (await createClient(store)).id,
  Identity: async (store, { id, user_id }) => {
    const body = { issuer: 'https://login.example', subject: `somebody ${id}`, user_id };
    return (await store.call('POST', '/api/identities', { body })).body.id as number;
  },
  StoredKey: async (store) => {
    const made = await store.call('POST', '/api/v2/signing-keys', { body: {} });
    // The second key signs the tokens of the test from now on, because the test may revoke the first key.
    await store.call('POST', '/api/v2/signing-keys', { body: {} });
    return made.body.id as number;
  },
};

/** The values of fields without data, if they are not null. */
const NOTHING: Readonly<Record<string, unknown>> = {
  'Query.orders': [],
  'Query.ordersConnection': { nodes: [] },
};

const REFUSALS: readonly unknown[] = ['UNAUTHENTICATED', 'FORBIDDEN'];

describeOnEachEngine('access', (engine) => {
  /** The rules do not depend on the engine, so only SQLite gets all cases in the long tests. */
  const some = engine === 'sqlite' ? oneOfEach : firstOfEach;
  let store: TestApp;
  /** An order of a user who sends no request. */
  let order: OrderBody;
  let rows: Rows;
  /** Credentials that are refused by every operation, with the expected status. */
  const bad: Record<string, [status: number, headers: Headers | (() => Headers)]> = {};
  const other: Record<string, Headers> = {};
  let powerless: Headers[];
  let tokens: Awaited<ReturnType<typeof accessTokens>>;

  const rowsAbout = (placed: OrderBody): Rows => {
    const made = new Map<string, Promise<number>>();
    return {
      User: placed.user_id as number,
      Order: placed.id,
      idOf: (entity) => {
        const id = made.get(entity) ?? MAKERS[entity]?.(store, placed);
        if (id !== undefined) made.set(entity, id);
        return id;
      },
    };
  };
  const holders = new Map<string, Promise<[string, Headers][]>>();
  /** For each scheme with scopes: a credential with only these scopes. */
  const holding = (scopes: readonly string[]): Promise<[string, Headers][]> => {
    const name = scopes.join(' ');
    const found = holders.get(name) ?? credentialsWith(scopes);
    holders.set(name, found);
    return found;
  };
  const credentialsWith = async (scopes: readonly string[]): Promise<[string, Headers][]> => [
    ['apiKey', withKey(await createKey(store, scopes))],
    ['oauth', authorization(`Bearer ${await tokens.ofClient(scopes)}`)],
    ['jwt', bearer(await tokenOf(store, { scope: scopes.join(' ') }))],
  ];

  beforeAll(async () => {
    store = await startOAuth(engine);
    hashCheaply(store);
    order = await placeOrder(store);
    rows = rowsAbout(order);
    const { id: cancelled } = await placeOrder(store);
    await store.call('PATCH', `/api/orders/${cancelled}`, { body: { status: 'cancelled' } });
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
    tokens = await accessTokens(store, somebody.email);
    for (const [what, token] of Object.entries(tokens.bad))
      bad[`${what}, opaque`] = [401, authorization(`Bearer ${token}`)];
    const ended = await tokenOf(store, { ...ALL, sub: 'ended', client_id: 'ended' });
    await store.app.get(Revocations, { strict: false }).endAllOf({ clientId: 'ended' });
    Object.assign(bad, {
      'a malformed key': [401, withKey('sk_1_')],
      'an unknown key': [401, withKey(`sk_987654_${'x'.repeat(43)}`)],
      'an expired key': [401, withKey(expired)],
      'a revoked key': [401, withKey(revoked)],
      'a key before its rotation': [401, withKey(rotated)],
      'malformed Basic': [401, authorization('Basic x')],
      // A new user for each request, because the attempts of one user are slowed.
      'an unknown user': [401, () => authorization(basic(`nobody.${(nobodies += 1)}@example.com`))],
      'a malformed token': [401, authorization('Bearer abc.def.ghi')],
      'an expired token': [401, bearer(await tokenOf(store, { ...ALL, exp: 1 }))],
      'a token with an unknown key': [401, bearer(await tokenOf(store, ALL, { kid: 'unknown' }))],
      'a revoked token': [401, bearer(ended)],
      'a token of a deleted user': [401, bearer(await userTokenOf(store, 987_654, 'orders:read'))],
      'a token and a key': [400, { ...withKey(ADMIN_KEY), ...bearer(await tokenOf(store, ALL)) }],
      'two at once': [400, { ...withKey(ADMIN_KEY), ...authorization(basic(somebody.email, PASSWORD)) }],
    });
    other.apiKey = withKey(await createKey(store, [], (await createUser(store)).id));
    other.basic = authorization(basic(somebody.email));
    other.oauth = authorization(`Bearer ${tokens.ofUser}`);
    other.jwt = bearer(await userTokenOf(store, somebody.id, SCOPES.join(' ')));
    powerless = [
      withKey(await createKey(store, [])),
      authorization(`Bearer ${await tokens.ofClient([])}`),
      bearer(await tokenOf(store)),
    ];
  });
  afterAll(() => store.close());

  /**
   * A request for an operation. It is the same for all credentials, because a request that is refused or that only
   * reads changes nothing.
   */
  const requestFor = async (
    { operationId, method, address, hasBody }: (typeof SECURED)[number],
    about = rows,
  ) => {
    const related = relatedOperation(operationId);
    const { entity } = related;
    const ids =
      entity === null ? {} : { [Object.keys(related.pathRows)[0] as string]: await about.idOf(entity) };
    const values = await requestsTo(store).pathValues(related, ids);
    const body = hasBody ? await goodBody(store, operationId) : undefined;
    const given = {
      ...(body as object),
      ...(operationId.startsWith('createApiKey') && { user_id: about.User }),
      // An owner may only cancel the order.
      ...(operationId.startsWith('updateOrder') && { status: 'cancelled' }),
    };
    const path = filledPath(address, values);
    return (headers: Headers) =>
      store.call(method, path, { key: null, headers, ...(hasBody && { body: given }) });
  };

  const badAt = (index: number): [what: string, (typeof bad)[string]] => {
    const all = Object.entries(bad);
    return all[index % all.length] as (typeof all)[number];
  };

  const requireCredential = async (send: Awaited<ReturnType<typeof requestFor>>): Promise<void> => {
    const anonymous = await send({});
    expect([anonymous.status, anonymous.headers.has('www-authenticate')]).toEqual([401, true]);
    for (const [what, [status, headers]] of Object.entries(bad)) {
      const answer = await send(headersOf(headers));
      expect([what, answer.status, answer.headers.has('www-authenticate')]).toEqual([
        what,
        status,
        status === 401,
      ]);
    }
  };

  describe('over HTTP', () => {
    it.each(some(FOR_EVERY_CALLER, kindOfOperation).map((each) => [each.operationId, each] as const))(
      '%s is for every caller with a credential',
      async (id, operation) => {
        const send = await requestFor(operation);
        await requireCredential(send);
        for (const headers of [...powerless, ...Object.values(other)]) {
          expect([id, (await send(headers)).status]).toEqual([id, 200]);
        }
      },
    );

    it.each(some(LIMITED, kindOfOperation).map((each) => [each.operationId, each] as const))(
      '%s gives the expected status to callers without its scopes, and to callers with them',
      async (id, operation) => {
        const send = await requestFor(operation);
        await requireCredential(send);
        const row = rowOf(id);
        const asks = row.security.some((entry) => entry.every(({ scopes }) => scopes.length > 0));
        for (const headers of powerless) {
          expect([id, (await send(headers)).status]).toEqual([id, asks ? 403 : 404]);
        }
        for (const [scheme, headers] of Object.entries(other)) {
          const { status } = await send(headers);
          expect([id, scheme, status]).toEqual([id, scheme, statusForOthers(row, scheme)]);
        }
        // If there are several scopes, each of them is enough. So only an operation with one scope is checked with all
        // other scopes.
        const scopes = new Set(row.security.flat().flatMap((entry) => entry.scopes));
        const without =
          scopes.size === 1
            ? await createKey(
                store,
                SCOPES.filter((each) => !scopes.has(each) && each !== 'admin'),
              )
            : null;
        const withAllOthers = without === null ? 403 : (await send(withKey(without))).status;
        expect([id, withAllOthers]).toEqual([id, 403]);
        const beside = SCOPES.filter((each) => !scopes.has(each) && each !== 'admin');
        const held = scopes.size === 1 ? beside : [];
        for (const token of [await tokens.ofClient(held), await tokenOf(store, { scope: held.join(' ') })]) {
          expect([id, (await send(bearer(token))).status]).toEqual([id, asks ? 403 : 404]);
        }
        // The scope gives access to the rows of all users. If the operation changes them, each scheme gets new rows.
        const isSafe = ['GET', 'HEAD'].includes(operation.method);
        for (const [scheme, headers] of await holding([...scopes])) {
          const allowed = isSafe ? send : await requestFor(operation, rowsAbout(await placeOrder(store)));
          const { status } = await allowed(headers);
          expect([id, scheme, status]).toEqual([id, scheme, statusForHolders(row, scheme)]);
        }
      },
    );
  });

  /** The first message for an operation over a WebSocket. */
  const live = async (query: string, payload: Headers) => {
    const socket = await open(store);
    socket.say({ type: 'connection_init', payload });
    await socket.hear();
    socket.say({ id: '1', type: 'subscribe', payload: { query } });
    const { type, payload: said } = await socket.hear();
    socket.socket.close();
    return type === 'error' ? { errors: said } : said;
  };

  /** The first event of an operation over SSE. */
  const streamed = async (query: string, headers: Headers) => {
    const stream = await openStream(store, SSE_PATH, { key: null, headers, body: { query } });
    const first = await stream.event();
    stream.leave();
    return first?.data;
  };

  const ways = {
    HTTP: async (query: string, headers: Headers) =>
      (await ask(store, { query }, { key: null, headers })).body,
    WebSocket: live,
    SSE: streamed,
  };

  describe.each(['HTTP', 'WebSocket', 'SSE'] as const)('over GraphQL by %s', (way) => {
    /** The value of the field, or the code of its error. */
    const outcome = async (query: string, headers: Headers): Promise<unknown> => {
      const { data, errors } = await ways[way](query, headers);
      return errors ? errors[0].extensions.code : data.field;
    };
    const every = GUARDED.filter((name) => way !== 'HTTP' || !name.startsWith('Subscription.'));
    const fields = some(every, kindOfField);

    it.each(fields)('%s gives access to the rows of others only with its scopes', async (name) => {
      const document = DOCUMENTS[name]?.(rows) ?? (await goodDocument(store, name));
      expect(await outcome(document, {})).toBe('UNAUTHENTICATED');
      for (const headers of powerless) expect(await outcome(document, headers)).toBe('FORBIDDEN');
      const access = FIELDS[name]?.access;
      const owner = typeof access === 'object' ? (access?.owner ?? null) : null;
      // A subscriber waits for its own data, so it gets no answer about the data of others.
      const others = name.startsWith('Subscription.') ? [] : Object.entries(other);
      for (const [scheme, headers] of others) {
        const expected =
          name === 'Query.me'
            ? SOMEBODY
            : owner === null || owner === 'args.userId'
              ? 'FORBIDDEN'
              : (NOTHING[name] ?? null);
        expect([scheme, await outcome(document, headers)]).toEqual([scheme, expected]);
      }
      const scopes = typeof access === 'object' ? (access?.scopes ?? []) : [];
      for (const [scheme, headers] of await holding(scopes)) {
        const about = name.startsWith('Mutation.') ? rowsAbout(await placeOrder(store)) : rows;
        const became = await outcome(DOCUMENTS[name]?.(about) ?? document, headers);
        expect([name, scheme, REFUSALS.includes(became)]).toEqual([name, scheme, false]);
      }
      // A bad credential is refused before the operation is read. So each field gets one bad credential. A later test
      // sends all bad credentials, on a WebSocket too.
      const [what, [status, given]] = badAt(fields.indexOf(name));
      const call = { key: null, headers: headersOf(given) };
      const answer =
        way === 'HTTP'
          ? await ask(store, { query: document }, call)
          : await openStream(store, SSE_PATH, { ...call, body: { query: document } });
      expect([what, answer.status]).toEqual([what, status]);
    });
  });

  it('to the log as a stream needs the scope events:read', async () => {
    expect(await streamStatus(store, {})).toBe(401);
    for (const headers of [...powerless, ...Object.values(other)])
      expect(await streamStatus(store, headers)).toBe(403);
    for (const [what, [status, headers]] of Object.entries(bad)) {
      expect([what, await streamStatus(store, headersOf(headers))]).toEqual([what, status]);
    }
    for (const [scheme, headers] of await holding(['events:read'])) {
      expect([scheme, await streamStatus(store, headers)]).toEqual([scheme, 200]);
    }
  });

  it('is refused before any change', async () => {
    expect((await store.call('GET', `/api/orders/${order.id}`)).body).toEqual(order);
  });

  it('to GraphQL, on every transport, is refused with a bad credential', async () => {
    const body = { query: '{ products { id } }' };
    for (const [what, [status, headers]] of Object.entries(bad)) {
      const answer = await ask(store, body, { key: null, headers: headersOf(headers) });
      expect([what, answer.status]).toEqual([what, status]);
      const stream = await openStream(store, SSE_PATH, { key: null, headers: headersOf(headers), body });
      expect([what, stream.status]).toEqual([what, status]);
      const socket = await open(store);
      socket.say({ type: 'connection_init', payload: headersOf(headers) });
      expect([what, (await socket.closed).code]).toEqual([what, 4000 + status]);
    }
  });
});

function headersOf(given: Headers | (() => Headers)): Headers {
  return typeof given === 'function' ? given() : given;
}

async function streamStatus(store: TestApp, headers: Headers): Promise<number> {
  const stream = await openStream(store, '/api/v1/events', { key: null, headers });
  stream.leave();
  return stream.status;
}

function idOf(key: string): number {
  return Number(key.split('_')[1]);
}

/** Operations that create something that does not expire. */
const LASTING = new Set(['createApiKey', 'rotateApiKey', 'createClient', 'rotateClientSecret']);

/** The status for callers with the scope. */
function statusForHolders(row: (typeof OPERATIONS)[OperationId], by: string): number {
  const { answer } = row;
  const id = row.sameAs ?? row.id;
  // A token that expires in minutes cannot create something that does not expire.
  if (by !== 'apiKey' && LASTING.has(id)) return 403;
  // An import belongs to the credential that made it, and the administrator made the import of this test.
  if (row.paths.some((path) => path.startsWith('/api/v2/imports/:id'))) return 404;
  // A caller with the scope is not a user, and a user with orders cannot be deleted.
  return id === 'getMe' ? 404 : id === 'deleteUser' ? 409 : answer.status;
}

/** Operations of one kind have the same method, owner and schemes, and the same number of scopes for each scheme. */
function kindOfOperation({ operationId, method }: (typeof SECURED)[number]): string {
  const { owner, security } = rowOf(operationId);
  return JSON.stringify([
    method,
    owner,
    security.flat().map(({ scheme, scopes }) => [scheme, scopes.length]),
  ]);
}

/** Fields of one kind have the same root, owner and number of scopes. */
function kindOfField(name: string): string {
  const access = FIELDS[name]?.access;
  const rule = typeof access === 'object' ? access : null;
  return JSON.stringify([name.split('.')[0], rule?.owner, rule?.scopes.length]);
}

/** The row of an operation. HEAD has the row of its GET. */
function rowOf(id: string): (typeof OPERATIONS)[OperationId] {
  return OPERATIONS[id.replace(/^HEAD /, '') as OperationId];
}

/** The status for a user without scopes, about the data of another user. */
function statusForOthers(
  { id, sameAs, owner, security, answer }: (typeof OPERATIONS)[OperationId],
  by: string,
): number {
  if ((sameAs ?? id) === 'getMe') return 200;
  // No user can grant the scope `admin` to a program.
  const isAdmins = security.flat().some(({ scheme, scopes }) => scheme === by && scopes.includes('admin'));
  if ((by === 'jwt' || by === 'oauth') && isAdmins) return 403;
  if (owner === null || security.length === 0 || owner.startsWith('body.')) return 403;
  return owner.startsWith('row.') && ['page', 'slice', 'export'].includes(answer.shape) ? 200 : 404;
}
