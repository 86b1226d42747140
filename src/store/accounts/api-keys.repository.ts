import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Context } from '../../engine/contract/context.js';
import { Database } from '../../engine/database/database.js';
import { depthFaults, filteredPage, filteredTotal, type Span } from '../../engine/database/filtered-page.js';
import { BY_ID, keysetSlice } from '../../engine/database/keyset.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { sliceOf, type Piece } from '../../engine/database/slices.js';
import { one, sql, forUpdate, type Row, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { faultOf } from '../../engine/database/faults.js';
import { Conflict, ValidationFailed } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type { Scope } from '../../generated/operations.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
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

/** The keys that the service issued. */
@Injectable()
export class ApiKeysRepository {
  private readonly mapping: Mapping<ApiKey>;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly database: Database,
    private readonly changes: CredentialChanges,
  ) {
    this.mapping = mappingOf(keys.manager.dataSource, ApiKey);
  }

  /** Finds a key by its id. Null also if the key belongs to a user that `reach` does not cover. */
  async find(id: number, reach: RowAccess): Promise<ApiKey | null> {
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM api_keys WHERE id = ${id}`,
    );
    const key = row ? this.mapping.fromRow(row) : null;
    return key && reach.covers(key.userId) ? key : null;
  }

  /** Reads a page, in the order of ids. @throws ValidationFailed when the page is too deep */
  async list(userId: number | undefined, span: Span, reach: RowAccess): Promise<Page<ApiKey>> {
    const faults = depthFaults(span, { parameter: 'page' }, 'narrow the filter');
    if (faults.length > 0) throw new ValidationFailed(faults);
    if (userId !== undefined && !reach.covers(userId)) return { items: [], total: 0 };
    const matching = this.matching(reach.onlyOf ?? userId);
    const sort = (query: typeof matching) => query.orderBy('k.id', 'ASC');
    return filteredPage(this.database.reads, this.mapping, matching, sort, span);
  }

  /** The slice of the same list after or before a cursor. */
  async slice(userId: number | undefined, piece: Piece, reach: RowAccess): Promise<Slice<ApiKey>> {
    if (userId !== undefined && !reach.covers(userId)) return sliceOf<ApiKey>([], piece, 0, () => []);
    const { reads } = this.database;
    const matching = this.matching(reach.onlyOf ?? userId);
    const total = await filteredTotal(reads, matching);
    return keysetSlice({ reads, mapping: this.mapping, matching, ...BY_ID }, piece, total);
  }

  /** @throws ValidationFailed when there is no such user */
  create(key: NewKey, { origin }: Pick<Context, 'origin'>): Promise<IssuedApiKey> {
    const secret = newSecret();
    return this.database.unitOfWork.run(() => this.insert(key, secret), { origin });
  }

  /**
   * Gives a key a new secret; null when there is no such key within reach.
   *
   * @param mayHave throws when the caller may not have the access that the key has
   * @throws Conflict `API_KEY_ENDED`
   */
  rotate(
    id: number,
    overlapMs: number,
    mayHave: (key: ApiKey) => void,
    { reach, origin }: Pick<Context, 'reach' | 'origin'>,
  ): Promise<IssuedApiKey | null> {
    const secret = newSecret();
    const act = (tx: Transaction) => this.renew(tx, id, secret, overlapMs, reach, mayHave);
    return this.database.unitOfWork.run(act, { origin });
  }

  /** Ends a key and returns it; null when there is no such key within reach. */
  revoke(id: number, { reach, origin }: Pick<Context, 'reach' | 'origin'>): Promise<ApiKey | null> {
    return this.database.unitOfWork.run((tx) => this.end(tx, id, reach), { origin });
  }

  /**
   * Makes the administrator key if there is no key at all, and returns it. The key can be seen only this once. If
   * several instances start together, one of them makes it. Null when there are keys already.
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

  private matching(wanted: number | undefined): SelectQueryBuilder<ApiKey> {
    const matching = this.keys.createQueryBuilder('k').select('k.*');
    return wanted === undefined ? matching : matching.where('k.userId = :wanted', { wanted });
  }

  private *insert({ name, userId, scopes, expiresAt }: NewKey, secret: string): Steps<IssuedApiKey> {
    try {
      const row = yield* one(sql`
        INSERT INTO api_keys (name, secret_hash, scopes, user_id, created_at, expires_at)
        VALUES (${name.trim()}, ${hashOf(secret)}, ${scopes.join(' ')}, ${userId}, ${new Date()}, ${expiresAt})
        RETURNING ${this.mapping.columns}`);
      return issued(this.mapping.fromRow(row as Row), secret);
    } catch (error) {
      if (faultOf(error).kind !== 'foreign_key') throw error;
      const detail = `must name a user: there is none with the id ${userId}`;
      throw new ValidationFailed([{ pointer: '#/user_id', code: 'UNKNOWN', detail }]);
    }
  }

  private *renew(
    tx: Transaction,
    id: number,
    secret: string,
    overlapMs: number,
    reach: RowAccess,
    mayHave: (key: ApiKey) => void,
  ): Steps<IssuedApiKey | null> {
    const key = yield* this.keep(id, reach);
    if (!key) return null;
    mayHave(key);
    const now = new Date();
    if (!isAlive(key, now))
      throw new Conflict('API_KEY_ENDED', `The API key ${id} has ended: make another one.`);
    const row = yield* one(sql`
      UPDATE api_keys SET secret_hash = ${hashOf(secret)}, previous_hash = ${key.secretHash},
        previous_until = ${new Date(now.getTime() + overlapMs)}, version = version + 1
      WHERE id = ${id} RETURNING ${this.mapping.columns}`);
    yield* this.changes.note(tx);
    return issued(this.mapping.fromRow(row as Row), secret);
  }

  private *end(tx: Transaction, id: number, reach: RowAccess): Steps<ApiKey | null> {
    const key = yield* this.keep(id, reach);
    if (!key || key.revokedAt !== null) return key;
    const row = yield* one(sql`
      UPDATE api_keys SET revoked_at = ${new Date()}, version = version + 1
      WHERE id = ${id} RETURNING ${this.mapping.columns}`);
    yield* this.changes.note(tx);
    return this.mapping.fromRow(row as Row);
  }

  private *keep(id: number, reach: RowAccess): Steps<ApiKey | null> {
    const row = yield* one(sql`SELECT ${this.mapping.columns} FROM api_keys WHERE id = ${id} ${forUpdate}`);
    const key = row ? this.mapping.fromRow(row) : null;
    return key && reach.covers(key.userId) ? key : null;
  }
}

function issued(apiKey: ApiKey, secret: string): IssuedApiKey {
  return { apiKey, key: formatKey(apiKey.id, secret), version: apiKey.version };
}
