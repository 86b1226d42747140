import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { LogController, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { HttpConfig } from '../config/slices.js';
import { bodyOf, sendProblem } from './error.filter.js';
import type { ProblemCode } from '../errors/problem-kinds.js';
import { MAX_BODY_BYTES, problem } from '../contract/problem.js';
import { requestIdOf } from './request-id.js';
import { targetOf } from './request-target.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { presentResponse } from './node-server.js';
import { answerOnSocket } from './socket-answer.js';

const MAX_HEADER_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** A connection is closed after this time without traffic during a request, because the client does not read. */
const IDLE_TIMEOUT_MS = 120_000;
/**
 * The time for which a connection without a request is kept. Proxies keep an idle connection for a shorter time. So the
 * proxy closes the connection first, and never sends a request on a closed one.
 */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Connections above this number are closed at once, before file descriptors run out. */
const MAX_CONNECTIONS = 20_000;

/**
 * Makes the HTTP server with all its limits. A request that the server itself refuses also gets problem details.
 *
 * @param count counts an answer that no step sees
 * @param isUpgrade whether a request asks for a WebSocket and so leaves HTTP. A request that offers any other protocol,
 *   such as h2c, is answered over HTTP/1.1
 */
export function createAdapter(
  config: HttpConfig,
  logger: Logger,
  count: (method: string, status: number) => void,
  isUpgrade: (request: IncomingMessage) => boolean,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Making a logger for each request would cost more than writing the whole log. The request id is written where it
    // is needed.
    childLoggerFactory: () => logger,
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    trustProxy: config.trustProxy,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // This setting overrides the command line options of Node, because differences between two parsers allow request
      // smuggling.
      insecureHTTPParser: false,
      // The body of a request without Content-Length and Transfer-Encoding is ended at once, and has no events.
      optimizeEmptyRequests: true,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      // Node's own refusal has no body; see requireHost in host.ts.
      requireHostHeader: false,
      shouldUpgradeCallback: isUpgrade,
    },
    rewriteUrl: ({ url = '/' }) => targetOf(url),
    // While the service shuts down, requests on open connections are still answered; see leaving.ts.
    return503OnClosing: false,
    // engine/contract/input.ts reads the query, because it knows the parameters.
    routerOptions: { maxParamLength: 8192, querystringParser: () => ({}) },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(error, request, reply);
      count(request.method, reply.statusCode);
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
      const status = answerBrokenRequest(error, socket);
      if (status !== null) count('', status);
    },
  });
  const server = adapter.getInstance().server;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = requestIdOf(request);
    const text = problemText('EXPECTATION_FAILED', id, 'This service supports only Expect: 100-continue.');
    count(request.method ?? '', 417);
    response.shouldKeepAlive = false;
    response
      .writeHead(417, {
        ...SECURITY_HEADERS,
        'content-type': 'application/problem+json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
        'x-request-id': id,
      })
      .end(text);
  });
  return adapter;
}

/**
 * Answers a request that Node could not parse, or that did not come in time. There is only a socket to answer on.
 *
 * @returns the status; null if nothing can be answered
 */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): number | null {
  // If a response has been begun, our answer would be read as a part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || presentResponse(socket)?.headersSent) {
    socket.destroy();
    return null;
  }
  const [code, detail]: [ProblemCode, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [
          'HEADERS_TOO_LARGE',
          `The header section has more than ${MAX_HEADER_BYTES} bytes; it may have at most ${MAX_HEADER_BYTES}.`,
        ]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['REQUEST_TIMEOUT', 'The complete request did not arrive in time.']
        : ['MALFORMED_REQUEST', `The request is not valid HTTP/1.1 (${error.code ?? 'no reason known'}).`];
  const refusal = problem(code, detail, null);
  answerOnSocket(socket, refusal, '/', randomUUID());
  return refusal.status;
}

function problemText(code: ProblemCode, requestId: string, detail: string): string {
  return JSON.stringify(bodyOf(problem(code, detail, null), '/', { requestId, trace: null }));
}
