import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../../engine/config/outside-issuers.js';
import type { Principal } from '../../engine/access/principal.js';

/** The claims of a token whose signature, issuer, audience and times were found right. */
export interface Claims {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  readonly scope?: unknown;
  readonly client_id?: unknown;
  readonly jti?: unknown;
}

/** Somebody whose tokens are good here: the OAuth server of this service, or an outside one. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly Algorithm[];
  readonly typ: string;

  /**
   * The key to verify by.
   *
   * @throws Unauthenticated when the issuer has none of this id
   * @throws Unavailable when that cannot be known
   */
  keyFor(kid: string, algorithm: string): Promise<KeyObject>;

  /**
   * Who it is at this moment, since the tokens of somebody may have ended. `CredentialChanges` are fresh.
   *
   * @throws Unauthenticated
   */
  principalOf(claims: Claims, kid: string): Promise<Principal>;
}
