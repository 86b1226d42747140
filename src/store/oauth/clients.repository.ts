import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashOf, newSecret } from '../accounts/api-key.js';
import { Revocations } from '../tokens/revocations.js';
import type { Context, Giving } from '../../engine/contract/context.js';
import { EntityTable } from '../../engine/database/entity-table.js';
import { sql, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { Conflict } from '../../engine/errors/errors.js';
import { Client, type IssuedClient, type NewClient } from './client.entity.js';
import { requireSound } from './client-rules.js';

/** The programs that the authorization server knows. */
@Injectable()
export class ClientsRepository extends EntityTable<Client> {
  constructor(
    parts: TableParts,
    private readonly revocations: Revocations,
  ) {
    super(parts, Client, { trimmed: ['name'] });
  }

  /**
   * Finds a client by its `client_id`, which may be any text; null if there is no such client, or if the client was
   * revoked.
   */
  async findActive(clientId: string): Promise<Client | null> {
    // PostgreSQL refuses a statement with a NUL. No stored `client_id` has one.
    if (clientId.includes('\0')) return null;
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM oauth_clients WHERE client_id = ${clientId} AND revoked_at IS NULL`,
    );
    return row ? this.mapping.fromRow(row) : null;
  }

  /**
   * @throws ValidationFailed when a redirect URI is not allowed, or when members do not fit each other
   * @throws the same errors as `Context.confirm`
   */
  async issue(client: NewClient, { origin, confirm }: Giving): Promise<IssuedClient> {
    requireSound(client);
    await confirm();
    const secret = client.isConfidential ? newSecret() : null;
    const values = {
      clientId: `c_${randomBytes(16).toString('base64url')}`,
      name: client.name,
      secretHash: secret && hashOf(secret),
      redirectUris: client.redirectUris.join(' '),
      grantTypes: client.grantTypes.join(' '),
      scopes: client.scopes.join(' '),
      mayIntrospect: client.mayIntrospect,
    };
    const act = function* (this: ClientsRepository, tx: Transaction): Steps<IssuedClient> {
      return issued(yield* this.insert(tx, values), secret);
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * Gives a client a new secret; null when there is no such client.
   *
   * @param mayHave throws when the caller cannot grant the access that the client has
   * @throws Conflict `CLIENT_ENDED` when the client was revoked, or has no secret
   * @throws the same errors as `Context.confirm`
   */
  async rotate(
    id: number,
    overlapMs: number,
    mayHave: (client: Client) => void,
    { origin, confirm }: Giving,
  ): Promise<IssuedClient | null> {
    await confirm();
    const secret = newSecret();
    const act = function* (this: ClientsRepository, tx: Transaction): Steps<IssuedClient | null> {
      const client = yield* this.lock(id);
      if (!client) return null;
      mayHave(client);
      if (client.revokedAt !== null)
        throw new Conflict('CLIENT_ENDED', `The client ${id} was revoked: make another one.`);
      if (client.secretHash === null)
        throw new Conflict('CLIENT_ENDED', `The client ${id} is public and has no secret.`);
      // Without an overlap, the previous secret is not kept. So it stays invalid, even if the clock is set back.
      const previousUntil = new Date(Date.now() + overlapMs);
      const renewed = {
        secretHash: hashOf(secret),
        previousHash: overlapMs === 0 ? null : client.secretHash,
        previousUntil,
      };
      return issued(yield* this.write(tx, client, renewed), secret);
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /** Ends a client, and everything that was issued to it. Returns the client; null when there is no such client. */
  revoke(id: number, { origin }: Pick<Context, 'origin'>): Promise<Client | null> {
    const act = function* (this: ClientsRepository, tx: Transaction): Steps<Client | null> {
      const client = yield* this.lock(id);
      if (!client || client.revokedAt !== null) return client;
      const revoked = yield* this.write(tx, client, { revokedAt: new Date() });
      yield* this.revocations.end(tx, [{ clientId: client.clientId }]);
      return revoked;
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }
}

function issued(client: Client, secret: string | null): IssuedClient {
  return { client, secret, version: client.version };
}
