import { afterAll, beforeAll, expect, it } from 'vitest';
import { Collector, newId, type ReceivedSpan } from '../../../testkit/collector.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { openStream } from '../../support/clients/sse.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { keepNoResults } from '../../support/fixtures/statements.js';
import { anOrder, createUser } from '../../support/fixtures/fixtures.js';

const CALLER = '00f067aa0ba902b7';
const SHELF = 'query Shelf { product(id: 1) { id name } }';

/** The statements of an order. */
const ON_SQLITE = [
  'SELECT users; SELECT products product_stocks',
  'INSERT orders',
  'INSERT order_items',
  'INSERT events',
  'COMMIT',
];
const ON_POSTGRES = [
  'SELECT users; SELECT products product_stocks; SELECT',
  'INSERT orders; INSERT order_items; INSERT event_outbox; COMMIT',
];

/**
 * The names of the children of a span, in the order in which the children began. A child that has children of its own
 * is a pair: its name, and the names below it.
 */
function treeOf(spans: readonly ReceivedSpan[], spanId: string): unknown[] {
  return spans
    .filter(({ parentId }) => parentId === spanId)
    .toSorted((a, b) => Number(a.begunAt - b.begunAt))
    .map(({ name, spanId: id }) => {
      const below = treeOf(spans, id);
      return below.length === 0 ? name : [name, below];
    });
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const span = spans.find((each) => each.name === name);
  if (span === undefined)
    throw new Error(`There is no span ${name} in ${spans.map((each) => each.name).join(', ')}.`);
  return span;
};

const isOnSocket = ({ attributes }: ReceivedSpan): boolean =>
  attributes['graphql.operation.name'] === 'OnSocket';

describeOnEachEngine('the trace of an act', (engine) => {
  let collector: Collector;
  let store: TestApp;
  beforeAll(async () => {
    collector = await Collector.start();
    store = await startApp(engine, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, keepNoResults);
  });
  afterAll(async () => {
    await store.close();
    await collector.stop();
  });

  const traced = async <T>(send: (headers: Record<string, string>) => Promise<T>) => {
    const traceId = newId(16);
    const answer = await send({ traceparent: `00-${traceId}-${CALLER}-01` });
    return { answer, traceId, spans: await collector.trace(traceId) };
  };

  const shelf = (headers: Record<string, string>) => store.graphql(SHELF, {}, { headers });
  const opened = (query: string) => (headers: Record<string, string>) =>
    openStream(store, '/graphql/stream', { headers, body: { query } });

  it.concurrent('has each statement and the commit of an order', async () => {
    const body = await anOrder(store);
    const { answer, spans } = await traced((headers) =>
      store.call('POST', '/api/v1/orders', { body, headers }),
    );
    expect(answer.status).toBe(201);
    expect(treeOf(spans, CALLER)).toEqual([
      ['POST /api/v1/orders', [['createOrder', [['act', engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES]]]]],
    ]);
    const statements = spans.filter(({ kind }) => kind === 'client');
    const system = engine === 'sqlite' ? 'sqlite' : 'postgresql';
    expect(new Set(statements.map(({ attributes }) => attributes['db.system.name']))).toEqual(
      new Set([system]),
    );
    expect(statements.map(({ attributes }) => attributes['db.query.summary'])).toEqual(
      statements.map(({ name }) => name),
    );
  });

  it.concurrent('has no commit if the order is refused', async () => {
    const { id } = await createUser(store);
    const body = { user_id: id, items: [{ product_id: 999_999, quantity: 1 }] };
    const { answer, spans } = await traced((headers) =>
      store.call('POST', '/api/v1/orders', { body, headers }),
    );
    expect(answer.status).toBe(400);
    expect(named(spans, 'act')).toMatchObject({
      isFailed: false,
      attributes: { 'error.type': 'VALIDATION_FAILED' },
    });
    expect(spans.filter(({ name }) => name.includes('COMMIT'))).toEqual([]);
  });

  it.concurrent('is linked from the delivery of its event, and the delivery has another trace', async () => {
    const live = connect(store);
    const [first, second] = [
      await live.subscribe('newOrder', '{ id user { name } }'),
      await live.subscribe('newOrder', '{ id user { name } }'),
    ];
    const body = await anOrder(store);
    const { traceId, spans } = await traced((headers) =>
      store.call('POST', '/api/v1/orders', { body, headers: { ...headers, 'x-request-id': 'an-order' } }),
    );
    await Promise.all([first.next(), second.next()]);
    live.close();
    const linked = (span: ReceivedSpan): boolean => span.links.some((link) => link.traceId === traceId);
    await collector.until((all) => all.some(linked));
    const delivery = collector.spans.find(linked);
    expect(delivery).toMatchObject({
      name: 'deliver order.created',
      kind: 'consumer',
      parentId: '',
      links: [{ traceId, spanId: named(spans, 'createOrder').spanId }],
      attributes: {
        'store.event.type': 'order.created',
        'store.subscribers': 2,
        'store.request_id': 'an-order',
      },
    });
    const { traceId: own = '', spanId = '' } = delivery ?? {};
    expect(own).not.toBe(traceId);
    await collector.until((all) =>
      all.some(({ name, traceId: of }) => of === own && name === 'subscription'),
    );
    // Both subscribers have the same selection and the same rights, so the selection is executed once.
    expect(
      treeOf(
        collector.spans.filter((span) => span.traceId === own),
        spanId,
      ),
    ).toEqual([['subscription', ['SELECT users']]]);
    // Nobody listens to the events of products and users.
    expect(collector.spans.filter(({ name }) => /^deliver (product|user)/.test(name))).toEqual([]);
  });

  it.concurrent('has the operation of GraphQL, before and after its text is compiled', async () => {
    const expected = [['POST /graphql', [['query', ['SELECT products']]]]];
    const first = await traced(shelf);
    expect(treeOf(first.spans, CALLER)).toEqual(expected);
    expect(named(first.spans, 'query')).toMatchObject({
      kind: 'internal',
      attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Shelf' },
    });
    // A text that came several times is compiled.
    for (let times = 0; times < 6; times += 1) await store.graphql(SHELF);
    const { spans } = await traced(shelf);
    expect(treeOf(spans, CALLER)).toEqual(expected);
    expect(named(spans, 'query').attributes).toEqual(named(first.spans, 'query').attributes);
  });

  it.concurrent('has the mutation of GraphQL', async () => {
    const { answer, spans } = await traced((headers) =>
      store.graphql('mutation { createProduct(name: "Chai", price: 18) { id } }', {}, { headers }),
    );
    expect(answer).toMatchObject({ data: { createProduct: { id: expect.any(String) as string } } });
    expect(named(spans, 'act').parentId).toBe(named(spans, 'mutation').spanId);
  });

  it.concurrent('says why an operation of GraphQL failed', async () => {
    const refused = await traced((headers) => store.graphql('{ nothing }', {}, { headers }));
    expect(named(refused.spans, 'graphql')).toMatchObject({
      isFailed: false,
      attributes: { 'error.type': 'GRAPHQL_VALIDATION_FAILED' },
    });
    const invalid = await traced((headers) =>
      store.graphql('mutation { createProduct(name: "Chai", price: -1) { id } }', {}, { headers }),
    );
    expect(named(invalid.spans, 'mutation')).toMatchObject({
      isFailed: false,
      attributes: { 'error.type': 'VALIDATION_FAILED' },
    });
  });

  it.concurrent('begins at the operation if a WebSocket brings the operation', async () => {
    const live = connect(store);
    await live.run({ query: 'query OnSocket { products(limit: 3) { id } }' });
    await collector.until((spans) => spans.some(isOnSocket));
    live.close();
    const operation = collector.spans.find(isOnSocket);
    expect(operation).toMatchObject({ name: 'query', kind: 'server', parentId: '' });
    const { traceId = '', spanId = '' } = operation ?? {};
    expect(treeOf(await collector.trace(traceId), spanId)).toEqual(['SELECT products']);
  });

  it('has the operation of an event stream, and ends when the stream begins', async () => {
    const query = await traced(opened(SHELF));
    expect(treeOf(query.spans, CALLER)).toEqual([['POST /graphql/stream', [['query', ['SELECT products']]]]]);
    // The spans arrive while the stream is still open.
    const { answer: stream, spans } = await traced(opened('subscription { newOrder { id } }'));
    expect(treeOf(spans, CALLER)).toEqual([['POST /graphql/stream', ['subscription']]]);
    expect(spans.at(-1)?.attributes['http.response.status_code']).toBe(200);
    stream.leave();
  });
});
