import { HttpException, Logger } from '@nestjs/common';
import { DatabaseUnavailable, faultOf } from '../database/faults.js';
import { ClientLeft, StoreError, type Fault } from '../errors/errors.js';
import type { TraceName } from '../tracing/span.js';
import { PROBLEMS, type ProblemCode, type ProblemKind } from '../errors/problem-kinds.js';

/** The maximum size of a body, if the contract states no other size. */
export const MAX_BODY_BYTES = 16_384;

/** The size of a body that the framework refuses as too large, and the maximum size of this body. */
export interface BodySize {
  /** The value of Content-Length. */
  readonly length: string | undefined;
  readonly bound: number;
}

const logger = new Logger('Error');

/** The ids of a request, by which an operator finds it. An error shows them. */
export interface RequestIds {
  /** The id in the log. */
  readonly requestId: string;
  /** The trace of the request, which the caller may have begun; null if traces are off, or if there is none. */
  readonly trace: TraceName | null;
}

/** @param request a request of Fastify. It has no `trace` if Fastify cannot read its address, and so runs no step. */
export function idsOf({ id, trace }: { readonly id: string; readonly trace?: TraceName | null }): RequestIds {
  return { requestId: id, trace: trace ?? null };
}

/** The meaning of a thrown error. It does not depend on the protocol of the answer. */
export interface Problem extends ProblemKind {
  readonly code: ProblemCode;
  /** The address of the description of this kind of problem, without the origin of the service. */
  readonly type: string;
  /** Public: the description of this occurrence. */
  readonly detail: string;
  readonly faults: readonly Fault[];
  /** The thrown error itself, for the log. Some kinds of errors also have data for the answer. */
  readonly cause: unknown;
}

/** The only place that decides the meaning of an error. An unknown error is a bug, and its details are not shown. */
export function problemOf(error: unknown, body?: BodySize): Problem {
  if (error instanceof StoreError) return problem(error.code, error.message, error, error.faults);
  if (error instanceof DatabaseUnavailable) {
    const outcome =
      error.outcome === 'unknown'
        ? ' It is not known whether the change was stored. Check this before you repeat the request.'
        : ' Nothing was changed.';
    return problem('UNAVAILABLE', `The database is not available now.${outcome}`, error);
  }
  if (faultOf(error).kind === 'full') {
    return problem('UNAVAILABLE', 'The database has no space left. Nothing was changed.', error);
  }
  return refusalOfTheFramework(error, body) ?? problem('INTERNAL', PROBLEMS.INTERNAL.description, error);
}

/** Logs a bug in full, and an outage in one line. Errors of clients are not logged. */
export function report({ status, title, cause }: Problem, requestId: string): void {
  if (status < 500 || cause instanceof ClientLeft) return;
  if (status === 503) logger.warn({ requestId, reason: reasonsOf(cause) }, title);
  else logger.error({ err: cause, requestId }, title);
}

function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause)}`;
}

export function typeOf(code: ProblemCode): string {
  return `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
}

export function problem(
  code: ProblemCode,
  detail: string,
  cause: unknown,
  faults: readonly Fault[] = [],
): Problem {
  return { code, type: typeOf(code), detail, faults, cause, ...PROBLEMS[code] };
}

/**
 * Fastify and Nest refuse some requests themselves. This function uses the codes and statuses of their errors, but not
 * the texts.
 */
function refusalOfTheFramework(error: unknown, body?: BodySize): Problem | null {
  if (typeof error !== 'object' || error === null) return null;
  // Nest wraps the errors of Fastify.
  const { code } = (error instanceof HttpException ? (error.cause ?? {}) : error) as { code?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    // The size of a chunked body is unknown until the whole body has arrived.
    const bound = body?.bound ?? MAX_BODY_BYTES;
    const detail = `The body has ${body?.length ?? `more than ${bound}`} bytes; it may have at most ${bound}.`;
    return problem('CONTENT_TOO_LARGE', detail, error);
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return problem('URI_TOO_LONG', 'A part of the path is too long.', error);
  }
  if (code === 'FST_ERR_BAD_URL') {
    return problem('MALFORMED_REQUEST', 'The path is not valid percent-encoding of UTF-8.', error);
  }
  if (code === 'ECONNRESET' || code === 'ECONNABORTED') {
    return problem('MALFORMED_REQUEST', 'The connection closed before the complete request arrived.', error);
  }
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return problem('MALFORMED_REQUEST', 'The length of the body is not equal to Content-Length.', error);
  }
  if (error instanceof HttpException && error.getStatus() === 404) {
    return problem('NOT_FOUND', 'There is nothing at this address.', error);
  }
  return null;
}
