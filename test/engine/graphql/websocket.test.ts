import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { ProductsRepository } from '../../../src/store/products/products.repository.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';
import { ask, resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, open, openAs, type Live } from '../../support/clients/live.js';

const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

const REFUSED: Record<string, string> = {
  'a text that is not GraphQL': '{',
  'an unknown field': '{ nothing }',
  'two operations without a name': 'query A { products { id } } query B { products { id } }',
  'a missing variable': 'query ($id: ID!) { product(id: $id) { id } }',
  'a subscription that is not in the schema': 'subscription { nothing { id } }',
  'too many tokens': `{ ${many(2001, () => '__typename')} }`,
  'too many aliases': `{ ${many(31, (n) => `a${n}: __typename`)} }`,
  'too many root fields': `{ ${many(21, () => 'products { id }')} }`,
  'too many directives': `{ products { ${many(51, () => 'id @include(if: true)')} } }`,
  'fragments that double thirty times': `{ ...F0 } ${many(30, (n) => `fragment F${n} on Query { ...F${n + 1} a${n}: __typename ...F${n + 1} }`)} fragment F30 on Query { __typename }`,
  'a list with too high a cost': '{ products(limit: 100) { stock priceMoney { amount } } }',
  'a selection that is too deep': '{ products { priceMoney { amount } } }',
};

/** The errors without the values that differ in each call. */
const comparable = (errors: readonly { extensions: Record<string, unknown> }[] | undefined) =>
  errors?.map(({ extensions: { request_id, ...extensions }, ...error }) => ({
    ...error,
    extensions,
    hasId: typeof request_id === 'string' && request_id.length > 0,
  }));

describe('operations over WebSocket', () => {
  let store: TestApp;
  let live: Live;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_GRAPHQL_MAX_COST: '300', STORE_GRAPHQL_MAX_DEPTH: '2' });
    live = connect(store);
  });
  afterAll(() => store.close());

  it('are executed as over HTTP', async () => {
    const { data } = await live.run({
      query: 'mutation ($name: String!) { createProduct(name: $name, price: 18.5) { id name price stock } }',
      variables: { name: 'Chai' },
    });
    expect(data.createProduct).toEqual({ id: expect.any(String), name: 'Chai', price: 18.5, stock: null });
    const query = 'query One($id: ID!) { product(id: $id) { name } } query Other { __typename }';
    const operation = { query, operationName: 'One', variables: { id: data.createProduct.id } };
    expect(await live.run(operation)).toEqual((await ask(store, operation)).body);
    expect((await live.run(operation)).extensions.cost).toEqual({ requested: 1, limit: 300 });
  });

  it('give the same result after the operation is compiled', async () => {
    const results = [];
    for (let n = 0; n < 8; n++)
      results.push(await live.run({ query: '{ products { name } product(id: "x") { id } }' }));
    for (const result of results) {
      expect(comparable(result.errors)).toEqual(comparable(results[0].errors));
      expect(result.data).toEqual(results[0].data);
    }
    expect(results[0].errors[0]).toMatchObject({
      path: ['product'],
      extensions: { code: 'VALIDATION_FAILED' },
    });
  });

  it.each(Object.entries(REFUSED))('are refused as over HTTP: %s', async (_what, query) => {
    const { errors, ...rest } = await live.run({ query });
    expect(rest).toEqual({});
    expect(comparable(errors)).toEqual(comparable((await resultOf(store, query)).errors));
    for (const error of errors) expect(error.extensions.request_id).toMatch(/^[\w-]{36}$/);
  });

  it('are refused as over HTTP if their text is too long', async () => {
    const query = `{ __typename } # ${'x'.repeat(70_000)}`;
    const { errors } = await live.run({ query });
    expect(errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    expect(comparable(errors)).toEqual(comparable((await resultOf(store, query)).errors));
  });

  it('are refused with PERSISTED_QUERY_NOT_SUPPORTED if only the hash of their text is sent', async () => {
    const { errors } = await live.run({
      query: '',
      extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } },
    });
    expect(errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });

  it('include introspection, unless it is switched off', async () => {
    expect((await live.run({ query: getIntrospectionQuery() })).data.__schema).toBeDefined();
    const closed = await startApp('sqlite', { STORE_INTROSPECTION: 'false' });
    const { errors } = await connect(closed).run({ query: '{ __schema { types { name } } }' });
    expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    await closed.close();
  });

  it('follow the same access rules as over HTTP', async () => {
    const product = await create(store);
    const query = `mutation { deleteProduct(id: "${product.id}") { id } }`;
    for (const [key, code] of [
      [null, 'UNAUTHENTICATED'],
      [await createKey(store, ['products:read']), 'FORBIDDEN'],
    ] as const) {
      const one = connect(store, key);
      const result = await one.run({ query });
      expect(result).toMatchObject({ data: { deleteProduct: null } });
      expect(result.errors[0]).toMatchObject({ path: ['deleteProduct'], extensions: { code } });
      expect(comparable(result.errors)).toEqual(
        comparable((await resultOf(store, query, undefined, { key })).errors),
      );
      expect((await one.run({ query: `{ product(id: ${product.id}) { id } }` })).data.product).not.toBeNull();
      one.close();
    }
    const able = connect(store, await createKey(store, ['products:write']));
    expect((await able.run({ query })).data.deleteProduct).toEqual({ id: String(product.id) });
    able.close();
  });

  it('show no details of a bug', async () => {
    const broken = await startApp('sqlite', {}, (app) => {
      const repository = app.get(ProductsRepository, { strict: false });
      repository.find = () => Promise.reject(new TypeError('secret detail of a bug'));
    });
    const one = connect(broken);
    for (let n = 0; n < 8; n++) {
      const text = JSON.stringify(await one.run({ query: '{ product(id: 1) { id } }' }));
      expect(text).not.toContain('secret');
      expect(text).toContain('"code":"INTERNAL"');
    }
    await broken.close();
  });
});

const subscribe = (id: string, query = '{ __typename }', more = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, ...more },
});

describe('a WebSocket', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it.each<[string, unknown]>([
    ['a text that is not JSON', '{'],
    ['an empty message', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a message without a type', {}],
    ['an unknown type', { type: 'start' }],
    ['a type that is not a text', { type: { type: 'ping' } }],
    ['a message of the server', { type: 'next', id: '1', payload: {} }],
    ['an acknowledgement', { type: 'connection_ack' }],
    ['an operation without an id', { type: 'subscribe', payload: { query: '{ __typename }' } }],
    ['an id that is not a text', { ...subscribe(''), id: 1 }],
    ['a message without an operation', { type: 'subscribe', id: '1' }],
    ['an operation without a query text', { type: 'subscribe', id: '1', payload: {} }],
    ['a query that is not a text', subscribe('1', 1 as unknown as string)],
    ['variables that are a list', subscribe('1', '{ __typename }', { variables: [1] })],
    ['variables that are a text', subscribe('1', '{ __typename }', { variables: '{}' })],
    ['a name that is not a text', subscribe('1', '{ __typename }', { operationName: {} })],
    ['extensions that are not an object', subscribe('1', '{ __typename }', { extensions: 7 })],
    ['a ping with a text', { type: 'ping', payload: 'x' }],
    ['a duplicate member', '{"type":"ping","type":"pong"}'],
    ['a dangerous member', '{"type":"ping","__proto__":{}}'],
    ['deep nesting', `{"type":"ping","payload":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
  ])('is closed after %s', async (_what, message) => {
    const raw = await openAs(store);
    raw.say(message);
    expect(await raw.closed).toEqual({ code: 4400, reason: 'Invalid message received' });
  });

  it('executes no message after the message that closed it', async () => {
    const raw = await openAs(store);
    raw.say('garbage');
    raw.say(subscribe('1', 'mutation { createProduct(name: "Behind", price: 1) { id } }'));
    await raw.closed;
    const { body } = await store.call('GET', '/api/products?q=Behind');
    expect(body).toEqual([]);
  });

  it('is closed after a binary message', async () => {
    const raw = await openAs(store);
    raw.socket.send(Buffer.from('{"type":"ping"}'));
    expect((await raw.closed).code).toBe(4400);
  });

  it('is closed after an invalid frame, and the service continues', async () => {
    const raw = await openAs(store);
    // The frame has no mask, although frames of clients must have one.
    (raw.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
      Buffer.from([0x81, 0x01, 0x41]),
    );
    expect((await raw.closed).code).toBe(1002);
    expect((await store.call('GET', '/api/products')).status).toBe(200);
  });

  it('accepts messages of up to 256 KiB', async () => {
    const raw = await openAs(store);
    const frame = JSON.stringify({ type: 'ping', payload: { a: '' } }).length;
    const payload = { a: 'x'.repeat(262_144 - frame) };
    raw.say({ type: 'ping', payload });
    expect(await raw.hear()).toEqual({ type: 'pong', payload });
    raw.say({ type: 'ping', payload: { a: `${payload.a}x` } });
    expect((await raw.closed).code).toBe(1009);
  });

  it('answers pings, even before connection_init', async () => {
    const raw = await open(store);
    raw.say({ type: 'ping' });
    expect(await raw.hear()).toEqual({ type: 'pong' });
    raw.say({ type: 'pong', payload: { n: 1 } });
    raw.say({ type: 'ping', payload: { n: 2 } });
    expect(await raw.hear()).toEqual({ type: 'pong', payload: { n: 2 } });
    raw.socket.terminate();
  });

  it('accepts an id again when its operation has ended', async () => {
    const raw = await openAs(store);
    for (let n = 0; n < 3; n++) {
      raw.say(subscribe('constructor'));
      expect(await raw.hear()).toMatchObject({ type: 'next', id: 'constructor' });
      expect(await raw.hear()).toEqual({ type: 'complete', id: 'constructor' });
    }
    raw.say({ type: 'complete', id: 'never there' });
    raw.socket.terminate();
  });

  it('is not read by the service while its client leaves many answers unread', async () => {
    const raw = await openAs(store);
    const { socket } = raw;
    socket.pause();
    const ping = JSON.stringify({ type: 'ping', payload: { a: 'x'.repeat(200_000) } });
    let sent = 0;
    // Some messages wait in buffers of the network on both sides. When these are full, further messages wait in the
    // client (`bufferedAmount`).
    for (; sent < 120 && socket.bufferedAmount < 20_000_000; sent++) {
      socket.send(ping);
      if (sent % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(socket.bufferedAmount).toBeGreaterThan(1_000_000);
    socket.resume();
    for (let n = 0; n < sent; n++) expect(await raw.hear()).toMatchObject({ type: 'pong' });
    socket.terminate();
  });

  it('is cut off when the client no longer answers pings', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const pinging = await startApp('sqlite');
      const alive = await openAs(pinging);
      const dead = await open(pinging, { autoPong: false });
      dead.say({ type: 'connection_init' });
      await dead.hear();
      const pinged = [alive, dead].map(({ socket }) => once(socket, 'ping'));
      vi.advanceTimersByTime(25_000);
      await Promise.all(pinged);
      // The service gets the pong frame before this message, so it knows the pong when it answers the message.
      alive.say({ type: 'ping' });
      await alive.hear();
      vi.advanceTimersByTime(25_000);
      expect((await dead.closed).code).toBe(1006);
      alive.say({ type: 'ping' });
      expect(await alive.hear()).toEqual({ type: 'pong' });
      await pinging.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is closed after its operations when the service stops, with a code after which clients reconnect', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<null>();
    const stopping = await startApp('sqlite', {}, (app) => {
      const repository = app.get(ProductsRepository, { strict: false });
      repository.find = () => {
        begin();
        return released;
      };
    });
    const [idle, busy, mute] = await Promise.all([openAs(stopping), openAs(stopping), open(stopping)]);
    busy.say(subscribe('1', '{ product(id: 1) { id } }'));
    await begun;
    const closed = stopping.close();
    const RESTART = { code: 1012, reason: 'Service restart' };
    expect(await idle.closed).toEqual(RESTART);
    expect(await mute.closed).toEqual(RESTART);
    await expect(open(stopping)).rejects.toThrow('503');
    release(null);
    expect(await busy.hear()).toMatchObject({ type: 'next', payload: { data: { product: null } } });
    expect(await busy.hear()).toEqual({ type: 'complete', id: '1' });
    expect(await busy.closed).toEqual(RESTART);
    await closed;
  });
});
