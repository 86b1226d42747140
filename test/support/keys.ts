import { formatKey, hashOf, newSecret } from '../../src/auth/api-key.js';
import { one, sql } from '../../src/database/sql.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { TestApp } from './app.js';

/** A key with these scopes, put straight into the database until there is an operation for it. */
export async function createKey(store: TestApp, scopes: readonly string[]): Promise<string> {
  const secret = newSecret();
  const row = await store.app.get(UnitOfWork, { strict: false }).run(() =>
    one<{ id: number }>(sql`
      INSERT INTO api_keys (name, secret_hash, scopes, created_at)
      VALUES ('test', ${hashOf(secret)}, ${scopes.join(' ')}, ${new Date()}) RETURNING id`),
  );
  return formatKey((row as { id: number }).id, secret);
}
