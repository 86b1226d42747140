import { Broken, requireThat } from '../options.ts';
import type { Answer } from './client.ts';
import type { Documented, Operation, Schema } from '../../testkit/contract/document.ts';
import { valueIn } from '../../testkit/contract/formats.ts';
import { faultOf, flat, typesOf } from '../../testkit/contract/schemas.ts';

/** The requirements for an answer, in addition to those of the contract. */
export interface Due {
  readonly statuses: readonly number[];
  /** The reason for these statuses. */
  readonly reason: string;
  /** The media type of a successful answer, if the request determines it. */
  readonly mediaType?: string;
  /** The code of the problem. */
  readonly code?: string;
  /** One of the faults of the problem, by the name of its member. */
  readonly fault?: { readonly code: string; readonly member: string };
  /** The first answer to the same request with the same `Idempotency-Key`. */
  readonly replayOf?: Answer;
  /** The value of `return` in the header `Prefer` of the request. */
  readonly prefers?: 'minimal' | 'representation';
  /** The number of results of a batch. */
  readonly results?: number;
}

type Circumstances = Pick<Operation, 'path'> & { readonly due: Due; readonly status: number };

/** The limit of requests does not count health checks. Some requests are refused before the limit counts them. */
const isUncounted = ({ path, status }: Circumstances): boolean =>
  path.startsWith('/health/') || (status >= 400 && status !== 429);

/**
 * Headers that the descriptions of the contract make optional. Each function says whether its header may be missing in
 * the answer.
 */
const OPTIONAL: Readonly<Record<string, (of: Circumstances) => boolean>> = {
  'X-Total-Count': () => true,
  'Idempotent-Replayed': ({ due }) => due.replayOf === undefined,
  'Preference-Applied': ({ due }) => due.prefers === undefined,
  'WWW-Authenticate': ({ status }) => status === 403,
  'Retry-After': ({ status }) => status === 409,
  'RateLimit-Policy': isUncounted,
  RateLimit: isUncounted,
};

/**
 * Headers that the descriptions of the contract promise for all answers (`GENERAL`), and for all answers of a version
 * whose end is announced (`OF_THE_END`).
 */
const GENERAL: ReadonlySet<string> = new Set(['cache-control']);
const OF_THE_END: ReadonlySet<string> = new Set(['link', 'sunset']);

/**
 * Compares status, media type, headers and body of an answer with the contract and with `due`.
 *
 * @throws Broken
 * @returns the value in the body, if there is one that can be read
 */
export function judge(operation: Operation, due: Due, answer: Answer): unknown {
  const { status } = answer;
  const documented = operation.responses.get(status);
  requireThat(documented !== undefined, () => `${operation.id} does not document the status ${status}.`);
  requireThat(
    due.statuses.includes(status),
    () => `${operation.id} must answer ${due.statuses.join(' or ')} to ${due.reason}, not ${status}.`,
  );
  judgeHeaders(operation, due, documented, answer);
  judgeOtherHeaders(operation, documented, answer);
  judgeWords(operation, due, answer);
  const isMinimal = due.prefers === 'minimal' && status < 300;
  if (isMinimal || operation.method === 'HEAD' || documented.content.size === 0) {
    requireThat(answer.text === '', () => `${operation.id} ${status} must have no body.`);
    return undefined;
  }
  const mediaType = status < 300 ? due.mediaType : problemTypeFor(due.mediaType);
  const value = judgeBody(`${operation.id} ${status}`, documented, answer, mediaType);
  if (status >= 400 && value !== undefined) judgeCode(operation, due, value as Problem);
  const given = due.results === undefined ? undefined : (value as { results: readonly unknown[] }).results;
  requireThat(
    given?.length === due.results,
    () => `${operation.id} answers ${due.results} items with ${given?.length} results.`,
  );
  return value;
}

/** If `due` has a code or a fault, the problem must have it. Any other 409 must have a code that the contract names. */
function judgeCode({ id, conflicts }: Operation, due: Due, { code, status, errors = [] }: Problem): void {
  const allowed = due.code === undefined ? conflicts : [due.code];
  requireThat(
    (status !== 409 && due.code === undefined) || allowed.includes(code),
    () => `${id} must refuse ${due.reason} with ${allowed.join(' or ')}, not ${code}.`,
  );
  const { fault } = due;
  requireThat(
    fault === undefined ||
      errors.some((each) => each.code === fault.code && each.pointer?.endsWith(`/${fault.member}`)),
    () => `${id} must refuse ${due.reason} with ${fault?.code} at ${fault?.member}.`,
  );
}

/**
 * The media type of a problem: HTML or XML if the success would have this format, and JSON for any other success.
 *
 * @param mediaType the media type of the success; undefined if the request does not determine it
 */
function problemTypeFor(mediaType: string | undefined): string | undefined {
  if (mediaType === undefined || mediaType === 'text/html') return mediaType;
  return mediaType === 'application/xml' ? 'application/problem+xml' : 'application/problem+json';
}

function judgeHeaders(
  { id, path }: Operation,
  due: Due,
  { headers }: Documented,
  { status, headers: given }: Answer,
): void {
  for (const [name, schema] of headers) {
    const text = given[name.toLowerCase()];
    if (text === undefined && OPTIONAL[name]?.({ path, due, status })) continue;
    requireThat(text !== undefined, () => `${id} ${status} lacks the header ${name}.`);
    const fault = faultOf(schema, typedHeader(schema, text));
    requireThat(fault === null, () => `${id} ${status}: the header ${name} is wrong: ${fault}.`);
  }
}

/**
 * If the contract names a header anywhere, the contract must document this header for every answer that has it. The
 * headers of `GENERAL` and `OF_THE_END` are exceptions.
 */
function judgeOtherHeaders(
  { id, named, responses, success }: Operation,
  { headers }: Documented,
  { status, headers: given }: Answer,
): void {
  // A 304 may have the headers of the answer that it replaces (RFC 9110, section 15.4.5).
  const instead = status === 304 ? (responses.get(success)?.headers.keys() ?? []) : [];
  const documented = new Set([...headers.keys(), ...instead].map((name) => name.toLowerCase()));
  const isEnding = 'deprecation' in given || 'sunset' in given;
  for (const name of Object.keys(given)) {
    const isSaid = GENERAL.has(name) || (isEnding && OF_THE_END.has(name));
    requireThat(
      !named.has(name) || isSaid || documented.has(name),
      () => `${id} ${status} has the header ${name}, which it does not document.`,
    );
  }
}

/**
 * `Idempotent-Replayed` must be `true` exactly when the request is a repetition. `Preference-Applied` must be there
 * exactly when the request has a `Prefer` that was applied.
 */
function judgeWords({ id }: Operation, { replayOf, prefers }: Due, { status, headers, text }: Answer): void {
  const isReplay = headers['idempotent-replayed'] === 'true';
  requireThat(
    isReplay === (replayOf !== undefined),
    () => `${id} must ${isReplay ? 'not ' : ''}have the header Idempotent-Replayed: true.`,
  );
  requireThat(
    replayOf === undefined || text === replayOf.text,
    () => `${id} must repeat its first answer: ${replayOf?.text}`,
  );
  const applied = headers['preference-applied'];
  const due = prefers && status < 300 ? `return=${prefers}` : undefined;
  requireThat(
    applied === due,
    () => `${id}: Preference-Applied must be ${due ?? 'absent'}, but is ${applied ?? 'absent'}.`,
  );
}

function typedHeader(schema: Schema, text: string): unknown {
  return typesOf(schema).includes('integer') && /^\d+$/.test(text) ? Number(text) : text;
}

/** @param place the name of the request, for the message */
function judgeBody(
  place: string,
  { content }: Documented,
  { status, headers, text }: Answer,
  mediaType?: string,
): unknown {
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  const schema = content.get(type);
  requireThat(
    schema !== undefined,
    () => `${place} has the media type «${type}» instead of ${[...content.keys()].join(', ')}.`,
  );
  requireThat(mediaType === undefined || type === mediaType, () => `${place} is ${type}, not ${mediaType}.`);
  const value = readable(place, type, text, schema);
  if (value === undefined) return undefined;
  // CSV is a table. It has only the items of a page.
  const shown = type === 'text/csv' ? (flat(schema).properties?.['data'] ?? schema) : schema;
  for (const each of type === 'text/event-stream' ? (value as readonly unknown[]) : [value]) {
    const fault = faultOf(shown, each);
    requireThat(fault === null, () => `${place} as ${type}: ${fault}.`);
  }
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
  readonly errors?: readonly { readonly code: string; readonly pointer?: string }[];
}

function judgeProblem(place: string, problem: Problem, { status, headers }: Answer): void {
  requireThat(
    problem.status === status,
    () => `${place}: the problem says status ${problem.status}, but the answer has the status ${status}.`,
  );
  const name = headers['x-request-id'];
  requireThat(
    name === undefined || name === problem.request_id,
    () => `${place}: the problem names another request than X-Request-Id.`,
  );
}
