import { Broken, requireThat } from '../options.ts';
import type { Answer } from './client.ts';
import type { Documented, Operation, Schema } from './document.ts';
import { valueIn } from './formats.ts';
import { faultOf, typesOf } from './schemas.ts';

/** What an answer must be, besides being documented. */
export interface Due {
  readonly statuses: readonly number[];
  /** Why it is these. */
  readonly reason: string;
  /** Of the answer of success, where the request decides on it. */
  readonly mediaType?: string;
  /** The first answer to the same request with the same `Idempotency-Key`. */
  readonly replayOf?: Answer;
}

/**
 * Headers of which the contract says in words that they are left out here and there.
 *
 * @returns whether it is so in an answer with this status
 */
const OPTIONAL: Readonly<Record<string, (status: number) => boolean>> = {
  'X-Total-Count': () => true,
  'Idempotent-Replayed': () => true,
  'WWW-Authenticate': (status) => status === 403,
  'Retry-After': (status) => status === 409,
  'RateLimit-Policy': () => true,
  RateLimit: () => true,
};

/**
 * Holds an answer against the contract, and nothing else: status, media type, headers and body.
 *
 * @throws Broken
 * @returns the value in the body, where there is one that can be read
 */
export function judge(operation: Operation, due: Due, answer: Answer): unknown {
  const { status } = answer;
  const documented = operation.responses.get(status);
  requireThat(documented !== undefined, () => `${operation.id} does not document the status ${status}.`);
  requireThat(
    due.statuses.includes(status),
    () => `${operation.id} must answer ${due.statuses.join(' or ')} to ${due.reason}, not ${status}.`,
  );
  judgeHeaders(operation, documented, answer);
  if (due.replayOf) judgeReplay(operation, due.replayOf, answer);
  if (operation.method === 'HEAD' || documented.content.size === 0) {
    requireThat(answer.text === '', () => `${operation.id} ${status} must have no body.`);
    return undefined;
  }
  return judgeBody(`${operation.id} ${status}`, documented, answer, status < 300 ? due.mediaType : undefined);
}

function judgeHeaders({ id }: Operation, { headers }: Documented, { status, headers: given }: Answer): void {
  for (const [name, schema] of headers) {
    const text = given[name.toLowerCase()];
    if (text === undefined && OPTIONAL[name]?.(status)) continue;
    requireThat(text !== undefined, () => `${id} ${status} lacks the header ${name}.`);
    const fault = faultOf(schema, typedHeader(schema, text));
    requireThat(fault === null, () => `${id} ${status}: the header ${name}: ${fault}.`);
  }
}

function judgeReplay({ id }: Operation, first: Answer, { headers, text }: Answer): void {
  requireThat(headers['idempotent-replayed'] === 'true', () => `${id} does not say that it was done before.`);
  requireThat(text === first.text, () => `${id} was answered with ${first.text} before.`);
}

function typedHeader(schema: Schema, text: string): unknown {
  return typesOf(schema).includes('integer') && /^\d+$/.test(text) ? Number(text) : text;
}

/** @param place what the answer is to, for what is said of it */
export function judgeBody(
  place: string,
  { content }: Documented,
  { status, headers, text }: Answer,
  mediaType?: string,
): unknown {
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  const schema = content.get(type);
  requireThat(
    schema !== undefined,
    () => `${place} has the media type «${type}», of ${[...content.keys()].join(', ')}.`,
  );
  requireThat(mediaType === undefined || type === mediaType, () => `${place} is ${type}, not ${mediaType}.`);
  const value = readable(place, type, text, schema);
  if (value === undefined) return undefined;
  const fault = faultOf(schema, value);
  requireThat(fault === null, () => `${place} as ${type}: ${fault}.`);
  if (status >= 400) judgeProblem(place, value as Problem, { status, headers, text });
  return value;
}

function readable(place: string, type: string, text: string, schema: Schema): unknown {
  try {
    return valueIn(type, text, schema);
  } catch (error) {
    throw new Broken(`${place} cannot be read as ${type}: ${String(error)}.`, { cause: error });
  }
}

export interface Problem {
  readonly type: string;
  readonly code: string;
  readonly status: number;
  readonly request_id: string;
}

function judgeProblem(place: string, problem: Problem, { status, headers }: Answer): void {
  requireThat(problem.status === status, () => `${place}: the problem says status ${problem.status}.`);
  const name = headers['x-request-id'];
  requireThat(
    name === undefined || name === problem.request_id,
    () => `${place}: the problem names another request than X-Request-Id.`,
  );
}
