import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { PROBLEMS } from '../errors/problem-kinds.js';
import { StoreError } from '../errors/errors.js';

/*
 * A span is a part of the work for a request, with a beginning and an end. The spans of a request are its trace. Only
 * the spans of recorded traces exist as objects, so all other requests cost nothing here. This folder uses the names
 * of OpenTelemetry. Only otlp-worker.ts loads a package of OpenTelemetry, and only if traces are on (ADR 50).
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type Attributes = Record<string, string | number | boolean>;

/** The identity of a span, for the spans that name it as their parent or their link. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** A trace whose id is made only if somebody asks for it. */
export type TraceName = Pick<Trace, 'id'>;

/** Receives ended spans. It must not wait, and must not throw. */
export interface SpanSink {
  take(span: Span): void;
}

/**
 * The properties that all spans of one kind have in common. The bytes of a form are made only once. So keep the form if
 * many spans have it.
 */
export class SpanForm {
  /** The form in OTLP (span-bytes.ts); null while no span of this form has ended. */
  bytes: Buffer | null = null;

  constructor(
    readonly name: string,
    readonly kind: SpanKind = 'internal',
    readonly attributes: Attributes = {},
  ) {}
}

/** The form of the span of a change of data. */
export const ACT = new SpanForm('act');

/**
 * A trace. Its id is stored as numbers, because each span in OTLP repeats the bytes of the id. The id has four
 * numbers of 32 bits, in the order of the bytes of OTLP, each with its low byte first.
 */
export class Trace {
  private constructor(
    readonly word0: number,
    readonly word1: number,
    readonly word2: number,
    readonly word3: number,
    private digits: string | null,
  ) {}

  static begin(): Trace {
    return new Trace(draw(), draw(), draw(), draw(), null);
  }

  /** The trace that a caller has begun. */
  static of(id: string): Trace {
    const bytes = Buffer.from(id, 'hex');
    const [word0, word1] = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
    return new Trace(word0, word1, bytes.readInt32LE(8), bytes.readInt32LE(12), id);
  }

  /** The text is made only when it is needed, because few traces need it. */
  get id(): string {
    return (this.digits ??= hexOf([this.word0, this.word1, this.word2, this.word3]));
  }
}

export class Span implements SpanContext {
  /** The first half of the id: 32 bits, with the low byte first. */
  readonly first = draw();
  /** The second half of the id, in the same form. */
  readonly second = draw();
  /** On the clock of `performance`; null while the span has not ended. */
  endedAt: number | null = null;
  /** Whether the service itself failed. A refusal of the request is no failure. */
  isFailed = false;
  /** In the span of a request, the span of its operation. While the operation runs, its span is the present span. */
  private operation: Span | null = null;

  /** @param begunAt on the clock of `performance` */
  constructor(
    private readonly sink: SpanSink,
    readonly trace: Trace,
    /** The span that caused this span, of this process or of the caller; null for the first span of a trace. */
    readonly parent: SpanContext | null,
    public form: SpanForm,
    readonly attributes: Attributes,
    readonly begunAt: number,
    /** The span of another trace that caused this span. */
    readonly link: SpanContext | null = null,
  ) {}

  get traceId(): string {
    return this.trace.id;
  }

  /** The text is made at each access, because few spans need it. */
  get spanId(): string {
    return hexOf([this.first, this.second]);
  }

  child(form: SpanForm, attributes: Attributes = {}, begunAt = performance.now()): Span {
    return new Span(this.sink, this.trace, this, form, attributes, begunAt);
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
    return this.timed(() => within(this, work));
  }

  /**
   * Runs the operation of a request in a span of its own, like `around`. If the span of the request is the present
   * span, the storage is not entered again, because this would cost as much as the rest of the span.
   */
  operate<T>(form: SpanForm, work: () => T): T {
    const span = this.child(form);
    if (storage?.getStore() !== this) return span.around(work);
    this.operation = span;
    return span.timed(work);
  }

  /** The span of the operation while it runs, otherwise this span; undefined if this span has ended. */
  get present(): Span | undefined {
    if (this.operation !== null && this.operation.endedAt === null) return this.operation;
    return this.endedAt === null ? this : undefined;
  }

  /** Like `around`, but does not make this span the present span. */
  timed<T>(work: () => T): T {
    try {
      const result = work();
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
 * Carries the present span to reads, which get no context as a parameter. Only the work of recorded requests has a
 * value here. Other requests do not enter the storage.
 */
let storage: AsyncLocalStorage<Span | undefined> | null = null;

/** Call this before the first span. Without this call, the functions below look for no span. */
export function carrySpans(): void {
  storage ??= new AsyncLocalStorage();
}

/**
 * The span in which the present work is done; undefined if this work is not recorded. Work that outlives its span, such
 * as a subscription, belongs to no span.
 */
export function currentSpan(): Span | undefined {
  return storage?.getStore()?.present;
}

export function within<T>(span: Span, work: () => T): T {
  return storage === null ? work() : storage.run(span, work);
}

/** Begins work that belongs to no request, such as a timer that serves many requests. */
export function apart<T>(work: () => T): T {
  return storage === null ? work() : storage.exit(work);
}

/** A call for random bytes has a fixed cost, so one call gets many bytes. */
const random = new Int32Array(4_096);
let used = random.length;

/** 32 random bits. */
function draw(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += 1;
  return random[used - 1] as number;
}

const written = Buffer.alloc(16);

/** The digits of numbers of 32 bits, each with its low byte first. */
function hexOf(words: readonly number[]): string {
  for (let index = 0; index < words.length; index += 1)
    written.writeInt32LE(words[index] as number, 4 * index);
  return written.toString('hex', 0, 4 * words.length);
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
