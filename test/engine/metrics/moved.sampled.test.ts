import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Collector } from '../../../testkit/collector.js';
import { METRICS } from '../../../src/engine/metrics/catalogue.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { scrape, valueOf } from '../../support/clients/metrics.js';
import { openStream } from '../../support/clients/sse.js';
import { sampled } from '../../support/sampled.js';
import { waitForLog } from '../../support/clients/events.js';
import { aProduct, create, placeOrder } from '../../support/fixtures/fixtures.js';

/** Does something that changes a metric. Its connections are closed at the latest at the end of the test. */
type Act = (store: TestApp) => Promise<unknown>;

const LIMITED = 'anonymous=2/h,caller=10000/h';

const get: Act = (store) => store.call('GET', '/api/v1/products');
const make: Act = (store) => create(store);
const read: Act = (store) => store.graphql('{ products(limit: 1) { id } }');

const subscribe: Act = async (store) => {
  const live = connect(store);
  onTestFinished(() => live.close());
  await live.subscribe('newOrder', '{ id }');
};

const followEvents: Act = async (store) => {
  const stream = await openStream(store, '/api/v1/events');
  onTestFinished(() => stream.leave());
  await stream.next();
};

const leave: Act = async ({ port }) => {
  const socket = connectSocket(port, '127.0.0.1');
  const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\nX-API-Key: ${ADMIN_KEY}\r\nExpect: 100-continue`;
  socket.write(`POST /api/v1/products HTTP/1.1\r\n${head}\r\n\r\n`);
  // Node sends 100 when it hands the request to the service.
  await once(socket, 'data');
  socket.destroy();
};

const repeat: Act = async (store) => {
  const call = { headers: { 'idempotency-key': 'moved' }, body: aProduct() };
  await store.call('POST', '/api/v1/products', call);
  await store.call('POST', '/api/v1/products', call);
};

const endSocket: Act = async (store) => {
  const live = connect(store, 'sk_1_wrong');
  await live.run({ query: '{ __typename }' }).catch(() => undefined);
  await live.closed;
};

const deliver: Act = async (store) => {
  const live = connect(store);
  onTestFinished(() => live.close());
  const subscribed = await live.subscribe('newOrder', '{ id }');
  await placeOrder(store);
  await subscribed.next();
};

const collectGarbage: Act = () => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return Promise.resolve();
};

/** Fills 64 MiB, which stay in memory until the end of the test. */
const fillMemory: Act = () => {
  const filled = Buffer.alloc(64 * 1_048_576, 1);
  onTestFinished(() => expect(filled[0]).toBe(1));
  return Promise.resolve();
};

const hold = (ms: number): Promise<void> => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return Promise.resolve();
};
const holdLoop: Act = () => hold(400);
/**
 * Holds the event loop for longer than all other tests. A shorter hold would not change the metric of the longest
 * delay.
 */
const holdLonger: Act = () => hold(900);

/**
 * The functions that change the values of metrics, by the names of the metrics in the catalogue. All these tests use
 * one service, which runs on SQLite.
 */
const MOVED: Readonly<Record<string, Act>> = {
  http_server_request_duration_seconds: get,
  store_http_requests_abandoned: leave,
  store_http_connections: async ({ port }) => {
    const sockets = Array.from({ length: 5 }, () => connectSocket(port, '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  },
  process_cpu_time_seconds: holdLoop,
  v8js_memory_heap_used_bytes: get,
  process_memory_usage_bytes: fillMemory,
  v8js_gc_duration_seconds: collectGarbage,
  nodejs_eventloop_delay_mean_seconds: holdLoop,
  nodejs_eventloop_delay_p99_seconds: holdLoop,
  nodejs_eventloop_delay_max_seconds: holdLonger,
  nodejs_eventloop_time_seconds: holdLoop,
  db_client_operation_duration_seconds: make,
  store_acts: make,
  store_commit_batch_size: make,
  store_commit_duration_seconds: make,
  store_event_log_position: async (store) => {
    await create(store);
    await waitForLog(store);
  },
  store_event_delivery_lag_seconds: deliver,
  store_websockets: subscribe,
  store_event_streams: followEvents,
  store_subscriptions: subscribe,
  store_subscription_units: subscribe,
  store_websockets_closed: endSocket,
  store_graphql_operation_duration_seconds: read,
  store_graphql_documents: (store) =>
    store.graphql(readFileSync(new URL('../../../documents/products.graphql', import.meta.url), 'utf8')),
  store_graphql_operations_refused: (store) => store.graphql('{ nothing }'),
  store_limit_units: (store) => store.call('GET', '/api/v1/products', { key: null }),
  store_limit_refusals: async (store) => {
    for (let times = 0; times < 4; times += 1) await store.call('GET', '/api/v1/products', { key: null });
  },
  store_credential_checks: (store) =>
    store.call('GET', '/api/v1/products', { key: `sk_1_${'x'.repeat(43)}` }),
  store_credential_recalls: get,
  store_idempotency_replays: repeat,
  store_trace_spans: get,
};

/**
 * The metrics of which only samples with these labels are read. An earlier act, or the scrape itself, may change other
 * samples of these metrics.
 */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http_server_request_duration_seconds: { http_route: '/api/v1/products' },
  store_limit_units: { limit: 'anonymous' },
  store_credential_checks: { scheme: 'apiKey', result: 'refused' },
};

/** The metrics that never change in a process. Their values are checked below. */
const FIXED = [
  'target_info',
  'process_start_time_seconds',
  'v8js_memory_heap_limit_bytes',
  'store_subscription_units_max',
];

/** The metrics that this test does not change. Most of them need an outage, an overload, a replica or PostgreSQL. */
const UNMOVED = [
  'db_client_connection_count',
  'db_client_connection_max',
  'db_client_connection_pending_requests',
  'store_act_conflicts',
  'store_acts_pending',
  'store_clients_released',
  'store_event_leader',
  'store_event_outbox_age_seconds',
  'store_event_outbox_length',
  'store_held_bytes',
  'store_replica_reads',
  'store_replica_used',
  'store_scans_waiting',
  'store_subscriptions_broken',
];

/** The name of the sample that a scrape has for a metric. */
function sampleOf(name: string): string {
  const kind = METRICS.find((metric) => metric.name === name)?.kind;
  return kind === 'histogram' ? `${name}_count` : kind === 'counter' ? `${name}_total` : name;
}

describe('each metric', () => {
  let collector: Collector;
  let store: TestApp;
  beforeAll(async () => {
    collector = await Collector.start();
    store = await startApp('sqlite', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      STORE_RATE_LIMIT: LIMITED,
      STORE_TRUSTED_DOCUMENTS: 'log',
    });
    // The first use of a credential counts as a check. Each later use counts as a recall.
    await get(store);
  });
  afterAll(async () => {
    await store.close();
    await collector.stop();
  });

  it('is in exactly one list: MOVED (changed here), FIXED (never changes) or UNMOVED (not changed here)', () => {
    const listed = [...Object.keys(MOVED), ...FIXED, ...UNMOVED].toSorted();
    expect(listed).toEqual(METRICS.map(({ name }) => name).toSorted());
  });

  it.each(sampled(Object.entries(MOVED), 8))('changes its value: %s', async (name, act) => {
    const sample = sampleOf(name);
    const value = async () => valueOf(await scrape(store), sample, LABELS[name]);
    const before = await value();
    await act(store);
    await expect.poll(value, { timeout: 30_000 }).not.toBe(before);
  });

  it('has its value from the start if it never changes', async () => {
    const families = await scrape(store);
    expect(valueOf(families, 'target_info')).toBe(1);
    expect(valueOf(families, 'process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1_000, 0);
    const used = valueOf(families, 'v8js_memory_heap_used_bytes');
    expect(valueOf(families, 'v8js_memory_heap_limit_bytes')).toBeGreaterThan(used);
    expect(valueOf(families, 'store_subscription_units_max')).toBe(40_000);
  });
});
