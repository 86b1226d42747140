import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Checked } from '../access/credentials.js';
import { ANONYMOUS, type Principal } from '../access/principal.js';
import type { IdempotencyKey } from '../idempotency/idempotency-key.js';
import type { Subject } from '../rate-limits/rate-limits.js';
import type { Span, TraceName } from '../tracing/span.js';
import type { AnyRequest } from '../contract/any-request.js';
import { ConstantFields, placeOf, setHead } from './response-head.js';

/**
 * A request without Fastify (see `PlainReads` and `PlainPosts`). It has the members that the steps, the guard, the
 * input and the answer use. All of them take an `AnyRequest`, so they are the same functions with Fastify and without
 * it.
 */
export class PlainRequest implements AnyRequest {
  readonly is404 = false;
  readonly visitor = null;
  readonly headers: AnyRequest['headers'];
  readonly url: string;
  readonly host: string;
  query: unknown = {};
  body: unknown = undefined;
  principal: Principal = ANONYMOUS;
  checked: Checked | null = null;
  answerType: string | null = null;
  idempotencyKey: IdempotencyKey | null = null;
  subject: Subject | null = null;
  underWay: (() => void) | null = null;
  list: string | null = null;
  isCounted = false;
  span: Span | null = null;
  trace: TraceName | null = null;
  protocol: FastifyRequest['protocol'] = 'http';

  constructor(
    readonly method: string,
    readonly server: FastifyInstance,
    readonly raw: IncomingMessage,
    readonly id: string,
    readonly ip: string,
    readonly params: unknown,
    readonly routeOptions: { readonly url: string; readonly config: { readonly hidesPath?: true } },
  ) {
    this.headers = raw.headers;
    this.url = raw.url as string;
    this.host = raw.headers.host ?? '';
  }

  get originalUrl(): string {
    return this.url;
  }
}

/** The constant fields that were made for each frozen object of headers. */
const constantFields = new WeakMap<object, ConstantFields>();

/** @param headers a frozen object, so its headers are the same each time */
function constantFieldsOf(headers: Readonly<Record<string, unknown>>): ConstantFields {
  let fields = constantFields.get(headers);
  if (fields === undefined) {
    fields = new ConstantFields(Object.entries(headers).flatMap(([name, value]) => [name, String(value)]));
    constantFields.set(headers, fields);
  }
  return fields;
}

/** The answer to a `PlainRequest`. Its headers are sent in the order in which Fastify would send them. */
export class PlainReply {
  readonly sent = false;
  readonly begunAt = performance.now();
  statusCode = 200;
  /** The constant headers, which are sent first; null if there are none. */
  private constant: ConstantFields | null = null;
  /** The other headers: names and values in turn, as `writeHead` takes them. */
  private readonly list: string[] = [];
  private serialize: ((payload: unknown) => unknown) | null = null;

  constructor(
    readonly request: AnyRequest,
    readonly raw: ServerResponse,
  ) {}

  get elapsedTime(): number {
    return performance.now() - this.begunAt;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  header(name: string, value: unknown): this {
    const index = this.indexOf(name);
    if (index === -1) this.list.push(name, String(value));
    else this.list[index + 1] = String(value);
    return this;
  }

  headers(headers: Readonly<Record<string, unknown>>): this {
    const isFirst = this.constant === null && this.list.length === 0;
    if (isFirst && Object.isFrozen(headers)) this.constant = constantFieldsOf(headers);
    else for (const name of Object.keys(headers)) this.header(name, headers[name]);
    return this;
  }

  /** All headers that were set: names and values in turn. */
  allHeaders(): string[] {
    return [...(this.constant?.list ?? []), ...this.list];
  }

  getHeader(name: string): string | undefined {
    const index = this.indexOf(name);
    return index === -1 ? undefined : this.list[index + 1];
  }

  hasHeader(name: string): boolean {
    return this.indexOf(name) !== -1;
  }

  removeHeader(name: string): this {
    const index = this.indexOf(name);
    if (index !== -1) this.list.splice(index, 2);
    return this;
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType);
  }

  serializer(serialize: (payload: unknown) => unknown): this {
    this.serialize = serialize;
    return this;
  }

  /** The text that Fastify would send for a payload; null for no body. */
  serialised(payload: unknown): unknown {
    return this.serialize === null ? payload : this.serialize(payload);
  }

  /**
   * Sends the answer.
   *
   * @param body null for an answer without a body
   * @param conclude runs when the answer was sent completely
   */
  finish(body: string | Buffer | null, conclude: () => void): void {
    const end = (error?: Error | null): void => {
      if (!error) conclude();
    };
    const { raw, statusCode } = this;
    if (body === null) {
      raw.writeHead(statusCode, this.allHeaders()).end(end);
      return;
    }
    const length = Buffer.byteLength(body);
    this.header('content-length', length);
    setHead(raw, statusCode, this.constant, this.list);
    // A text in ASCII has the same bytes in latin1 as in UTF-8. Node makes them faster in latin1, because it only
    // copies them.
    raw.end(body, length === body.length ? 'latin1' : 'utf8', end);
  }

  private indexOf(name: string): number {
    const { list, constant } = this;
    if (constant?.has(name)) {
      // The header may be changed, so the constant headers become headers like the others.
      list.unshift(...constant.list);
      this.constant = null;
    }
    return placeOf(name, list);
  }
}

/** Passes to Fastify the state of a request that was begun in front of Fastify. */
export function goOn(
  begun: { readonly request: PlainRequest; readonly reply: PlainReply },
  request: AnyRequest,
  reply: FastifyReply,
): void {
  const { id, principal, checked, subject, underWay, span, trace } = begun.request;
  Object.assign(request, { id, principal, checked, subject, underWay, span, trace });
  const list = begun.reply.allHeaders();
  for (let index = 0; index < list.length; index += 2) reply.header(list[index] as string, list[index + 1]);
}

/** A `PlainReply` has the methods of `FastifyReply` that the steps and the answers of plain requests use. */
export function asReply(reply: PlainReply): FastifyReply {
  return reply as unknown as FastifyReply;
}
