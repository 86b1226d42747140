import { Strategy } from 'passport-strategy';
import type { Caller } from './caller.js';
import type { Proof, Proven } from './credential-cache.js';

type Verified = (error: Error | null, proof?: Proven | Proof) => void;

/**
 * The base of the Passport strategies for credentials that come with every request, without a session. Each strategy
 * extends `PassportStrategy(HeaderStrategy, …)`. The method `validate` of the strategy returns the proof of the
 * credential, or throws an error.
 */
export class HeaderStrategy extends Strategy {
  constructor(private readonly verify: (caller: Caller, verified: Verified) => void) {
    super();
  }

  override authenticate(caller: unknown): void {
    this.verify(caller as Caller, (error, proof) => {
      if (error) this.error(error);
      else this.success(proof);
    });
  }
}
