import type { OnApplicationShutdown } from '@nestjs/common';
import { Counters } from '../metrics/instruments.js';
import type { Tracer } from './tracer.js';

/** Traces of the whole application; `tracer` is null if traces are off. */
export class Tracing implements OnApplicationShutdown {
  static readonly OFF = new Tracing(null, spanCounters(), () => Promise.resolve());

  constructor(
    readonly tracer: Tracer | null,
    /** The spans that were sent to the collector, and those that were lost. */
    readonly spans: Counters<SpanFate>,
    private readonly close: () => Promise<void>,
  ) {}

  /** Sends the last spans. The wait has a limit, in case the collector does not answer. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

export function spanCounters(): Counters<SpanFate> {
  return new Counters<SpanFate>(['sent', 'failed', 'dropped']);
}

/** `dropped`: the queue was full. `failed`: the collector did not take the span. */
type SpanFate = 'sent' | 'dropped' | 'failed';
