import type { FormattedExecutionResult } from 'graphql';
import Negotiator from 'negotiator';
import { fieldsOf, secondsTo } from '../rate-limits/rate-limits.js';
import type { RequestIds } from '../contract/problem.js';
import { membersOf } from './errors.js';
import { describeErrors } from './operation-span.js';
import type { Reading } from './read-operation.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MEDIA_TYPES = [JSON_TYPE, 'application/graphql-response+json; charset=utf-8'];
/**
 * The number of `Accept` headers whose media type is remembered. It is bounded, so that clients cannot fill the memory.
 * Usual clients send only a few different headers.
 */
const MOST_KEPT = 100;
const chosen = new Map<string, string | null>();

/** The media type of an answer, by the `Accept` header of its request; null if the client accepts none. */
export function mediaTypeFor(accept: string | undefined): string | null {
  if (!accept || accept === 'application/json' || accept === '*/*') return JSON_TYPE;
  const known = chosen.get(accept);
  if (known !== undefined) return known;
  const type = new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES) ?? null;
  if (chosen.size < MOST_KEPT) chosen.set(accept, type);
  return type;
}

/** The parts of a request that its answer depends on. */
interface Asked {
  readonly ids: RequestIds;
  readonly mediaType: string | null;
  /** Whether the request had a text, or the hash of a known text. */
  readonly hasText: boolean;
  readonly maxCost: number;
}

/** The head of an answer. If it has no status, Apollo's own status stays. */
interface Head {
  readonly status: number | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Adds to a result the members that every result has, and returns the head of the answer with this result. */
export function complete(
  result: FormattedExecutionResult,
  reading: Reading | null,
  { ids, mediaType, hasText, maxCost }: Asked,
): Head {
  const headers: [string, string][] = mediaType === null ? [] : [['content-type', mediaType]];
  describeErrors(result.errors);
  result.errors?.forEach((error) => {
    if (error.extensions) Object.assign(error.extensions, membersOf(ids));
  });
  const standing = reading?.standing;
  if (standing) {
    const fields = fieldsOf(standing);
    headers.push(['ratelimit-policy', fields['ratelimit-policy']], ['ratelimit', fields.ratelimit]);
    if (!standing.isTaken) headers.push(['retry-after', String(secondsTo(standing.resetsAt))]);
  }
  if (maySoonSucceed(result)) headers.push(['retry-after', '1']);
  if (reading?.cost != null) {
    result.extensions = { ...result.extensions, cost: { requested: reading.cost, limit: maxCost } };
  }
  if (result.data !== undefined || !result.errors) return { status: undefined, headers };
  const status = (result.errors[0]?.extensions?.['status'] as number | undefined) ?? 500;
  if (status === 405) headers.push(['allow', 'POST']);
  // With application/json, the status 400 becomes 200 if the request has a text (GraphQL over HTTP, section 6.4.1).
  // With application/graphql-response+json, the answer keeps its status.
  const isHidden = status === 400 && hasText && mediaType === JSON_TYPE;
  return { status: isHidden ? 200 : status, headers };
}

/**
 * Whether there is no result because the service is unavailable, or because a request with the same idempotency key is
 * still running. Then the client may send the whole operation again.
 */
function maySoonSucceed({ data, errors = [] }: FormattedExecutionResult): boolean {
  return (
    errors.length > 0 &&
    errors.every(
      ({ extensions }) => extensions?.['status'] === 503 || extensions?.['code'] === 'IDEMPOTENCY_KEY_IN_USE',
    ) &&
    Object.values(data ?? {}).every((value) => value === null)
  );
}
