import type { IncomingHttpHeaders } from 'node:http';
import { Strategy } from 'passport-strategy';
import type { ReadToken } from './jwt.js';
import type { Principal } from './principal.js';

/** What is known of somebody before it is known who it is; a request is one. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /** Its address has used up what it may ask without proving who asks: a password that nobody proved lately is not tried. */
  readonly isSuspect?: boolean;
  /** Of a JWT, what it says; nothing of it is verified. */
  readonly token?: ReadToken;
}

type Verified = (error: Error | null, principal?: Principal) => void;

/**
 * A scheme of passport whose credential comes with every request: there is no session, and whatever is wrong with the
 * credential is thrown by `validate` of the strategy made of it (see `PassportStrategy`).
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
