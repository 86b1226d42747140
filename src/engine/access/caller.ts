import type { IncomingHttpHeaders } from 'node:http';
import type { ReadToken } from './jwt.js';

/** A caller before its principal is determined, such as a request. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /** Set if the address has used up its anonymous requests. A password that was not proven lately is then not tried. */
  readonly isSuspect?: boolean;
  /** The content of a JWT, not verified. */
  readonly token?: ReadToken;
}
