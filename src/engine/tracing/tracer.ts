import type { Sampler } from './sampler.js';
import {
  carrySpans,
  newId,
  Span,
  type Attributes,
  type SpanContext,
  type SpanKind,
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

  /** Begins a span that has no parent in this process. Ask `isRecorded` before. */
  begin(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    parent: TraceParent | null = null,
    link: SpanContext | null = null,
  ): Span {
    const traceId = parent?.traceId ?? newId(16);
    const parentId = parent?.spanId ?? null;
    return new Span(
      this.sink,
      traceId,
      parentId,
      parent !== null,
      name,
      kind,
      attributes,
      performance.now(),
      link,
    );
  }
}
