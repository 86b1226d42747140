import type { onSendHookHandler } from 'fastify';
import type { AnyRequest } from '../contract/any-request.js';
import type { HttpConfig } from '../config/slices.js';
import { VersionGone } from '../errors/errors.js';
import { OPERATIONS } from '../../generated/operations.js';
import { patternOf, type Addresses } from './addresses.js';
import type { Step } from './steps.js';
import { isOldEnded, OLD, SUCCESSOR } from './versions.js';

/** The addresses of version 1 that do not begin with `/api/`, such as `/users/{id}`. */
const SHORT_ADDRESSES = Object.values(OPERATIONS)
  .filter(({ version }) => version === OLD)
  .flatMap(({ paths }) => paths.filter((path) => !path.startsWith('/api/')))
  .map(patternOf);

/** The steps that announce the end of version 1, and refuse its requests after the end. */
export interface Deprecation {
  /** Announces the end and the successor on every answer of version 1, from any part of the service. */
  readonly announce: Step;
  /** Refuses requests after the end. */
  readonly refuse: Step;
  /** Adds the links of `announce` again, if a later step has removed them or replaced them by other links. */
  readonly addLinks: onSendHookHandler;
}

/**
 * Uses `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and the link relations `deprecation` and `successor-version`.
 * Returns null if the settings have no date for version 1.
 */
export function deprecationOf(
  { v1Deprecated, v1Sunset, publicUrl }: Pick<HttpConfig, 'v1Deprecated' | 'v1Sunset' | 'publicUrl'>,
  addresses: Addresses,
): Deprecation | null {
  if (v1Deprecated === null && v1Sunset === null) return null;
  const linksOf = (path: string): string => {
    const successor = successorOf(path);
    const docs = `<${publicUrl ?? ''}/docs>; rel="deprecation"; type="text/html"`;
    if (addresses.methodsAt(successor) === null) return docs;
    return `<${publicUrl ?? ''}${successor}>; rel="successor-version", ${docs}`;
  };
  return {
    announce: (request, reply) => {
      const path = pathOf(request);
      if (!isOld(path)) return;
      if (v1Deprecated) reply.header('deprecation', `@${Math.floor(v1Deprecated.getTime() / 1000)}`);
      if (v1Sunset) reply.header('sunset', v1Sunset.toUTCString());
      reply.header('link', linksOf(path));
    },
    refuse: (request) => {
      if (v1Sunset === null || !isOldEnded({ v1Sunset }) || !isOld(pathOf(request))) return;
      const since = v1Sunset.toISOString();
      throw new VersionGone(`Version ${OLD} of this interface ended at ${since}. Use ${SUCCESSOR}.`);
    },
    addLinks: (request, reply, payload, done) => {
      const path = pathOf(request);
      if (isOld(path)) {
        const links = linksOf(path);
        const own = reply.getHeader('link');
        if (own !== links) reply.header('link', typeof own === 'string' ? `${own}, ${links}` : links);
      }
      done(null, payload);
    },
  };
}

function isOld(path: string): boolean {
  const version = /^\/api(?:\/(v\d+))?(?:\/|$)/.exec(path);
  if (version) return (version[1] ?? OLD) === OLD;
  return SHORT_ADDRESSES.some((pattern) => pattern.test(path));
}

function successorOf(path: string): string {
  return `/api/${SUCCESSOR}${path.replace(/^\/api(?:\/v1)?(?=\/|$)/, '')}`;
}

function pathOf({ url }: AnyRequest): string {
  return url.split('?', 1)[0] as string;
}
