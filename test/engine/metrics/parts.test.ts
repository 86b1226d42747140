import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { METRICS } from '../../../src/engine/metrics/catalogue.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { growth, scrape, valueOf } from '../../support/clients/metrics.js';
import { openStream } from '../../support/clients/sse.js';
import { waitForLog } from '../../support/clients/events.js';
import { describeOnEachEngine, describeOnPostgres } from '../../support/fixtures/database.js';
import { aProduct, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

const READ = '{ products(limit: 1) { id } }';

const TAKEN = { name: 'Taken', email: 'taken@shop.example' };

type Labels = Readonly<Record<string, string>>;

/** Requests that make a metric grow, each with the name and the labels of the metric. */
const GROWING: readonly [string, Labels, (store: TestApp) => Promise<unknown>][] = [
  ['store_acts_total', { result: 'committed' }, (store) => create(store)],
  [
    'store_acts_total',
    { result: 'refused' },
    (store) => store.call('POST', '/api/v1/users', { body: TAKEN }),
  ],
  ['store_commit_duration_seconds_count', {}, (store) => create(store)],
  [
    'db_client_operation_duration_seconds_count',
    { db_client_connection_pool_name: 'writes' },
    (store) => create(store),
  ],
  [
    'db_client_operation_duration_seconds_count',
    { db_client_connection_pool_name: 'reads' },
    (store) => store.call('GET', '/api/v1/users/1/orders'),
  ],
  [
    'db_client_operation_duration_seconds_count',
    { db_client_connection_pool_name: 'scans' },
    (store) => store.call('GET', '/api/v1/products?q=chai'),
  ],
  [
    'store_event_log_position',
    {},
    async (store) => {
      await create(store);
      await waitForLog(store);
    },
  ],
  [
    'store_graphql_operation_duration_seconds_count',
    { graphql_operation_type: 'query' },
    (store) => store.graphql(READ),
  ],
  [
    'store_graphql_operation_duration_seconds_count',
    { graphql_operation_type: 'mutation' },
    (store) => store.graphql('mutation { createProduct(name: "Chai", price: 1) { id } }'),
  ],
  ['store_graphql_operations_refused_total', {}, (store) => store.graphql('{ nothing }')],
  ['store_limit_units_total', { limit: 'caller' }, (store) => store.call('GET', '/api/v1/users/1')],
  [
    'store_limit_units_total',
    { limit: 'anonymous' },
    (store) => store.call('GET', '/api/v1/products', { key: null }),
  ],
  [
    'store_credential_checks_total',
    { scheme: 'apiKey', result: 'refused' },
    (store) => store.call('GET', '/api/v1/products', { key: `sk_1_${'x'.repeat(43)}` }),
  ],
  [
    'store_credential_checks_total',
    { scheme: 'basic', result: 'refused' },
    (store) =>
      store.call('GET', '/api/v1/products', {
        key: null,
        headers: { authorization: `Basic ${btoa('a@b.example:wrong')}` },
      }),
  ],
  ['store_credential_recalls_total', {}, (store) => store.call('GET', '/api/v1/products')],
];

describeOnEachEngine('the metrics of the parts of the service', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine, { STORE_TRUSTED_DOCUMENTS: 'log' });
    await createUser(store, TAKEN);
    await create(store);
  });
  afterAll(() => store.close());

  it('are exactly the metrics that the catalogue has for this engine', async () => {
    const shown = (await scrape(store)).map(({ name }) => name.replace(/_total$/, ''));
    const known = METRICS.map(({ name }) => name);
    expect(shown.filter((name) => !known.includes(name))).toEqual([]);
    const missing = known.filter((name) => !shown.includes(name));
    const ofPostgres = METRICS.filter(({ help }) => help.endsWith('Only on PostgreSQL.'));
    const ofSqlite = METRICS.filter(({ help }) => help.endsWith('Only on SQLite.'));
    const others = (engine === 'sqlite' ? ofPostgres : ofSqlite).map(({ name }) => name);
    // No trusted document was executed yet.
    expect(missing.toSorted()).toEqual([...others, 'store_graphql_documents'].toSorted());
  });

  it('have the labels of the catalogue', async () => {
    for (const { name, samples } of await scrape(store)) {
      const metric = METRICS.find((one) => one.name === name.replace(/_total$/, ''));
      for (const { labels } of samples) {
        const own = Object.keys(labels).filter((label) => label !== 'le');
        expect([name, own]).toEqual([name, Object.keys(metric?.labels ?? {})]);
      }
    }
  });

  it.each(GROWING)('count in %s %o', async (name, labels, act) => {
    expect(await growth(store, name, labels, () => act(store))).toBeGreaterThanOrEqual(1);
  });

  it('count the executions of a trusted document by its file, on HTTP', async () => {
    const { readFileSync } = await import('node:fs');
    const query = readFileSync(new URL('../../../documents/products.graphql', import.meta.url), 'utf8');
    const labels = { graphql_document: 'products.graphql' };
    const act = async () => {
      for (let round = 0; round < 7; round += 1) await store.graphql(query);
    };
    expect(await growth(store, 'store_graphql_documents_total', labels, act)).toBe(7);
  });

  it('count the answers that are repeated', async () => {
    const headers = { 'idempotency-key': 'metrics-1' };
    const body = aProduct();
    const twice = async () => {
      await store.call('POST', '/api/v1/products', { headers, body });
      await store.call('POST', '/api/v1/products', { headers, body });
    };
    expect(await growth(store, 'store_idempotency_replays_total', { interface: 'rest' }, twice)).toBe(1);
    const mutation = 'mutation { createProduct(name: "Chai", price: 1) { id } }';
    const again = async () => {
      await store.graphql(mutation, undefined, { headers: { 'idempotency-key': 'metrics-2' } });
      await store.graphql(mutation, undefined, { headers: { 'idempotency-key': 'metrics-2' } });
    };
    expect(await growth(store, 'store_idempotency_replays_total', { interface: 'graphql' }, again)).toBe(1);
  });

  it('show open sockets, subscriptions and streams, and the lag of delivery', async () => {
    const live = connect(store);
    const subscribed = await live.subscribe('newOrder', '{ id }');
    const stream = await openStream(store, '/api/v1/events');
    await stream.next();
    const open = await scrape(store);
    expect(valueOf(open, 'store_websockets')).toBe(1);
    expect(valueOf(open, 'store_subscriptions')).toBe(2);
    expect(valueOf(open, 'store_event_streams')).toBe(1);
    expect(valueOf(open, 'store_subscription_units')).toBeGreaterThanOrEqual(2);
    const lags = 'store_event_delivery_lag_seconds_count';
    expect(
      await growth(store, lags, {}, async () => {
        await placeOrder(store);
        await subscribed.next();
      }),
    ).toBeGreaterThanOrEqual(1);
    const closed = await growth(store, 'store_websockets_closed_total', { reason: 'client' }, async () => {
      stream.leave();
      live.close();
      await live.closed;
      await sleep(200);
    });
    expect(closed).toBe(1);
    const after = await scrape(store);
    expect(valueOf(after, 'store_websockets')).toBe(0);
    expect(valueOf(after, 'store_subscriptions')).toBe(0);
    expect(valueOf(after, 'store_event_streams')).toBe(0);
  });
});

describe('the metrics of refusals', () => {
  it('name the limit', async () => {
    const store = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=2/h,caller=1000/h' });
    const act = async () => {
      for (let round = 0; round < 5; round += 1) await store.call('GET', '/api/v1/products', { key: null });
    };
    expect(await growth(store, 'store_limit_refusals_total', { limit: 'anonymous' }, act)).toBe(3);
    await store.close();
  });

  it('name the reason for which a WebSocket was closed', async () => {
    const store = await startApp('sqlite');
    const live = connect(store, 'sk_1_wrong');
    const closed = await growth(
      store,
      'store_websockets_closed_total',
      { reason: 'credential' },
      async () => {
        await live.run({ query: READ }).catch(() => undefined);
        await live.closed;
        await sleep(200);
      },
    );
    expect(closed).toBe(1);
    await store.close();
  });
});

describeOnPostgres('the metrics of PostgreSQL', () => {
  it('show connections and the leader', async () => {
    const store = await startApp('postgres');
    await create(store);
    await expect.poll(async () => valueOf(await scrape(store), 'store_event_leader')).toBe(1);
    const families = await scrape(store);
    expect(valueOf(families, 'db_client_connection_max')).toBe(10);
    expect(valueOf(families, 'db_client_connection_count')).toBeGreaterThanOrEqual(1);
    expect(valueOf(families, 'db_client_connection_pending_requests')).toBe(0);
    await store.close();
  });

  it('show the events that wait in the outbox, and the age of the oldest one', async () => {
    const store = await startApp('postgres');
    await waitForLog(store);
    const figures = async () => {
      const families = await scrape(store);
      return ['store_event_outbox_length', 'store_event_outbox_age_seconds'].map((name) =>
        valueOf(families, name),
      );
    };
    const { dataSource } = store.app.get(Database, { strict: false });
    // While the log is locked, no process can move an event into it.
    await dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE events IN SHARE MODE');
      await create(store);
      await create(store);
      await sleep(1000);
      const [length, age] = await figures();
      expect(length).toBe(2);
      expect(age).toBeGreaterThanOrEqual(1);
      expect(age).toBeLessThan(600);
    });
    await expect.poll(figures).toEqual([0, 0]);
    await store.close();
  });
});
