import type { FastifyRequest } from 'fastify';
import type { ApiRequest } from '../../engine/browse/sent-form.js';
import { isObject, type ProblemBody } from '../../engine/formats/format.js';
import { forVisitor } from '../../engine/http/visitor.js';
import { traceParentOf } from '../../engine/tracing/trace-parent.js';

/**
 * The headers that are copied from the request of the visitor. They name the visitor, the service and the trace. So the
 * API treats the new request as if the visitor sent it.
 */
const PASSED_ON = [
  'authorization',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'traceparent',
  'x-api-key',
] as const;

export interface Answer {
  readonly status: number;
  readonly body: ProblemBody;
  /** The path of the created row. */
  readonly location: string | null;
  readonly etag: string | null;
}

/**
 * Makes a request to the API in this process, in the name of the visitor. The new request belongs to the request of the
 * visitor (`forVisitor`).
 */
export async function ask(
  visitor: FastifyRequest,
  {
    method,
    url,
    headers: own,
    payload,
  }: Omit<ApiRequest, 'method' | 'payload'> & {
    readonly method: ApiRequest['method'] | 'GET';
    readonly payload?: string | undefined;
  },
): Promise<Answer> {
  const { server, headers, socket, span } = visitor;
  const passed = PASSED_ON.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  );
  // Fastify begins an injected request only when the request is awaited. So the callback awaits the request.
  const answer = await forVisitor(visitor, async () => {
    const made = await server.inject({
      method,
      url,
      headers: {
        ...Object.fromEntries(passed),
        ...(span !== null && { traceparent: traceParentOf(span) }),
        ...own,
      },
      remoteAddress: socket.remoteAddress ?? '',
      ...(payload !== undefined && { payload }),
    });
    return made;
  });
  const { location, etag } = answer.headers;
  const body: unknown = answer.payload === '' ? {} : answer.json();
  return {
    status: answer.statusCode,
    body: isObject(body) ? body : {},
    location: typeof location === 'string' ? new URL(location, 'http://own.invalid').pathname : null,
    etag: typeof etag === 'string' ? etag : null,
  };
}
