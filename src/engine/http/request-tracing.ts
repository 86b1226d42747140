import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { within, type Attributes, type Span } from '../tracing/span.js';
import { traceParentIn } from '../tracing/trace-parent.js';
import type { Tracer } from '../tracing/tracer.js';
import { pathOf } from './log.js';
import { methodOf, templateOf } from './request-metrics.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null if its trace is not recorded. */
    span: Span | null;
    /** The trace of the request, which the caller may have begun; null if traces are off, or if there is none. */
    traceId: string | null;
  }
}

const LONGEST_PATH = 256;

/**
 * Begins a span for each request whose trace is recorded. Call this before other hooks are added. Without it, the
 * server does nothing for traces.
 */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const parent = traceParentIn(request.headers['traceparent']);
    if (parent !== null) request.traceId = parent.traceId;
    if (!tracer.isRecorded(parent)) return done();
    const method = methodOf(request.method);
    const { url: route } = request.routeOptions;
    const template = request.is404 || route === undefined ? null : templateOf(route);
    const span = tracer.begin(
      template === null ? method : `${method} ${template}`,
      'server',
      attributesOf(request, method, template),
      parent,
    );
    request.span = span;
    request.traceId = span.traceId;
    // This comes after the answer, and also when the client leaves before it.
    reply.raw.once('close', () => endSpan(request, reply));
    within(span, done);
  });
}

/** Ends the span of a request. A stream of events calls this when it begins, because it may last for days. */
export function endSpan({ span }: FastifyRequest, { raw }: FastifyReply): void {
  if (span === null || span.endedAt !== null) return;
  if (raw.headersSent) {
    span.attributes['http.response.status_code'] = raw.statusCode;
    if (raw.statusCode >= 500) {
      span.attributes['error.type'] = String(raw.statusCode);
      span.isFailed = true;
    }
  } else span.attributes['error.type'] = 'client_left';
  span.end();
}

function attributesOf(request: FastifyRequest, method: string, template: string | null): Attributes {
  const attributes: Attributes = {
    'http.request.method': method,
    'url.path': pathOf(request).slice(0, LONGEST_PATH),
    'url.scheme': request.protocol,
    'store.request_id': request.id,
  };
  if (template !== null) attributes['http.route'] = template;
  return attributes;
}
