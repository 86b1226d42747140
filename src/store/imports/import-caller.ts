import { one, sql, type Steps } from '../../engine/database/sql.js';
import { holderOf } from '../tokens/revocations.js';
import type { Import } from './import.entity.js';

/** Thrown inside a batch. The batch is not written, and the import ends. */
export class CredentialEnded extends Error {}

/**
 * The callers whose keys are in no table: the administrator key of the settings, and the demo key. These keys cannot be
 * revoked.
 */
const OF_THE_SETTINGS: ReadonlySet<string> = new Set(['administrator', 'visitor']);

/**
 * A step of each batch. It requires that the credential of the import is still accepted. An API key must not have been
 * revoked, and must not have expired. An OAuth client must not have been revoked. An expired token is still accepted.
 * But if the token belongs to a user, the user must still exist. The tokens of the user, or of the outside subject,
 * must not have been ended after the import was made.
 *
 * @throws CredentialEnded
 */
export function* requireCredential({ caller, createdAt }: Pick<Import, 'caller' | 'createdAt'>): Steps<void> {
  if (OF_THE_SETTINGS.has(caller)) return;
  const [, kind, id = ''] = /^(key|client|user|subject) (.*)$/s.exec(caller) ?? [];
  if (kind === 'key') {
    yield* requireRow(sql`
      SELECT id FROM api_keys
      WHERE id = ${Number(id)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${new Date()})`);
  } else if (kind === 'client') {
    yield* requireRow(sql`SELECT id FROM oauth_clients WHERE client_id = ${id} AND revoked_at IS NULL`);
  } else if (kind === 'user') {
    yield* requireRow(sql`SELECT id FROM users WHERE id = ${Number(id)}`);
    yield* requireNotEnded(caller, createdAt);
  } else {
    // The address of an issuer has no spaces.
    const [, subject, issuer] = /^(.*) of (\S+)$/s.exec(id) ?? [];
    if (subject === undefined || issuer === undefined) throw new CredentialEnded();
    yield* requireNotEnded(holderOf({ subject, issuer }), createdAt);
  }
}

function* requireRow(statement: ReturnType<typeof sql>): Steps<void> {
  if ((yield* one(statement)) === undefined) throw new CredentialEnded();
}

function* requireNotEnded(holder: string, since: Date): Steps<void> {
  const ended = yield* one(
    sql`SELECT holder FROM revocations WHERE holder = ${holder} AND not_before >= ${since}`,
  );
  if (ended !== undefined) throw new CredentialEnded();
}
