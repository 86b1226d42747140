import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Answer } from '../contract/answer-plan.js';
import { EVENT_STREAM } from '../contract/live-answer.js';
import { wishedFormat } from '../formats/negotiation.js';
import type { Operation } from '../../generated/operations.js';
import type { AfterAnswer } from './after-answer.js';
import { compress } from './compression.js';
import { runSteps } from './hook.js';
import { JSON_TYPE } from './lane.js';
import { InFront } from './in-front.js';
import type { Listener } from './node-server.js';
import { asReply, goOn, PlainReply, PlainRequest } from './plain-request.js';
import { requestIdOf } from './request-id.js';
import type { Step } from './steps.js';
import type { AnyRequest } from '../contract/any-request.js';

/** The functions that answer the requests for an operation at one of its addresses. */
export interface Read {
  /** The address in the router's syntax, such as `/api/v1/products/:id`. */
  readonly url: string;
  /** All steps before the guards, in the order of the pipeline. */
  readonly steps: readonly Step[];
  /** Asks the guards, and calls the method of the controller. */
  readonly call: (request: AnyRequest, reply: FastifyReply) => unknown;
  readonly answer: Answer;
  readonly conclude: AfterAnswer;
}

/** A read that failed, and that Fastify has to answer. */
interface Failed {
  readonly request: PlainRequest;
  readonly reply: PlainReply;
  readonly error: unknown;
}

const SHAPES: ReadonlySet<string> = new Set(['entity', 'page', 'slice']);
const ID = /^[1-9]\d{0,15}$/;

/**
 * Answers plain reads in front of Fastify (ADR 66): GET requests for a row by its id or for a list, in JSON. It runs
 * the steps, the guards, the method and the answer of the operation. It leaves out only the work of Fastify around
 * them.
 *
 * It sends successful answers only. When a step, a guard, the method or the answer throws an error, Fastify gets the
 * request with this error, so there is one way to answer errors. All other requests go to Fastify untouched.
 */
export class PlainReads extends InFront {
  /** By the whole path. */
  private readonly lists = new Map<string, Read>();
  /** By the path before the id. */
  private readonly rows = new Map<string, { readonly read: Read; readonly name: string }>();
  private readonly failed = new WeakMap<IncomingMessage, Failed>();

  /** Whether the requests for an operation at this address may be plain reads. */
  static takes({ method, path, answer }: Operation, url: string): boolean {
    const parameters = url.split('/:').slice(1);
    const isRow = parameters.length === 1 && path?.kinds[parameters[0] as string]?.type === 'integer';
    return (
      method === 'GET' &&
      SHAPES.has(answer.shape) &&
      !answer.mediaTypes.includes(EVENT_STREAM) &&
      (parameters.length === 0 || isRow)
    );
  }

  add(read: Read): void {
    const [start, name] = read.url.split(':') as [string, string?];
    if (name === undefined) this.lists.set(start, read);
    else this.rows.set(start, { read, name });
  }

  /** Whether a request is a read that failed here. Such a request has got its trace already. */
  hasFailed(raw: IncomingMessage): boolean {
    return this.failed.has(raw);
  }

  /** The step of Fastify's pipeline that goes on with a read that failed. */
  readonly takeOver: Step = (request, reply) => {
    const failed = this.failed.get(request.raw);
    if (failed === undefined) return;
    goOn(failed, request, reply);
    throw failed.error;
  };

  protected take(raw: IncomingMessage, response: ServerResponse, route: Listener): boolean {
    const { url } = raw;
    if (!this.isOpen || url === undefined || !isPlain(raw, url)) return false;
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    let read = this.lists.get(path);
    let params = {};
    if (read === undefined) {
      const start = path.lastIndexOf('/') + 1;
      const row = this.rows.get(path.slice(0, start));
      const id = path.slice(start);
      if (row === undefined || !ID.test(id)) return false;
      ({ read } = row);
      params = { [row.name]: id };
    }
    const request = new PlainRequest(
      'GET',
      this.fastify,
      raw,
      requestIdOf(raw),
      this.addressOf(raw),
      params,
      {
        url: read.url,
        config: {},
      },
    );
    const reply = new PlainReply(request, response);
    const fail = (error: unknown): void => {
      this.failed.set(raw, { request, reply, error });
      route(raw, response);
    };
    const run = (): void => {
      try {
        this.run(read, request, reply)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    this.begin(request, response, run);
    return true;
  }

  private run(read: Read, request: AnyRequest, reply: PlainReply): Promise<void> | undefined {
    const pending = runSteps(read.steps, request, asReply(reply));
    const result =
      pending === undefined
        ? read.call(request, asReply(reply))
        : pending.then(() => read.call(request, asReply(reply)));
    if (result instanceof Promise) return result.then((value) => send(value, read, request, reply));
    return send(result, read, request, reply);
  }
}

/**
 * Whether a request can be answered here. Returns false if only Fastify can handle a part of the request, such as a
 * body or another format.
 */
function isPlain({ method, httpVersionMinor, headers }: IncomingMessage, url: string): boolean {
  const { accept } = headers;
  return (
    method === 'GET' &&
    httpVersionMinor === 1 &&
    (accept === undefined || accept === '*/*' || accept === 'application/json') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['x-forwarded-host'] === undefined &&
    !url.includes('#') &&
    wishedFormat(url) === null
  );
}

function send(
  result: unknown,
  read: Read,
  request: AnyRequest,
  reply: PlainReply,
): Promise<void> | undefined {
  reply.type(JSON_TYPE);
  const payload = reply.serialised(read.answer(request, asReply(reply), result));
  const finish = (body: unknown): void =>
    reply.finish(body as string | Buffer | null, () => read.conclude(request, asReply(reply)));
  const pending = compress(request, asReply(reply), payload, () => finish(payload));
  return pending?.then(finish);
}
