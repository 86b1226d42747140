import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ConnectionCredentials } from '../../../src/engine/access/connection-credentials.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { EventStreams } from '../../../src/engine/http/event-streams.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { openStream, type Stream } from '../../support/clients/sse.js';

/** Each stream tells its client to wait for a random time before it reconnects: between one and three seconds. */
const RETRY = expect.stringMatching(/^[12]\d{3}$/) as string;

const PATH = '/graphql/stream';
const NEW = 'subscription { newOrder { id cursor } }';

describeOnEachEngine('GraphQL over server-sent events', (engine) => {
  let store: TestApp;
  const streams: Stream[] = [];
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.leave();
    // After each test, all streams must be closed, because their clients have left.
    await vi.waitUntil(() => store.app.get(EventStreams, { strict: false }).count === 0);
    await vi.waitUntil(() => store.app.get(PubSub, { strict: false }).isIdle);
    await vi.waitUntil(() => store.app.get(ConnectionCredentials, { strict: false }).count === 0);
  });

  const opened = async (
    ...given: Parameters<typeof openStream> extends [unknown, ...infer R] ? R : never
  ) => {
    const stream = await openStream(store, ...given);
    streams.push(stream);
    return stream;
  };
  const subscribe = (query: string, options: { key?: string | null; headers?: object } = {}) =>
    opened(PATH, { ...options, body: { query } });

  it('sends the cursor of each event as its id, and the start cursor before the first event', async () => {
    const position = await waitForLog(store);
    const stream = await subscribe(NEW);
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const first = await stream.next();
    expect(first).toMatchObject({ event: null, data: '', retry: RETRY });
    expect(Number(first?.id)).toBeLessThanOrEqual(position);
    const { id } = await placeOrder(store);
    const event = await stream.event();
    expect(event).toEqual({
      event: 'next',
      id: expect.stringMatching(/^\d+$/),
      data: {
        data: { newOrder: { id: String(id), cursor: event?.id } },
        extensions: { cursor: event?.id },
      },
    });
  });

  it('continues after the later of two cursors: one in Last-Event-ID, the other in the argument', async () => {
    await waitForLog(store);
    const start = (await (await subscribe(NEW)).next())?.id as string;
    const ids = [];
    const cursors = [start];
    for (let n = 0; n < 3; n++) {
      ids.push(String((await placeOrder(store)).id));
      cursors.push(String(await waitForLog(store)));
    }
    for (const [last, after, expected] of [
      [0, null, 0],
      [1, null, 1],
      [2, 1, 2],
      [1, 2, 2],
    ] as const) {
      const query = NEW.replace(
        'newOrder',
        after === null ? 'newOrder' : `newOrder(after: ${cursors[after]})`,
      );
      const stream = await subscribe(query, { headers: { 'last-event-id': cursors[last] } });
      // If the stream breaks now, the client resumes at the same place.
      expect((await stream.next())?.id).toBe(cursors[expected]);
      expect((await stream.event())?.data.data.newOrder.id).toBe(ids[expected]);
    }
  });

  it('works by GET and without a credential, so that EventSource can use it', async () => {
    const query = 'subscription Changes($id: ID) { productChanged(productId: $id) { id change } }';
    const { id } = await create(store);
    const parameters = new URLSearchParams({
      query,
      operationName: 'Changes',
      variables: JSON.stringify({ id: String(id) }),
    });
    const stream = await opened(`${PATH}?${parameters.toString()}`, { key: null });
    await stream.next();
    await create(store);
    await store.call('DELETE', `/api/products/${id}`);
    let heard = (await stream.event())?.data.data.productChanged;
    if (heard.change === 'created') heard = (await stream.event())?.data.data.productChanged;
    expect(heard).toEqual({ id: String(id), change: 'deleted' });
  });

  it('takes an empty operationName by GET as no name, as /graphql does', async () => {
    const parameters = new URLSearchParams({ query: '{ __typename }', operationName: '' });
    const stream = await opened(`${PATH}?${parameters.toString()}`, { key: null });
    expect((await stream.event())?.data).toMatchObject({ data: { __typename: 'Query' } });
    const headers = { accept: 'application/json' };
    const answer = await fetch(`${store.url}/graphql?${parameters.toString()}`, { headers });
    expect(await answer.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  it.each([
    'subscription { productChanged @skip(if: true) { id } }',
    'subscription { ... @include(if: false) { productChanged { id } } }',
    'subscription { ...A } fragment A on Subscription { ...B } fragment B on Subscription { productChanged @skip(if: true) { id } }',
    'subscription ($s: Boolean! = true) { productChanged @skip(if: $s) { id } }',
  ])('refuses a condition at the root of a subscription: %s', async (query) => {
    const { data } = (await (await subscribe(query)).event()) ?? {};
    expect(data.errors).toMatchObject([
      {
        message: expect.stringMatching(/^The root of a subscription must not have @skip or @include\./),
        locations: [{ line: 1 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
  });

  it('allows conditions on fields inside of a subscription, and still requires a single field at its root', async () => {
    const inside = 'subscription { productChanged { id name @skip(if: true) } }';
    const stream = await subscribe(inside);
    await stream.next();
    const { id } = await create(store);
    expect((await stream.event())?.data.data).toEqual({ productChanged: { id: String(id) } });
    const two = await subscribe('subscription { productChanged { id } newOrder { id } }');
    expect((await two.event())?.data.errors).toMatchObject([
      { message: 'Anonymous Subscription must select only one top level field.' },
    ]);
  });

  it('executes queries and mutations, but no mutation by GET', async () => {
    const query = await subscribe('{ __typename }');
    expect(await query.event()).toMatchObject({ event: 'next', data: { data: { __typename: 'Query' } } });
    expect(await query.event()).toEqual({ event: 'complete', id: null, data: null });
    expect(await query.event()).toBeNull();
    const mutation = 'mutation { createProduct(name: "By SSE", price: 1) { name } }';
    expect((await (await subscribe(mutation)).event())?.data.data).toEqual({
      createProduct: { name: 'By SSE' },
    });
    const refused = await opened(`${PATH}?query=${encodeURIComponent(mutation)}`);
    expect((await refused.event())?.data).toMatchObject({
      errors: [{ message: 'GET does not execute mutations. Send the mutation by POST.' }],
    });
    expect((await store.call('GET', '/api/products?q=By%20SSE')).body).toHaveLength(1);
  });

  it.each([
    ['a text that is not GraphQL', '{', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['too many tokens', `{ ${'__typename '.repeat(2001)} }`, 'GRAPHQL_LIMIT_EXCEEDED'],
    ['an unknown cursor', 'subscription { newOrder(after: 9007199254740991) { id } }', 'CURSOR_INVALID'],
  ])('sends the error for %s as an event, and ends', async (_what, query, code) => {
    const stream = await subscribe(query, { headers: { 'last-event-id': '0' } });
    // `EventSource` reconnects with the last id that it received. If the subscription did not start, the service
    // sends no id, so `EventSource` keeps the id that it has.
    expect(await stream.next()).toMatchObject({ retry: RETRY, id: null });
    const event = await stream.event();
    expect(event).toMatchObject({
      event: 'next',
      id: null,
      data: { errors: [{ extensions: { code, request_id: expect.any(String) } }] },
    });
    expect(await stream.event()).toMatchObject({ event: 'complete' });
    const { errors } = (await ask(store, { query })).body;
    const isHttp = !query.startsWith('subscription { newOrder');
    expect(isHttp ? errors[0].extensions.code : code).toBe(code);
  });

  it.each([
    ['a bad key', { key: 'wrong' }, 401],
    ['a body of another type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['a request that does not accept event streams', { headers: { accept: 'application/json' } }, 406],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['an invalid cursor', { headers: { 'last-event-id': 'x' } }, 400],
    ['no operation', { body: {} }, 400],
    ['a query that is not a text', { body: { query: 1 } }, 400],
    ['variables that are a list', { body: { query: NEW, variables: [] } }, 400],
    ['a body that is a list', { body: [] }, 400],
  ])('refuses %s with problem details, before the stream starts', async (_what, given, status) => {
    const { key, headers, body } = { body: { query: NEW }, ...given } as {
      key?: string;
      headers?: object;
      body: unknown;
    };
    const answer = await fetch(store.url + PATH, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-api-key': key ?? (await createKey(store, ['admin'])),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ status, code: expect.any(String) });
  });

  it('answers PUT with 405 and the allowed methods', async () => {
    const answer = await fetch(store.url + PATH, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    await answer.text();
  });

  it.each([
    ['without a credential', null, 'UNAUTHENTICATED'],
    ['with another scope', 'products:read', 'FORBIDDEN'],
  ])('refuses a caller %s', async (_who, scope, code) => {
    const stream = await subscribe(NEW, { key: scope && (await createKey(store, [scope])) });
    expect((await stream.event())?.data.errors).toMatchObject([{ extensions: { code } }]);
    expect((await stream.event())?.event).toBe('complete');
  });

  it('sends a user only its own orders', async () => {
    const { id } = await createUser(store);
    const stream = await subscribe(NEW, { key: await createKey(store, [], id) });
    await stream.next();
    await placeOrder(store);
    const mine = await placeOrder(store, { user_id: id });
    expect((await stream.event())?.data.data.newOrder.id).toBe(String(mine.id));
  });

  it('ends with an error and the event `complete` when its credential is revoked', async () => {
    const key = await createKey(store, ['orders:read']);
    const stream = await subscribe(NEW, { key });
    await stream.next();
    await store.call('DELETE', `/api/api-keys/${key.split('_')[1]}`);
    expect((await stream.event())?.data.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await stream.event()).toEqual({ event: 'complete', id: null, data: null });
    expect(await stream.event()).toBeNull();
  });

  it('ends without an error and without `complete` when the service stops, so that the client reconnects', async () => {
    const stopping = await startApp(engine);
    const headers = { accept: 'text/event-stream', 'x-api-key': ADMIN_KEY };
    const answers = await Promise.all(
      [`${PATH}?query=${encodeURIComponent(NEW)}`, '/api/v1/events'].map((path) =>
        fetch(stopping.url + path, { headers }),
      ),
    );
    const texts = Promise.all(answers.map((answer) => answer.text()));
    await stopping.close();
    const begin = expect.stringMatching(/^retry: [12]\d{3}\nid: 0\n\n$/) as string;
    expect(await texts).toEqual([begin, begin]);
  });

  it('keeps a stream open with comments', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const beating = await startApp(engine);
      const stream = await openStream(beating, PATH, { body: { query: NEW } });
      await stream.next();
      for (let n = 0; n < 3; n++) {
        vi.advanceTimersByTime(25_000);
        expect(await stream.next()).toMatchObject({ comment: true });
      }
      stream.leave();
      await beating.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
