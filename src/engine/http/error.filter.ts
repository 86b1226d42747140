import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { challengesFor, lackOf } from '../access/challenges.js';
import { hasCredential } from '../access/credentials.js';
import { withMetadata } from '../access/resource-metadata.js';
import { VARY } from '../contract/caching.js';
import {
  Forbidden,
  IdempotencyKeyInUse,
  MethodNotAllowed,
  RateLimited,
  Unavailable,
} from '../errors/errors.js';
import type { ProblemBody } from '../formats/format.js';
import { problemFormatOf } from '../formats/negotiation.js';
import { beginAnswer } from './steps.js';
import { isOfOld } from './versions.js';
import { viewOf } from '../formats/site.js';
import { idsOf, problemOf, report, type Problem, type RequestIds } from '../contract/problem.js';

/**
 * Answers every error of the HTTP interface with problem details (RFC 9457). It does not matter which part threw the
 * error.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    // GraphQL has its own form for errors; see engine/graphql/errors.ts.
    if (host.getType<'http' | 'graphql'>() === 'graphql') throw error;
    sendProblem(error, host.getArgByIndex<FastifyRequest>(0), host.getArgByIndex<FastifyReply>(1));
  }
}

const OF_SUCCESS = [
  'etag',
  'location',
  'link',
  'x-total-count',
  'last-modified',
  'idempotent-replayed',
  'preference-applied',
  'content-disposition',
];

/** Sends a problem. The server also calls this function for requests that Fastify refuses before Nest gets them. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error, {
    length: request.headers['content-length'],
    bound: request.routeOptions.bodyLimit,
  });
  if (!isCausedByLeaving(error, reply)) report(problem, request.id);
  if (reply.sent) return;
  // A request that Fastify itself refuses has passed no step, so its answer has no headers yet.
  if (!reply.hasHeader('x-request-id')) beginAnswer(request, reply);
  // An answer that failed in its last steps may have set these headers already.
  for (const name of OF_SUCCESS) reply.removeHeader(name);
  const format = problemFormatOf(request);
  const body = bodyOf(problem, request.url.split('?', 1)[0] as string, idsOf(request));
  if (format.name === 'html' && problem.status === 401 && isOpened(request)) {
    return askForCredential(format, body, request, reply);
  }
  const headers = headersOf(problem, request, format.name === 'html');
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  const challenges = reply.getHeader('www-authenticate');
  if (problem.status === 401 && typeof challenges === 'string') {
    reply.header('www-authenticate', withMetadata(challenges, request.server.resourceMetadata));
  }
  const { encode } = format.problem;
  void reply
    .code(problem.status)
    .headers(format.headers)
    .type(`${format.problem.mediaType}; charset=utf-8`)
    .serializer((problemBody: ProblemBody) => encode(problemBody, viewOf(request, reply)))
    .send(body);
}

/** Whether the client has left while its answer was sent. This is no error of the service. */
function isCausedByLeaving(error: unknown, { raw }: FastifyReply): boolean {
  return (
    raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
  );
}

/**
 * Answers with the page that asks for a credential. The status is 200, so that the browser's console shows no error.
 */
function askForCredential(
  format: ReturnType<typeof problemFormatOf>,
  body: ProblemBody,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const page = format.problem.encode(body, { ...viewOf(request, reply), asksForCredential: true });
  // Fastify does not serialise a string. The serialiser of the operation handles objects only.
  void reply
    .code(200)
    .removeHeader('www-authenticate')
    .headers({ ...format.headers, 'cache-control': 'no-store', vary: VARY })
    .type(`${format.problem.mediaType}; charset=utf-8`)
    .send(page);
}

/** Whether a browser navigates to the address (Fetch Metadata) without a credential. */
function isOpened({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !hasCredential(headers);
}

/** The members of problem details, in the order of the contract. */
export function bodyOf(
  problem: Problem,
  path: string,
  { requestId, trace }: RequestIds,
): Record<string, unknown> {
  const { type, title, status, detail, code, faults } = problem;
  // A path may be as long as the request line, and may contain characters that are not allowed in a URI.
  const whole = absolute(path);
  const known = decodeSafely(whole);
  // Version 1 is frozen, so it does not have the member `trace_id`. The contract says so by `x-since`.
  const showsTrace = trace !== null && !isOfOld(whole) && !isOfOld(known);
  return {
    type,
    title,
    status,
    detail,
    instance: instanceOf(whole),
    code,
    request_id: requestId,
    ...(showsTrace && { trace_id: trace.id }),
    ...(faults.length > 0 && { errors: faults }),
  };
}

/**
 * A path that begins with two slashes gets `/.` before it, because two slashes would begin the name of a host. A target
 * that is not a path, such as `*`, becomes `/`.
 */
function absolute(path: string): string {
  if (!path.startsWith('/')) return '/';
  return path.startsWith('//') ? `/.${path}` : path;
}

const LONGEST_INSTANCE = 2_000;
/** The escapes that mean something else than their character (RFC 3986, section 2.2), and the escape of `%`. */
const KEPT_ESCAPES = /(%(?:2[3-6BCF]|3[ABDF]|40))/i;

/** A path as a URI reference; `/` if its escapes are not UTF-8. */
function instanceOf(path: string): string {
  try {
    const parts = path.split(KEPT_ESCAPES);
    const whole = parts.map((part, index) => (index % 2 === 1 ? part : encodeURI(decodeURI(part)))).join('');
    // If the last escape was cut, it is left out.
    return whole.slice(0, LONGEST_INSTANCE).replace(/%[0-9A-F]?$/i, '');
  } catch {
    return '/';
  }
}

function decodeSafely(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return '/';
  }
}

/** RFC 9110 requires a challenge with 401 and `Allow` with 405, and defines `Retry-After`. */
function headersOf(
  { status, detail, cause }: Problem,
  { headers: asked }: FastifyRequest,
  isPage: boolean,
): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store', vary: VARY };
  if (status === 401) headers['www-authenticate'] = challengesFor(asked, detail, isPage);
  if (cause instanceof Forbidden && cause.scopes.length > 0) {
    headers['www-authenticate'] = lackOf(cause.scopes, asked);
  }
  if (cause instanceof MethodNotAllowed) headers['allow'] = cause.allowed.join(', ');
  if (cause instanceof RateLimited) headers['retry-after'] = String(cause.retryAfterSeconds);
  if (status === 503 || cause instanceof IdempotencyKeyInUse)
    headers['retry-after'] = String(cause instanceof Unavailable ? cause.retryAfterSeconds : 1);
  return headers;
}
