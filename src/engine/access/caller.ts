import type { IncomingHttpHeaders } from 'node:http';
import type { ReadToken } from './jwt.js';

/** The data of a request or a WebSocket from which its principal is determined. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /**
   * True if the address has no requests left. If the caller then sends a password, the service accepts it only if it
   * has found the same password right a short time ago. The service does not check any other password. Absent when a
   * remembered credential is checked again, because a caller with such a credential is not guessing.
   */
  readonly isSuspect?: boolean;
  /** The content of the JWT that the caller sent; absent for other credentials. Its signature is not verified yet. */
  readonly token?: ReadToken;
}
