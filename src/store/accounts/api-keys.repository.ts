import { Injectable } from '@nestjs/common';
import type { Context, Giving } from '../../engine/contract/context.js';
import type { Database } from '../../engine/database/database.js';
import { EntityTable } from '../../engine/database/entity-table.js';
import type { Span } from '../../engine/database/filtered-page.js';
import { sliceOf, type Piece } from '../../engine/database/slices.js';
import { one, sql, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { Conflict, Unavailable } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type { Scope } from '../../generated/operations.js';
import { CredentialChanges, CredentialsChanged } from '../../engine/access/credential-changes.js';
import { formatKey, hashOf, isAlive, newSecret } from './api-key.js';
import { ApiKey, type IssuedApiKey } from './api-key.entity.js';
import type { RowAccess } from '../../engine/access/row-access.js';

export interface NewKey {
  readonly name: string;
  /** Null for the key of a client. */
  readonly userId: number | null;
  readonly scopes: readonly Scope[];
  /** Null for a key that never expires. */
  readonly expiresAt: Date | null;
}

/** The number of times that a key is tried to be made while facts about credentials change. */
const ATTEMPTS = 8;

/** The keys that the service issued. */
@Injectable()
export class ApiKeysRepository {
  private readonly keys: EntityTable<ApiKey>;
  private readonly database: Database;

  constructor(
    parts: TableParts,
    private readonly changes: CredentialChanges,
  ) {
    this.keys = new EntityTable(parts, ApiKey, { trimmed: ['name'] });
    this.database = parts.database;
  }

  /** Finds a key by its id; null if there is no such key, or if `reach` does not cover the key. */
  async find(id: number, reach: RowAccess): Promise<ApiKey | null> {
    return within(await this.keys.find(id), reach);
  }

  /** Reads a page, in the order of ids. @throws ValidationFailed when the page is too deep */
  async list(userId: number | undefined, span: Span, reach: RowAccess): Promise<Page<ApiKey>> {
    const page = await this.keys.pageWhere({ userId: reach.onlyOf ?? userId }, span);
    return userId === undefined || reach.covers(userId) ? page : { items: [], total: 0 };
  }

  /** The slice of the same list after or before a cursor. */
  async slice(userId: number | undefined, piece: Piece, reach: RowAccess): Promise<Slice<ApiKey>> {
    if (userId !== undefined && !reach.covers(userId)) return sliceOf<ApiKey>([], piece, 0, () => []);
    return this.keys.sliceWhere({ userId: reach.onlyOf ?? userId }, piece);
  }

  /**
   * Makes a key. The act checks at its end that the credential of the caller has not ended meanwhile. Otherwise a new
   * password could end all keys of the user, but not a key that a request with the old password makes at the same time.
   *
   * @throws ValidationFailed when there is no such user
   * @throws Unavailable when facts about credentials change all the time
   * @throws the same errors as `Context.confirm`
   */
  async create(
    { name, userId, scopes, expiresAt }: NewKey,
    { origin, confirm }: Giving,
  ): Promise<IssuedApiKey> {
    const secret = newSecret();
    const values = {
      name,
      userId,
      scopes: scopes.join(' '),
      expiresAt,
      secretHash: hashOf(secret),
    };
    let confirmed: number | null = null;
    const act = function* (this: ApiKeysRepository, tx: Transaction): Steps<IssuedApiKey> {
      const key = yield* this.keys.insert(tx, values);
      if (confirmed !== null) yield* this.changes.requireUnchangedSince(confirmed);
      return issued(key, secret);
    };
    const run = (tx: Transaction) => act.call(this, tx);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      confirmed = await confirm();
      try {
        return await this.database.unitOfWork.run(run, { origin });
      } catch (error) {
        if (!(error instanceof CredentialsChanged)) throw error;
      }
    }
    throw new Unavailable('Facts about credentials changed at every attempt');
  }

  /**
   * Gives a key a new secret; null when there is no such key that the caller may use.
   *
   * @param mayHave throws when the caller cannot grant the access that the key has
   * @throws Conflict `API_KEY_ENDED`
   * @throws the same errors as `Context.confirm`
   */
  async rotate(
    id: number,
    overlapMs: number,
    mayHave: (key: ApiKey) => void,
    { reach, origin, confirm }: Giving & Pick<Context, 'reach'>,
  ): Promise<IssuedApiKey | null> {
    await confirm();
    const secret = newSecret();
    const act = function* (this: ApiKeysRepository, tx: Transaction): Steps<IssuedApiKey | null> {
      const key = within(yield* this.keys.lock(id), reach);
      if (!key) return null;
      mayHave(key);
      const now = new Date();
      if (!isAlive(key, now))
        throw new Conflict('API_KEY_ENDED', `The API key ${id} has ended: make another one.`);
      // Without an overlap, the previous secret is not kept. So it stays invalid, even if the clock is set back.
      const previousUntil = new Date(now.getTime() + overlapMs);
      const renewed = {
        secretHash: hashOf(secret),
        previousHash: overlapMs === 0 ? null : key.secretHash,
        previousUntil,
      };
      const written = yield* this.keys.write(tx, key, renewed);
      yield* this.changes.note(tx);
      return issued(written, secret);
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /** Ends a key and returns it; null when there is no such key that the caller may use. */
  revoke(id: number, { reach, origin }: Pick<Context, 'reach' | 'origin'>): Promise<ApiKey | null> {
    const act = function* (this: ApiKeysRepository, tx: Transaction): Steps<ApiKey | null> {
      const key = within(yield* this.keys.lock(id), reach);
      if (!key || key.revokedAt !== null) return key;
      const revoked = yield* this.keys.write(tx, key, { revokedAt: new Date() });
      yield* this.changes.note(tx);
      return revoked;
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * If there is no key, makes a key with the scope `admin` and returns it. Returns null when there are keys already.
   * The text of the key is stored nowhere, so it cannot be read later. If several instances start together, only one of
   * them makes a key.
   */
  createFirst(): Promise<string | null> {
    const secret = newSecret();
    return this.database.unitOfWork.run(
      function* () {
        const row = yield* one<{ id: number }>(sql`
          INSERT INTO api_keys (name, secret_hash, scopes, created_at)
          SELECT 'administrator', ${hashOf(secret)}, 'admin', ${new Date()}
          WHERE NOT EXISTS (SELECT 1 FROM api_keys)
          RETURNING id`);
        return row ? formatKey(row.id, secret) : null;
      },
      { isolation: 'serializable' },
    );
  }
}

function within(key: ApiKey | null, reach: RowAccess): ApiKey | null {
  return key && reach.covers(key.userId) ? key : null;
}

function issued(apiKey: ApiKey, secret: string): IssuedApiKey {
  return { apiKey, key: formatKey(apiKey.id, secret), version: apiKey.version };
}
