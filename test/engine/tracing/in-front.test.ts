import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Collector, newId, type ReceivedSpan } from '../../../testkit/collector.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { parseExposition } from '../../support/fixtures/exposition.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

const CALLER = '00f067aa0ba902b7';
const KEY = `X-API-Key: ${ADMIN_KEY}`;

interface Sent {
  readonly id: string;
  readonly path: string;
  readonly headers: readonly string[];
  /** The body of a POST request. */
  readonly body?: string;
}

const tracedBy = (flags: string | null): readonly string[] =>
  flags === null ? [] : [`traceparent: 00-${newId(16)}-${CALLER}-${flags}`];
const named = (request: Omit<Sent, 'id'>, index: number): Sent => ({ id: `request-${index}`, ...request });

const PATHS = [
  '/api/v1/products/1',
  '/api/products/1?fields=id',
  '/api/v2/products/1',
  '/api/v2/products/999',
  '/api/v1/products?limit=2&page=2',
  '/api/v1/products?q=shelf',
  '/api/v2/products?limit=x',
  '/api/v2/orders?limit=1',
  '/api/v1/users/1',
  '/api/v2/users/1',
];
/**
 * The flags of `traceparent`: the caller records the trace, the caller does not record it, and a flag that is not
 * valid.
 */
const FLAGS = ['01', '00', 'xx'];

/** Plain reads. Each of them has a trace of its own. */
const READS = [
  ...PATHS.flatMap((path) =>
    [...FLAGS, null].flatMap((flags) =>
      [[], [KEY]].map((more) => ({
        path,
        headers: [...tracedBy(flags), ...more],
      })),
    ),
  ),
  ...[
    ['X-API-Key: wrong'],
    ['If-None-Match: *'],
    ['Accept-Encoding: br', KEY],
    ['X-Forwarded-Proto: ftp, https', KEY],
    ['X-Forwarded-Proto: '],
    [`traceparent: 00-${newId(16)}-${CALLER}-01`, `traceparent: 00-${newId(16)}-${CALLER}-01`],
    [`traceparent: ff-${newId(16)}-${CALLER}-01`],
  ].flatMap((headers) =>
    ['/api/v1/products?limit=10', '/api/v2/products/2'].map((path) => ({ path, headers })),
  ),
].map(named);

const QUERY = 'query One($id: ID!) { product(id: $id) { id name } }';
/** The two queries at the beginning come so often that they are compiled. */
const BODIES = [
  ...Array.from({ length: 8 }, () => JSON.stringify({ query: QUERY, variables: { id: '1' } })),
  ...Array.from({ length: 8 }, () => JSON.stringify({ query: '{ orders(limit: 2) { id user { name } } }' })),
  JSON.stringify({ query: QUERY, variables: { id: '999' } }),
  JSON.stringify({ query: QUERY, variables: { id: 'x' } }),
  JSON.stringify({ query: 'mutation { deleteProduct(id: 424242) { id } }' }),
  JSON.stringify({ query: '{ wrong }' }),
  JSON.stringify({ query: '{ products { id } }', documentId: 1 }),
  '{',
  '[]',
];

/** POST requests to GraphQL. Each of them has a trace of its own. */
const POSTS = BODIES.flatMap((body) =>
  [...FLAGS, null].flatMap((flags) =>
    [[], [KEY], ['X-API-Key: wrong'], [KEY, 'X-Forwarded-Proto: https']].map((more) => ({
      path: '/graphql',
      headers: ['Content-Type: application/json', ...tracedBy(flags), ...more],
      body,
    })),
  ),
).map(named);

interface Traced {
  /** The spans of each request, without ids and times. */
  readonly spans: readonly (readonly unknown[])[];
  /** The lines of the log for the requests. They have the ids of traces that the caller chose, and no other ids. */
  readonly lines: readonly unknown[];
  /** The labels of the samples that have an exemplar. */
  readonly exemplars: readonly string[];
  readonly answers: readonly string[];
  readonly handled: number;
}

function requestOf({ id, path, headers, body }: Sent): string {
  const begin = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`;
  const lines = [begin, 'Host: store.example', `X-Request-Id: ${id}`, 'Connection: close'];
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[...lines, ...length, ...headers].join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** A span without ids and times, and with the name of its parent. */
function shapeOf(span: ReceivedSpan, all: readonly ReceivedSpan[]): unknown {
  const { name, kind, attributes, isFailed, isParentRemote, links, resource, parentId } = span;
  const parent = all.find(({ spanId }) => spanId === parentId)?.name ?? parentId;
  return { name, kind, attributes, isFailed, isParentRemote, links, resource, parent };
}

function spansOf({ id }: Sent, spans: readonly ReceivedSpan[]): readonly unknown[] {
  const roots = spans.filter(({ attributes }) => attributes['store.request_id'] === id);
  const traces = new Set(roots.map(({ traceId }) => traceId));
  const own = spans.filter(({ traceId }) => traces.has(traceId));
  return own.map((span) => shapeOf(span, own));
}

const GIVEN = new Set(
  [...READS, ...POSTS].flatMap(({ headers }) => headers.join().match(/[0-9a-f]{32}/g) ?? []),
);
const givenOr = (traceId: string | undefined): string | undefined =>
  traceId === undefined || GIVEN.has(traceId) ? traceId : 'its own';

/** Starts a service, sends all requests to it, and returns all that is known of their traces. */
async function tracesOf(
  requests: readonly Sent[],
  start: (settings: Record<string, string>, log: PassThrough) => Promise<TestApp>,
): Promise<Traced> {
  const log = new PassThrough();
  let text = '';
  log.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const collector = await Collector.start();
  const store = await start(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, STORE_TRUST_PROXY: 'loopback' },
    log,
  );
  let handled = 0;
  const count = (): void => void (handled += 1);
  subscribe('tracing:fastify.request.handler:start', count);
  const answers: string[] = [];
  for (const sent of requests) {
    const answer = await speak(store.port, [requestOf(sent)]);
    answers.push(
      answer
        .replaceAll(/^(?:Date|server-timing|ratelimit): .*\r\n/gm, '')
        .replaceAll(/"trace_id":"(\w+)"/g, (_, id: string) => `"trace_id":"${givenOr(id)}"`),
    );
  }
  unsubscribe('tracing:fastify.request.handler:start', count);
  const headers = { accept: 'application/openmetrics-text' };
  const metrics = (await store.call('GET', '/metrics', { headers })).text;
  // The last spans are sent before the service ends.
  await store.close();
  await collector.stop();
  const lines = text
    .split('\n')
    .filter((line) => line.includes('"request-'))
    .map((line) => JSON.parse(line) as { requestId: string; traceId?: string; status: number; path: string })
    .map(({ requestId, traceId, status, path }) => ({ requestId, status, path, traceId: givenOr(traceId) }));
  const exemplars = parseExposition(metrics, 'openmetrics')
    .flatMap(({ samples }) => samples)
    .filter(({ exemplar, labels }) => exemplar !== undefined && labels['http_route'] !== '/metrics')
    .map(({ labels }) => JSON.stringify({ ...labels, le: undefined }));
  return {
    spans: requests.map((sent) => spansOf(sent, collector.spans)),
    lines,
    exemplars: [...new Set(exemplars)].toSorted(),
    answers,
    handled,
  };
}

function expectSame({ plain, withFastify }: { plain: Traced; withFastify: Traced }): void {
  expect(plain.spans).toEqual(withFastify.spans);
  expect(plain.lines).toEqual(withFastify.lines);
  expect(plain.exemplars).toEqual(withFastify.exemplars);
  expect(plain.answers).toEqual(withFastify.answers);
}

describeOnEachEngine('the traces of requests in front of Fastify', (engine) => {
  /** The traces of two services: one answers requests in front of Fastify, the other answers all with Fastify. */
  async function bothOf(requests: readonly Sent[]): Promise<{ plain: Traced; withFastify: Traced }> {
    const database = await freshDatabase(engine);
    const startWith =
      (more: Record<string, string>) =>
      (settings: Record<string, string>, log?: PassThrough): Promise<TestApp> =>
        startApp(
          engine,
          {
            STORE_DATABASE_URL: database.url,
            STORE_SECRET: 'the-same-secret-for-both-services-0123456789',
            ...settings,
            ...more,
          },
          () => {},
          log && pino(log),
        );
    const filling = await startWith({})({});
    const { id } = await create(filling, { name: 'Table' });
    await createUser(filling);
    await placeOrder(filling, { items: [{ product_id: id, quantity: 1 }] });
    for (let n = 0; n < 20; n += 1) await create(filling, { name: `Shelf ${n}` });
    await filling.close();
    // Until the clock second of the last change has ended, `Last-Modified` is one second earlier than afterwards.
    await sleep(1_000);

    const plain = await tracesOf(requests, startWith({}));
    const withFastify = await tracesOf(requests, startWith({ STORE_SERVER_TIMING: 'true' }));
    await database.drop();
    return { plain, withFastify };
  }

  it('equal the traces of the same plain reads that Fastify answers', { timeout: 120_000 }, async () => {
    const { plain, withFastify } = await bothOf(READS);
    expectSame({ plain, withFastify });
    // The comparison is useful only if Fastify handles the requests of one service, and none of the other.
    expect(plain.handled).toBe(0);
    expect(withFastify.handled).toBeGreaterThan(READS.length / 2);
    expect(plain.lines).toHaveLength(READS.length);
    expect(plain.exemplars.length).toBeGreaterThan(5);
    const recorded = plain.spans.filter((spans) => spans.length > 0);
    const flagged = READS.filter(({ headers }) => !/-00(?:,|$)/.test(headers.join()));
    expect(recorded.length).toBe(flagged.length);
    expect(Math.max(...recorded.map((spans) => spans.length))).toBeGreaterThanOrEqual(3);
  });

  it('equal the traces of the same GraphQL requests that Fastify answers', { timeout: 120_000 }, async () => {
    const { plain, withFastify } = await bothOf(POSTS);
    expectSame({ plain, withFastify });
    expect(withFastify.handled - plain.handled).toBeGreaterThan(POSTS.length / 4);
    expect(plain.lines).toHaveLength(POSTS.length);
    expect(plain.exemplars.length).toBeGreaterThan(0);
    expect(Math.max(...plain.spans.map((spans) => spans.length))).toBeGreaterThanOrEqual(3);
  });
});
