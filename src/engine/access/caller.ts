import type { IncomingHttpHeaders } from 'node:http';
import type { ReadToken } from './jwt.js';

/** The data of a request or a WebSocket from which its principal is determined. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /**
   * True if the address has no requests left. The service then accepts only a password that it has found right a short
   * time ago. It does not check any other password. Absent when a remembered credential is checked again, because the
   * caller does not guess it.
   */
  readonly isSuspect?: boolean;
  /** The content of the JWT that the caller sent; absent for other credentials. Its signature is not verified yet. */
  readonly token?: ReadToken;
}
