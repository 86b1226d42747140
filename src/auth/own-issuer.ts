import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Unauthenticated } from '../errors.js';
import { SCOPES } from '../generated/operations.js';
import { UsersRepository } from '../users/users.repository.js';
import { CredentialChanges } from './credential-changes.js';
import { audienceOf, issuerOf } from './issuer.js';
import { scopesOf } from './jwt.js';
import type { Principal } from './principal.js';
import { Revocations } from './revocations.js';
import { SIGNING_ALGORITHM, SigningKeys } from './signing-keys.js';
import { userIdIn } from './subject.js';
import type { Claims, TrustedIssuer } from './trusted-issuer.js';

const NO_SCOPES: Principal['scopes'] = new Set();
/** What a user can lend, of what is its own. */
const LENDABLE: ReadonlySet<string> = new Set(SCOPES.filter((scope) => scope !== 'admin'));

/** The tokens that this service's own OAuth server gives out (RFC 9068). */
@Injectable()
export class OwnIssuer implements TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms = [SIGNING_ALGORITHM] as const;
  readonly typ = 'at+jwt';

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly keys: SigningKeys,
    private readonly changes: CredentialChanges,
    private readonly revocations: Revocations,
    private readonly users: UsersRepository,
  ) {
    this.issuer = issuerOf(config);
    this.audience = audienceOf(config);
  }

  async keyFor(kid: string): Promise<KeyObject> {
    const known = this.keys.find(kid);
    if (known) return known.publicKey;
    // Another instance may have just made it.
    await this.changes.ensureFresh(true);
    const found = this.keys.find(kid);
    if (!found) throw new Unauthenticated('The access token is not valid.');
    return found.publicKey;
  }

  async principalOf({ sub, client_id, jti, iat, exp, scope }: Claims, kid: string): Promise<Principal> {
    if (typeof client_id !== 'string' || typeof jti !== 'string') {
      throw new Unauthenticated('The access token is not valid.');
    }
    const userId = userIdIn(sub);
    // Who got a token for itself is its own subject (RFC 9068, section 2.2); no client is called like a user.
    if (userId === null && sub !== client_id) throw new Unauthenticated('The access token is not valid.');
    const holders = [{ clientId: client_id }, ...(userId === null ? [] : [{ userId }])];
    if (this.revocations.hasEnded(holders, iat) || !this.keys.find(kid)) {
      throw new Unauthenticated('The access token has been revoked.');
    }
    const proven = { scheme: 'jwt', expiresAt: new Date(exp * 1000) } as const;
    if (userId === null) {
      const scopes = scopesOf(scope);
      return { ...proven, kind: 'client', name: client_id, scopes, userId, delegated: null };
    }
    const user = await this.users.find(userId);
    if (!user) throw new Unauthenticated('The access token has been revoked.');
    const { name } = user;
    return { ...proven, kind: 'user', name, scopes: NO_SCOPES, userId, delegated: scopesOf(scope, LENDABLE) };
  }
}
