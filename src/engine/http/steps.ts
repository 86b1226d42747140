import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { requireShortCredential } from '../access/credentials.js';
import type { Policy } from '../access/policy.js';
import {
  Forbidden,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  UnsupportedMediaType,
  UriTooLong,
} from '../errors/errors.js';
import { formatNamed } from '../formats/formats.js';
import { preferred, wishedFormat } from '../formats/negotiation.js';
import type { Version } from '../../generated/operations.js';

/**
 * One step in the processing of a request. A step reads its configuration once, when the server is built. It ends by
 * calling `done`, by returning a promise, or by sending the answer.
 */
export type Step = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

const MAX_URL_BYTES = 8192;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const nameRequest: Step = (request, reply, done) => {
  beginAnswer(request, reply);
  done();
};

/** Sets the headers that every answer has. */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { securityHeaders, crossOrigin } = request.server;
  reply.headers(securityHeaders).header('x-request-id', request.id);
  crossOrigin.mark(request, reply);
}

export const limitUrl: Step = ({ originalUrl: { length } }, _reply, done) => {
  if (length > MAX_URL_BYTES) {
    return done(
      new UriTooLong(`The request target has ${length} bytes; it may have at most ${MAX_URL_BYTES}.`),
    );
  }
  done();
};

/** Limits the length of the credential, also on routes where the library behind `/oauth` reads it. */
export const limitCredential: Step = ({ headers }, _reply, done) => {
  try {
    requireShortCredential(headers);
    done();
  } catch (error) {
    done(error as Error);
  }
};

/**
 * A browser tells when another site makes it send a request (Fetch Metadata). Such a request may read public data. It
 * may change data only if `STORE_CORS_ORIGINS` names that site. This rule replaces tokens against request forgery
 * (CSRF).
 */
export const refuseCrossSite: Step = (request, _reply, done) => {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isForged = site === 'cross-site' && !request.server.crossOrigin.allows(origin);
  if (isForged && !SAFE_METHODS.has(request.method)) {
    return done(new Forbidden([], 'A browser must not send this request for another site.'));
  }
  done();
};

/**
 * Makes a step that answers OPTIONS, and refuses requests for which the router found no route: 405 when the address
 * exists, otherwise 404.
 *
 * @param served returns the versions that are served at this moment
 */
export function answerOrRefuseMethod(served: () => readonly Version[]): Step {
  return (request, reply, done) => {
    const isOptions = request.method === 'OPTIONS';
    if (!request.is404 && !isOptions) return done();
    const path = request.url.split('?', 1)[0] as string;
    const { knownAddresses: addresses } = request.server;
    const methods = addresses.methodsAt(path);
    if (!methods) return done(new NotFound(nothingAt(path, served())));
    if (!isOptions) return done(new MethodNotAllowed(methods));
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
  return (request, _reply, done) => {
    const path = request.url.split('?', 1)[0] as string;
    if (others.has(path))
      return done(new MethodNotAllowed(request.server.knownAddresses.methodsAt(path) ?? []));
    done();
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
  return (request, reply, done) => (request.method === method ? step(request, reply, done) : done());
}

/**
 * Decides the media type of the answer: by `?format=` if the operation has it, otherwise by `Accept`. Validation
 * refuses a format that is not offered.
 */
export function chooseMediaType(offered: readonly string[], takesFormat: boolean): Step {
  const [first] = offered;
  return (request, _reply, done) => {
    const { accept } = request.headers;
    if (takesFormat && request.url.includes('?')) {
      const wished = wishedFormat(request.url);
      const type = wished === null ? undefined : formatNamed(wished)?.mediaType;
      if (type !== undefined && type !== first && offered.includes(type)) request.answerType = type;
      if (wished !== null) return done();
    }
    if (accept === undefined || accept === '*/*' || accept === first) return done();
    const type = preferred(accept, offered);
    if (type === undefined) return done(new NotAcceptable(offered));
    if (type !== first) request.answerType = type;
    done();
  };
}

/**
 * Refuses a request that accepts none of the offered types. For routes that have only one format, or choose the format
 * themselves.
 */
export function requireAcceptable(offered: readonly string[]): Step {
  return ({ headers: { accept } }, _reply, done) =>
    preferred(accept, offered) === undefined ? done(new NotAcceptable(offered)) : done();
}

/** Checks the type of the body before it is read. Validation decides whether a body is required. */
export function requireMediaType(taken: readonly string[], isPatch = false): Step {
  const [first] = taken;
  return (request, reply, done) => {
    const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (hasBody) {
      if (type === first && encoding === undefined) return done();
      const [essence = '', ...parameters] = (type ?? '').toLowerCase().split(';');
      const charset = parameters
        .map((parameter) => /^charset="?([^"]*)"?$/.exec(parameter.trim())?.[1])
        .find(Boolean);
      const isTaken = taken.includes(essence.trim()) && (charset === undefined || charset === 'utf-8');
      if (!isTaken && isPatch) reply.header('accept-patch', taken.join(', '));
      if (!isTaken) return done(new UnsupportedMediaType(taken));
      if (encoding !== undefined && encoding !== 'identity') {
        return done(new UnsupportedMediaType(taken.map((name) => `${name} without Content-Encoding`)));
      }
    }
    done();
  };
}

/**
 * For operations without a body. Fastify would read a body with any method, if these headers say that there is one.
 * Nothing else needs the headers, so they are removed. Node discards the unread bytes.
 */
export const ignoreBody: Step = ({ raw: { headers } }, _reply, done) => {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
  done();
};

/** Refuses an anonymous caller without rights before the body is read. For all other callers the guard decides. */
export function refuseAnonymous(policy: Policy): Step {
  return (request, _reply, done) => {
    if (request.principal.kind !== 'anonymous') return done();
    try {
      policy.rowAccessOf(request.principal);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}
