import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fieldsIn, type Field } from './protobuf.ts';

/** A span as the collector got it (opentelemetry/proto/trace/v1/trace.proto). */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly isParentRemote: boolean;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** In nanoseconds, like `endedAt`. */
  readonly begunAt: bigint;
  readonly endedAt: bigint;
  readonly isFailed: boolean;
  readonly statusMessage: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

/** A random id as a caller makes it: 16 bytes for a trace, 8 bytes for a span. */
export function newId(bytes: 8 | 16): string {
  return randomBytes(bytes).toString('hex');
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const IS_REMOTE = 0x200;

/** A collector of traces: OTLP over HTTP with protobuf. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** The path and the headers of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** Answers a request. A test may replace it. */
  answer: (response: ServerResponse) => void = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  };
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.requests.push({ path: request.url ?? '', headers: request.headers });
      this.spans.push(...spansIn(Buffer.concat(chunks)));
      this.answer(response);
      for (const tell of this.told.splice(0)) tell();
    });
  });
  private readonly told: (() => void)[] = [];

  static async start(port = 0): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(port, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when the received spans fulfil a condition. The time limit of the test bounds the wait. */
  async until(isEnough: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]> {
    while (!isEnough(this.spans)) await new Promise<void>((resolve) => this.told.push(resolve));
    return this.spans;
  }

  /** The spans of a trace, as soon as its first span has come. The first span ends last. */
  async trace(traceId: string): Promise<readonly ReceivedSpan[]> {
    const isRoot = (span: ReceivedSpan): boolean =>
      span.traceId === traceId && (span.parentId === '' || span.isParentRemote);
    await this.until((spans) => spans.some(isRoot));
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function spansIn(body: Buffer): ReceivedSpan[] {
  return parts(fieldsIn(body), 1).flatMap((resourceSpans) => {
    const fields = fieldsIn(resourceSpans);
    const [resource = Buffer.alloc(0)] = parts(fields, 1);
    const attributes = attributesIn(parts(fieldsIn(resource), 1));
    return parts(fields, 2).flatMap((scopeSpans) =>
      parts(fieldsIn(scopeSpans), 2).map((span) => spanIn(fieldsIn(span), attributes)),
    );
  });
}

function spanIn(fields: readonly Field[], resource: ReceivedSpan['resource']): ReceivedSpan {
  const [status = Buffer.alloc(0)] = parts(fields, 15);
  const statusFields = fieldsIn(status);
  return {
    traceId: hex(fields, 1),
    spanId: hex(fields, 2),
    parentId: hex(fields, 4),
    isParentRemote: (Number(number(fields, 16)) & IS_REMOTE) !== 0,
    name: text(fields, 5),
    kind: KINDS[Number(number(fields, 6))] ?? '',
    begunAt: number(fields, 7),
    endedAt: number(fields, 8),
    attributes: attributesIn(parts(fields, 9)),
    links: parts(fields, 13).map((link) => ({
      traceId: hex(fieldsIn(link), 1),
      spanId: hex(fieldsIn(link), 2),
    })),
    isFailed: number(statusFields, 3) === 2n,
    statusMessage: text(statusFields, 2),
    resource,
  };
}

function attributesIn(pairs: readonly Buffer[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsIn(pair);
      const [value = Buffer.alloc(0)] = parts(fields, 2);
      return [text(fields, 1), valueIn(fieldsIn(value))];
    }),
  );
}

/** Text, flags, integers and fractions. The service sends no other values. */
function valueIn([field]: readonly Field[]): string | number | boolean {
  if (field === undefined) throw new Error('An attribute has no value.');
  if (field.number === 1) return (field.value as Buffer).toString();
  if (field.number === 2) return field.value === 1n;
  if (field.number === 3) return Number(BigInt.asIntN(64, field.value as bigint));
  if (field.number !== 4) throw new Error(`An attribute has a value of the kind ${field.number}.`);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(field.value as bigint);
  return bytes.readDoubleLE();
}

function parts(fields: readonly Field[], wanted: number): Buffer[] {
  return fields.filter((field) => field.number === wanted).map(({ value }) => value as Buffer);
}

function text(fields: readonly Field[], wanted: number): string {
  return parts(fields, wanted)[0]?.toString() ?? '';
}

function hex(fields: readonly Field[], wanted: number): string {
  return parts(fields, wanted)[0]?.toString('hex') ?? '';
}

function number(fields: readonly Field[], wanted: number): bigint {
  return (fields.find((field) => field.number === wanted)?.value as bigint | undefined) ?? 0n;
}
