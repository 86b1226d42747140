import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import type { Scope } from '../../../src/generated/operations.js';
import { ProductsModule } from '../../../src/store/products/products.module.js';
import { extended, FIELDS_OF_IT, resolverOfIt } from '../../support/fixtures/another-contract.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { ask } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, openAs, type Raw } from '../../support/clients/live.js';

// The application runs with an additional part of the contract. None of its code is replaced.
vi.mock('../../../src/engine/contract/documents.js', async (original) => {
  const documents = await original<typeof import('../../../src/engine/contract/documents.js')>();
  return { ...documents, SCHEMA_GRAPHQL: extended(documents.SCHEMA_GRAPHQL) };
});

const { FIELDS } = await import('../../../src/generated/fields.js');
Object.assign(FIELDS, FIELDS_OF_IT);
const TestEvents = resolverOfIt();
(Reflect.getMetadata('providers', ProductsModule) as unknown[]).push(TestEvents);

const HEAR = 'subscription { testEvent { id } }';
const hearing = (id: string, query = HEAR) => ({ type: 'subscribe', id, payload: { query } });

describe('subscriptions', () => {
  let store: TestApp;
  let pubSub: PubSub;
  let reader: string;
  beforeAll(async () => {
    store = await startApp('sqlite');
    pubSub = store.app.get(PubSub, { strict: false });
    reader = await createKey(store, ['products:read']);
  });
  afterAll(() => store.close());
  beforeEach(() => vi.waitUntil(() => subscribers() === 0));

  const subscribers = () => pubSub.countSubscribers('testEvent');

  it('receive the selected fields of each event that is published after their start', async () => {
    const live = connect(store, reader);
    pubSub.publish('testEvent', { id: 1 });
    const ids = await live.subscribe('testEvent', '{ id }');
    const all = await live.subscribe('testEvent', '{ number: id text }');
    pubSub.publish('testEvent', { id: 2, text: 'two' });
    pubSub.publish('testEvent', { id: 3 });
    for (const id of ['2', '3']) expect(await ids.next()).toEqual({ data: { testEvent: { id } } });
    expect(await all.next()).toEqual({ data: { testEvent: { number: '2', text: 'two' } } });
    expect(await all.next()).toEqual({ data: { testEvent: { number: '3', text: null } } });
    live.close();
  });

  it('may be a thousand at once, and each of them receives the event', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openAs(store, reader)));
    for (const { say } of sockets) for (let id = 0; id < 50; id++) say(hearing(String(id)));
    await expect.poll(subscribers, { timeout: 10_000 }).toBe(1_000);
    pubSub.publish('testEvent', { id: 5 });
    for (const { socket, hear } of sockets) {
      const ids = new Set<string>();
      for (let n = 0; n < 50; n++) {
        const message = await hear();
        expect(message).toMatchObject({ type: 'next', payload: { data: { testEvent: { id: '5' } } } });
        ids.add(message.id as string);
      }
      expect(ids.size).toBe(50);
      socket.close();
    }
  });

  it.each([
    ['without a credential', null, 'UNAUTHENTICATED'],
    ['without the scope', ['products:write'] as Scope[], 'FORBIDDEN'],
  ])('are refused %s', async (_what, scopes, code) => {
    const live = connect(store, scopes && (await createKey(store, scopes)));
    const end = await live.send({ query: HEAR }).ended;
    expect(end).toMatchObject({ errors: [{ path: ['testEvent'], extensions: { code } }] });
    expect(subscribers()).toBe(0);
    live.close();
  });

  it('end when the subscriber may no longer see the events', async () => {
    // A proven credential is cached with its scopes, so no other test may use this key.
    const live = connect(store, await createKey(store, ['products:read']));
    const events = await live.subscribe('testEvent', '{ id }');
    pubSub.publish('testEvent', { id: 1 });
    await events.next();
    (TestEvents.contexts.at(-1)?.principal.scopes as Set<Scope> | undefined)?.clear();
    pubSub.publish('testEvent', { id: 2 });
    expect(await events.ended).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect(events.waiting).toBe(0);
    await expect.poll(subscribers).toBe(0);
    live.close();
  });

  it.each([
    ['an invalid argument', 'subscription { testEventOf(id: "x") { id } }', {}, 'VALIDATION_FAILED'],
    ['a missing value', 'subscription ($id: ID!) { testEventOf(id: $id) { id } }', {}, 'VALIDATION_FAILED'],
    [
      'a variable of another type',
      'subscription ($id: ID!) { testEventOf(id: $id) { id } }',
      { id: true },
      'VALIDATION_FAILED',
    ],
    ['an unknown field', 'subscription { testEvent { nothing } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'two fields at once',
      'subscription { testEvent { id } other: testEvent { id } }',
      {},
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'too many aliases',
      `subscription { testEvent { ${Array.from({ length: 31 }, (_, n) => `a${n}: id`).join(' ')} } }`,
      {},
      'GRAPHQL_LIMIT_EXCEEDED',
    ],
  ])('are refused for %s, with the request id', async (_what, query, variables, code) => {
    const live = connect(store);
    const end = await live.send({ query, variables }).ended;
    expect(end).toMatchObject({
      errors: [{ extensions: { code, request_id: expect.stringMatching(/^[\w-]{36}$/) } }],
    });
    live.close();
  });

  it('hide a field with @auth from callers without the scope, and show the other fields', async () => {
    const live = connect(store, reader);
    const events = await live.subscribe('testEvent', '{ id secret }');
    const admin = connect(store);
    const everything = await admin.subscribe('testEvent', '{ id secret }');
    pubSub.publish('testEvent', { id: 4 });
    expect(await everything.next()).toEqual({ data: { testEvent: { id: '4', secret: 'secret of 4' } } });
    expect(await events.next()).toMatchObject({
      data: { testEvent: { id: '4', secret: null } },
      errors: [{ path: ['testEvent', 'secret'], extensions: { code: 'FORBIDDEN' } }],
    });
    live.close();
    admin.close();
  });

  it('are not the only operations that hide a field with @auth: queries over HTTP hide it too', async () => {
    for (let n = 0; n < 8; n++) {
      const { data, errors } = (await ask(store, { query: '{ lastTestEvent { id secret } }' }, { key: null }))
        .body;
      expect(data).toEqual({ lastTestEvent: { id: '7', secret: null } });
      expect(errors).toMatchObject([
        { path: ['lastTestEvent', 'secret'], extensions: { code: 'UNAUTHENTICATED', status: 401 } },
      ]);
    }
    const { data } = (await ask(store, { query: '{ lastTestEvent { id secret } }' })).body;
    expect(data).toEqual({ lastTestEvent: { id: '7', secret: 'secret of 7' } });
  });

  it('continue after a bug in a field', async () => {
    const live = connect(store);
    const events = await live.subscribe('testEvent', '{ id broken }');
    for (const id of [1, 2]) {
      pubSub.publish('testEvent', { id });
      const event = await events.next();
      expect(event).toMatchObject({
        data: { testEvent: { id: String(id), broken: null } },
        errors: [{ extensions: { code: 'INTERNAL', request_id: expect.any(String) } }],
      });
      expect(JSON.stringify(event)).not.toContain('secret');
    }
    live.close();
  });

  it('end after a bug in their stream, and the socket stays open', async () => {
    const live = connect(store);
    for (const id of [13, 14]) {
      const end = await live.send({ query: `subscription { testEventOf(id: ${id}) { id } }` }).ended;
      expect(end).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL' } }] });
      expect(JSON.stringify(end)).not.toContain('secret');
    }
    expect((await live.run({ query: '{ __typename }' })).data.__typename).toBe('Query');
    live.close();
  });

  it.each([
    ['it completes them', (raw: Raw) => ['1', '2'].forEach((id) => raw.say({ type: 'complete', id }))],
    ['it closes the socket', ({ socket }: Raw) => socket.close()],
    ['its connection breaks', ({ socket }: Raw) => socket.terminate()],
    ['it breaks the protocol', (raw: Raw) => raw.say('garbage')],
  ])('are released when the client leaves: %s', async (_what, leave) => {
    const raw = await openAs(store);
    raw.say(hearing('1'));
    raw.say(hearing('2'));
    await expect.poll(subscribers).toBe(2);
    leave(raw);
    await expect.poll(subscribers).toBe(0);
    raw.socket.terminate();
  });

  it('are released when the client leaves before they have started', async () => {
    for (let n = 0; n < 20; n++) {
      const raw = await openAs(store);
      raw.say(hearing('1'));
      raw.say({ type: 'complete', id: '1' });
      raw.say(hearing('2'));
      raw.socket.terminate();
      await raw.closed;
    }
    await expect.poll(subscribers).toBe(0);
  });

  it('are released even if their id is used again at once', async () => {
    const raw = await openAs(store);
    for (let n = 0; n < 30; n++) {
      raw.say(hearing('1'));
      raw.say({ type: 'complete', id: '1' });
    }
    raw.say(hearing('1'));
    await expect.poll(subscribers).toBe(1);
    pubSub.publish('testEvent', { id: 1 });
    expect(await raw.hear()).toMatchObject({ type: 'next', id: '1' });
    raw.say(hearing('1'));
    expect((await raw.closed).code).toBe(4409);
  });

  it('may have a long id, but not the id of a running operation', async () => {
    const raw = await openAs(store);
    const id = 'ü'.repeat(1_000);
    raw.say(hearing(id));
    raw.say(hearing(id));
    expect(await raw.closed).toEqual({ code: 4409, reason: 'An operation with this id is running' });
  });

  it('are limited to fifty on a socket, together with all other running operations', async () => {
    const raw = await openAs(store);
    for (let n = 1; n <= 50; n++) raw.say(hearing(String(n)));
    await expect.poll(subscribers).toBe(50);
    for (const query of [HEAR, '{ __typename }']) {
      raw.say(hearing('51', query));
      expect(await raw.hear()).toMatchObject({
        type: 'error',
        id: '51',
        payload: [
          {
            message: 'The number of operations on this socket is 51; it may be at most 50.',
            extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', request_id: expect.any(String) },
          },
        ],
      });
    }
    raw.say({ type: 'complete', id: '7' });
    await expect.poll(subscribers).toBe(49);
    raw.say(hearing('51', '{ __typename }'));
    expect(await raw.hear()).toMatchObject({ type: 'next', id: '51' });
    raw.socket.terminate();
  });

  it('of a client that does not read end, and the subscriptions of other clients go on', async () => {
    const slow = await openAs(store);
    const fast = await openAs(store);
    for (const { say } of [slow, fast]) say(hearing('1', 'subscription { testEvent { id text } }'));
    await expect.poll(subscribers).toBe(2);
    slow.socket.pause();
    // All events together are larger than the buffers of the network.
    const text = 'x'.repeat(50_000);
    for (let id = 1; id <= 1_500; id++) {
      pubSub.publish('testEvent', { id, text });
      expect(await fast.hear()).toMatchObject({ payload: { data: { testEvent: { id: String(id) } } } });
    }
    await expect.poll(subscribers).toBe(1);
    slow.socket.resume();
    // Standard clients reconnect after this code.
    expect(await slow.closed).toEqual({
      code: 1013,
      reason: 'Too slow: connect again and continue after your last cursor',
    });
    const heard: string[] = [];
    while (slow.unheard > 0) heard.push((await slow.hear()).payload.data.testEvent.id);
    expect(heard.length).toBeLessThan(500);
    expect(heard).toEqual(heard.map((_, index) => String(index + 1)));
    fast.socket.terminate();
  });

  it('of forty clients that do not read are ended, and share one copy of the waiting events', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openAs(store, reader)));
    for (const { say, socket } of sockets) {
      say(hearing('1', 'subscription { testEvent { id text } }'));
      socket.pause();
    }
    await expect.poll(subscribers).toBe(40);
    const before = process.memoryUsage().rss;
    let most = 0;
    for (let id = 1; id <= 1_200; id++) {
      // Each event has a text of its own, so that the events share no memory.
      pubSub.publish('testEvent', { id, text: `${id} ${'x'.repeat(50_000)}` });
      if (id % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage().rss);
    }
    await expect.poll(subscribers).toBe(0);
    // If each client had its own copy of the waiting events, the copies would take 2 GB.
    expect(most - before).toBeLessThan(700_000_000);
    for (const { socket } of sockets) socket.resume();
    for (const { closed } of sockets) expect((await closed).code).toBe(1013);
  });

  it('over HTTP are refused, with a hint to use a WebSocket', async () => {
    const { body } = await ask(store, { query: HEAR });
    expect(body.data).toBeUndefined();
    expect(body.errors).toMatchObject([
      {
        message: expect.stringContaining('WebSocket (graphql-transport-ws)'),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
    expect(subscribers()).toBe(0);
  });

  it('end when the service stops', async () => {
    const stopping = await startApp('sqlite');
    const live = connect(stopping);
    const events = await live.subscribe('testEvent', '{ id }');
    await stopping.close();
    expect(await live.closed).toMatchObject({ code: 1012, reason: 'Service restart' });
    expect(await events.ended).toMatchObject({ closing: { code: 1012 } });
    expect(stopping.app.get(PubSub, { strict: false }).countSubscribers('testEvent')).toBe(0);
  });
});
