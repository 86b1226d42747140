import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Tracing } from '../../../src/engine/tracing/tracing.js';
import { Collector } from '../../../testkit/collector.js';
import { freePort } from '../../../testkit/free-port.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { scrape, valueOf } from '../../support/clients/metrics.js';

const SPANS = 'store_trace_spans_total';
/** The most spans that wait in memory. */
const MOST_WAITING = 2_048;

/** Starts the service, and returns it with the warnings about the collector in its log. */
async function startWith(url: string): Promise<{ store: TestApp; warnings: () => readonly string[] }> {
  const log = new PassThrough();
  let text = '';
  log.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const store = await startApp(
    'sqlite',
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, STORE_ACCESS_LOG: 'errors' },
    () => {},
    pino({ level: 'warn' }, log),
  );
  const warnings = () =>
    text
      .split('\n')
      .filter((line) => line.includes('collector'))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { store, warnings };
}

function makeSpans(store: TestApp, count: number): void {
  const { tracer } = store.app.get(Tracing, { strict: false });
  for (let made = 0; made < count; made += 1) tracer?.begin('made', 'internal', { made }).end();
}

const read = async (store: TestApp): Promise<number> => (await store.call('GET', '/api/v1/products')).status;

describe('a collector', () => {
  it('that is gone does not affect requests, and is logged once', { timeout: 60_000 }, async () => {
    const port = await freePort();
    const { store, warnings } = await startWith(`http://127.0.0.1:${port}`);
    const statuses = await Promise.all(Array.from({ length: 50 }, () => read(store)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expect.poll(warnings, { timeout: 30_000 }).toHaveLength(1);
    expect(warnings()[0]).toContain(
      `The collector of traces at http://127.0.0.1:${port} does not take all spans`,
    );
    const failed = async () => valueOf(await scrape(store), SPANS, { result: 'failed' });
    const before = await failed();
    expect(before).toBeGreaterThanOrEqual(100);
    // The next batch fails too.
    await expect.poll(failed, { timeout: 30_000 }).toBeGreaterThan(before);
    expect(warnings()).toHaveLength(1);

    // The collector comes back.
    const collector = await Collector.start(port);
    expect(await read(store)).toBe(200);
    await collector.until((spans) => spans.length > 0);
    await expect.poll(warnings).toHaveLength(2);
    expect(warnings()[1]).toContain('takes spans again');
    await store.close();
    await collector.stop();
  });

  it('that does not answer bounds the memory, and does not stop requests', { timeout: 60_000 }, async () => {
    const collector = await Collector.start();
    const unanswered: ServerResponse[] = [];
    const { answer } = collector;
    collector.answer = (response) => unanswered.push(response);
    const { store, warnings } = await startWith(collector.url);
    makeSpans(store, 10_000);
    await collector.until((spans) => spans.length > 0);
    expect(await read(store)).toBe(200);
    const families = await scrape(store);
    // Spans of the two requests are lost too.
    expect(valueOf(families, SPANS, { result: 'dropped' })).toBeGreaterThanOrEqual(10_000 - MOST_WAITING);
    expect(valueOf(families, SPANS, { result: 'sent' })).toBe(0);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain(`${MOST_WAITING} spans wait already`);

    collector.answer = answer;
    for (const response of unanswered) answer(response);
    await collector.until((spans) => spans.length >= MOST_WAITING);
    await expect.poll(warnings).toHaveLength(2);
    expect(await read(store)).toBe(200);
    await store.close();
    await collector.stop();
  });

  it('gets the last spans when the service stops', async () => {
    const collector = await Collector.start();
    const { store } = await startWith(collector.url);
    expect(await read(store)).toBe(200);
    makeSpans(store, 1_000);
    await store.close();
    expect(collector.spans.filter(({ name }) => name === 'made')).toHaveLength(1_000);
    expect(collector.spans.map(({ name }) => name)).toContain('GET /api/v1/products');
    await collector.stop();
  });

  it('that does not answer does not keep the service from stopping', async () => {
    const collector = await Collector.start();
    collector.answer = () => {};
    const { store } = await startWith(collector.url);
    makeSpans(store, 10);
    await store.close();
    expect(collector.spans).toHaveLength(10);
    await collector.stop();
  });

  it('that refuses spans is logged with its reason', async () => {
    const collector = await Collector.start();
    collector.answer = (response) => response.writeHead(401).end('secret reasons');
    const { store, warnings } = await startWith(collector.url);
    makeSpans(store, 10);
    await expect.poll(warnings, { timeout: 10_000 }).toHaveLength(1);
    expect(warnings()[0]).toContain('(Unauthorized)');
    expect(valueOf(await scrape(store), SPANS, { result: 'failed' })).toBeGreaterThanOrEqual(10);
    await store.close();
    await collector.stop();
  });
});
