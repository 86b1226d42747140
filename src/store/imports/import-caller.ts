import { one, sql, type Steps } from '../../engine/database/sql.js';

/** Thrown inside a batch. The batch is not written, and the import ends. */
export class CredentialEnded extends Error {}

/**
 * A step of each batch: the credential with which the import was made must not have been revoked or have expired. The
 * token of a client may expire; only the client itself must still be there.
 *
 * @throws CredentialEnded
 */
export function* requireCredential(caller: string): Steps<void> {
  const [, kind, id = ''] = /^(key|client) (.*)$/.exec(caller) ?? [];
  if (kind === undefined) return;
  const found =
    kind === 'key'
      ? yield* one(sql`
          SELECT id FROM api_keys
          WHERE id = ${Number(id)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date()})`)
      : yield* one(sql`SELECT id FROM oauth_clients WHERE client_id = ${id} AND revoked_at IS NULL`);
  if (found === undefined) throw new CredentialEnded();
}
