import type { FastifyInstance, RouteOptions } from 'fastify';
import { resourceMetadataOf } from '../access/resource-metadata.js';
import { operationPolicy } from '../access/policy.js';
import type { HttpConfig } from '../config/slices.js';
import { cachingOf, notStored } from '../contract/caching.js';
import { answerOf } from '../contract/answer.js';
import type { Cursors } from '../contract/cursors.js';
import { EVENT_STREAM } from '../contract/live-answer.js';
import type { Representations } from '../contract/representation.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import { refuseAmbiguous } from './ambiguity.js';
import { alsoVaryingByOrigin, CrossOrigin } from './cross-origin.js';
import { deprecationOf } from './deprecation.js';
import { compress, requireCoding } from './compression.js';
import { requireHost } from './host.js';
import { hookOf } from './hook.js';
import { confirmCaller, type Identification } from './identification.js';
import { Origins, refuseForged, refuseOtherOrigins, refuseUnasked } from './origins.js';
import type { Currency } from '../values/currency.js';
import type { LoopGuard } from './loop-guard.js';
import { Addresses } from './addresses.js';
import type { AfterAnswer } from './after-answer.js';
import type { Lanes } from './lane.js';
import type { PlainPosts } from './plain-posts.js';
import { PlainReads, type Read } from './plain-reads.js';
import type { RequestMetrics } from './request-metrics.js';
import type { RouteSet } from './route-set.js';
import { securityHeadersOf } from './security-headers.js';
import { timeRequests } from './server-timing.js';
import { servedVersions, shownVersion } from './versions.js';
import {
  answerOrRefuseMethod,
  chooseMediaType,
  ignoreBody,
  limitCredential,
  limitUrl,
  nameRequest,
  onlyFor,
  refuseAnonymous,
  refuseOtherAddresses,
  requireMediaType,
  prepareBody,
} from './steps.js';
import { joinVisitor } from './visitor.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `@Operation` sets this member. */
    operation?: OperationId;
  }
  interface FastifyInstance {
    readonly knownAddresses: Addresses;
    readonly loopGuard: LoopGuard;
    /** See `Identification.confirm`. */
    readonly confirmCaller: Identification['confirm'];
    /** See `Identification.confirmNow`. */
    readonly confirmCallerNow: Identification['confirmNow'];
  }
  interface FastifyRequest {
    /** The media type of the answer, if it is not the first one that its operation offers. */
    answerType: string | null;
  }
}

export interface Parts {
  readonly config: HttpConfig;
  readonly currency: Currency;
  readonly identification: Identification;
  readonly guard: LoopGuard;
  readonly lanes: Lanes;
  readonly requests: RequestMetrics;
  readonly logAccess: AfterAnswer;
  /** Null if Fastify has to answer all requests. */
  readonly plainReads: PlainReads | null;
  /** Null if Fastify has to answer all requests with a body. */
  readonly plainPosts: PlainPosts | null;
  readonly representations: Representations;
  readonly cursors: Cursors;
  /** The routes besides the operations of the contract. */
  readonly routeSets: readonly RouteSet[];
  /** The page around an answer for a browser; null when the pages were not built. */
  readonly shell: string | null;
}

/**
 * Lays out the steps of every request, so that they refuse requests in the order that the contract gives. These steps
 * see every request, even a request without an operation. The function of the operation (lane.ts) comes last: Nest's
 * guard (403), the validation that `@Operation` puts around the handler (400), the handler, and the answer.
 */
export function layPipeline(fastify: FastifyInstance, parts: Parts): void {
  const { identification, requests, logAccess, plainReads, plainPosts, routeSets } = parts;
  const addresses = new Addresses(routeSets);
  // The body stays bytes until access is decided, so that a caller without rights is not told what is wrong with its
  // JSON.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  fastify.decorateRequest('principal');
  fastify.decorateRequest('checked', null);
  fastify.decorateRequest('answerType', null);
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('subject', null);
  fastify.decorateRequest('underWay', null);
  fastify.decorateRequest('list', null);
  fastify.decorateRequest('isCounted', false);
  fastify.decorateRequest('span', null);
  fastify.decorateRequest('visitor', null);
  fastify.decorateRequest('trace', null);
  fastify.decorateRequest('admittedAfter', null);
  fastify.decorateRequest('readAfter', null);
  fastify.decorate('knownAddresses', addresses);
  fastify.decorate('loopGuard', parts.guard);
  fastify.decorate('confirmCaller', identification.confirm);
  fastify.decorate('confirmCallerNow', identification.confirmNow);
  fastify.decorate('cursors', parts.cursors);
  fastify.decorate('requiresCondition', parts.config.requireIfMatch);
  fastify.decorate('resourceMetadata', resourceMetadataOf(parts.config));
  fastify.decorate('securityHeaders', securityHeadersOf(parts.config));
  fastify.decorate('site', {
    publicUrl: parts.config.publicUrl,
    currency: parts.currency,
    shell: parts.shell,
    get version() {
      return shownVersion(parts.config);
    },
  });
  const crossOrigin = new CrossOrigin(parts.config.corsOrigins);
  fastify.decorate('crossOrigin', crossOrigin);
  const deprecation = deprecationOf(parts.config, addresses);
  const steps = [
    nameRequest,
    crossOrigin.answerPreflight,
    ...(deprecation ? [deprecation.announce] : []),
    identification.countAddress,
    limitUrl,
    limitCredential,
    refuseAmbiguous,
    requireHost,
    ...(deprecation ? [deprecation.refuse] : []),
    onlyFor('OPTIONS', identification.identify),
    answerOrRefuseMethod(() => servedVersions(parts.config)),
  ];
  const first = plainReads === null ? [joinVisitor] : [joinVisitor, plainReads.takeOver];
  const hook = hookOf([...first, ...steps]);
  fastify.addHook('onRequest', plainPosts?.skipping(hook) ?? hook);
  if (parts.config.serverTiming) timeRequests(fastify);
  if (deprecation) fastify.addHook('onSend', deprecation.addLinks);
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.visitor === null) logAccess(request, reply);
    identification.conclude(request);
    if (request.is404 && !request.isCounted)
      requests.count(request.method, undefined, reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
  if (crossOrigin.isChoosy) {
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      alsoVaryingByOrigin(reply);
      done(null, payload);
    });
  }
  fastify.addHook('onRoute', (route) => {
    const count = requests.counterOf(route.url);
    route.onResponse = (request, reply, done) => {
      count(request, reply);
      done();
    };
    if (route.method !== 'GET') route.preParsing = prepareBody;
    const conclude: AfterAnswer = (request, reply) => {
      logAccess(request, reply);
      identification.conclude(request);
      count(request, reply);
    };
    const operation = route.config?.operation;
    if (!operation) {
      const routeSet = routeSets.find(({ paths }) => Object.hasOwn(paths, route.url));
      if (!routeSet)
        throw new Error(
          `The route ${String(route.method)} ${route.url} is neither in openapi.yaml nor in a RouteSet.`,
        );
      routeSet.lay?.(route, identification.identify, identification.countIgnoring);
      const post = plainPosts === null ? undefined : routeSet.plainPost?.(identification.identify);
      if (post?.path === route.url)
        plainPosts?.lay(route, { ...post, steps: [...steps, ...post.steps], conclude });
      return;
    }
    const read = layOperation(route, operation, parts, addresses);
    if (read === null || route.method === 'HEAD') return;
    plainReads?.add({ ...read, steps: [...steps, ...read.steps], conclude });
  });
}

function layOperation(
  route: RouteOptions,
  operation: OperationId,
  { config, currency, identification, lanes, representations }: Parts,
  addresses: Addresses,
): Omit<Read, 'conclude'> | null {
  const row = OPERATIONS[operation];
  const { shape, mediaTypes } = row.answer;
  const answer = answerOf(row, route.url, representations, config.publicUrl, config.sharedCacheSeconds);
  if (row.body) {
    route.bodyLimit = row.body.maxBytes;
    route.preValidation = hookOf([confirmCaller]);
    Object.assign(route.config as object, { currency });
  }
  if (row.body && row.version && row.answer.entity) {
    Object.assign(route.config as object, { present: representations.of(row.version, row.answer.entity) });
  }
  const others = addresses.lacking(row.method, route.url);
  const charge = identification.charge(row);
  const origins = new Origins(config);
  const steps = [
    ...(others.size > 0 ? [refuseOtherAddresses(others)] : []),
    ...(shape === 'none'
      ? []
      : [chooseMediaType(mediaTypes, row.query !== null && 'format' in row.query.kinds)]),
    ...(row.method === 'GET' && row.statuses.includes(406) ? [requireCoding] : []),
    ...(row.body ? [requireMediaType(row.body.mediaTypes, row.method === 'PATCH')] : []),
    // Fastify reads no body of a GET request.
    ...(row.body || row.method === 'GET' ? [] : [ignoreBody]),
    identification.identify,
    ...(charge ? [charge] : []),
    ...(row.body ? [refuseAnonymous(operationPolicy(row))] : []),
    refuseForged(origins),
    refuseUnasked(origins),
    ...(mediaTypes.includes(EVENT_STREAM)
      ? [refuseOtherOrigins(origins, (type) => type === EVENT_STREAM)]
      : []),
  ];
  route.onRequest = hookOf(steps);
  const [mediaType] = mediaTypes;
  // If the first format of an operation is not JSON, its handler returns a finished text. With the type set, Fastify
  // sends the text as it is.
  if (shape === 'plain' && mediaType !== undefined && mediaType !== 'application/json') {
    const setCaching = cachingOf(row, 0);
    route.preHandler = (request, reply, done) => {
      reply.type(`${mediaType}; charset=utf-8`);
      setCaching(request, reply);
      done();
    };
  } else if (shape === 'none') {
    route.preHandler = (request, reply, done) => {
      notStored(request, reply);
      done();
    };
  }
  if (row.method === 'GET') route.onSend = compress;
  route.handler = lanes.handlerOf(row, route.url, answer);
  return PlainReads.takes(row, route.url) ? { url: route.url, steps, call: lanes.callOf(row), answer } : null;
}
