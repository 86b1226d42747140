import { CloseCode } from 'graphql-ws';
import type { Problem } from '../contract/problem.js';

export const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;
export const SERVICE_RESTART = 1012;
export const TRY_AGAIN_LATER = 1013;

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
