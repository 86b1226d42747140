import { formatKey, hashOf, newSecret } from '../../src/auth/api-key.js';
import { one, sql } from '../../src/database/sql.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { TestApp } from './app.js';

/** A key with these scopes, of a client or of a user, put straight into the database until there is an operation for it. */
export async function createKey(
  store: TestApp,
  scopes: readonly string[],
  userId: number | null = null,
): Promise<string> {
  const secret = newSecret();
  const row = await store.app.get(UnitOfWork, { strict: false }).run(() =>
    one<{ id: number }>(sql`
      INSERT INTO api_keys (name, secret_hash, scopes, created_at, user_id)
      VALUES ('test', ${hashOf(secret)}, ${scopes.join(' ')}, ${new Date()}, ${userId}) RETURNING id`),
  );
  return formatKey((row as { id: number }).id, secret);
}
