import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { PROBLEMS } from '../errors/problem-kinds.js';
import { StoreError } from '../errors/errors.js';

/**
 * A span is a part of the work for a request, with a beginning and an end. The spans of a request are its trace. Only
 * the spans of recorded traces exist as objects, so all other requests cost nothing here. This folder knows the names
 * of OpenTelemetry, but none of its packages, except otlp.ts, which is loaded if traces are on (ADR 50).
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type Attributes = Record<string, string | number | boolean>;

/** The identity of a span, for spans of other traces that refer to it. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** The place where ended spans go. It must not wait, and must not throw. */
export interface SpanSink {
  take(span: Span): void;
}

export class Span implements SpanContext {
  readonly spanId = newId(8);
  /** On the clock of `performance`; null while the span has not ended. */
  endedAt: number | null = null;
  /** Whether the service itself failed. A refusal of the request is no failure. */
  isFailed = false;

  /** @param begunAt on the clock of `performance` */
  constructor(
    private readonly sink: SpanSink,
    readonly traceId: string,
    /** The id of the span that caused this one; null for the first span of a trace. */
    readonly parentId: string | null,
    /** Whether the caller of the service has made the parent. */
    readonly isParentRemote: boolean,
    public name: string,
    readonly kind: SpanKind,
    readonly attributes: Attributes,
    readonly begunAt: number,
    /** The span of another trace that caused this one. */
    readonly link: SpanContext | null = null,
  ) {}

  child(
    name: string,
    kind: SpanKind = 'internal',
    attributes: Attributes = {},
    begunAt = performance.now(),
  ): Span {
    return new Span(this.sink, this.traceId, this.spanId, false, name, kind, attributes, begunAt);
  }

  /** Only the first end counts. */
  end(endedAt = performance.now()): void {
    if (this.endedAt !== null) return;
    this.endedAt = endedAt;
    this.sink.take(this);
  }

  /** The message of the error is not recorded, because it may have values of the request. */
  fail(error: unknown): void {
    const { type, isOurs } = failureOf(error);
    this.attributes['error.type'] = type;
    this.isFailed ||= isOurs;
  }

  /** Runs work, and ends the span when the work has ended. The spans that begin in the work are children. */
  around<T>(work: () => T): T {
    try {
      const result = within(this, work);
      if (result instanceof Promise) {
        result.then(
          () => this.end(),
          (error: unknown) => this.endFailed(error),
        );
      } else this.end();
      return result;
    } catch (error) {
      this.endFailed(error);
      throw error;
    }
  }

  endFailed(error: unknown): void {
    this.fail(error);
    this.end();
  }
}

/**
 * Carries the present span to reads, which have no context of their own. Only the work of recorded requests has a
 * value here. Other requests do not enter the storage.
 */
let storage: AsyncLocalStorage<Span | undefined> | null = null;

/** Call this before the first span. Without this call, the functions below look for no span. */
export function carrySpans(): void {
  storage ??= new AsyncLocalStorage();
}

/**
 * The span in which the present work is done; undefined if it is not recorded. Work that outlives its span, such as a
 * subscription, belongs to no span.
 */
export function currentSpan(): Span | undefined {
  if (storage === null) return undefined;
  const span = storage.getStore();
  return span === undefined || span.endedAt !== null ? undefined : span;
}

export function within<T>(span: Span, work: () => T): T {
  return storage === null ? work() : storage.run(span, work);
}

/** Begins work that belongs to no request, such as a timer that serves many of them. */
export function apart<T>(work: () => T): T {
  return storage === null ? work() : storage.exit(work);
}

const random = Buffer.alloc(4_096);
let used = random.length;

/** A random id of lower-case hexadecimal digits. */
export function newId(bytes: 8 | 16): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString('hex', used - bytes, used);
}

const SHORT_CODE = /^[\w.-]{1,64}$/;

/** The kind of an error, from a small number of kinds, and whether it is a failure of the service. */
function failureOf(error: unknown): { readonly type: string; readonly isOurs: boolean } {
  if (error instanceof StoreError) return { type: error.code, isOurs: PROBLEMS[error.code].status >= 500 };
  if (!(error instanceof Error)) return { type: typeof error, isOurs: true };
  const { code } = error as { code?: unknown };
  const type = typeof code === 'string' && SHORT_CODE.test(code) ? code : error.constructor.name;
  return { type, isOurs: true };
}
