import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AccessConfig } from '../../engine/config/slices.js';
import { Unauthenticated } from '../../engine/errors/errors.js';
import { endFor, hashOf, isAlive, isHashOf, newSecret, parseKey, sameHash, scopesIn } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { Caller } from '../../engine/access/caller.js';
import { HeaderStrategy } from '../../engine/access/header.strategy.js';
import type { Proof, Proven } from '../../engine/access/credential-cache.js';
import { KeyUses } from './key-uses.js';
import type { Principal } from '../../engine/access/principal.js';
import { RowAccess } from '../../engine/access/row-access.js';

// The time for which the result of a check is cached. It is short, because the use of a key is recorded only when the
// key is checked.
const KEPT_MS = 30_000;

const ADMINISTRATOR: Principal = {
  kind: 'client',
  scheme: 'apiKey',
  id: 'administrator',
  name: 'STORE_ADMIN_KEY',
  scopes: new Set(['admin']),
  userId: null,
  delegated: null,
  expiresAt: null,
};

const VISITOR: Principal = { ...ADMINISTRATOR, id: 'visitor', name: 'demo key' };

/** `X-API-Key`: a key that the service issued, the administrator key of the settings, or the temporary key. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderStrategy, 'apiKey') {
  private readonly adminKeyHash: string | null;
  private temporary: { readonly hash: string; readonly until: number } | null = null;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly uses: KeyUses,
    { adminKey }: AccessConfig,
  ) {
    super();
    this.adminKeyHash = adminKey === null ? null : hashOf(adminKey);
  }

  /** Makes an administrator key that is stored nowhere. It ends after `lifetimeMs`, or with this process. */
  issueTemporaryKey(lifetimeMs: number): string {
    const key = `sk_demo_${newSecret()}`;
    this.temporary = { hash: hashOf(key), until: performance.now() + lifetimeMs };
    return key;
  }

  /** @throws Unauthenticated */
  validate({ headers }: Caller): Proven | Proof {
    const key = String(headers['x-api-key']);
    const hash = hashOf(key);
    if (this.adminKeyHash !== null && sameHash(hash, this.adminKeyHash)) return { principal: ADMINISTRATOR };
    const leftMs = this.temporary === null ? 0 : this.temporary.until - performance.now();
    if (this.temporary !== null && leftMs > 0 && sameHash(hash, this.temporary.hash))
      return { principal: VISITOR, keptMs: leftMs };
    const parts = parseKey(key);
    if (!parts) throw new Unauthenticated('The API key is not valid.');
    // The proof is remembered, so it must not hold the secret.
    const [id, secretHash] = [parts.id, hashOf(parts.secret)];
    return () => this.prove(id, secretHash);
  }

  private async prove(id: number, secretHash: string): Promise<Proven> {
    const found = await this.keys.find(id, RowAccess.EVERYTHING);
    const now = new Date();
    // The message gives no reason, because the caller must not learn which keys have existed.
    if (!found || !isHashOf(found, secretHash, now) || !isAlive(found, now)) {
      throw new Unauthenticated('The API key is not valid.');
    }
    this.uses.remember(found, now);
    const { name, userId, expiresAt } = found;
    const kind = userId === null ? 'client' : 'user';
    const scopes = new Set(scopesIn(found));
    return {
      principal: {
        kind,
        scheme: 'apiKey',
        id: `key ${found.id}`,
        name,
        scopes,
        userId,
        delegated: null,
        expiresAt,
      },
      until: endFor(found, secretHash)?.getTime() ?? Infinity,
      keptMs: KEPT_MS,
    };
  }
}
