import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccessConfig } from '../../engine/config/slices.js';
import { Unauthenticated } from '../../engine/errors/errors.js';
import { lendable } from './lending.js';
import { UsersRepository } from '../users/users.repository.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { scopesOf } from '../../engine/access/jwt.js';
import type { Principal } from '../../engine/access/principal.js';
import { CredentialCache } from '../../engine/access/credential-cache.js';
import { REVOCATION_MARK, Revocations } from '../tokens/revocations.js';
import { SIGNING_ALGORITHM, SigningKeys } from '../tokens/signing-keys.js';
import { userIdIn } from '../tokens/subject.js';
import type { Claims, TrustedIssuer } from './trusted-issuer.js';

const NO_SCOPES: Principal['scopes'] = new Set();

/** The tokens that the authorization server of this service issues (RFC 9068). */
@Injectable()
export class OwnIssuer implements TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms = [SIGNING_ALGORITHM] as const;
  readonly typ = 'at+jwt';

  constructor(
    { issuer, audience }: AccessConfig,
    private readonly keys: SigningKeys,
    private readonly changes: CredentialChanges,
    private readonly revocations: Revocations,
    private readonly users: UsersRepository,
    private readonly kept: CredentialCache,
  ) {
    this.issuer = issuer;
    this.audience = audience;
  }

  async keyFor(kid: string): Promise<KeyObject> {
    const known = this.keys.find(kid);
    if (known) return known.publicKey;
    // Another instance may have made the key a moment ago, so the keys are read again.
    await this.changes.ensureFresh(true);
    const found = this.keys.find(kid);
    if (!found) throw new Unauthenticated('The access token is not valid.');
    return found.publicKey;
  }

  async principalOf(
    { sub, client_id, jti, iat, exp, scope, [REVOCATION_MARK]: mark }: Claims,
    kid: string,
  ): Promise<Principal> {
    if (typeof client_id !== 'string' || typeof jti !== 'string') {
      throw new Unauthenticated('The access token is not valid.');
    }
    const userId = userIdIn(sub);
    // A client that got a token for itself is the subject of the token (RFC 9068, section 2.2). No client id has the
    // form of the subject of a user.
    if (userId === null && sub !== client_id) throw new Unauthenticated('The access token is not valid.');
    const holders = [{ clientId: client_id }, ...(userId === null ? [] : [{ userId }])];
    const change = typeof mark === 'number' ? mark : null;
    // Another instance may have raised the number of changes after this instance read it.
    if (change !== null && change > this.changes.number) await this.changes.ensureFresh(true);
    // If the number in the token is still higher, the database was restored from a backup after the token was issued.
    // The revocations after the backup are lost, so the token is refused.
    const isFromElsewhere = change !== null && change > this.changes.number;
    const key = this.keys.find(kid);
    if (!key || isFromElsewhere || this.revocations.hasEnded(holders, iat, change)) {
      throw new Unauthenticated('The access token has been revoked.');
    }
    const end = Math.min(exp * 1000, key.goodUntil?.getTime() ?? Infinity);
    const proven = { scheme: 'jwt', expiresAt: new Date(end) } as const;
    if (userId === null) {
      const scopes = scopesOf(scope);
      return {
        ...proven,
        kind: 'client',
        id: `client ${client_id}`,
        name: client_id,
        scopes,
        userId,
        delegated: null,
      };
    }
    const name = await this.kept.fact('name', sub, async () => (await this.users.find(userId))?.name ?? null);
    if (name === null) throw new Unauthenticated('The access token has been revoked.');
    const id = `user ${userId} by ${client_id}`;
    return {
      ...proven,
      kind: 'user',
      id,
      name,
      scopes: NO_SCOPES,
      userId,
      delegated: new Set(lendable(scopesOf(scope))),
    };
  }
}
