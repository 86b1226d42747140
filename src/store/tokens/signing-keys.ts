import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { one, run, sql, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { MasterKey } from '../../engine/secrets/master-key.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { StoredKey } from './stored-key.entity.js';

export const SIGNING_ALGORITHM = 'ES256';

const PURPOSE = 'signing keys';
const KEPT_AFTER_END_MS = 24 * 3_600_000;
/** More keys would make the public list of keys long, and each instance keeps all of them in memory. */
const MOST_KEPT = 100;

/** A key that signs tokens (ES256). */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly createdAt: Date;
  /** The time until which its signatures are valid; null for the key that signs now. */
  readonly goodUntil: Date | null;
  readonly isRevoked: boolean;
}

/**
 * The keys with which all instances sign tokens. They are in the database, with the private parts sealed under the
 * master key. The newest key signs. Each earlier key only verifies, and only for the overlap that `rotate` was called
 * with. The first key is made when it is needed for the first time.
 */
@Injectable()
export class SigningKeys {
  /** The newest first, including keys that have ended. */
  private keys: readonly SigningKey[] = [];
  private readonly mapping: Mapping<StoredKey>;

  constructor(
    private readonly database: Database,
    private readonly secret: MasterKey,
    private readonly changes: CredentialChanges,
  ) {
    this.mapping = mappingOf(database.dataSource, StoredKey);
    changes.follow(() => this.load());
  }

  /** The key that signs. */
  async current(): Promise<SigningKey> {
    const [first] = await this.all();
    return first as SigningKey;
  }

  /** The key that signs, and then the keys that still verify. @throws Unavailable when the keys cannot be read */
  async all(): Promise<readonly SigningKey[]> {
    await this.changes.ensureFresh();
    if (!this.keys.some(({ goodUntil }) => goodUntil === null)) {
      await this.store((tx) => this.first(tx));
    }
    return this.keys.filter(isGood);
  }

  /**
   * The key with this id, if it still verifies as far as this process knows; see `CredentialChanges`. Otherwise null.
   */
  find(kid: string): SigningKey | null {
    return this.keys.find((key) => key.kid === kid && isGood(key)) ?? null;
  }

  /**
   * Makes a new key, which signs from now on.
   *
   * @param overlapMs the longest time for which the earlier keys still verify; with 0, all tokens that an earlier key
   *   signed are invalid at once
   */
  async rotate(overlapMs: number): Promise<SigningKey> {
    await this.store((tx) => this.next(tx, overlapMs));
    return this.current();
  }

  private async store(change: (tx: Transaction) => Steps<unknown>): Promise<void> {
    await this.database.unitOfWork.run(change);
    await this.changes.ensureFresh();
  }

  private *first(tx: Transaction): Steps<void> {
    // `note` locks a row. So if several instances come here at the same time, only one of them makes the key.
    yield* this.changes.note(tx);
    const found = yield* one(sql`SELECT kid FROM signing_keys WHERE good_until IS NULL`);
    if (!found) yield* this.insert(new Date());
  }

  /** Within an act: makes a new key like `rotate`. @returns its `kid` */
  *next(tx: Transaction, overlapMs: number): Steps<string> {
    yield* this.changes.note(tx);
    const now = new Date();
    // Without an overlap, the earlier keys expire in 1970, so they are removed below. They stay invalid even if the
    // clock is set back.
    const end = new Date(overlapMs === 0 ? 0 : now.getTime() + overlapMs);
    const forgotten = new Date(now.getTime() - KEPT_AFTER_END_MS);
    yield* run(sql`
      UPDATE signing_keys SET good_until = ${end}, version = version + 1
      WHERE good_until IS NULL OR good_until > ${end}`);
    yield* run(sql`DELETE FROM signing_keys WHERE good_until < ${forgotten}`);
    const kid = yield* this.insert(now);
    yield* run(sql`
      DELETE FROM signing_keys WHERE id NOT IN (SELECT id FROM signing_keys ORDER BY id DESC LIMIT ${MOST_KEPT})`);
    return kid;
  }

  /** Within an act, after `note`: stores a key that signs. @returns its `kid` */
  *insert(now: Date): Steps<string> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = thumbprintOf(publicKey);
    const sealed = this.secret.seal(PURPOSE, privateKey.export({ format: 'der', type: 'pkcs8' }), kid);
    yield* run(sql`
      INSERT INTO signing_keys (kid, private_key, created_at) VALUES (${kid}, ${sealed}, ${now})`);
    return kid;
  }

  private async load(): Promise<void> {
    const rows = await this.database.reads.all(
      sql`SELECT ${this.mapping.columns} FROM signing_keys ORDER BY id DESC`,
    );
    const known = new Map(this.keys.map((key) => [key.kid, key]));
    this.keys = rows.map((row) => {
      const { kid, privateKey: sealed, createdAt, goodUntil, revokedAt } = this.mapping.fromRow(row);
      const { privateKey, publicKey } = known.get(kid) ?? this.opened(kid, sealed);
      return { kid, privateKey, publicKey, createdAt, goodUntil, isRevoked: revokedAt !== null };
    });
  }

  private opened(kid: string, sealed: string): Pick<SigningKey, 'privateKey' | 'publicKey'> {
    const key = this.secret.open(PURPOSE, sealed, kid);
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return { privateKey, publicKey: createPublicKey(privateKey) };
  }
}

/** The public part of a key, for a JWK Set (RFC 7517). */
export function publicJwkOf({ kid, publicKey }: Pick<SigningKey, 'kid' | 'publicKey'>): JWK {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: SIGNING_ALGORITHM };
}

/** The whole key, for the code that signs. The key must never be shown. */
export function privateJwkOf({ kid, privateKey }: Pick<SigningKey, 'kid' | 'privateKey'>): JWK {
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: SIGNING_ALGORITHM };
}

/** The id (`kid`) of a key: its thumbprint (RFC 7638). */
function thumbprintOf(publicKey: KeyObject): string {
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

function isGood({ goodUntil, isRevoked }: SigningKey): boolean {
  return !isRevoked && (goodUntil === null || goodUntil.getTime() > Date.now());
}
