import type { SpanContext } from './span.js';

/** The caller's part of a trace: the header `traceparent` of W3C Trace Context. */
export interface TraceParent {
  readonly traceId: string;
  /** The span of the caller. */
  readonly spanId: string;
  /** Whether the caller says that it has recorded the trace. Anybody can say so; see `Sampler`. */
  readonly isSampled: boolean;
}

/** Version, trace id, parent id and flags. Versions after 00 may have more parts at the end. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const VERSION_OF_ALL = '00';
const FORBIDDEN_VERSION = 'ff';
const SAMPLED = 0x01;
const LONGEST = 512;

/**
 * Reads `traceparent`. A header that is malformed, or that came twice, is ignored, and a new trace begins (W3C Trace
 * Context, sections 3.2 and 4.3).
 */
export function traceParentIn(header: string | string[] | undefined): TraceParent | null {
  if (typeof header !== 'string' || header.length > LONGEST) return null;
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === FORBIDDEN_VERSION) return null;
  if (version === VERSION_OF_ALL && rest !== undefined) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The headers of a call to another service, for the span of this call. */
export function calling(span: SpanContext): { traceparent: string } {
  return { traceparent: traceParentOf(span) };
}

/** The value of `traceparent` for a recorded span. */
export function traceParentOf({ traceId, spanId }: SpanContext): string {
  return `${VERSION_OF_ALL}-${traceId}-${spanId}-01`;
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
