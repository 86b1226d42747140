import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SpanForm, within, type Attributes, type Span, type TraceName } from '../tracing/span.js';
import { traceParentIn } from '../tracing/trace-parent.js';
import type { Tracer } from '../tracing/tracer.js';
import type { AnyRequest } from '../contract/any-request.js';
import { pathOf } from './log.js';
import { methodOf, templateOf } from './request-metrics.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null if its trace is not recorded. */
    span: Span | null;
    /** The trace of the request, which the caller may have begun; null if traces are off, or if there is none. */
    trace: TraceName | null;
  }
}

const LONGEST_PATH = 256;
/** The values of `X-Forwarded-Proto` that mean TLS. Some proxies send `wss` for a WebSocket. */
const SECURE: ReadonlySet<string> = new Set(['https', 'wss']);

/** A request with its protocol, which the form of its span needs. */
type Traced = AnyRequest & Pick<FastifyRequest, 'protocol'>;

/**
 * Begins a span for each request whose trace is recorded. Call this before other hooks are added. Without this call,
 * Fastify has no hook for traces.
 *
 * @param isTraced whether a request has got its trace already, in front of Fastify
 */
export function traceRequests(
  fastify: FastifyInstance,
  tracer: Tracer,
  isTraced: (request: FastifyRequest) => boolean,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const span = isTraced(request) ? null : beginSpan(tracer, request, reply.raw);
    if (span === null) done();
    else within(span, done);
  });
}

/**
 * Gives a request its trace.
 *
 * @returns its span, which ends with the response or when a stream of events begins; null if the trace is not recorded
 */
export function beginSpan(tracer: Tracer, request: Traced, response: ServerResponse): Span | null {
  const parent = traceParentIn(request.headers['traceparent']);
  if (parent !== null) request.trace = { id: parent.traceId };
  if (!tracer.isRecorded(parent)) return null;
  const span = tracer.begin(formOf(request), attributesOf(request), parent);
  request.span = span;
  request.trace = span.trace;
  // Node emits `close` after the answer, and also when the client leaves before the answer.
  response.on('close', () => endSpan(request, { raw: response }));
  return span;
}

/** Ends the span of a request. A stream of events calls this when it begins, because it may last for days. */
export function endSpan({ span }: Pick<FastifyRequest, 'span'>, { raw }: Pick<FastifyReply, 'raw'>): void {
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

function attributesOf(request: Traced): Attributes {
  return { 'url.path': pathOf(request).slice(0, LONGEST_PATH), 'store.request_id': request.id };
}

/**
 * The forms of spans, by the protocol, by the method that the client sent, and by the route. The number of each is
 * bounded, because Node accepts only the methods that it knows.
 */
const forms = { http: new Map<string, Forms>(), https: new Map<string, Forms>() };

type Forms = Map<string | undefined, SpanForm>;

function formOf({ protocol, method, is404, routeOptions }: Traced): SpanForm {
  const route = is404 ? undefined : routeOptions.url;
  const scheme = SECURE.has(protocol) ? 'https' : 'http';
  return forms[scheme].get(method)?.get(route) ?? remember(scheme, method, route);
}

function remember(scheme: keyof typeof forms, sent: string, route: string | undefined): SpanForm {
  const method = methodOf(sent);
  const template = route === undefined ? null : templateOf(route);
  const form = new SpanForm(template === null ? method : `${method} ${template}`, 'server', {
    'http.request.method': method,
    ...(template !== null && { 'http.route': template }),
    'url.scheme': scheme,
  });
  const known: Forms = forms[scheme].get(sent) ?? new Map();
  forms[scheme].set(sent, known.set(route, form));
  return form;
}
