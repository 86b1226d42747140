import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventLog } from '../../../src/engine/events/event-log.js';
import type { StoreEvent } from '../../../src/engine/events/store-event.js';
import type { Order } from '../../../src/store/orders/order.entity.js';
import { startApp } from '../../support/clients/app.js';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { tally } from '../../support/fixtures/tally.js';

const orderOf = (quantity: number, status = 'pending') => [
  {
    id: 'first',
    status,
    user_id: 'ada',
    items: [{ product_id: 'tea', name: 'Tea', unit_price: 4, quantity }],
  },
];

describeOnEachEngine('events of commands', (engine) => {
  let database: FreshDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await freshDatabase(engine);
    folder = await mkdtemp(join(tmpdir(), 'store-events-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (...args: string[]) => {
    const settings = { STORE_DATABASE_URL: database.url };
    expect(await runCommand(args, { settings })).toMatchObject({ code: 0 });
  };
  const bring = async (kind: string, rows: readonly object[], ...options: string[]) => {
    const file = join(folder, `${kind}.ndjson`);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await run('import', kind, file, ...options);
  };
  /** All events that a service finds in the log. */
  const found = async (): Promise<readonly StoreEvent[]> => {
    const service = await startApp(engine, { STORE_DATABASE_URL: database.url });
    try {
      await waitForLog(service);
      const events = await service.app.get(EventLog, { strict: false }).after(0, 1_000);
      for (const { snapshot } of events) expect(snapshot).toBeTypeOf('object');
      return events;
    } finally {
      await service.close();
    }
  };

  it('are written by a seed only with --events', async () => {
    await run('seed', '--products', '5', '--users', '3', '--orders', '4');
    expect(await found()).toEqual([]);
    await run(
      'seed',
      '--append',
      '--seed',
      '2',
      '--products',
      '5',
      '--users',
      '3',
      '--orders',
      '4',
      '--events',
    );
    const events = await found();
    expect(tally(events.map(({ type }) => type))).toEqual({
      'product.created': 5,
      'user.created': 3,
      'order.created': 4,
    });
    expect(events.map(({ position }) => position)).toEqual(events.map((_, n) => n + 1));
    expect(events[0]?.actor).toEqual({ kind: 'service', userId: null, name: 'seed' });
    const order = events.at(-1)?.snapshot as Order;
    expect(order.items?.length).toBeGreaterThan(0);
    expect(order.createdAt).toBeInstanceOf(Date);
  });

  it('are written by an import only with --events, for each row that it changes', async () => {
    const products = [
      { id: 'tea', name: 'Tea', price: 4 },
      { id: 'mug', name: 'Mug', price: 9 },
    ];
    const users = [{ id: 'ada', name: 'Ada', email: 'ada@example.com' }];
    await bring('products', products);
    expect(await found()).toEqual([]);
    await bring(
      'products',
      [{ ...products[0], price: 5 }, products[1] as object, { ...products[1], id: 'cup' }],
      '--events',
    );
    await bring('users', users, '--events', '--dry-run');
    await bring('users', users, '--events');
    await bring('orders', orderOf(1), '--events');
    await bring('orders', orderOf(2), '--events');
    await bring('orders', orderOf(2, 'shipped'), '--events');
    const events = await found();
    expect(events.map(({ type, version, snapshot }) => ({ type, version, snapshot }))).toMatchObject([
      { type: 'product.created', version: 1, snapshot: { name: 'Mug', priceMinor: 900 } },
      { type: 'product.updated', version: 2, snapshot: { name: 'Tea', priceMinor: 500 } },
      { type: 'user.created', version: 1, snapshot: { email: 'ada@example.com' } },
      { type: 'order.created', version: 1, snapshot: { totalMinor: 400, items: [{ quantity: 1 }] } },
      { type: 'order.updated', version: 2, snapshot: { totalMinor: 800, items: [{ quantity: 2 }] } },
      {
        type: 'order.status_changed',
        version: 3,
        snapshot: { status: 'shipped', totalMinor: 800, items: [{ quantity: 2 }] },
      },
      { type: 'order.updated', version: 3, snapshot: { status: 'shipped' } },
    ]);
    expect(events[0]?.actor.name).toBe('import');
  });
});
