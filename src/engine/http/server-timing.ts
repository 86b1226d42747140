import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The time in milliseconds until access was decided and the service began to read the body. Null if the request did
     * not get that far, or is not timed.
     */
    admittedAfter: number | null;
    /** The time in milliseconds until the body was read; null as for `admittedAfter`. */
    readAfter: number | null;
  }
}

/**
 * Adds `Server-Timing` (W3C) to all answers, also to refusals. Streams of events, WebSockets and the addresses below
 * `/oauth` do not have it. Scripts of the origins in `STORE_CORS_ORIGINS` may read it (`Timing-Allow-Origin`), because
 * they may read the answer as well.
 *
 * The header is set when an answer is sent, and no stored part of an answer contains it. `app` and `total` end before
 * the answer is compressed.
 */
export function timeRequests(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    request.admittedAfter = reply.elapsedTime;
    done(null, payload);
  });
  fastify.addHook('preValidation', (request, reply, done) => {
    request.readAfter = reply.elapsedTime;
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { admittedAfter, readAfter, server } = request;
    const total = reply.elapsedTime;
    const parts: [name: string, ms: number][] = [];
    if (admittedAfter !== null) parts.push(['access', admittedAfter]);
    if (admittedAfter !== null && readAfter !== null) {
      parts.push(['body', readAfter - admittedAfter], ['app', total - readAfter]);
    }
    parts.push(['total', total]);
    reply.header('server-timing', parts.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', '));
    const allowed = server.crossOrigin.allowed(request.headers.origin);
    if (allowed !== null) reply.header('timing-allow-origin', allowed);
    done(null, payload);
  });
}
