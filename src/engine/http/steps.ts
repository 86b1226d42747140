import type { FastifyReply, preParsingHookHandler } from 'fastify';
import { requireShortCredential } from '../access/credentials.js';
import type { Policy } from '../access/policy.js';
import {
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  UnsupportedMediaType,
  UriTooLong,
} from '../errors/errors.js';
import { formatNamed } from '../formats/formats.js';
import { preferred, wishedFormat } from '../formats/negotiation.js';
import type { Version } from '../../generated/operations.js';
import type { AnyRequest } from '../contract/any-request.js';
import { joinedChunks } from './joined-chunks.js';

/**
 * One step in the processing of a request. A step reads its configuration once, when the server is built. It refuses
 * the request by throwing an error. If it has sent an answer when it ends, the later steps do not run. Fastify gets
 * steps only by `hookOf`: it would wait for ever for a function that does not call `done`.
 */
export type Step = (request: AnyRequest, reply: FastifyReply) => void | Promise<void>;

const MAX_URL_BYTES = 8192;
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const nameRequest: Step = (request, reply) => beginAnswer(request, reply);

/** Sets the headers that every answer has. */
export function beginAnswer(request: AnyRequest, reply: FastifyReply): void {
  const { securityHeaders, crossOrigin } = request.server;
  reply.headers(securityHeaders).header('x-request-id', request.id);
  crossOrigin.mark(request, reply);
}

export const limitUrl: Step = ({ originalUrl: { length } }) => {
  if (length > MAX_URL_BYTES) {
    throw new UriTooLong(`The request target has ${length} bytes; it may have at most ${MAX_URL_BYTES}.`);
  }
};

/** Limits the length of the credential, also on routes where the library behind `/oauth` reads it. */
export const limitCredential: Step = ({ headers }) => requireShortCredential(headers);

/**
 * Makes a step that answers OPTIONS, and refuses requests for which the router found no route: 405 when the address
 * exists, otherwise 404.
 *
 * @param served returns the versions that are served at this moment
 */
export function answerOrRefuseMethod(served: () => readonly Version[]): Step {
  return (request, reply) => {
    const isOptions = request.method === 'OPTIONS';
    if (!request.is404 && !isOptions) return;
    const path = request.url.split('?', 1)[0] as string;
    const { knownAddresses: addresses } = request.server;
    const methods = addresses.methodsAt(path);
    if (!methods) throw new NotFound(nothingAt(path, served()));
    if (!isOptions) throw new MethodNotAllowed(methods);
    const patches = addresses.patchTypesAt(path);
    if (patches) reply.header('accept-patch', patches);
    reply.code(204).header('allow', methods.join(', ')).send();
  };
}

/**
 * Makes a step for a route with parameters. It refuses the given static addresses of the contract, because they are not
 * values of the parameters.
 */
export function refuseOtherAddresses(others: ReadonlySet<string>): Step {
  return (request) => {
    const path = request.url.split('?', 1)[0] as string;
    if (others.has(path)) throw new MethodNotAllowed(request.server.knownAddresses.methodsAt(path) ?? []);
  };
}

function nothingAt(path: string, served: readonly string[]): string {
  const version = /^\/api\/(v\d+)\//.exec(path)?.[1];
  return version === undefined || served.includes(version)
    ? 'There is nothing at this address.'
    : `There is no version ${version} of this interface. Available versions: ${served.join(', ')}.`;
}

/** Applies a step to requests of one method only. */
export function onlyFor(method: string, step: Step): Step {
  return (request, reply) => (request.method === method ? step(request, reply) : undefined);
}

/**
 * Makes a step that decides the media type of the answer: by `?format=` if the operation takes it and the request has
 * it, otherwise by `Accept`. Validation refuses a format that is not offered.
 */
export function chooseMediaType(offered: readonly string[], takesFormat: boolean): Step {
  const [first] = offered;
  return (request) => {
    const { accept } = request.headers;
    if (takesFormat && request.url.includes('?')) {
      const wished = wishedFormat(request.url);
      const type = wished === null ? undefined : formatNamed(wished)?.mediaType;
      if (type !== undefined && type !== first && offered.includes(type)) request.answerType = type;
      if (wished !== null) return;
    }
    if (accept === undefined || accept === '*/*' || accept === first) return;
    const type = preferred(accept, offered);
    if (type === undefined) throw new NotAcceptable(offered);
    if (type !== first) request.answerType = type;
  };
}

/**
 * Makes a step that refuses requests that accept none of the offered types. It is for routes that have only one format,
 * or choose the format themselves.
 */
export function requireAcceptable(offered: readonly string[]): Step {
  return ({ headers: { accept } }) => {
    if (preferred(accept, offered) === undefined) throw new NotAcceptable(offered);
  };
}

/** Checks the type of the body before it is read. Validation decides whether a body is required. */
export function requireMediaType(taken: readonly string[], isPatch = false): Step {
  const [first] = taken;
  return (request, reply) => {
    const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (!hasBody || (type === first && encoding === undefined)) return;
    const [essence = '', ...parameters] = (type ?? '').toLowerCase().split(';');
    const charset = parameters
      .map((parameter) => /^charset="?([^"]*)"?$/.exec(parameter.trim())?.[1])
      .find(Boolean);
    const isTaken = taken.includes(essence.trim()) && (charset === undefined || charset === 'utf-8');
    if (!isTaken && isPatch) reply.header('accept-patch', taken.join(', '));
    if (!isTaken) throw new UnsupportedMediaType(taken);
    if (encoding !== undefined && encoding !== 'identity') {
      throw new UnsupportedMediaType(taken.map((name) => `${name} without Content-Encoding`));
    }
  };
}

/**
 * The step for operations without a body. With a method such as DELETE, Fastify would read a body that the headers
 * announce. No other code needs the headers of a body, so the step removes them. Node discards the unread bytes.
 */
export const ignoreBody: Step = ({ raw: { headers } }) => {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
};

/**
 * Prepares the body that Fastify reads. If a request has no body, Node has already ended the stream of the body
 * (`optimizeEmptyRequests`). With a `Content-Type`, Fastify would wait for the end of this stream for ever, or would
 * fail if the value is no media type. So `Content-Type` is removed. It stays in GET requests, because Fastify reads no
 * body of them, and GraphQL checks this header later.
 */
export const prepareBody: preParsingHookHandler = ({ raw: { method, headers } }, reply, payload, done) => {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const isEmpty = !isChunked && (headers['content-length'] ?? '0') === '0';
  if (method !== 'GET' && isEmpty) delete headers['content-type'];
  const close = (): void => void reply.header('connection', 'close');
  done(null, isChunked ? joinedChunks(payload, close) : payload);
};

/** Refuses an anonymous caller without rights before the body is read. For all other callers the guard decides. */
export function refuseAnonymous(policy: Policy): Step {
  return ({ principal }) => {
    if (principal.kind === 'anonymous') policy.rowAccessOf(principal);
  };
}
