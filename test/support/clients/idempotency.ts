import { Client } from 'pg';
import { DatabaseConfig } from '../../../src/engine/config/slices.js';
import { RecordCipher } from '../../../src/engine/idempotency/record-cipher.js';
import type { TestApp } from './app.js';

/**
 * Makes the service on PostgreSQL behave as if it is serving a request of the administrator with this idempotency key.
 * A call of the returned function ends this. SQLite has no such state: there a second request with the key waits, and
 * gets the answer of the first request.
 */
export async function holdKey(store: TestApp, key: string, operation: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: store.app.get(DatabaseConfig, { strict: false }).url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1)', [
    new RecordCipher(key, 'administrator', operation).lockId,
  ]);
  return () => client.end();
}
