import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, onRequestHookHandler, preParsingHookHandler, RouteOptions } from 'fastify';
import type { Soon } from '../../generated/contract.js';
import type { AfterAnswer } from './after-answer.js';
import { runSteps } from './hook.js';
import { InFront } from './in-front.js';
import type { Listener } from './node-server.js';
import { asReply, goOn, PlainReply, PlainRequest } from './plain-request.js';
import { requestIdOf } from './request-id.js';
import { prepareBody, type Step } from './steps.js';
import type { AnyRequest } from '../contract/any-request.js';

/** The functions for one address that takes POST requests with a body in JSON. */
export interface Post {
  readonly path: string;
  readonly maxBytes: number;
  /** All steps before the body is read, in the order of the pipeline. */
  readonly steps: readonly Step[];
  /**
   * Returns the text of the answer; null if Fastify has to answer. If the function returns null, it has changed nothing
   * and counted nothing.
   */
  readonly answer: (request: AnyRequest, reply: FastifyReply, body: Buffer) => Soon<string> | null;
  readonly conclude: AfterAnswer;
}

/** A request that was begun here, and that Fastify has to answer. */
interface Begun {
  readonly request: PlainRequest;
  readonly reply: PlainReply;
  /** The error of a step, of the body or of the answer; undefined if there is none. */
  readonly error: unknown;
  /** The bytes of the body, for an answer by Fastify; null if there is an error. */
  readonly body: Buffer | null;
}

/** A length without leading zeros. The length of the largest message of GraphQL has six digits. */
const LENGTH = /^[1-9]\d{0,5}$/;
const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
]);

/**
 * Answers POST requests in front of Fastify (ADR 66), as `PlainReads` answers plain reads. It runs the same steps as
 * Fastify, reads the body, and calls the function of the address, which decides whether it can answer. Fastify answers
 * all other requests, and all requests that a step refuses. Fastify leaves out the steps that have run, and gets the
 * bytes of the body that were read.
 */
export class PlainPosts extends InFront {
  private readonly posts = new Map<string | undefined, Post>();
  private readonly begun = new WeakMap<IncomingMessage, Begun>();

  /** Adds an address, and prepares its route for the requests that Fastify has to answer. */
  lay(route: RouteOptions, post: Post): void {
    this.posts.set(post.path, post);
    route.onRequest = this.skipping(route.onRequest as onRequestHookHandler);
    route.preParsing = [prepareBody, this.giveBody];
  }

  /** Whether a request was begun here. Such a request has its trace already. */
  hasBegun(raw: IncomingMessage): boolean {
    return this.begun.has(raw);
  }

  /**
   * Makes a hook that calls the given hook, except for a request that was begun here. For such a request, the new hook
   * copies the state of the `PlainRequest` to the request of Fastify, and passes on the error, if there is one.
   */
  skipping(hook: onRequestHookHandler): onRequestHookHandler {
    const { begun } = this;
    return function skip(request, reply, done) {
      const known = begun.get(request.raw);
      if (known === undefined) return hook.call(this, request, reply, done);
      goOn(known, request, reply);
      done(known.error as Error | undefined);
    };
  }

  private readonly giveBody: preParsingHookHandler = ({ raw }, _reply, payload, done) => {
    const body = this.begun.get(raw)?.body ?? null;
    done(null, body === null ? payload : Readable.from([body]));
  };

  protected take(raw: IncomingMessage, response: ServerResponse, route: Listener): boolean {
    if (raw.method !== 'POST') return false;
    const post = this.posts.get(raw.url);
    if (post === undefined || !this.isOpen || !isPlain(raw, post)) return false;
    const request = new PlainRequest(
      'POST',
      this.fastify,
      raw,
      requestIdOf(raw),
      this.addressOf(raw),
      {},
      {
        url: post.path,
        config: {},
      },
    );
    const reply = new PlainReply(request, response);
    const handOver = (error: unknown, body: Buffer | null): void => {
      this.begun.set(raw, { request, reply, error, body });
      route(raw, response);
    };
    const fail = (error: unknown): void => handOver(error, null);
    const finish = (text: string): void => reply.finish(text, () => post.conclude(request, asReply(reply)));
    const answer = (body: Buffer): void => {
      try {
        const text = post.answer(request, asReply(reply), body);
        if (text === null) handOver(undefined, body);
        else if (typeof text === 'string') finish(text);
        else text.then(finish).catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const after = (steps: readonly Step[], goOnWith: () => void): void => {
      try {
        const pending = runSteps(steps, request, asReply(reply));
        if (pending === undefined) goOnWith();
        else pending.then(goOnWith, fail);
      } catch (error) {
        fail(error);
      }
    };
    const confirm = (body: Buffer): void => after([this.fastify.confirmCaller], () => answer(body));
    this.begin(request, response, () => after(post.steps, () => readBody(raw, confirm, fail)));
    return true;
  }
}

/** Whether a request can be answered here. Returns false if only Fastify can handle a part of the request. */
function isPlain({ httpVersionMinor, headers }: IncomingMessage, { maxBytes }: Post): boolean {
  const length = headers['content-length'];
  return (
    httpVersionMinor === 1 &&
    JSON_TYPES.has(headers['content-type']) &&
    length !== undefined &&
    LENGTH.test(length) &&
    Number(length) <= maxBytes &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers['x-forwarded-host'] === undefined &&
    headers.expect === undefined
  );
}

/** Node has checked that the body has as many bytes as `Content-Length` says. */
function readBody(raw: IncomingMessage, use: (body: Buffer) => void, fail: (error: unknown) => void): void {
  const chunks: Buffer[] = [];
  raw.on('data', (chunk: Buffer) => chunks.push(chunk));
  raw.on('end', () => use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  // As with Fastify, this is an error of the client, although the client can probably not read the answer.
  raw.on('error', (error) => fail(Object.assign(error, { statusCode: 400 })));
}
