import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Collector, newId } from '../../../testkit/collector.js';
import { Tracing } from '../../../src/engine/tracing/tracing.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { openStream } from '../../support/clients/sse.js';
import { parseExposition } from '../../support/fixtures/exposition.js';
import { aUser, create, createUser } from '../../support/fixtures/fixtures.js';

const CALLER = '00f067aa0ba902b7';

interface Failed {
  readonly errors: readonly { readonly extensions: object }[];
}

const exemplarsIn = (text: string, format: 'openmetrics' | 'prometheus') =>
  parseExposition(text, format)
    .filter(({ name }) => name === 'http_server_request_duration_seconds')
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => labels['http_route'] === '/api/v2/products')
    .flatMap(({ exemplar }) => exemplar ?? []);

// The service gathers spans for a second before it sends them, so most of these tests wait at the same time.
describe('the trace of a request', () => {
  let collector: Collector;
  let store: TestApp;
  const log = new PassThrough();
  const lines: string[] = [];
  beforeAll(async () => {
    log.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
    collector = await Collector.start();
    store = await startApp(
      'sqlite',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector,x-team=store',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
        OTEL_SERVICE_NAME: 'the-store',
      },
      () => {},
      pino(log),
    );
  });
  afterAll(async () => {
    await store.close();
    await collector.stop();
  });

  const traced = async (method: string, path: string, call: Parameters<TestApp['call']>[2] = {}) => {
    const traceId = newId(16);
    const headers = { ...call.headers, traceparent: `00-${traceId}-${CALLER}-01` };
    const answer = await store.call(method, path, { ...call, headers });
    return { answer, traceId, spans: await collector.trace(traceId) };
  };

  const scraped = async (accept: string) =>
    (await store.call('GET', '/metrics', { headers: { accept } })).text;

  it.concurrent('has spans for the request, its operation and its statement', async () => {
    const { id } = await create(store);
    const { spans, traceId } = await traced('GET', `/api/v1/products/${id}`, {
      headers: { 'x-request-id': 'a-read' },
    });
    const [statement, operation, request] = spans;
    expect(spans).toHaveLength(3);
    expect(request).toMatchObject({
      name: 'GET /api/v1/products/{id}',
      kind: 'server',
      parentId: CALLER,
      isParentRemote: true,
      isFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/products/{id}',
        'http.response.status_code': 200,
        'url.path': `/api/v1/products/${id}`,
        'url.scheme': 'http',
        'store.request_id': 'a-read',
      },
      resource: {
        'service.name': 'the-store',
        'service.version': '0.1.0',
        'deployment.environment.name': 'test',
      },
    });
    expect(operation).toMatchObject({
      name: 'getProduct',
      kind: 'internal',
      parentId: request?.spanId,
      isParentRemote: false,
    });
    expect(statement).toMatchObject({
      name: 'SELECT products',
      kind: 'client',
      parentId: operation?.spanId,
      attributes: { 'db.system.name': 'sqlite', 'db.query.summary': 'SELECT products' },
    });
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ msg: 'request', requestId: 'a-read', traceId }),
    );
  });

  it.concurrent('covers the times of its children, and has the present time', async () => {
    const before = BigInt(Date.now() - 1_000) * 1_000_000n;
    const { spans } = await traced('GET', '/api/v1/products');
    const request = spans.at(-1);
    if (request === undefined) throw new Error('There is no span.');
    expect(request.begunAt).toBeGreaterThan(before);
    expect(request.endedAt).toBeLessThan(BigInt(Date.now() + 1_000) * 1_000_000n);
    for (const { begunAt, endedAt } of spans) {
      expect(begunAt).toBeGreaterThanOrEqual(request.begunAt);
      expect(endedAt).toBeLessThanOrEqual(request.endedAt);
      expect(endedAt).toBeGreaterThanOrEqual(begunAt);
    }
  });

  it('is an exemplar of its duration, in OpenMetrics only', async () => {
    const { traceId } = await traced('GET', '/api/v2/products');
    const found = exemplarsIn(await scraped('application/openmetrics-text'), 'openmetrics');
    expect(found).toEqual([{ traceId, value: expect.any(Number) as number }]);
    expect(exemplarsIn(await scraped('text/plain'), 'prometheus')).toEqual([]);
  });

  it('goes to the collector with the headers of the setting', () => {
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: {
        'content-type': 'application/x-protobuf',
        authorization: 'Bearer of-the-collector',
        'x-team': 'store',
      },
    });
  });

  it.concurrent('begins in the service if traceparent is malformed', async () => {
    const headers = { traceparent: `00-${'0'.repeat(32)}-${CALLER}-01`, 'x-request-id': 'malformed' };
    await store.call('GET', '/api/v1/products', { headers });
    await collector.until((spans) =>
      spans.some(({ attributes }) => attributes['store.request_id'] === 'malformed'),
    );
    const request = collector.spans.find(({ attributes }) => attributes['store.request_id'] === 'malformed');
    expect(request).toMatchObject({ parentId: '', isParentRemote: false });
    expect(request?.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  });

  it.concurrent('is not recorded if the caller does not record it', async () => {
    const traceId = newId(16);
    const headers = { traceparent: `00-${traceId}-${CALLER}-00`, 'x-request-id': 'unflagged' };
    await store.call('GET', '/api/v1/products', { headers });
    await traced('GET', '/api/v1/products');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ requestId: 'unflagged', traceId }),
    );
  });

  it.concurrent('says why a request was refused, and is not marked as failed', async () => {
    const { email } = await createUser(store, { email: 'a-secret-address@example.com' });
    const body = aUser({ email });
    const { answer, spans } = await traced('POST', '/api/v1/users', { body });
    expect(answer.status).toBe(409);
    const refused = spans.filter(({ attributes }) => attributes['error.type'] !== undefined);
    expect(
      refused.map(({ name, attributes, isFailed }) => [name, attributes['error.type'], isFailed]),
    ).toEqual([
      ['INSERT users', 'SQLITE_CONSTRAINT_UNIQUE', true],
      ['act', 'EMAIL_TAKEN', false],
      ['createUser', 'EMAIL_TAKEN', false],
    ]);
    expect(spans.at(-1)).toMatchObject({
      isFailed: false,
      attributes: { 'http.response.status_code': 409 },
    });
  });

  it.concurrent.each(['/api/v2/products/999999', '/no/such/address', '/api/v2/products?limit=x'])(
    'is named by the problem details of %s',
    async (path) => {
      const { answer, traceId } = await traced('GET', path);
      expect(answer.body).toMatchObject({
        request_id: answer.headers.get('x-request-id'),
        trace_id: traceId,
      });
    },
  );

  it.concurrent('is named by a problem in XML too', async () => {
    const headers = { accept: 'application/xml' };
    const { answer, traceId } = await traced('GET', '/api/v2/products/999999', { headers });
    expect(answer.text).toContain(`<trace_id>${traceId}</trace_id>`);
  });

  it.concurrent.each([
    '/api/v1/products/999999',
    '/api/products/999999',
    '/%61pi/v1/products/999999',
    '/users/999999',
  ])('is not named by the problem details of %s, because version 1 is frozen', async (path) => {
    const { answer } = await traced('GET', path);
    expect(answer.body).toMatchObject({ status: expect.any(Number) as number });
    expect(answer.body).not.toHaveProperty('trace_id');
  });

  it.concurrent('is named by a problem even if the caller and the service do not record it', async () => {
    const traceId = newId(16);
    const headers = { traceparent: `00-${traceId}-${CALLER}-00` };
    const { body } = await store.call('GET', '/api/v2/products/999999', { headers });
    expect(body).toMatchObject({ trace_id: traceId });
  });

  it.concurrent('is named by the errors of GraphQL, on every transport', async () => {
    const query = '{ orders { id } }';
    const invalid = '{ nothing }';
    for (const text of [query, invalid, query, query, query, query, query, query]) {
      const traceId = newId(16);
      const headers = { traceparent: `00-${traceId}-${CALLER}-01`, 'x-request-id': 'an-operation' };
      const { errors } = (await store.graphql(text, {}, { headers, key: null })) as Failed;
      expect(errors).toMatchObject([{ extensions: { request_id: 'an-operation', trace_id: traceId } }]);
    }
    // The caller does not record this trace, so the operation of the stream begins no trace of its own.
    const traceId = newId(16);
    const headers = { traceparent: `00-${traceId}-${CALLER}-00` };
    const stream = await openStream(store, '/graphql/stream', { headers, body: { query: invalid } });
    expect(await stream.event()).toMatchObject({
      data: { errors: [{ extensions: { request_id: expect.any(String) as string, trace_id: traceId } }] },
    });
    const live = connect(store);
    const { errors } = (await live.run({ query: invalid })) as Failed;
    live.close();
    expect(errors).toMatchObject([
      { extensions: { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string } },
    ]);
  });

  it('has no values, bodies, queries or credentials', async () => {
    const key = 'sk_9_neverShownInAnyTrace';
    await store.call('GET', '/api/v1/products?q=neverShownInAnyTrace', {});
    await traced('GET', '/api/v1/products?q=neverShownInAnyTrace');
    await traced('GET', '/api/v1/users/1', { key });
    await traced('POST', '/api/v1/products', { body: { name: 'neverShownInAnyTrace', price: 3 } });
    const shown = collector.spans.map((span) =>
      JSON.stringify(span, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
    expect(shown.length).toBeGreaterThan(6);
    expect(shown.filter((text) => text.includes('neverShownInAnyTrace'))).toEqual([]);
    expect(shown.filter((text) => text.includes('a-secret-address'))).toEqual([]);
  });

  it.concurrent('has no path as its name if there is no route', async () => {
    const { spans } = await traced('GET', '/no/such/address');
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({
      name: 'GET',
      attributes: { 'http.response.status_code': 404, 'url.path': '/no/such/address' },
    });
    expect(spans[0]?.attributes).not.toHaveProperty('http.route');
  });

  it.concurrent('has the full path as its route if the request has the short form of the path', async () => {
    const { spans } = await traced('HEAD', '/api/products');
    expect(spans.at(-1)).toMatchObject({
      name: 'HEAD /api/v1/products',
      attributes: { 'http.route': '/api/v1/products', 'url.path': '/api/products' },
    });
  });

  it.concurrent('has a span for a request whose client left before the answer', async () => {
    const traceId = newId(16);
    const socket = connectSocket(store.port, '127.0.0.1');
    socket.write(
      `POST /api/v1/products HTTP/1.1\r\nHost: store\r\ntraceparent: 00-${traceId}-${CALLER}-01\r\nExpect: 100-continue\r\n` +
        `X-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
    );
    // Node sends 100 when it hands the request to the service.
    await once(socket, 'data');
    socket.destroy();
    const [request] = await collector.trace(traceId);
    expect(request).toMatchObject({
      name: 'POST /api/v1/products',
      attributes: { 'error.type': 'client_left' },
    });
  });
});

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

describe.each([
  ['without a collector', {}],
  ['whose traces are switched off', { ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }],
])('a service %s', (_what, settings: Record<string, string>) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', settings);
  });
  afterAll(() => store.close());

  it('has no tracer, and names no trace in its errors', async () => {
    expect(store.app.get(Tracing, { strict: false })).toBe(Tracing.OFF);
    const headers = { traceparent: `00-${newId(16)}-${CALLER}-01` };
    const { body } = await store.call('GET', '/api/v2/products/999999', { headers });
    expect(body).toMatchObject({ status: 404 });
    expect(body).not.toHaveProperty('trace_id');
    const { errors } = await store.graphql('{ nothing }', {}, { headers });
    expect(errors[0].extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
    expect(errors[0].extensions).not.toHaveProperty('trace_id');
  });
});
