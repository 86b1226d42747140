import { Logger } from '@nestjs/common';
import type { TracingTarget } from '../config/slices.js';
import { SERVICE_VERSION } from '../values/service-version.js';
import { CollectorConnection } from './collector-connection.js';
import { Sampler } from './sampler.js';
import { apart, type Span, type SpanSink } from './span.js';
import { resourceOf, scopeOf, SpanBytes } from './span-bytes.js';
import { Tracer } from './tracer.js';
import { spanCounters, Tracing } from './tracing.js';

/** The maximum number of spans that wait in memory. A span has about 200 bytes. */
const MOST_WAITING = 8_192;
/** A request to the collector has a fixed cost, so it carries many spans. */
const BATCH = 4_096;
/** The maximum number of batches whose memory is kept. */
const MOST_KEPT = 4;
/** The longest time for which an ended span waits for others. */
const GATHER_MS = 1_000;
/**
 * The longest time for the complete answer to a batch. After this time, an answer that has begun, but does not end, is
 * a failure.
 */
const ANSWER_MS = 10_000;
/** The longest time for which the end of the process waits for the collector. */
const CLOSE_MS = 2_000;

/** The shortest time between two warnings that spans are lost. Under overload, the queue is often full. */
const SILENT_MS = 60_000;

/** Sends spans to a collector by OTLP. */
export function tracingTo(target: TracingTarget): Tracing {
  const resource = resourceOf({
    'service.version': SERVICE_VERSION,
    ...target.resource,
    'service.name': target.serviceName,
  });
  const sender = new Sender(new CollectorConnection(target), resource, new URL(target.url).origin);
  const tracer = new Tracer(new Sampler(target.sampler, target.ratio), sender);
  return new Tracing(tracer, sender.spans, () => sender.close());
}

/**
 * Gathers spans in batches, and sends the batches one after another. The number of spans that wait has a bound. No
 * request waits.
 */
class Sender implements SpanSink {
  readonly spans = spanCounters();
  private readonly logger = new Logger('Tracing');
  private readonly scope = scopeOf('store-service', SERVICE_VERSION);
  /** The memory of batches that were sent, for the next ones. */
  private readonly memory: Buffer[] = [];
  private readonly full: SpanBytes[] = [];
  private gathering: SpanBytes | null = null;
  private sending: Promise<void> | null = null;
  private waiting = 0;
  /** Whether the log says that spans are lost. */
  private isFailing = false;
  private saidAt = -Infinity;
  private readonly clock = new SpanClock();

  constructor(
    private readonly connection: CollectorConnection,
    private readonly resource: Buffer,
    private readonly address: string,
  ) {}

  take(span: Span): void {
    if (this.waiting >= MOST_WAITING) {
      this.spans.add('dropped');
      this.sayFailing(`${MOST_WAITING} spans wait already`);
      return;
    }
    this.waiting += 1;
    const batch = (this.gathering ??= this.begin());
    batch.write(span, this.clock.origin);
    if (batch.count === BATCH) apart(() => setImmediate(() => this.hand(batch)));
  }

  async close(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_MS);
    if (this.gathering !== null) this.hand(this.gathering);
    await Promise.race([this.sending, late.promise]);
    clearTimeout(timer);
    await this.connection.close();
  }

  private begin(): SpanBytes {
    this.clock.check();
    const batch = new SpanBytes(this.resource, this.scope, this.memory.pop());
    apart(() => setTimeout(() => this.hand(batch), GATHER_MS).unref());
    return batch;
  }

  private hand(batch: SpanBytes): void {
    if (this.gathering !== batch) return;
    this.gathering = null;
    this.full.push(batch);
    this.sending ??= this.send();
  }

  private async send(): Promise<void> {
    for (let batch = this.full.shift(); batch !== undefined; batch = this.full.shift())
      await this.export(batch);
    this.sending = null;
  }

  private export(spans: SpanBytes): Promise<void> {
    const { count } = spans;
    return new Promise((resolve) => {
      let isOver = false;
      const conclude = (failure: string | null, memory: Buffer | null): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.waiting -= count;
        this.spans.add(failure === null ? 'sent' : 'failed', count);
        if (failure !== null) this.sayFailing(failure);
        else if (this.isFailing && this.waiting < BATCH) this.sayRestored();
        if (memory !== null && this.memory.length < MOST_KEPT) this.memory.push(memory);
        resolve();
      };
      // The exporter waits for an answer as long as a part of it comes from time to time. The exporter limits the
      // number of batches with such answers (`mostExports`).
      const late = (): void => conclude(`it has not answered after ${ANSWER_MS / 1_000} s`, null);
      const timer = setTimeout(late, ANSWER_MS).unref();
      this.connection.send(spans.request(), count, conclude);
    });
  }

  private sayFailing(reason: string): void {
    if (this.isFailing || performance.now() - this.saidAt < SILENT_MS) return;
    this.isFailing = true;
    this.saidAt = performance.now();
    this.logger.warn(
      `The collector of traces at ${this.address} does not take all spans (${reason}). Spans are lost until it does; requests are not affected.`,
    );
  }

  private sayRestored(): void {
    this.isFailing = false;
    this.logger.warn(`The collector of traces at ${this.address} takes spans again.`);
  }
}

/**
 * If the clock of the machine moves by more than this against the clock of `performance`, later batches use the new
 * time. Smaller differences may come from rounding.
 */
const JUMP_MS = 100;

/** Turns times of `performance` into times of day. Within a batch, the differences between the times stay exact. */
class SpanClock {
  /** The time of day at which `performance` began to count. */
  origin = performance.timeOrigin;

  check(): void {
    const origin = Date.now() - performance.now();
    if (Math.abs(origin - this.origin) > JUMP_MS) this.origin = origin;
  }
}
