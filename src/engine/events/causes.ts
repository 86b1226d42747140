import type { SpanContext } from '../tracing/span.js';

/**
 * The number of requests that are remembered. It may be small, because the events of a request are delivered a moment
 * later.
 */
const MOST = 1_000;

/**
 * The spans of recorded requests that wrote events, by the id of the request. The delivery of such an event refers to
 * the span. The log of events has only the id of the request, so other processes do not know the span (ADR 50).
 */
export class Causes {
  private readonly spans = new Map<string, SpanContext>();

  add(requestId: string, { traceId, spanId }: SpanContext): void {
    if (this.spans.size >= MOST) {
      const [oldest] = this.spans.keys();
      this.spans.delete(oldest as string);
    }
    this.spans.set(requestId, { traceId, spanId });
  }

  of(requestId: string | null): SpanContext | null {
    return requestId === null ? null : (this.spans.get(requestId) ?? null);
  }
}
