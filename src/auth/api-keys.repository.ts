import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { mappingOf, type Mapping } from '../database/mapping.js';
import { Reads } from '../database/reads.js';
import { one, sql } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Scope } from '../generated/operations.js';
import { formatKey, hashOf, newSecret, parseKey, sameHash } from './api-key.js';
import { ApiKey } from './api-key.entity.js';
import type { Principal } from './principal.js';

/** The keys that the service gave out. */
@Injectable()
export class ApiKeysRepository {
  private readonly mapping: Mapping<ApiKey>;

  constructor(
    @InjectRepository(ApiKey) keys: Repository<ApiKey>,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.mapping = mappingOf(keys.manager.dataSource, ApiKey);
  }

  /** Whose key this is, or null when it is nobody's. */
  async findPrincipal(key: string): Promise<Principal | null> {
    const parts = parseKey(key);
    if (!parts) return null;
    const row = await this.reads.one(
      sql`SELECT ${this.mapping.columns} FROM api_keys WHERE id = ${parts.id}`,
    );
    const found = row && this.mapping.fromRow(row);
    if (!found || !sameHash(hashOf(parts.secret), found.secretHash)) return null;
    const { name, scopes, userId } = found;
    return {
      kind: userId === null ? 'client' : 'user',
      name,
      scopes: new Set(scopes.split(' ').filter((scope) => scope !== '') as Scope[]),
      userId,
    };
  }

  /**
   * Makes the administrator's key if there is no key at all, and returns it: this is the only time that it can be
   * seen. Of several instances that start together one makes it. Null when there are keys already.
   */
  createFirst(): Promise<string | null> {
    const secret = newSecret();
    return this.unitOfWork.run(
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
