import { SpanKind as OtelKind, SpanStatusCode, TraceFlags, type HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { Logger } from '@nestjs/common';
import type { TracingTarget } from '../config/slices.js';
import { SERVICE_VERSION } from '../values/service-version.js';
import { Sampler } from './sampler.js';
import type { Span, SpanKind, SpanSink } from './span.js';
import { Tracer } from './tracer.js';
import { spanCounters, Tracing } from './tracing.js';

/** The most spans that wait in memory. A span has about one kilobyte. */
const MOST_WAITING = 2_048;
const BATCH = 512;
/** The longest time for which an ended span waits for others. */
const GATHER_MS = 1_000;
/** The longest time for which the exporter tries to send a batch, with all repetitions. */
const EXPORT_MS = 5_000;
/** The longest time for which the end of the process waits for the collector. */
const CLOSE_MS = 2_000;

/** After a warning, the next one comes after this time. Under overload, a queue is full again and again. */
const SILENT_MS = 60_000;

type Done = Parameters<SpanExporter['export']>[1];

/** Sends spans to a collector by OTLP, with the packages of OpenTelemetry. */
export function tracingTo(target: TracingTarget): Tracing {
  const exporter = new OTLPTraceExporter({
    url: target.url,
    headers: { ...target.headers },
    timeoutMillis: EXPORT_MS,
  });
  const resource = resourceFromAttributes({
    'service.version': SERVICE_VERSION,
    ...target.resource,
    'service.name': target.serviceName,
  });
  const sender = new Sender(exporter, resource, new URL(target.url).origin);
  const tracer = new Tracer(new Sampler(target.sampler, target.ratio), sender);
  return new Tracing(tracer, sender.spans, () => sender.close());
}

/** Hands spans to the batches of the SDK, with a bound on the spans that wait. A request never waits for it. */
class Sender implements SpanSink {
  readonly spans = spanCounters();
  private readonly logger = new Logger('Tracing');
  private readonly batches: BatchSpanProcessor;
  private waiting = 0;
  /** Whether the log says that spans are lost. */
  private isFailing = false;
  private saidAt = -Infinity;
  private clock = new SpanClock();

  constructor(
    private readonly exporter: SpanExporter,
    private readonly resource: Resource,
    private readonly address: string,
  ) {
    this.batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.export(spans, done),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MOST_WAITING,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: GATHER_MS,
      // The exporter itself ends in time.
      exportTimeoutMillis: 2 * EXPORT_MS,
    });
  }

  take(span: Span): void {
    if (this.waiting >= MOST_WAITING) {
      this.spans.add('dropped');
      this.sayFailing(`${MOST_WAITING} spans wait already`);
      return;
    }
    this.waiting += 1;
    this.batches.onEnd(new FinishedSpan(span, this.resource, this.clock.origin()));
  }

  async close(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_MS);
    // A failure was counted and logged.
    await Promise.race([this.batches.shutdown().catch(() => undefined), late.promise]);
    clearTimeout(timer);
  }

  private export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      this.waiting -= spans.length;
      const { error } = result;
      this.spans.add(error === undefined ? 'sent' : 'failed', spans.length);
      if (error !== undefined) this.sayFailing(error.message);
      else if (this.isFailing && this.waiting < BATCH) this.sayRestored();
      done(result);
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

const NO_EVENTS: [] = [];
const NO_LINKS: [] = [];
const UNSET = { code: SpanStatusCode.UNSET };
const FAILED = { code: SpanStatusCode.ERROR };
const SCOPE = { name: 'store-service', version: SERVICE_VERSION };
const KINDS: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
};

/** An ended span in the form of the SDK. The spans of the SDK itself would take twice the processor time. */
class FinishedSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: OtelKind;
  readonly parentSpanContext?: NonNullable<ReadableSpan['parentSpanContext']>;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly status: ReadableSpan['status'];
  readonly attributes: ReadableSpan['attributes'];
  readonly links: ReadableSpan['links'];
  readonly events = NO_EVENTS;
  readonly ended = true;
  readonly instrumentationScope = SCOPE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  private readonly context: ReturnType<ReadableSpan['spanContext']>;

  constructor(
    span: Span,
    readonly resource: Resource,
    offset: number,
  ) {
    const { traceId, parentId, begunAt, link } = span;
    const endedAt = span.endedAt ?? begunAt;
    this.name = span.name;
    this.kind = KINDS[span.kind];
    this.context = { traceId, spanId: span.spanId, traceFlags: TraceFlags.SAMPLED };
    if (parentId !== null) {
      this.parentSpanContext = {
        traceId,
        spanId: parentId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: span.isParentRemote,
      };
    }
    this.startTime = hrTimeOf(offset + begunAt);
    this.endTime = hrTimeOf(offset + endedAt);
    this.duration = hrTimeOf(endedAt - begunAt);
    this.status = span.isFailed ? FAILED : UNSET;
    this.attributes = span.attributes;
    this.links =
      link === null
        ? NO_LINKS
        : [{ context: { traceId: link.traceId, spanId: link.spanId, traceFlags: TraceFlags.SAMPLED } }];
  }

  spanContext(): ReturnType<ReadableSpan['spanContext']> {
    return this.context;
  }
}

/** A jump of the machine's clock by more than this is followed. Smaller differences come from rounding. */
const JUMP_MS = 100;

/** Turns times of `performance` into times of day. The spans of a trace keep their distances. */
class SpanClock {
  private known = performance.timeOrigin;

  /** The time of day at which `performance` began to count. */
  origin(): number {
    const origin = Date.now() - performance.now();
    if (Math.abs(origin - this.known) > JUMP_MS) this.known = origin;
    return this.known;
  }
}

function hrTimeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
