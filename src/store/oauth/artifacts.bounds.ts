import { all, forUpdateSkipping, one, run, sql, UNPLANNED, type Steps } from '../../engine/database/sql.js';

// The bounds of the data that `ArtifactsRepository` stores. Each act that stores an artifact keeps them.

/** The maximum number of unfinished sign-ins of a sender with limits. When there are more, the oldest sign-in ends. */
const MOST_OF_A_SENDER = 200;
/**
 * The maximum number of artifacts of one kind that one user has, for each client. Sign-ins, sessions, consents, codes
 * and each kind of token are such kinds. When there are more, used refresh tokens and ended sessions are removed first,
 * and then the artifact that expires first.
 */
const MOST_OF_A_USER = 200;
/**
 * The maximum number of tokens that one client has got for itself. When there are more, the token that expires first is
 * removed. A client that gets a token for each of its tasks needs many, so the maximum is high.
 */
const MOST_OF_A_CLIENT = 10_000;
/**
 * The maximum number of unfinished sign-ins of all senders together. When there are more, the oldest sign-in of the
 * sender with most sign-ins ends. So a sender with few sign-ins keeps them while others begin many.
 */
const MOST_OF_ALL_SENDERS = 10_000;
/**
 * The maximum number of artifacts that one act removes for these bounds. On PostgreSQL, acts that run at the same
 * moment all count the same excess. Without this maximum, they would together remove too many.
 */
const MOST_REMOVED = 2;

/** Removes the oldest artifacts that belong to no user and no client, if this sender or all senders have too many. */
export function* keepFewOfSender(sender: string, isBounded: boolean): Steps<void> {
  const counts = yield* one<{ every: number; own: number }>(sql`
    SELECT count(*) AS every, count(CASE WHEN sender = ${sender} THEN 1 END) AS own
    FROM oauth_artifacts WHERE sender IS NOT NULL`);
  const [every, own] = [Number(counts?.every), Number(counts?.own)];
  if (isBounded && own > MOST_OF_A_SENDER) yield* removeOldest(sender, own - MOST_OF_A_SENDER);
  else if (every > MOST_OF_ALL_SENDERS) yield* removeOfLargest(every - MOST_OF_ALL_SENDERS);
}

function* removeOfLargest(excess: number): Steps<void> {
  const largest = yield* one<{ sender: string }>(sql`
    SELECT sender FROM oauth_artifacts WHERE sender IS NOT NULL
    GROUP BY sender ORDER BY count(*) DESC, min(expires_at) LIMIT 1`);
  if (largest) yield* removeOldest(largest.sender, excess);
}

function* removeOldest(sender: string, excess: number): Steps<void> {
  // Without MATERIALIZED, PostgreSQL may run the SELECT once for each row of the table. Each time, it would skip the
  // rows that are removed already, and find the next ones.
  yield* run(sql`
    WITH oldest AS MATERIALIZED (
      SELECT model, id_hash FROM oauth_artifacts WHERE sender = ${sender}
      ORDER BY consumed_at IS NULL, expires_at LIMIT ${UNPLANNED} ${Math.min(excess, MOST_REMOVED)} ${forUpdateSkipping})
    DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (SELECT model, id_hash FROM oldest)`);
}

/**
 * Removes the oldest artifacts of a user that has too many of one kind. Returns the hashes of their identifiers.
 *
 * @param newest the hash of the artifact that was just stored. It stays, even if it expires first
 */
export function* keepFewOfUser(
  model: string,
  userId: number,
  clientId: string | null,
  newest: string,
): Steps<string[]> {
  const client = clientId ?? '';
  const counted = yield* one<{ n: number }>(sql`
    SELECT count(*) AS n FROM oauth_artifacts
    WHERE model = ${model} AND user_id = ${userId} AND coalesce(client_id, '') = ${client}`);
  const excess = Number(counted?.n) - MOST_OF_A_USER;
  if (excess <= 0) return [];
  const removed = yield* all<{ id_hash: string }>(sql`
    WITH oldest AS MATERIALIZED (
      SELECT model, id_hash FROM oauth_artifacts
      WHERE model = ${model} AND user_id = ${userId} AND coalesce(client_id, '') = ${client} AND id_hash <> ${newest}
      ORDER BY consumed_at IS NULL, expires_at LIMIT ${UNPLANNED} ${Math.min(excess, MOST_REMOVED)} ${forUpdateSkipping})
    DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (SELECT model, id_hash FROM oldest) RETURNING id_hash`);
  return removed.map(({ id_hash: hash }) => hash);
}

/**
 * Removes the tokens of a client that expire first, if it has got too many for itself.
 *
 * @param newest the hash of the token that was just stored. It stays, even if it expires first
 */
export function* keepFewOfClient(clientId: string, newest: string): Steps<void> {
  // The model is written out, because the index is only for this model.
  const counted = yield* one<{ n: number }>(sql`
    SELECT count(*) AS n FROM oauth_artifacts WHERE model = 'ClientCredentials' AND client_id = ${clientId}`);
  const excess = Number(counted?.n) - MOST_OF_A_CLIENT;
  if (excess <= 0) return;
  yield* run(sql`
    WITH oldest AS MATERIALIZED (
      SELECT model, id_hash FROM oauth_artifacts
      WHERE model = 'ClientCredentials' AND client_id = ${clientId} AND id_hash <> ${newest}
      ORDER BY expires_at LIMIT ${UNPLANNED} ${Math.min(excess, MOST_REMOVED)} ${forUpdateSkipping})
    DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (SELECT model, id_hash FROM oldest)`);
}
