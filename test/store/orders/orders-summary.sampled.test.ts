import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { OrderSumsRepository } from '../../../src/store/orders/order-sums.repository.js';
import { NEXT_STATUSES, type OrderStatus } from '../../../src/store/orders/order-status.js';
import type { Order } from '../../../src/store/orders/order.entity.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword } from '../../support/clients/basic.js';
import { settingsOf, runCommand } from '../../support/clients/cli.js';
import { waitForLog } from '../../support/clients/events.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { openStream } from '../../support/clients/sse.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { times } from '../../support/sampled.js';
import { integersFrom } from '../../../testkit/random.js';

const PATH = '/api/v2/orders/summary';
const STATUSES = Object.keys(NEXT_STATUSES) as OrderStatus[];
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

interface Money {
  readonly amount: number;
  readonly currency: string;
}

interface Summary {
  readonly at: string;
  readonly cursor: string;
  readonly statuses: readonly { status: OrderStatus; orders: number; total: Money }[];
  readonly minutes: readonly { start: string; orders: number }[];
  readonly days: readonly { date: string; orders: number; revenue: Money }[];
}

interface Placed {
  readonly status: OrderStatus;
  readonly total: number;
  readonly at: Date;
}

const usd = (amount: number): Money => ({ amount, currency: 'USD' });
const sumOf = (orders: readonly Placed[]): Money => usd(orders.reduce((sum, { total }) => sum + total, 0));

/** The summary of these orders, as a full scan computes it. */
function scanned(orders: readonly Placed[], now: string): Omit<Summary, 'at' | 'cursor'> {
  const within = (start: number, length: number) =>
    orders.filter(({ at }) => at.getTime() >= start && at.getTime() < start + length);
  const startOf = (length: number, back: number) => (Math.floor(Date.parse(now) / length) - back) * length;
  return {
    statuses: statusesOf(orders),
    minutes: Array.from({ length: 60 }, (_, index) => {
      const start = startOf(MINUTE_MS, 59 - index);
      return { start: new Date(start).toISOString(), orders: within(start, MINUTE_MS).length };
    }),
    days: Array.from({ length: 30 }, (_, index) => {
      const start = startOf(DAY_MS, 29 - index);
      const found = within(start, DAY_MS);
      const kept = found.filter(({ status }) => status !== 'cancelled' && status !== 'refunded');
      const date = new Date(start).toISOString().slice(0, 10);
      return { date, orders: found.length, revenue: sumOf(kept) };
    }),
  };
}

function statusesOf(orders: readonly Placed[]): Summary['statuses'] {
  return STATUSES.map((status) => {
    const found = orders.filter((order) => order.status === status);
    return { status, orders: found.length, total: sumOf(found) };
  });
}

describeOnEachEngine('the summary of the orders', (engine) => {
  let store: TestApp;
  let user: number;
  let product: number;
  let folder: string;
  beforeAll(async () => {
    store = await startApp(engine);
    folder = await mkdtemp(join(tmpdir(), 'store-summary-'));
    user = (await createUser(store)).id;
    product = (await create(store, { price: 12.5 })).id;
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const database = () => store.app.get(Database, { strict: false });
  const act = (statement: Parameters<typeof run>[0]) => database().unitOfWork.run(() => run(statement));
  const summary = async (): Promise<Summary> => {
    const { status, body } = await store.call('GET', PATH);
    expect(status).toBe(200);
    return body as Summary;
  };
  const stored = async (): Promise<Placed[]> => {
    const rows = await database().reads.all<{ status: OrderStatus; total: number; at: Date | number }>(
      sql`SELECT status, total_minor AS total, created_at AS at FROM orders`,
    );
    return rows.map(({ status, total, at }) => ({ status, total, at: new Date(at) }));
  };
  const requireExact = async (): Promise<void> => {
    await waitForLog(store);
    const { at, cursor, ...figures } = await summary();
    expect(figures).toEqual(scanned(await stored(), at));
    expect(cursor).toBe(String(await store.app.get(EventLog, { strict: false }).latest()));
  };
  /** The number of sums that may be removed: minutes older than two hours, and days older than 40 days. */
  const old = async () => {
    const rows = await database().reads.all<{ n: number }>(sql`
      SELECT count(*) AS n FROM order_figures
      WHERE (span = 'minute' AND at < ${Math.floor(Date.now() / MINUTE_MS) - 120})
        OR (span = 'day' AND at < ${Math.floor(Date.now() / DAY_MS) - 40})`);
    return Number(rows[0]?.n);
  };
  const bring = async (kind: string, rows: readonly object[], ...options: string[]) => {
    const file = join(folder, `${kind}.ndjson`);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const settings = settingsOf(store);
    expect(await runCommand(['import', kind, file, ...options], { settings })).toMatchObject({ code: 0 });
  };
  const place = () => placeOrder(store, { user_id: user, items: [{ product_id: product, quantity: 2 }] });
  const move = (id: number, status: string) =>
    store.call('PATCH', `/api/v2/orders/${id}`, { body: { status } });

  it('is complete without an order: it has every status, 60 minutes and 30 days', async () => {
    const { at, statuses, minutes, days } = await summary();
    expect(statuses).toEqual(STATUSES.map((status) => ({ status, orders: 0, total: usd(0) })));
    expect([minutes.length, days.length]).toEqual([60, 30]);
    expect(minutes.at(-1)?.start).toBe(`${at.slice(0, 16)}:00.000Z`);
    expect(days.at(-1)).toEqual({ date: at.slice(0, 10), orders: 0, revenue: usd(0) });
  });

  it('has the same figures over REST and GraphQL', async () => {
    const { id } = await place();
    await place();
    await move(id, 'paid');
    await requireExact();
    const { at, ...others } = await summary();
    const { data, errors } = await resultOf(
      store,
      `{ ordersSummary {
        at cursor statuses { status orders total { amount currency } } minutes { start orders }
        days { date orders revenue { amount currency } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(Date.parse(data.ordersSummary.at)).toBeGreaterThanOrEqual(Date.parse(at));
    const { cursor, statuses, days } = others;
    expect(data.ordersSummary).toMatchObject({ cursor, statuses, days });
    expect(data.ordersSummary.minutes).toHaveLength(60);
  });

  it('is only for callers who may read all orders', async () => {
    const { id, email } = await createUserWithPassword(store);
    const own = await createKey(store, ['orders:write'], id);
    const reader = await createKey(store, ['orders:read']);
    const asked = async (call: Parameters<TestApp['call']>[2]) => {
      const { status } = await store.call('GET', PATH, call);
      const { data, errors } = await store.graphql('{ ordersSummary { cursor } }', {}, call);
      return [status, data?.ordersSummary ? 200 : errors[0].extensions.code];
    };
    expect(await asked({ key: reader })).toEqual([200, 200]);
    expect(await asked({ key: own })).toEqual([403, 'FORBIDDEN']);
    expect(await asked(asBasic(email))).toEqual([403, 'FORBIDDEN']);
    expect(await asked({ key: null })).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('equals a full scan after random acts', async () => {
    const random = integersFrom(18);
    const ids: number[] = [];
    const any = () => ids[random(ids.length)] ?? 1;
    const users = [user];
    const moment = () => new Date(Date.now() - random(45 * 24 * 60) * MINUTE_MS);
    const acts: readonly (() => Promise<unknown>)[] = [
      ...Array.from({ length: 6 }, () => async () => {
        const user_id = users[random(users.length)] as number;
        const body = { user_id, items: [{ product_id: product, quantity: 1 + random(9) }] };
        const answer = await store.call('POST', '/api/v2/orders', { body });
        // Another act may have removed the user.
        expect([201, 400]).toContain(answer.status);
        if (answer.status === 201) ids.push(answer.body.id);
      }),
      ...Array.from({ length: 6 }, () => async () => {
        const { status } = await move(any(), STATUSES[random(STATUSES.length)] as string);
        expect([200, 404, 409]).toContain(status);
      }),
      async () => {
        users.push((await createUser(store)).id);
      },
      async () => {
        if (users.length < 3) return;
        const [id] = users.splice(1, 1);
        expect((await store.call('DELETE', `/api/users/${id}?anonymise=true`)).status).toBe(204);
      },
      // These acts change the rows without the API. They insert orders as an import does, change or remove orders,
      // or fail after a change.
      () =>
        act(sql`
        INSERT INTO orders (user_id, status, total_minor, version, created_at, updated_at) VALUES
          (NULL, ${STATUSES[random(6)] as string}, ${random(9_999)}, 1, ${moment()}, ${new Date()}),
          (NULL, ${STATUSES[random(6)] as string}, ${random(9_999)}, 1, ${moment()}, ${new Date()})`),
      () =>
        act(sql`
        UPDATE orders SET total_minor = ${random(9_999)}, version = version + 1, created_at = ${moment()}
        WHERE id = ${any()}`),
      () =>
        act(
          sql`UPDATE orders SET status = ${STATUSES[random(6)] as string} WHERE id > ${any()} AND id < ${any()}`,
        ),
      () => act(sql`DELETE FROM orders WHERE id = ${any()}`),
      async () => {
        const failing = database().unitOfWork.run(function* () {
          yield* run(sql`UPDATE orders SET status = 'refunded', total_minor = 1`);
          throw new Error('after the change');
        });
        await expect(failing).rejects.toThrow('after the change');
      },
    ];
    const count = engine === 'sqlite' ? times(1_000, 200) : 200;
    for (let done = 0; done < count; done += 8) {
      await Promise.all(
        Array.from({ length: 8 }, () => (acts[random(acts.length)] as () => Promise<unknown>)()),
      );
      if (done % 200 === 0) await requireExact();
    }
    await requireExact();
    expect(ids.length).toBeGreaterThan(count / 5);
  });

  it('counts imported orders at the time in the file', async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    const order = (id: number, status: string, quantity: number) => ({
      id: String(id),
      user_id: null,
      status,
      created_at: yesterday,
      items: [{ product_id: null, name: 'Tea', unit_price: 4, quantity }],
    });
    await bring(
      'orders',
      Array.from({ length: 700 }, (_, id) => order(id, 'paid', 2)),
    );
    await requireExact();
    const again = Array.from({ length: 700 }, (_, id) => order(id, id % 2 === 0 ? 'refunded' : 'shipped', 3));
    await bring('orders', again, '--events');
    await requireExact();
    const { days } = await summary();
    expect(days.find(({ date }) => date === yesterday.slice(0, 10))?.orders).toBeGreaterThanOrEqual(700);
  });

  it('is correct at its cursor while orders are placed and change their status', async () => {
    const log = store.app.get(EventLog, { strict: false });
    await waitForLog(store);
    const first = await summary();
    const seen: Summary[] = [];
    const over = new AbortController();
    const reading = (async () => {
      while (!over.signal.aborted) seen.push(await summary());
    })();
    await Promise.all(
      Array.from({ length: 16 }, async (_, client) => {
        for (let turn = 0; turn < 12; turn++) {
          const { id } = await place();
          expect((await move(id, client % 2 === 0 ? 'paid' : 'cancelled')).status).toBe(200);
        }
      }),
    );
    over.abort();
    await reading;
    await waitForLog(store);
    seen.push(await summary());
    const events = await log.after(Number(first.cursor), 1_000);
    expect(events).toHaveLength(16 * 12 * 2);
    for (const { cursor, statuses } of seen) {
      const orders = new Map<number, Placed>();
      for (const { position, entityId, snapshot } of events) {
        const { status, totalMinor: total, createdAt: at } = snapshot as Order;
        if (position <= Number(cursor)) orders.set(entityId, { status, total, at });
      }
      const added = statusesOf([...orders.values()]);
      const expected = first.statuses.map(({ status, orders: before, total }, index) => ({
        status,
        orders: before + (added[index]?.orders ?? 0),
        total: usd(total.amount + (added[index]?.total.amount ?? 0)),
      }));
      expect([cursor, statuses]).toEqual([cursor, expected]);
    }
    await requireExact();
  });

  it('has a cursor after which a stream continues', async () => {
    const { id } = await place();
    await waitForLog(store);
    const { cursor } = await summary();
    const stream = await openStream(
      store,
      `/api/v2/events?after=${cursor}&type=order.created,order.status_changed`,
    );
    await move(id, 'paid');
    const event = await stream.event();
    expect([event?.data.type, event?.data.entity_id, event?.data.data.status]).toEqual([
      'order.status_changed',
      id,
      'paid',
    ]);
    stream.leave();
  });

  it('forgets minutes and days that are no longer shown, in steps', async () => {
    await waitForLog(store);
    const sums = store.app.get(OrderSumsRepository, { strict: false });
    // The random orders are up to 45 days old. On PostgreSQL their sums exist only after the deltas were folded.
    await expect.poll(old).toBeGreaterThan(20);
    await expect.poll(() => sums.removeOld(new Date(), 10)).toBe(10);
    await sums.purge.run();
    await expect.poll(async () => sums.purge.run().then(old)).toBe(0);
    await requireExact();
  });

  it('shows sums above the highest amount of the contract as the highest amount', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await act(sql`
        INSERT INTO orders (user_id, status, total_minor, version, created_at, updated_at)
        VALUES (NULL, 'delivered', ${Number.MAX_SAFE_INTEGER}, 1, ${new Date()}, ${new Date()})`);
    }
    const { statuses, days } = await summary();
    expect(statuses.find(({ status }) => status === 'delivered')?.total).toEqual(
      usd(Number.MAX_SAFE_INTEGER),
    );
    expect(days.at(-1)?.revenue).toEqual(usd(Number.MAX_SAFE_INTEGER));
    await act(sql`DELETE FROM orders WHERE total_minor = ${Number.MAX_SAFE_INTEGER}`);
    await requireExact();
  });
});
