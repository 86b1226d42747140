import type { FastifyReply } from 'fastify';
import type { HttpConfig } from '../config/slices.js';
import { OPERATIONS } from '../../generated/operations.js';
import type { Step } from './steps.js';
import type { AnyRequest } from '../contract/any-request.js';

declare module 'fastify' {
  interface FastifyInstance {
    crossOrigin: CrossOrigin;
  }
}

/** Chromium caches a preflight result for two hours at most. */
const MAX_AGE_SECONDS = 7_200;

/** The request headers that scripts may send, besides those that the operations name. */
const SENT = ['Accept', 'Authorization', 'Content-Type', 'Last-Event-ID', 'X-API-Key', 'X-Request-Id'];
/**
 * The response headers that scripts may read, besides those that the operations name: headers of refusals, of OPTIONS,
 * and of a version that will end.
 */
const TOLD = ['Accept-Patch', 'Allow', 'Deprecation', 'Retry-After', 'Sunset', 'WWW-Authenticate'];

const operations = Object.values(OPERATIONS);
const ALLOWED_HEADERS = listed([
  ...SENT,
  ...operations.flatMap(({ headers }) => Object.keys(headers?.kinds ?? {})),
]);
const EXPOSED_HEADERS = listed([...TOLD, ...operations.flatMap(({ answer }) => answer.headers)]);

/**
 * Decides which scripts of other sites may use the service (CORS, in the Fetch standard). Such scripts send their
 * credentials in headers, because no request with cookies is allowed.
 */
export class CrossOrigin {
  constructor(private readonly origins: HttpConfig['corsOrigins']) {}

  allows(origin: string | undefined): boolean {
    if (this.origins === null || origin === undefined) return false;
    return this.origins === '*' || this.origins.has(origin);
  }

  /** The value of a header that allows this origin; null if it is not allowed. */
  allowed(origin: string | undefined): string | null {
    if (origin === undefined || !this.allows(origin)) return null;
    return this.origins === '*' ? '*' : origin;
  }

  /** Whether answers depend on the origin of the request. */
  get isChoosy(): boolean {
    return this.origins !== null && this.origins !== '*';
  }

  /** Tells the browser whether the script may read the answer. */
  mark({ headers: { origin } }: AnyRequest, reply: FastifyReply): void {
    if (this.isChoosy) reply.header('vary', 'Origin');
    const allowed = this.allowed(origin);
    if (allowed === null) return;
    reply
      .header('access-control-allow-origin', allowed)
      .header('access-control-expose-headers', EXPOSED_HEADERS);
  }

  /**
   * Answers a preflight request without counting it. A preflight request carries no credential. If it were counted, it
   * would be counted for the address, although the request that follows is counted for its caller.
   */
  readonly answerPreflight: Step = (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers;
    const isAsked = request.method === 'OPTIONS' && method !== undefined && this.allows(origin);
    const methods = isAsked
      ? request.server.knownAddresses.methodsAt(request.url.split('?', 1)[0] as string)
      : null;
    if (!methods) return;
    reply
      .code(204)
      .headers({
        allow: methods.join(', '),
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': MAX_AGE_SECONDS,
      })
      .send();
  };
}

/** Adds `Origin` to the final value of `Vary`. */
export function alsoVaryingByOrigin(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (typeof vary !== 'string') reply.header('vary', 'Origin');
  else if (!/\borigin\b/i.test(vary)) reply.header('vary', `${vary}, Origin`);
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].toSorted().join(', ');
}
