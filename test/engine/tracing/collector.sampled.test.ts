import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SpanForm } from '../../../src/engine/tracing/span.js';
import { Tracing } from '../../../src/engine/tracing/tracing.js';
import { Collector } from '../../../testkit/collector.js';
import { freePort } from '../../../testkit/free-port.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { scrape, valueOf } from '../../support/clients/metrics.js';
import { onlyLong, sampled } from '../../support/sampled.js';

const SPANS = 'store_trace_spans_total';
/** The maximum number of spans that wait in memory. */
const MOST_WAITING = 8_192;

/**
 * Starts the service, and returns it with the warnings in its log about the collector at `url`. A service that was
 * closed may still write a warning about another collector into this log.
 */
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
      .filter((line) => line.includes(`collector of traces at ${new URL(url).origin} `))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { store, warnings };
}

const MADE = new SpanForm('made');

function makeSpans(store: TestApp, count: number): void {
  const { tracer } = store.app.get(Tracing, { strict: false });
  for (let made = 0; made < count; made += 1) tracer?.begin(MADE, { made }).end();
}

/** A server that answers each request with something that is not an answer of a collector. */
class Garbled {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(answer: (socket: Socket) => void): Promise<Garbled> {
    const garbled = new Garbled(createServer());
    garbled.server.on('connection', (socket) => {
      garbled.sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => answer(socket));
    });
    garbled.server.listen(0, '127.0.0.1');
    await once(garbled.server, 'listening');
    return garbled;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

const read = async (store: TestApp): Promise<number> => (await store.call('GET', '/api/v1/products')).status;

/** Wrong answers of a collector (null: it ends the connection), each with a part of the warning about it. */
const NO_ANSWERS: readonly [what: string, answer: string | null, reason: string][] = [
  ['sends something other than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'Parse Error'],
  ['sends a head without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`, 'Header overflow'],
  [
    'redirects',
    'HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
    'Elsewhere',
  ],
  [
    'wants a pause of years',
    'HTTP/1.1 429 Later\r\nretry-after: 99999999\r\ncontent-length: 0\r\n\r\n',
    'retryable',
  ],
  ['closes each connection', null, 'socket hang up'],
];

describe('a collector', () => {
  it('that is gone does not affect requests, and is logged once', onlyLong, async () => {
    const port = await freePort();
    const { store, warnings } = await startWith(`http://127.0.0.1:${port}`);
    const statuses = await Promise.all(Array.from({ length: 50 }, () => read(store)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expect.poll(warnings, { timeout: 30_000 }).toHaveLength(1);
    expect(warnings()[0]).toContain(
      `The collector of traces at http://127.0.0.1:${port} does not take all spans`,
    );
    const failed = async () => valueOf(await scrape(store), SPANS, { result: 'failed' });
    // A slow machine sends the spans in several batches, and the warning comes with the first one.
    await expect.poll(failed, { timeout: 30_000 }).toBeGreaterThanOrEqual(100);
    const before = await failed();
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

  it(
    'that does not answer stops no requests, and a bounded number of spans waits for it',
    { timeout: 60_000 },
    async () => {
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
    },
  );

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

  it('gets each kind of value, and texts of many lengths', async () => {
    const collector = await Collector.start();
    const { store } = await startWith(collector.url);
    const { tracer } = store.app.get(Tracing, { strict: false });
    const lengths = [0, 1, 24, 25, 100, 127, 128, 200, 16_383, 16_384, 70_000];
    const sent = lengths.flatMap((length) => ['x', 'é', '茶', '🫖'].map((letter) => letter.repeat(length)));
    for (const value of sent) tracer?.begin(new SpanForm(`text ${value}`), { value }).end();
    const values = { yes: true, no: false, zero: 0, large: 2 ** 53 - 1, 'below zero': -1, part: 0.25 };
    const fixed = { 'a fixed text': '茶'.repeat(100), 'a fixed number': 7 };
    const cause = tracer?.begin(new SpanForm('cause', 'client'), {});
    cause?.end();
    const span = tracer?.begin(new SpanForm('values', 'consumer', fixed), values, null, cause);
    span?.fail(new TypeError('no message is sent'));
    span?.end();
    await collector.until((spans) => spans.some(({ name }) => name === 'values'));
    await store.close();
    const made = collector.spans.filter(({ name }) => name.startsWith('text '));
    expect(made.map(({ name, attributes }) => [name, attributes['value']])).toEqual(
      sent.map((value) => [`text ${value}`, value]),
    );
    const last = collector.spans.find(({ name }) => name === 'values');
    expect(last).toMatchObject({
      kind: 'consumer',
      attributes: { ...fixed, ...values, 'error.type': 'TypeError' },
      isFailed: true,
      links: [{ traceId: cause?.traceId, spanId: cause?.spanId }],
    });
    const beganMs = performance.timeOrigin + (span?.begunAt ?? 0);
    expect(Math.abs(Number(last?.begunAt) / 1e6 - beganMs)).toBeLessThan(1_000);
    await collector.stop();
  });

  it('that does not answer lets the service stop in time', async () => {
    const collector = await Collector.start();
    collector.answer = () => {};
    const { store } = await startWith(collector.url);
    makeSpans(store, 10);
    await store.close();
    expect(collector.spans).toHaveLength(10);
    await collector.stop();
  });

  it.each(sampled(NO_ANSWERS, 1))(
    'that %s does not affect requests, and is logged once',
    async (_what, answer, reason) => {
      const garbled = await Garbled.start((socket) =>
        answer === null ? socket.destroy() : socket.write(answer),
      );
      const { store, warnings } = await startWith(garbled.url);
      makeSpans(store, 10);
      await expect.poll(warnings, { timeout: 30_000 }).toHaveLength(1);
      expect(warnings()[0]).toContain(reason);
      makeSpans(store, 10);
      expect(await read(store)).toBe(200);
      await store.close();
      expect(warnings()).toHaveLength(1);
      await garbled.stop();
    },
  );

  it('whose answers do not end gets the next spans too', { ...onlyLong, timeout: 60_000 }, async () => {
    const trickles: NodeJS.Timeout[] = [];
    const garbled = await Garbled.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      trickles.push(setInterval(() => socket.write('1\r\nx\r\n'), 500));
    });
    const { store, warnings } = await startWith(garbled.url);
    makeSpans(store, 10);
    await expect.poll(warnings, { timeout: 30_000 }).toHaveLength(1);
    expect(warnings()[0]).toContain('has not answered after 10 s');
    makeSpans(store, 10);
    await expect.poll(() => trickles.length, { timeout: 30_000 }).toBe(2);
    expect(await read(store)).toBe(200);
    await store.close();
    for (const trickle of trickles) clearInterval(trickle);
    await garbled.stop();
  });

  it('that refuses spans is logged with its reason', async () => {
    const collector = await Collector.start();
    collector.answer = (response) => response.writeHead(401).end('secret reasons');
    const { store, warnings } = await startWith(collector.url);
    makeSpans(store, 10);
    await expect.poll(warnings).toHaveLength(1);
    expect(warnings()[0]).toContain('(Unauthorized)');
    expect(valueOf(await scrape(store), SPANS, { result: 'failed' })).toBeGreaterThanOrEqual(10);
    await store.close();
    await collector.stop();
  });
});
