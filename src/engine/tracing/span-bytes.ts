import { field, MOST_CLOSING, MOST_HEAD, MOST_UTF8, Protobuf, varintSize } from './protobuf.js';
import { Span, type Attributes, type SpanContext, type SpanForm, type SpanKind } from './span.js';

/**
 * Ended spans as bytes of OTLP (opentelemetry/proto/trace/v1/trace.proto). A span is written when it ends, so that its
 * objects are garbage at once. Objects that wait for their batch would survive many collections, and each collection
 * would copy them (ADR 62).
 */
export class SpanBytes {
  /** The number of the written spans. */
  count = 0;
  private readonly bytes: Protobuf;
  private readonly begin: number;

  /**
   * @param resource from `resourceOf`
   * @param scope from `scopeOf`
   * @param memory the memory to write into; the memory of a batch that was sent can be used again
   */
  constructor(
    private readonly resource: Buffer,
    scope: Buffer,
    memory: Buffer = Buffer.allocUnsafeSlow(FIRST_SIZE),
  ) {
    this.bytes = new Protobuf(memory);
    this.begin = resource.length + 2 * MOST_HEAD;
    this.bytes.reserve(this.begin + scope.length);
    this.bytes.end = this.begin;
    this.bytes.raw(scope);
  }

  /** @param originMs the time of day at which the clock of the spans began to count */
  write(span: Span, originMs: number): void {
    const { bytes } = this;
    const { form, parent, attributes, link, trace } = span;
    const known = (form.bytes ??= bytesOf(form));
    bytes.reserve(known.length + MOST_HEAD);
    const begin = bytes.open(SPANS);
    bytes.raw(known);
    bytes.put(begin + TRACE_AT, trace.word0);
    bytes.put(begin + TRACE_AT + 4, trace.word1);
    bytes.put(begin + TRACE_AT + 8, trace.word2);
    bytes.put(begin + TRACE_AT + 12, trace.word3);
    bytes.put(begin + SPAN_AT, span.first);
    bytes.put(begin + SPAN_AT + 4, span.second);
    moment(begin + BEGUN_AT, originMs + span.begunAt, bytes);
    moment(begin + ENDED_AT, originMs + (span.endedAt ?? span.begunAt), bytes);
    parentOf(parent, bytes);
    for (const key in attributes) attribute(ATTRIBUTES, key, attributes[key] as Value, bytes);
    bytes.reserve(TAIL_BYTES);
    if (link !== null) linkTo(link, bytes);
    if (span.isFailed) bytes.raw(FAILED);
    bytes.close(begin);
    this.count += 1;
  }

  /** The whole message ExportTraceServiceRequest, in the memory of this batch. */
  request(): Buffer {
    const { bytes, begin, resource } = this;
    const place = bytes.head(SCOPE_SPANS, begin) - resource.length;
    bytes.memory.set(resource, place);
    return bytes.written(bytes.head(RESOURCE_SPANS, place));
  }
}

/** The attributes of the process, as the field `resource` of ResourceSpans. */
export function resourceOf(attributes: Attributes): Buffer {
  const bytes = new Protobuf(Buffer.alloc(0));
  for (const key in attributes) attribute(RESOURCE_ATTRIBUTES, key, attributes[key] as Value, bytes);
  return field(RESOURCE, bytes.written());
}

/** The field `scope` of ScopeSpans. */
export function scopeOf(name: string, version: string): Buffer {
  const parts = [field(SCOPE_NAME, Buffer.from(name)), field(SCOPE_VERSION, Buffer.from(version))];
  return field(SCOPE, Buffer.concat(parts));
}

type Value = Attributes[string];

/**
 * A span of a form, with zeros for the ids and the times. The ids and the times are at the same places in all forms.
 * The parent is the last field, because some spans have none.
 */
function bytesOf({ name, kind, attributes }: SpanForm): Buffer {
  const bytes = new Protobuf(Buffer.alloc(NAME_AT));
  bytes.small(TRACE_ID, TRACE_ID_BYTES);
  bytes.end = SPAN_AT - 2;
  bytes.small(SPAN_ID, SPAN_ID_BYTES);
  bytes.end = BEGUN_AT - 1;
  bytes.byte(BEGUN);
  bytes.end = ENDED_AT - 1;
  bytes.byte(ENDED);
  bytes.end = NAME_AT;
  bytes.reserve(MOST_HEAD + MOST_UTF8 * name.length + 2);
  bytes.byte(NAME);
  bytes.text(name, Buffer.byteLength(name));
  bytes.small(KIND, KINDS[kind]);
  for (const key in attributes) attribute(ATTRIBUTES, key, attributes[key] as Value, bytes);
  bytes.reserve(FLAGS.length + PARENT_BYTES);
  bytes.raw(FLAGS);
  bytes.small(PARENT_ID, SPAN_ID_BYTES);
  bytes.word(0);
  bytes.word(0);
  return bytes.written();
}

/** Writes the parent over the last field of a form, or removes the field. */
function parentOf(parent: SpanContext | null, bytes: Protobuf): void {
  if (parent instanceof Span) {
    bytes.put(bytes.end - 8, parent.first);
    bytes.put(bytes.end - 4, parent.second);
    return;
  }
  bytes.end -= PARENT_BYTES;
  if (parent === null) return;
  bytes.end -= FLAGS.length;
  bytes.raw(REMOTE_FLAGS);
  bytes.byte(PARENT_ID);
  bytes.hex(parent.spanId);
}

function linkTo(link: SpanContext, bytes: Protobuf): void {
  bytes.small(LINKS, LINK_BYTES);
  bytes.byte(TRACE_ID);
  bytes.hex(link.traceId);
  bytes.byte(SPAN_ID);
  bytes.hex(link.spanId);
}

/**
 * Nanoseconds since 1970 need 61 bits, but a number of JavaScript has only 53. So the time is given in milliseconds,
 * which are exact to a quarter of a microsecond. The written nanoseconds are no more exact than that.
 */
function moment(at: number, ms: number, bytes: Protobuf): void {
  const nanoseconds = ms * 1e6;
  const high = Math.floor(nanoseconds / TWO_TO_32);
  bytes.put(at, nanoseconds - high * TWO_TO_32);
  bytes.put(at + 4, high);
}

function attribute(tag: number, key: string, value: Value, bytes: Protobuf): void {
  const known = keys.get(key) ?? remember(key);
  if (typeof value === 'string') return textAttribute(tag, known, value, bytes);
  bytes.reserve(known.length + VALUE_BYTES);
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const size = typeof value === 'boolean' ? 2 : isInteger ? 1 + varintSize(value) : 9;
  bytes.byte(tag);
  bytes.varint(known.length + 2 + size);
  bytes.raw(known);
  bytes.small(VALUE, size);
  if (typeof value === 'boolean') bytes.small(BOOL_VALUE, Number(value));
  else if (isInteger) {
    bytes.byte(INT_VALUE);
    bytes.varint(value);
  } else {
    bytes.byte(DOUBLE_VALUE);
    bytes.double(value);
  }
}

function textAttribute(tag: number, known: Buffer, value: string, bytes: Protobuf): void {
  bytes.reserve(known.length + VALUE_BYTES + MOST_UTF8 * value.length);
  const begin = bytes.end;
  // Nearly all texts are short and ASCII. Then each length is one byte, and is known before the text is written.
  if (known.length + value.length <= MOST_SHORT) {
    bytes.small(tag, known.length + value.length + 4);
    bytes.raw(known);
    bytes.small(VALUE, value.length + 2);
    bytes.small(STRING_VALUE, value.length);
    if (bytes.ascii(value)) return;
    bytes.end = begin;
  }
  const size = Buffer.byteLength(value);
  const valueSize = 1 + varintSize(size) + size;
  bytes.byte(tag);
  bytes.varint(known.length + 1 + varintSize(valueSize) + valueSize);
  bytes.raw(known);
  bytes.byte(VALUE);
  bytes.varint(valueSize);
  bytes.byte(STRING_VALUE);
  bytes.text(value, size);
}

const FIRST_SIZE = 262_144;
/** No span has more bytes than this after its attributes. */
const TAIL_BYTES = 40 + MOST_CLOSING;
/** No attribute has more bytes than this in addition to its key and its text. */
const VALUE_BYTES = 32;
/** If the text and the field of the key are together at most this long, each length in the attribute takes one byte. */
const MOST_SHORT = 123;
const TWO_TO_32 = 2 ** 32;

/** The tags of fields: the number of the field and the form of its value. */
const [RESOURCE_SPANS, RESOURCE, SCOPE_SPANS, SCOPE, SPANS] = [0x0a, 0x0a, 0x12, 0x0a, 0x12];
const [RESOURCE_ATTRIBUTES, SCOPE_NAME, SCOPE_VERSION] = [0x0a, 0x0a, 0x12];
const [TRACE_ID, SPAN_ID, BEGUN, ENDED, NAME, KIND] = [0x0a, 0x12, 0x39, 0x41, 0x2a, 0x30];
const [ATTRIBUTES, LINKS, PARENT_ID] = [0x4a, 0x6a, 0x22];
const [KEY, VALUE, STRING_VALUE, BOOL_VALUE, INT_VALUE, DOUBLE_VALUE] = [0x0a, 0x12, 0x0a, 0x10, 0x18, 0x21];
const [TRACE_ID_BYTES, SPAN_ID_BYTES] = [16, 8];
/** Two ids with their tags and lengths. */
const LINK_BYTES = 28;
/** The id of the parent with its tag and length. */
const PARENT_BYTES = 10;
/** The places of the ids and times in a span, and of the field of the name. */
const [TRACE_AT, SPAN_AT, BEGUN_AT, ENDED_AT, NAME_AT] = [2, 20, 29, 38, 46];
/** The status: a code of 2 is an error. */
const FAILED = Buffer.from([0x7a, 2, 0x18, 2]);
/**
 * The field `flags`: the trace is recorded (0x01), it is known whether the parent is remote (0x100), and the parent is
 * remote (0x200).
 */
const [FLAGS, REMOTE_FLAGS] = [
  Buffer.from([0x85, 0x01, 0x01, 0x01, 0, 0]),
  Buffer.from([0x85, 0x01, 0x01, 0x03, 0, 0]),
];
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };

/** The keys of attributes as fields. All keys are in the code or in the settings, so there are few of them. */
const keys = new Map<string, Buffer>();

function remember(key: string): Buffer {
  const known = field(KEY, Buffer.from(key));
  keys.set(key, known);
  return known;
}
