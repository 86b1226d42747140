import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { CursorExpired, TooSlow } from '../../../src/engine/errors/errors.js';
import { EventFeed } from '../../../src/engine/events/event-feed.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { ReplayTurns } from '../../../src/engine/events/replay-turns.js';
import { Tailer } from '../../../src/engine/events/tailer.js';
import { HeldBytes } from '../../../src/engine/rate-limits/held-bytes.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { anOrder, create, placeOrder } from '../../support/fixtures/fixtures.js';
import { connect } from '../../support/clients/live.js';

const of = <T>(store: TestApp, type: new (...dependencies: never[]) => T): T =>
  store.app.get(type as never, { strict: false });

const ASKER = { name: 'the caller of the test' };

describeOnEachEngine('followers of the log', (engine) => {
  let database: FreshDatabase;
  const stores: TestApp[] = [];
  beforeEach(async () => {
    database = await freshDatabase(engine);
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await database.drop();
  });

  /** Starts an instance of the service in this process. All instances of a test use the same database. */
  const start = async (settings: Record<string, string> = {}): Promise<TestApp> => {
    const store = await startApp(engine, { STORE_DATABASE_URL: database.url, ...settings });
    stores.push(store);
    return store;
  };
  const stop = async (store: TestApp) => {
    stores.splice(stores.indexOf(store), 1);
    await store.close();
  };

  it('receive the events of all instances, each once and all in the same order', async () => {
    const [here, there] = [await start(), await start()];
    const lives = [here, there].map((store) => connect(store));
    const subscribed = await Promise.all(lives.map((live) => live.subscribe('newOrder', '{ id }')));
    const body = await anOrder(here);
    const placed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).call('POST', '/api/orders', { body })),
    );
    const heard = await Promise.all(
      subscribed.map(async (events) => {
        const ids: number[] = [];
        for (const _ of placed) ids.push(Number((await events.next()).data.newOrder.id));
        return ids;
      }),
    );
    expect(heard[0]).toEqual(heard[1]);
    expect(heard[0]?.toSorted((x, y) => x - y)).toEqual(
      placed.map((answer) => answer.body.id as number).toSorted((x, y) => x - y),
    );
    const last = await waitForLog(here);
    await expect
      .poll(() => [of(here, Tailer).position, of(there, Tailer).position], { timeout: 60_000 })
      .toEqual([last, last]);
    expect(subscribed.map(({ waiting }) => waiting)).toEqual([0, 0]);
    for (const live of lives) live.close();
  });

  it('can start at any position while orders are placed, without a gap or a duplicate', async () => {
    const store = await start();
    const [feed, tailer] = [of(store, EventFeed), of(store, Tailer)];
    const body = await anOrder(store);
    const begin = await waitForLog(store);
    const orders = 120;
    const placing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < orders / 4; n++) await store.call('POST', '/api/orders', { body });
      }),
    );
    const joined = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        while (tailer.position < begin + n * 8) await nextTurn();
        const after = begin + n * 4;
        const events = await feed.follow(n % 2 ? 'newOrder' : 'everything', after, ASKER);
        const positions: number[] = [];
        while (positions.length < begin + orders - after) {
          positions.push((await events.next()).value.position);
        }
        await events.return?.();
        return { after, positions };
      }),
    );
    await placing;
    for (const { after, positions } of joined) {
      expect(positions).toEqual(positions.map((_, index) => after + index + 1));
    }
    await expect.poll(() => of(store, PubSub).isIdle, { timeout: 60_000 }).toBe(true);
  });

  it('read their first page without a turn, and wait for a turn of their caller before each further page', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    const items = Array.from({ length: 101 }, (_, n) => ({ op: 'create', name: `Tea ${n}`, price: 1 }));
    const { status } = await store.call('POST', '/api/v1/products/batch', { body: { items } });
    expect(status).toBe(200);
    const last = await waitForLog(store);
    const take = vi.spyOn(of(store, ReplayTurns), 'take');
    const read = async (after: number): Promise<void> => {
      const events = await of(store, EventFeed).follow('everything', after, ASKER);
      for (let position = after + 1; position <= last; position++)
        expect((await events.next()).value.position).toBe(position);
      events.end();
    };
    await read(begin + 1);
    expect(take.mock.calls).toEqual([]);
    await read(begin);
    expect(take.mock.calls).toEqual([[ASKER.name]]);
    // A stream that answers a request takes turns under the name of the caller of this request.
    const answer = await fetch(`${store.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: `subscription { productChanged(after: "${begin}") { name } }` }),
    });
    let text = '';
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.includes('Tea 100')) break;
    }
    const callers = new Set(take.mock.calls.slice(1).flat());
    expect([...callers]).toEqual([expect.stringMatching(/^anonymous /)]);
  });

  it('hand out no more events of a page when the time of a turn is over, and go on in the next turn', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    for (let n = 0; n < 7; n++) await create(store);
    await expect.poll(() => of(store, Tailer).position, { timeout: 60_000 }).toBe(begin + 7);
    let passed = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => passed);
    onTestFinished(() => clock.mockRestore());
    const take = vi.spyOn(of(store, ReplayTurns), 'take');
    const events = await of(store, EventFeed).follow('everything', begin, ASKER);
    const turns: number[] = [];
    // Each event takes 20 ms of the 50 ms of a turn. The first turn needs no place in the queue.
    for (let position = begin + 1; position <= begin + 7; position++) {
      expect((await events.next()).value.position).toBe(position);
      turns.push(take.mock.calls.length);
      passed += 20;
    }
    expect(turns).toEqual([0, 0, 0, 1, 1, 1, 2]);
    events.end();
  });

  it('receive only the requested events, with the entities as they were at the time of the event', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    const { id } = await placeOrder(store);
    for (const status of ['paid', 'shipped', 'delivered']) {
      await store.call('PATCH', `/api/orders/${id}`, { body: { status } });
    }
    await waitForLog(store);
    const events = await of(store, EventFeed).follow('orderStatusChanged', begin, ASKER);
    const statuses: string[] = [];
    while (statuses.length < 3) statuses.push((await events.next()).value.snapshot.status);
    expect(statuses).toEqual(['paid', 'shipped', 'delivered']);
    const waiting = events.next();
    await events.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  it('receive only the events with the wanted value: first from the log, and then as they happen', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    const userId = (await placeOrder(store)).user_id as number;
    const follow = async (value: number) =>
      of(store, EventFeed).follow('newOrder', begin, ASKER, { member: 'userId', value });
    await placeOrder(store);
    await placeOrder(store, { user_id: userId });
    await waitForLog(store);
    const [events, none] = [await follow(userId), await follow(987_654)];
    const owners: number[] = [];
    for (let count = 0; count < 2; count++) owners.push((await events.next()).value.snapshot.userId);
    const [third, nothing] = [events.next(), none.next()];
    await expect.poll(() => of(store, PubSub).countSubscribers('newOrder')).toBe(2);
    await placeOrder(store);
    await placeOrder(store, { user_id: userId });
    owners.push((await third).value.snapshot.userId);
    expect(owners).toEqual([userId, userId, userId]);
    await Promise.all([events.return?.(), none.return?.()]);
    expect(await nothing).toEqual({ value: undefined, done: true });
  });

  it('continue at their position after a restart of the service, and the numbers of events continue too', async () => {
    const before = await start();
    await create(before);
    const cursor = await waitForLog(before);
    await create(before);
    await waitForLog(before);
    await stop(before);
    const store = await start();
    await create(store);
    expect(await waitForLog(store)).toBe(cursor + 2);
    const events = await of(store, EventFeed).follow('productChanged', cursor, ASKER);
    expect((await events.next()).value.position).toBe(cursor + 1);
    expect((await events.next()).value.position).toBe(cursor + 2);
    await events.return?.();
  });

  it('do not receive events older than the retention, and numbers continue after a purge of all events', async () => {
    const before = await start();
    for (let n = 0; n < 5; n++) await create(before);
    const last = await waitForLog(before);
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    const age = (upTo: number) =>
      of(before, Database).unitOfWork.run(() =>
        run(sql`UPDATE events SET occurred_at = ${old} WHERE position <= ${upTo}`),
      );
    const log = of(before, EventLog);
    const cutoff = new Date(Date.now() - 7 * 24 * 3_600_000);
    await age(3);
    expect(await log.oldest()).toBe(1);
    expect(await log.purge(cutoff, 2)).toBe(2);
    expect(await log.oldest()).toBe(3);
    expect(await log.purge(cutoff, 2)).toBe(1);
    expect(await log.purge(cutoff, 2)).toBe(0);
    const feed = of(before, EventFeed);
    await expect.poll(() => of(before, Tailer).position, { timeout: 60_000 }).toBe(last);
    // The first three events were removed. A reader that continues after the third event misses nothing.
    await expect(feed.follow('everything', 2, ASKER)).rejects.toThrow(CursorExpired);
    expect((await (await feed.follow('everything', 3, ASKER)).next()).value.position).toBe(4);
    await age(last);
    await stop(before);
    // The service purges old events at its start.
    const store = await start({ STORE_EVENTS_RETENTION_DAYS: '7' });
    await expect.poll(() => of(store, EventLog).after(0, 10), { timeout: 60_000 }).toEqual([]);
    expect(await of(store, EventLog).oldest()).toBe(last + 1);
    expect(await of(store, EventLog).latest()).toBe(last);
    await expect(of(store, EventFeed).follow('everything', last - 1, ASKER)).rejects.toThrow(CursorExpired);
    await create(store);
    expect(await waitForLog(store)).toBe(last + 1);
    const events = await of(store, EventFeed).follow('everything', last, ASKER);
    expect((await events.next()).value.position).toBe(last + 1);
  });

  it('read each event once, in pages of a bounded size', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    for (let n = 0; n < 12; n++) await create(store);
    const last = await waitForLog(store);
    const [small, large] = [JSON.stringify({ name: 'x' }), JSON.stringify({ name: 'x'.repeat(30_000) })];
    await of(store, Database).unitOfWork.run(function* () {
      yield* run(sql`UPDATE events SET data = ${large} WHERE position > ${begin}`);
      yield* run(sql`UPDATE events SET data = ${small} WHERE position IN (${begin + 1}, ${begin + 8})`);
    });
    const log = of(store, EventLog);
    const page = vi.spyOn(log, 'page');
    const events = await of(store, EventFeed).follow('everything', begin, ASKER);
    for (let position = begin + 1; position <= last; position++) {
      expect((await events.next()).value.position).toBe(position);
    }
    const pages = await Promise.all(page.mock.results.map(({ value }) => value));
    expect(pages.map(({ length }) => length)).toEqual([3, 2, 3, 2, 2]);
    // A page has at least one event, even if the event is larger than the bound.
    expect(await log.page(begin + 1, 100, 1_000)).toHaveLength(1);
    expect(await log.page(begin, 3, 1_000_000)).toHaveLength(3);
    expect(await log.page(last, 3, 1_000_000)).toEqual([]);
    events.end();
  });

  it('that are ended to free memory while they read a page get no event after this page, and can continue without a gap', async () => {
    const store = await start();
    const begin = await waitForLog(store);
    for (let n = 0; n < 12; n++) await create(store);
    const last = await waitForLog(store);
    const large = JSON.stringify({ name: 'x'.repeat(60_000) });
    await of(store, Database).unitOfWork.run(() =>
      run(sql`UPDATE events SET data = ${large} WHERE position > ${begin}`),
    );
    const [feed, held] = [of(store, EventFeed), of(store, HeldBytes)];
    const positions: number[] = [];
    const readOn = async (): Promise<void> => {
      const events = await feed.follow('everything', positions.at(-1) ?? begin, ASKER);
      try {
        while (positions.at(-1) !== last) positions.push((await events.next()).value.position);
      } finally {
        events.end();
      }
    };
    // These holders hold 128 MiB together, and each of them holds less than the page of the follower. So the follower
    // is ended first.
    const others = Array.from({ length: 1_024 }, () => ({ letGo: vi.fn<() => void>() }));
    for (const other of others) held.set(other, 131_072);
    await expect(readOn()).rejects.toThrow(TooSlow);
    for (const other of others) held.set(other, 0);
    await readOn();
    expect(positions).toEqual(Array.from({ length: last - begin }, (_, n) => begin + n + 1));
    expect([held.total, held.holders]).toEqual([0, 0]);
  });
});
