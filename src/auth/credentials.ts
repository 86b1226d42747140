import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { CONFIG, type Config } from '../config.js';
import { Unauthenticated } from '../errors.js';
import { hashOf, isAlive, isSecretOf, newSecret, parseKey, sameHash, scopesIn } from './api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { KeyUses } from './key-uses.js';
import { Reach } from './reach.js';
import { ANONYMOUS, type Principal } from './principal.js';

const ADMINISTRATOR: Principal = {
  kind: 'client',
  name: 'STORE_ADMIN_KEY',
  scopes: new Set(['admin']),
  userId: null,
  expiresAt: null,
};

const VISITOR: Principal = {
  kind: 'client',
  name: 'demo key',
  scopes: new Set(['admin']),
  userId: null,
  expiresAt: null,
};

/** Tells who makes a request from the credential that came with it. */
@Injectable()
export class Credentials {
  private readonly adminKeyHash: string | null;
  private temporary: { readonly hash: string; readonly until: number } | null = null;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly uses: KeyUses,
    @Inject(CONFIG) { adminKey }: Config,
  ) {
    this.adminKeyHash = adminKey === null ? null : hashOf(adminKey);
  }

  /** Makes an administrator's key that nobody but this process knows: it is stored nowhere, and ends with it. */
  issueTemporaryKey(lifetimeMs: number): string {
    const key = `sk_demo_${newSecret()}`;
    this.temporary = { hash: hashOf(key), until: Date.now() + lifetimeMs };
    return key;
  }

  /**
   * @returns at once where no database is needed, so that anonymous requests wait for nothing
   * @throws Unauthenticated for any credential that is not good, on public operations too
   */
  principalOf(headers: IncomingHttpHeaders): Principal | Promise<Principal> {
    const key = headers['x-api-key'];
    if (headers.authorization !== undefined) {
      throw new Unauthenticated(
        'The header Authorization is not understood here: send an API key in X-API-Key.',
      );
    }
    if (key === undefined) return ANONYMOUS;
    if (typeof key !== 'string') throw new Unauthenticated('X-API-Key was sent more than once.');
    if (this.adminKeyHash !== null && sameHash(hashOf(key), this.adminKeyHash)) return ADMINISTRATOR;
    if (this.isTemporary(key)) return VISITOR;
    return this.byStoredKey(key);
  }

  private isTemporary(key: string): boolean {
    return (
      this.temporary !== null &&
      Date.now() < this.temporary.until &&
      sameHash(hashOf(key), this.temporary.hash)
    );
  }

  private async byStoredKey(key: string): Promise<Principal> {
    const parts = parseKey(key);
    const found = parts && (await this.keys.find(parts.id, Reach.EVERYTHING));
    const now = new Date();
    // Not said which: it is nobody's business what there was.
    if (!found || !isSecretOf(found, parts.secret, now) || !isAlive(found, now)) {
      throw new Unauthenticated('The API key is not valid.');
    }
    this.uses.remember(found, now);
    const { name, userId, expiresAt } = found;
    const kind = userId === null ? 'client' : 'user';
    return { kind, name, scopes: new Set(scopesIn(found)), userId, expiresAt };
  }
}
