import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { LongReads } from '../../../src/engine/database/long-reads.js';
import { run, sql, Text } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { waitForLog } from '../../support/clients/events.js';
import { createKey } from '../../support/clients/keys.js';
import { openStream } from '../../support/clients/sse.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { tally } from '../../support/fixtures/tally.js';

const EVENTS = '/api/v2/events';
const MANY = 30_000;
/** The number of events of the user 1007. */
const OF_USER = MANY / 3000;
const MINUTE = 60_000;
const BEGIN = Date.parse('2026-11-01T00:00:00Z');
const NUMBERS = new Text(
  `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${MANY})`,
);

interface Told {
  readonly cursor: string;
  readonly type: string;
  readonly entity: string;
  readonly entity_id: number;
  readonly occurred_at: string;
}

const at = (minutes: number): string => new Date(BEGIN + minutes * MINUTE).toISOString();

interface Page {
  readonly data: readonly Told[];
  readonly next: string;
}

describeOnEachEngine('a filter of the log of events', (engine) => {
  let store: TestApp;
  let first = 0;
  beforeAll(async () => {
    store = await startApp(engine);
    const { unitOfWork, reads } = store.app.get(Database, { strict: false });
    await createUser(store);
    await create(store);
    if (engine === 'postgres') {
      await vi.waitUntil(
        async () => (await reads.all(sql`SELECT id FROM event_outbox`)).length === 0,
        20_000,
      );
    }
    const head = await store.app.get(EventLog, { strict: false }).latest();
    // One event for each minute. The 300 products take turns, but every tenth event of the id 1007 is of a user.
    first = head + 1;
    // The newest event is of a product, and the event before it is of a user.
    const data = new Text(
      `(SELECT data FROM events WHERE position = CASE n % 3000 WHEN 7 THEN ${head - 1} ELSE ${head} END)`,
    );
    const kind = new Text(`CASE n % 3000 WHEN 7 THEN 'user' ELSE 'product' END`);
    const position = new Text('NULL', `n + ${head}`);
    const instant = new Text(
      `${BEGIN} + n * ${MINUTE}`,
      `timestamptz '2026-11-01T00:00:00Z' + n * interval '1 minute'`,
    );
    await unitOfWork.run(function* ({ engine: present }) {
      if (present === 'postgres') {
        yield* run(sql`SELECT open_event_log_partition(${MANY}::bigint)`);
        yield* run(sql`UPDATE event_log_head SET position = ${head + MANY}`);
      }
      yield* run(sql`
        ${NUMBERS}
        INSERT INTO events (position, type, kind, entity_id, entity_version, data, actor, request_id, occurred_at)
        SELECT ${position}, ${kind} || '.updated', ${kind}, n % 300 + 1000, n, ${data}, '{"kind":"client","userId":null}', NULL, ${instant}
        FROM many`);
    });
  });
  afterAll(() => store.close());

  const read = async (query: string, key?: string): Promise<Page> => {
    const { status, body } = await store.call('GET', `${EVENTS}?${query}`, key === undefined ? {} : { key });
    expect([query, status]).toEqual([query, 200]);
    return body as Page;
  };

  /** All events of a filter, page by page, and the number of pages. */
  const all = async (
    query: string,
    key?: string,
    begin: string | null = null,
  ): Promise<{ found: Told[]; pages: number }> => {
    const found: Told[] = [];
    let after = begin;
    for (let pages = 1; ; pages += 1) {
      const { data, next }: Page = await read(`${query}${after === null ? '' : `&after=${after}`}`, key);
      found.push(...data);
      if (next === after) return { found, pages };
      after = next;
    }
  };

  it('finds the events of one resource, wherever they are in the log', async () => {
    const { found, pages } = await all('entity=product&entity_id=1007&limit=40');
    expect(found).toHaveLength(MANY / 300 - OF_USER);
    expect(new Set(found.map(({ entity, entity_id }) => `${entity} ${entity_id}`))).toEqual(
      new Set(['product 1007']),
    );
    expect(pages).toBeLessThanOrEqual(4);
  });

  it('finds the events of an id, even if the kind of the resource is not given', async () => {
    const { found } = await all('entity_id=1007&limit=40');
    expect(tally(found.map(({ entity, entity_id }) => `${entity} ${entity_id}`))).toEqual({
      'product 1007': MANY / 300 - OF_USER,
      'user 1007': OF_USER,
    });
  });

  it('finds the events of a period, and starts to read the log near this period', async () => {
    const { found, pages } = await all(
      `occurred_after=${at(20_000)}&occurred_before=${at(20_101)}&limit=100`,
    );
    expect(found.map(({ cursor }) => Number(cursor))).toEqual(
      Array.from({ length: 100 }, (_, index) => first + 20_000 + index),
    );
    expect(pages).toBe(3);
    expect((await all(`occurred_before=${at(1)}`)).found).toEqual([]);
    const one = await all(`entity=product&entity_id=1001&occurred_after=${at(28_000)}&limit=100`);
    expect(one.found).toHaveLength(6);
  });

  it('finds events whose times are a few minutes out of order', async () => {
    const { unitOfWork } = store.app.get(Database, { strict: false });
    const late = first + 9_003;
    await unitOfWork.run(() =>
      run(
        sql`UPDATE events SET occurred_at = ${new Date(BEGIN + 9_000.5 * MINUTE)} WHERE position = ${late}`,
      ),
    );
    const { found } = await all(`occurred_after=${at(9_000.2)}&occurred_before=${at(9_000.8)}`);
    expect(found.map(({ cursor }) => Number(cursor))).toEqual([late]);
  });

  it('passes over a bounded number of events for one page, and the next page continues after them', async () => {
    const after = first - 1;
    const { data, next } = await read(`entity=order&after=${after}`);
    expect([data, next]).toEqual([[], String(after + 10_000)]);
    const order = await placeOrder(store);
    await waitForLog(store);
    const { found, pages } = await all('entity=order&type=order.created&type=product.created');
    expect(found.map(({ type, entity_id }) => [type, entity_id])).toEqual([['order.created', order.id]]);
    expect(pages).toBeLessThanOrEqual(5);
  });

  it('has cursors that tell nothing about events that the caller may not see', async () => {
    const user = await createUser(store);
    const order = await placeOrder(store, { user_id: user.id });
    const other = await placeOrder(store);
    const head = await waitForLog(store);
    const key = await createKey(store, ['events:read'], user.id);
    const own = await all(`entity=order&entity_id=${order.id}&limit=100`, key, `${head - 20}`);
    expect(own.found.map(({ type }) => type)).toEqual(['order.created']);
    const query = (id: number) => `entity=order&entity_id=${id}&limit=1&after=${head - 20}`;
    expect(await read(query(other.id), key)).toEqual(await read(query(999_999), key));
  });

  it('applies to a stream of events too', async () => {
    const wanted = await create(store, { name: 'Wanted' });
    const after = await waitForLog(store);
    const stream = await openStream(store, `${EVENTS}?entity=product&entity_id=${wanted.id}&after=${after}`);
    try {
      await create(store, { name: 'Other' });
      await store.call('PATCH', `/api/v2/products/${wanted.id}`, { body: { name: 'Changed' } });
      const told = await stream.event();
      expect(told?.data).toMatchObject({ entity: 'product', entity_id: wanted.id });
    } finally {
      stream.leave();
    }
  });

  it.each([
    ['entity=basket', 'entity', /order/],
    ['entity=order&entity_id=0', 'entity_id', /./],
    ['entity=order&entity_id=x', 'entity_id', /./],
    ['occurred_after=yesterday', 'occurred_after', /./],
    ['occurred_before=2026-11-31T00:00:00Z', 'occurred_before', /./],
  ])('refuses %s, and names the parameter and the reason', async (query, parameter, detail) => {
    const { status, body } = await store.call('GET', `${EVENTS}?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({ parameter, detail: expect.stringMatching(detail) }),
    ]);
  });

  it('is refused in version 1', async () => {
    expect((await store.call('GET', '/api/v1/events?entity=order')).status).toBe(400);
  });

  it('reads the events of one resource through an index of the database', async () => {
    const scans = store.app.get(LongReads, { strict: false });
    const original = scans.run.bind(scans);
    const texts: string[] = [];
    scans.run = (asker, statement) => {
      texts.push([...(statement.source as unknown as readonly string[])].join('?'));
      return original(asker, statement);
    };
    try {
      await read('entity=product&entity_id=1003');
    } finally {
      scans.run = original;
    }
    expect(texts.some((text) => text.includes('entity_id = ?'))).toBe(true);
    const { dataSource } = store.app.get(Database, { strict: false });
    if (engine === 'postgres') await dataSource.query('ANALYZE events');
    const plan = JSON.stringify(
      await dataSource.query(
        `${engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN (FORMAT JSON)'} SELECT position, data FROM events
         WHERE kind = 'product' AND entity_id = 1003 AND position > 5 AND position <= 90000 ORDER BY position LIMIT 20`,
      ),
    );
    expect(plan).toMatch(
      engine === 'sqlite' ? /events_by_entity/ : /kind_entity_id_position_idx|events_by_entity/,
    );
    expect(plan).not.toMatch(/TEMP B-TREE/);
  });
});
