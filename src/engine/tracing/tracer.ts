import type { Sampler } from './sampler.js';
import {
  carrySpans,
  Span,
  Trace,
  type Attributes,
  type SpanContext,
  type SpanForm,
  type SpanSink,
} from './span.js';
import type { TraceParent } from './trace-parent.js';

/** Begins traces. */
export class Tracer {
  constructor(
    private readonly sampler: Sampler,
    private readonly sink: SpanSink,
  ) {
    carrySpans();
  }

  /** Whether a trace that begins here, or that a caller began, is recorded. Each call decides anew. */
  isRecorded(parent: TraceParent | null): boolean {
    return this.sampler.isRecorded(parent);
  }

  /** Begins a span that has no parent in this process. Call `isRecorded` first. */
  begin(
    form: SpanForm,
    attributes: Attributes,
    parent: TraceParent | null = null,
    link: SpanContext | null = null,
  ): Span {
    const trace = parent === null ? Trace.begin() : Trace.of(parent.traceId);
    return new Span(this.sink, trace, parent, form, attributes, performance.now(), link);
  }
}
