import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashOf } from '../accounts/api-key.js';
import { keepFewOfClient, keepFewOfSender, keepFewOfUser } from './artifacts.bounds.js';
import { PAGES_CLIENT_ID, PAGES_SCOPES } from './pages-client.js';
import { Revocations } from '../tokens/revocations.js';
import { userIdIn } from '../tokens/subject.js';
import { Database } from '../../engine/database/database.js';
import { faultOf } from '../../engine/database/faults.js';
import { all, forKeyShare, forShare, one, run, sql, type Steps } from '../../engine/database/sql.js';
import type { Subject } from '../../engine/rate-limits/rate-limits.js';
import { MasterKey } from '../../engine/secrets/master-key.js';

/**
 * The data of an artifact, as the library writes it. An artifact is an object that the library stores, such as a
 * session, a code, a token or a grant. The service knows only the members that are named here.
 */
export interface Payload {
  readonly [member: string]: unknown;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly scope?: string | undefined;
  /** The time of issue, in seconds since the epoch. */
  readonly iat?: number | undefined;
  /** The time at which the user began to sign in, in seconds since the epoch. */
  readonly loginTs?: number | undefined;
}

/** A valid access token, with its client and its user. */
export interface FoundToken {
  readonly scopes: readonly string[];
  readonly client: { readonly clientId: string; readonly name: string; readonly scopes: string };
  /** Null for a token that a client got for itself. */
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly expiresAt: Date;
}

/** The request that stores an artifact. */
interface Storing {
  /** The subject of the request; undefined for an artifact that is stored outside of a request to the library. */
  readonly sender?: Subject | undefined;
  /** The former identifier of a session that gets a new one. */
  readonly formerId?: string | undefined;
}

/** The parts of a row that the library does not know as members of the payload. */
interface Row {
  readonly model: string;
  readonly idHash: string;
  readonly sealed: string;
  readonly expiresAt: Date | null;
}

interface Stored {
  readonly id_hash: string;
  readonly payload: string;
  readonly consumed_at: Date | number | null;
}

const PURPOSE = 'oauth artifacts';
/** The sender of an artifact that is stored outside of a request to the library. */
const UNKNOWN: Subject = { policy: 'anonymous', name: 'unknown', isBounded: true };
/**
 * The kinds of artifacts that nobody misses after they expire, so they are removed without a delay. A client can get
 * another token for itself at any time.
 */
const REMOVED_AT_END = ['Interaction', 'AuthorizationCode', 'ClientCredentials'] as const;
/** The clocks of two machines differ by less than this. */
const LEEWAY_SECONDS = 60;
/**
 * All other expired artifacts of a user or a client are removed only after this time, because the clock may be ahead
 * for some hours.
 */
const KEPT_AFTER_END_MS = 24 * 3_600_000;
/** The kinds of artifacts that exist only as long as the user's grant. */
const BY_GRANT: ReadonlySet<string> = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode']);

/**
 * Stores the artifacts of the library. The identifier of an artifact is random. For most kinds it is the secret that
 * the client or the browser sends. So the table has only the SHA-256 of the identifier, and the payload is sealed.
 * Nothing in the table can be used as a credential.
 */
@Injectable()
export class ArtifactsRepository {
  constructor(
    private readonly database: Database,
    private readonly secret: MasterKey,
    private readonly revocations: Revocations,
  ) {}

  async find(model: string, id: string): Promise<Payload | undefined> {
    const row = await this.database.reads.one<Stored>(sql`
      SELECT id_hash, payload, consumed_at FROM oauth_artifacts
      WHERE model = ${model} AND id_hash = ${hashOf(id)}`);
    const payload = row && this.opened(model, row);
    // A code with a time of issue in the future is not found. A token with such a time is found, so that it can be
    // revoked; if it is an access token, `findToken` refuses it.
    return payload && (model !== 'AuthorizationCode' || isIssued(payload)) ? payload : undefined;
  }

  async findByUid(model: string, uid: string): Promise<Payload | undefined> {
    const row = await this.database.reads.one<Stored>(sql`
      SELECT id_hash, payload, consumed_at FROM oauth_artifacts
      WHERE model = ${model} AND uid_hash = ${hashOf(uid)}`);
    return row && this.opened(model, row);
  }

  /** The access token that a caller sent; undefined if it is not valid at this moment. */
  async findToken(token: string): Promise<FoundToken | undefined> {
    const row = await this.database.reads.one<
      Stored & {
        model: string;
        expires_at: Date | number;
        client_id: string;
        client_name: string | null;
        client_scopes: string | null;
        user_id: number | null;
        user_name: string | null;
      }
    >(sql`
      SELECT a.model, a.id_hash, a.payload, a.consumed_at, a.expires_at, a.client_id,
        c.name AS client_name, c.scopes AS client_scopes, u.id AS user_id, u.name AS user_name
      FROM oauth_artifacts a
      LEFT JOIN oauth_clients c ON c.client_id = a.client_id AND c.revoked_at IS NULL
      LEFT JOIN users u ON u.id = a.user_id
      WHERE a.id_hash = ${hashOf(token)} AND a.model IN ('AccessToken', 'ClientCredentials')
        AND a.expires_at > ${new Date()} AND (c.id IS NOT NULL OR a.client_id = ${PAGES_CLIENT_ID})`);
    const payload = row && this.opened(row.model, row);
    if (!row || !payload || !isIssued(payload)) return undefined;
    const { user_id: id, user_name: name } = row;
    if (row.model === 'AccessToken' && id === null) return undefined;
    return {
      scopes: payload.scope?.split(' ') ?? [],
      client: {
        clientId: row.client_id,
        name: row.client_name ?? row.client_id,
        scopes: row.client_scopes ?? PAGES_SCOPES.join(' '),
      },
      user: id === null ? null : { id, name: name as string },
      expiresAt: new Date(row.expires_at),
    };
  }

  /**
   * Stores an artifact. If the user, the grant or the sign-in of the artifact no longer exists, nothing is stored, and
   * the result is false. A new password ends every sign-in that began before it. Signing out everywhere does the same.
   * A session is not stored either if it has ended, or has got another identifier, since the request loaded it.
   *
   * An artifact of no user and no client, such as a sign-in that begins, counts for the sender whose request stored it
   * first. An artifact of a user counts for this user, and a token that a client gets for itself counts for the client.
   * If one of them has too many artifacts, the oldest ones are removed. On PostgreSQL, acts that run at the same moment
   * may each leave one too many, until the next act.
   */
  async store(
    model: string,
    id: string,
    payload: Payload,
    lifetimeSeconds: number | undefined,
    { sender = UNKNOWN, formerId }: Storing = {},
  ): Promise<boolean> {
    const idHash = hashOf(id);
    const sealed = this.secret.seal(PURPOSE, Buffer.from(JSON.stringify(payload)), `${model} ${idHash}`);
    const expiresAt = lifetimeSeconds === undefined ? null : new Date(Date.now() + lifetimeSeconds * 1000);
    const row = { model, idHash, sealed, expiresAt };
    const formerHash = formerId === undefined ? null : hashOf(formerId);
    try {
      return await this.database.unitOfWork.run(() => this.put(row, payload, sender, formerHash));
    } catch (error) {
      if (faultOf(error).kind === 'foreign_key') return false;
      throw error;
    }
  }

  /**
   * Marks an artifact as used. It may be used only once, in all instances together. The result is false if the artifact
   * was used before, or no longer exists. If it was used before, its grant is removed, together with everything that
   * was issued from the grant (RFC 9700, section 4.14.2).
   */
  consume(model: string, id: string): Promise<boolean> {
    return this.database.unitOfWork.run(() => this.use(model, hashOf(id)));
  }

  /** Removes an artifact. If it is a grant, everything that was issued from the grant is removed too. */
  async destroy(model: string, id: string): Promise<void> {
    const hash = hashOf(id);
    await this.database.unitOfWork.run(() =>
      model === 'Grant'
        ? this.endGrant(hash)
        : run(sql`DELETE FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${hash}`),
    );
  }

  /**
   * Ends a session. Its row loses the payload and stays until the session would have expired. So a request that has
   * loaded the session before cannot store it again.
   */
  async endSession(uid: string): Promise<void> {
    await this.database.unitOfWork.run(() =>
      run(sql`
        UPDATE oauth_artifacts SET payload = '', consumed_at = ${new Date()}
        WHERE model = 'Session' AND uid_hash = ${hashOf(uid)} AND consumed_at IS NULL`),
    );
  }

  /** Ends everything that was issued from a grant. The grant itself stays. */
  async revokeByGrant(grantId: string): Promise<void> {
    const hash = hashOf(grantId);
    await this.database.unitOfWork.run(() => this.endIssuedFrom(hash));
  }

  /**
   * Removes at most `most` expired artifacts, and returns their number. An artifact of a user or a client is removed
   * only a day after its end, unless it is of a kind in `REMOVED_AT_END`.
   */
  removeExpired(now: Date, most: number): Promise<number> {
    const before = new Date(now.getTime() - KEPT_AFTER_END_MS);
    return this.database.unitOfWork.run(function* () {
      const rows = yield* all(sql`
        DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (
          SELECT model, id_hash FROM oauth_artifacts WHERE expires_at < ${now}
            AND (expires_at < ${before} OR sender IS NOT NULL
              OR model IN (${REMOVED_AT_END[0]}, ${REMOVED_AT_END[1]}, ${REMOVED_AT_END[2]}))
          LIMIT ${most})
        RETURNING model`);
      return rows.length;
    });
  }

  private *put(
    { model, idHash, sealed, expiresAt }: Row,
    payload: Payload,
    sender: Subject,
    formerHash: string | null,
  ): Steps<boolean> {
    const { accountId, clientId, uid, grantId, loginTs } = payload;
    const grantHash = grantId === undefined ? null : hashOf(grantId);
    if (grantHash !== null && BY_GRANT.has(model)) {
      // Locks the grant. A transaction that ends the grant at this moment waits until this artifact is stored, and then
      // removes this artifact too.
      const grant = yield* one(sql`
        SELECT model FROM oauth_artifacts WHERE model = 'Grant' AND id_hash = ${grantHash} ${forKeyShare}`);
      if (!grant) return false;
    }
    const userId = accountId === undefined ? null : userIdIn(accountId);
    if (userId !== null && loginTs !== undefined) {
      // Locks the row of the user. A transaction that ends the sign-ins of the user locks the same row, so one
      // transaction waits for the other.
      yield* one(sql`SELECT id FROM users WHERE id = ${userId} ${forShare}`);
      if (yield* this.revocations.haveEndedSince(new Date(loginTs * 1000), userId)) return false;
    }
    const uidHash = uid === undefined ? null : hashOf(uid);
    if (model === 'Session' && uidHash !== null) {
      if (!(yield* this.isCurrent(uidHash, idHash, formerHash ?? idHash))) return false;
    }
    const senderName = userId === null && clientId === undefined ? this.nameOf(sender) : null;
    yield* run(sql`
      INSERT INTO oauth_artifacts
        (model, id_hash, payload, uid_hash, grant_hash, user_id, client_id, expires_at, sender)
      VALUES (${model}, ${idHash}, ${sealed}, ${uidHash}, ${grantHash},
        ${userId}, ${clientId ?? null}, ${expiresAt}, ${senderName})
      ON CONFLICT (model, id_hash) DO UPDATE SET payload = excluded.payload, uid_hash = excluded.uid_hash,
        grant_hash = excluded.grant_hash, user_id = excluded.user_id, client_id = excluded.client_id,
        expires_at = excluded.expires_at,
        sender = CASE WHEN excluded.user_id IS NULL THEN oauth_artifacts.sender END`);
    if (senderName !== null) yield* keepFewOfSender(senderName, sender.isBounded);
    else if (userId !== null) {
      const removed = yield* keepFewOfUser(model, userId, clientId ?? null, idHash);
      if (model === 'Grant') for (const hash of removed) yield* this.endIssuedFrom(hash);
    } else if (model === 'ClientCredentials' && clientId !== undefined)
      yield* keepFewOfClient(clientId, idHash);
    return true;
  }

  /**
   * Whether the session still has the identifier with which the request loaded it, or is new. If so, its row gets the
   * new identifier. A session has one row, which another request finds by the uid, and then waits for this one.
   */
  private *isCurrent(uidHash: string, idHash: string, formerHash: string): Steps<boolean> {
    const current = yield* one(sql`
      UPDATE oauth_artifacts SET id_hash = ${idHash}
      WHERE model = 'Session' AND uid_hash = ${uidHash} AND id_hash IN (${idHash}, ${formerHash})
        AND consumed_at IS NULL
      RETURNING model`);
    if (current) return true;
    return !(yield* one(
      sql`SELECT model FROM oauth_artifacts WHERE model = 'Session' AND uid_hash = ${uidHash}`,
    ));
  }

  /** The table has only a hash of the sender, because the name of a sender is its address. */
  private nameOf({ policy, name }: Subject): string {
    return createHmac('sha256', this.secret.key('oauth senders'))
      .update(`${policy} ${name}`)
      .digest('base64url');
  }

  private *use(model: string, idHash: string): Steps<boolean> {
    const used = yield* one(sql`
      UPDATE oauth_artifacts SET consumed_at = ${new Date()}
      WHERE model = ${model} AND id_hash = ${idHash} AND consumed_at IS NULL RETURNING model`);
    if (used) return true;
    const row = yield* one<{ grant_hash: string | null }>(sql`
      SELECT grant_hash FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${idHash}`);
    const hash = row?.grant_hash ?? null;
    if (hash !== null) yield* this.endGrant(hash);
    return false;
  }

  /**
   * The grant is removed first. This statement waits for all acts that store a token of the grant at this moment (see
   * `put`), so the second statement removes these tokens too.
   */
  private *endGrant(hash: string): Steps<void> {
    yield* run(sql`DELETE FROM oauth_artifacts WHERE model = 'Grant' AND id_hash = ${hash}`);
    yield* this.endIssuedFrom(hash);
  }

  private *endIssuedFrom(grantHash: string): Steps<void> {
    yield* run(sql`DELETE FROM oauth_artifacts WHERE grant_hash = ${grantHash}`);
  }

  private opened(model: string, { id_hash, payload, consumed_at }: Stored): Payload | undefined {
    // The session has ended.
    if (payload === '') return undefined;
    const text = this.secret.open(PURPOSE, payload, `${model} ${id_hash}`).toString();
    const opened = JSON.parse(text) as Payload;
    if (consumed_at === null) return opened;
    return { ...opened, consumed: Math.floor(Number(new Date(consumed_at)) / 1000) };
  }
}

/**
 * Whether the time of issue is not in the future. It is in the future if the clock was set back after the issue. The
 * artifact is then not valid, because otherwise it would live longer.
 */
function isIssued({ iat }: Payload): boolean {
  return iat === undefined || iat <= Date.now() / 1000 + LEEWAY_SECONDS;
}
