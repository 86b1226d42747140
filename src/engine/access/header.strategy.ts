import type { IncomingHttpHeaders } from 'node:http';
import { Strategy } from 'passport-strategy';
import type { ReadToken } from './jwt.js';
import type { Principal } from './principal.js';

/** A caller before its principal is determined, such as a request. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /** Its address has used up its anonymous requests: a password that was not proven lately is not tried. */
  readonly isSuspect?: boolean;
  /** The content of a JWT, not verified. */
  readonly token?: ReadToken;
}

type Verified = (error: Error | null, principal?: Principal) => void;

/**
 * A Passport scheme whose credential comes with every request, without a session. Every fault of the credential is
 * thrown by `validate` of the strategy that is made of it (see `PassportStrategy`).
 */
export class HeaderStrategy extends Strategy {
  constructor(private readonly verify: (caller: Caller, verified: Verified) => void) {
    super();
  }

  override authenticate(caller: unknown): void {
    this.verify(caller as Caller, (error, principal) => {
      if (error) this.error(error);
      else this.success(principal);
    });
  }
}
