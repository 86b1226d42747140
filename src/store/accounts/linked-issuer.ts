import type { KeyObject } from 'node:crypto';
import { Unauthenticated } from '../../engine/errors/errors.js';
import type { IdentitiesRepository } from './identities.repository.js';
import { scopesOf } from '../../engine/access/jwt.js';
import type { Algorithm, OutsideIssuer } from '../../engine/config/outside-issuers.js';
import type { Principal } from '../../engine/access/principal.js';
import type { CredentialCache } from '../../engine/access/credential-cache.js';
import { RemoteKeys } from './remote-keys.js';
import type { Revocations } from '../tokens/revocations.js';
import type { Claims, TrustedIssuer } from './trusted-issuer.js';

/**
 * The tokens of an outside issuer that the settings name. A `sub` belongs to one of our users only if a link says so. A
 * token gives only scopes that the settings allow.
 */
export class LinkedIssuer implements TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly Algorithm[];
  readonly typ: string;
  private readonly keys: RemoteKeys;
  private readonly scopes: ReadonlySet<string>;

  constructor(
    { issuer, audience, algorithms, typ, jwksUri, scopes }: OutsideIssuer,
    private readonly revocations: Revocations,
    private readonly identities: IdentitiesRepository,
    private readonly kept: CredentialCache,
  ) {
    this.issuer = issuer;
    this.audience = audience;
    this.algorithms = algorithms;
    this.typ = typ;
    this.keys = new RemoteKeys(jwksUri, algorithms);
    this.scopes = new Set(scopes);
  }

  async keyFor(kid: string, algorithm: string): Promise<KeyObject> {
    const key = await this.keys.find(kid, algorithm);
    if (!key) throw new Unauthenticated('The access token is not valid.');
    return key;
  }

  async principalOf({ sub, iat, exp, scope }: Claims): Promise<Principal> {
    const { issuer } = this;
    const user = await this.kept.fact(`linked by ${issuer}`, sub, () =>
      this.identities.findUser(issuer, sub),
    );
    const holders = [{ issuer, subject: sub }, ...(user ? [{ userId: user.id }] : [])];
    if (this.revocations.hasEnded(holders, iat, null)) {
      throw new Unauthenticated('The access token has been revoked.');
    }
    return {
      kind: user ? 'user' : 'client',
      scheme: 'jwt',
      id: user ? `user ${user.id}` : `subject ${sub} of ${issuer}`,
      name: user ? user.name : `${sub} of ${issuer}`.slice(0, 200),
      scopes: scopesOf(scope, this.scopes),
      userId: user ? user.id : null,
      delegated: null,
      expiresAt: new Date(exp * 1000),
    };
  }
}
