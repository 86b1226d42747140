import type { KeyObject } from 'node:crypto';
import type { Algorithm } from '../../engine/config/outside-issuers.js';
import type { Principal } from '../../engine/access/principal.js';
import type { REVOCATION_MARK } from '../tokens/revocations.js';

/** The claims of a token whose signature, issuer, audience and times were verified. */
export interface Claims {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  readonly scope?: unknown;
  readonly client_id?: unknown;
  readonly jti?: unknown;
  readonly [REVOCATION_MARK]?: unknown;
}

/** An issuer whose tokens are accepted here: the authorization server of this service, or an outside one. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly Algorithm[];
  readonly typ: string;

  /**
   * The key to verify with.
   *
   * @throws Unauthenticated when the issuer has no key of this id
   * @throws Unavailable when the keys of the issuer cannot be read
   */
  keyFor(kid: string, algorithm: string): Promise<KeyObject>;

  /**
   * The principal of a token at this moment. A revoked token has no principal. `CredentialChanges` must be fresh before
   * this is called.
   *
   * @throws Unauthenticated
   */
  principalOf(claims: Claims, kid: string): Promise<Principal>;
}
