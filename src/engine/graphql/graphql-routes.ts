import type { FastifyReply, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { HttpConfig } from '../config/slices.js';
import { PRIVATE_VARY } from '../contract/caching.js';
import { readJson } from '../contract/json.js';
import { EVENT_STREAM } from '../contract/live-answer.js';
import { MethodNotAllowed, StoreError, ValidationFailed } from '../errors/errors.js';
import type { Soon } from '../../generated/contract.js';
import { hookOf } from '../http/hook.js';
import { confirmCaller } from '../http/identification.js';
import { Origins, refuseForged, refuseOtherOrigins } from '../http/origins.js';
import type { RouteSet } from '../http/route-set.js';
import { onlyFor, requireAcceptable, requireMediaType, type Step } from '../http/steps.js';
import { MAX_MESSAGE_BYTES } from './admission.js';
import { requireDocumentId } from './document-id.js';
import { idsOf } from '../contract/problem.js';
import { addRequestIds } from './errors.js';
import { SSE_PATH } from './graphql-sse.js';
import { PATH } from './handshake.js';
import { spanned } from './operation-span.js';
import type { QueryLane } from './query-lane.js';
import type { AnyRequest } from '../contract/any-request.js';

/** @param graphiql the step that answers a browser with GraphiQL */
export function graphqlRoutes(config: HttpConfig, graphiql: Step, lane: QueryLane): RouteSet {
  return {
    paths: { [PATH]: ['GET', 'POST'] },
    lay: (route, identify) => layGraphql(route, stepsOf(identify, new Origins(config), graphiql), lane),
    plainPost: (identify) => ({
      path: PATH,
      maxBytes: MAX_MESSAGE_BYTES,
      steps: stepsOf(identify, new Origins(config), graphiql),
      answer: (request, reply, body) => answerPlainly(request, reply, body, lane),
    }),
  };
}

/** GraphQL over server-sent events. */
export function graphqlSseRoutes(config: HttpConfig): RouteSet {
  return {
    paths: { [SSE_PATH]: ['GET', 'POST'] },
    lay: (route, identify) => layGraphqlSse(route, identify, config),
  };
}

function stepsOf(identify: Step, origins: Origins, graphiql: Step): readonly Step[] {
  return [
    graphiql,
    // GraphiQL has already answered its own HEAD requests. All other HEAD requests are refused, because they would
    // execute an operation without sending its result.
    onlyFor('HEAD', (request) => {
      throw new MethodNotAllowed(request.server.knownAddresses.methodsAt(PATH) ?? []);
    }),
    requireAcceptable(['application/json', 'application/graphql-response+json']),
    requireMediaType(['application/json']),
    identify,
    refuseForged(origins),
  ];
}

function layGraphql(route: RouteOptions, steps: readonly Step[], lane: QueryLane): void {
  route.handler = lane.inFrontOf(spanned(withUsualOrigin(route.handler)));
  route.bodyLimit = MAX_MESSAGE_BYTES;
  route.onRequest = hookOf(steps);
  route.preValidation = hookOf([
    (_request, reply) => setCaching(reply),
    onlyFor('POST', confirmCaller),
    onlyFor('POST', (request) => {
      request.server.loopGuard.mark(request);
      request.body = payloadIn((request.body as Uint8Array | undefined) ?? new Uint8Array());
    }),
  ]);
  route.onSend = (request: AnyRequest, reply, payload, done) => {
    const text = typeof payload === 'string' ? addRequestIds(payload, idsOf(request)) : payload;
    // Apollo has set the length of its own text, and `text` is longer.
    if (text !== payload) reply.removeHeader('content-length');
    done(null, text);
  };
}

const USUAL_ORIGIN = { protocol: { value: 'http' }, hostname: { value: 'localhost' } };

/**
 * Hides the origin of a request from Apollo. Apollo makes a URL of the origin and the target, and reads only its query.
 * A request without a host has no valid origin, and a trusted proxy may send any text as `X-Forwarded-Proto`.
 */
function withUsualOrigin(apollo: RouteHandlerMethod): RouteHandlerMethod {
  return function handle(request, reply) {
    Object.defineProperties(request, USUAL_ORIGIN);
    return apollo.call(this, request, reply);
  };
}

/** Lets the `QueryLane` answer without Fastify. Returns null if it cannot, and for all errors of the body. */
function answerPlainly(
  request: AnyRequest,
  reply: FastifyReply,
  body: Buffer,
  lane: QueryLane,
): Soon<string> | null {
  request.server.loopGuard.mark(request);
  try {
    request.body = payloadIn(body);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
  setCaching(reply);
  return lane.answerQuery(request, reply);
}

function setCaching(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-cache').header('vary', PRIVATE_VARY);
}

/** @throws MalformedRequest, ValidationFailed */
function payloadIn(body: Uint8Array): unknown {
  const { value, faults } = readJson(body);
  if (faults.length > 0) throw new ValidationFailed(faults);
  requireDocumentId(value);
  return value;
}

function layGraphqlSse(route: RouteOptions, identify: Step, config: HttpConfig): void {
  const origins = new Origins(config);
  route.bodyLimit = MAX_MESSAGE_BYTES;
  route.onRequest = hookOf([
    requireAcceptable([EVENT_STREAM]),
    requireMediaType(['application/json']),
    identify,
    refuseForged(origins),
    refuseOtherOrigins(origins, () => true),
  ]);
}
