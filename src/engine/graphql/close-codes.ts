import { CloseCode } from 'graphql-ws';
import type { ClosedBy } from './instruments.js';
import type { Problem } from '../contract/problem.js';

export const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;
export const SERVICE_RESTART = 1012;
export const TRY_AGAIN_LATER = 1013;

/** The reason for each code that the service itself sends. All other codes come from clients. */
const REASONS: ReadonlyMap<number, ClosedBy> = new Map<number, ClosedBy>([
  [POLICY_VIOLATION, 'too_many_messages'],
  [MESSAGE_TOO_BIG, 'too_big'],
  [SERVICE_RESTART, 'restart'],
  [TRY_AGAIN_LATER, 'try_again'],
  [CloseCode.Unauthorized, 'credential'],
  [CloseCode.BadRequest, 'protocol'],
  [CloseCode.ConnectionInitialisationTimeout, 'protocol'],
  [CloseCode.SubscriberAlreadyExists, 'protocol'],
  [CloseCode.TooManyInitialisationRequests, 'protocol'],
  [CloseCode.InternalServerError, 'error'],
]);

export function closedBy(code: number): ClosedBy {
  return REASONS.get(code) ?? 'client';
}

/** A close frame of a WebSocket. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

export const BUG: Closing = { code: CloseCode.InternalServerError, reason: 'Internal server error' };

/**
 * The close frame for an error of the connection, such as a bad credential. The usual client libraries treat 4400, 4401
 * and 4500 as final, and reconnect after 1013.
 */
export function closingBy({ status, detail }: Problem): Closing {
  if (status === 401) return { code: CloseCode.Unauthorized, reason: `Unauthorized: ${detail}` };
  if (status === 429 || status === 503) return { code: TRY_AGAIN_LATER, reason: detail };
  return status >= 500 ? BUG : { code: CloseCode.BadRequest, reason: detail };
}
