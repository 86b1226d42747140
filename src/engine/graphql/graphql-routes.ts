import type { FastifyRequest, RouteOptions } from 'fastify';
import type { HttpConfig } from '../config/slices.js';
import { PRIVATE_VARY } from '../contract/caching.js';
import { readJson } from '../contract/json.js';
import { EVENT_STREAM } from '../contract/live-answer.js';
import { MethodNotAllowed, ValidationFailed } from '../errors/errors.js';
import { hookOf } from '../http/hook.js';
import { Origins, refuseOtherOrigins } from '../http/origins.js';
import type { RouteSet } from '../http/route-set.js';
import { onlyFor, refuseCrossSite, requireAcceptable, requireMediaType, type Step } from '../http/steps.js';
import { MAX_MESSAGE_BYTES } from './admission.js';
import { requireDocumentId } from './document-id.js';
import { idsOf } from '../contract/problem.js';
import { addRequestIds } from './errors.js';
import { SSE_PATH } from './graphql-sse.js';
import { PATH } from './handshake.js';
import { spanned } from './operation-span.js';
import type { QueryLane } from './query-lane.js';

/** @param graphiql the step that answers a browser with GraphiQL */
export function graphqlRoutes(graphiql: Step, lane: QueryLane): RouteSet {
  return {
    paths: { [PATH]: ['GET', 'POST'] },
    lay: (route, identify) => layGraphql(route, identify, graphiql, lane),
  };
}

/** GraphQL over server-sent events. */
export function graphqlSseRoutes(config: HttpConfig): RouteSet {
  return {
    paths: { [SSE_PATH]: ['GET', 'POST'] },
    lay: (route, identify) => layGraphqlSse(route, identify, config),
  };
}

function layGraphql(route: RouteOptions, identify: Step, graphiql: Step, lane: QueryLane): void {
  route.handler = spanned(lane.inFrontOf(route.handler));
  route.bodyLimit = MAX_MESSAGE_BYTES;
  route.onRequest = hookOf([
    graphiql,
    // GraphiQL has already answered its own HEAD requests. All other HEAD requests are refused, because they would
    // execute an operation without sending its result.
    onlyFor('HEAD', (request) => {
      throw new MethodNotAllowed(request.server.knownAddresses.methodsAt(PATH) ?? []);
    }),
    requireAcceptable(['application/json', 'application/graphql-response+json']),
    requireMediaType(['application/json']),
    identify,
    refuseCrossSite,
  ]);
  route.preValidation = (request: FastifyRequest, reply, done) => {
    reply.header('cache-control', 'private, no-cache').header('vary', PRIVATE_VARY);
    if (request.method !== 'POST') return done();
    request.server.loopGuard.mark(request);
    try {
      const { value, faults } = readJson((request.body as Uint8Array | undefined) ?? new Uint8Array());
      if (faults.length > 0) throw new ValidationFailed(faults);
      requireDocumentId(value);
      request.body = value;
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  route.onSend = (request: FastifyRequest, reply, payload, done) => {
    const text = typeof payload === 'string' ? addRequestIds(payload, idsOf(request)) : payload;
    // Apollo has set the length of its own text, and `text` is longer.
    if (text !== payload) reply.removeHeader('content-length');
    done(null, text);
  };
}

function layGraphqlSse(route: RouteOptions, identify: Step, config: HttpConfig): void {
  route.bodyLimit = MAX_MESSAGE_BYTES;
  route.onRequest = hookOf([
    requireAcceptable([EVENT_STREAM]),
    requireMediaType(['application/json']),
    identify,
    refuseCrossSite,
    refuseOtherOrigins(new Origins(config), () => true),
  ]);
}
