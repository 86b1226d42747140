import { Strategy } from 'passport-strategy';
import type { Caller } from './caller.js';
import type { Proof, Proven } from './credential-cache.js';

type Verified = (error: Error | null, proof?: Proven | Proof) => void;

/**
 * A Passport scheme whose credential comes with every request, without a session. Each scheme extends it by
 * `PassportStrategy`. The method `validate` of the scheme returns the proof of the credential, and throws an error for
 * a fault.
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
