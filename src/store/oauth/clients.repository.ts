import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { hashOf, newSecret } from '../accounts/api-key.js';
import { Revocations } from '../tokens/revocations.js';
import type { Context } from '../../engine/contract/context.js';
import { Database } from '../../engine/database/database.js';
import { depthFaults, filteredPage, filteredTotal, type Span } from '../../engine/database/filtered-page.js';
import { BY_ID, keysetSlice } from '../../engine/database/keyset.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import type { Piece } from '../../engine/database/slices.js';
import { forUpdate, one, sql, type Row, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { Conflict, ValidationFailed } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import { Client, type IssuedClient, type NewClient } from './client.entity.js';
import { requireSound } from './client-rules.js';

/** The programs that the authorization server knows. */
@Injectable()
export class ClientsRepository {
  private readonly mapping: Mapping<Client>;

  constructor(
    @InjectRepository(Client) private readonly clients: Repository<Client>,
    private readonly database: Database,
    private readonly revocations: Revocations,
  ) {
    this.mapping = mappingOf(clients.manager.dataSource, Client);
  }

  async find(id: number): Promise<Client | null> {
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM oauth_clients WHERE id = ${id}`,
    );
    return row ? this.mapping.fromRow(row) : null;
  }

  /** Finds a client by its `client_id`. Null also if the client was revoked. */
  async findActive(clientId: string): Promise<Client | null> {
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM oauth_clients WHERE client_id = ${clientId} AND revoked_at IS NULL`,
    );
    return row ? this.mapping.fromRow(row) : null;
  }

  /** Reads a page, in the order of ids. @throws ValidationFailed when the page is too deep */
  async list(span: Span): Promise<Page<Client>> {
    const faults = depthFaults(span, { parameter: 'page' }, 'ask for smaller pages');
    if (faults.length > 0) throw new ValidationFailed(faults);
    const matching = this.clients.createQueryBuilder('c').select('c.*');
    const sort = (query: typeof matching) => query.orderBy('c.id', 'ASC');
    return filteredPage(this.database.reads, this.mapping, matching, sort, span);
  }

  /** The slice of the same list after or before a cursor. */
  async slice(piece: Piece): Promise<Slice<Client>> {
    const { reads } = this.database;
    const matching = this.clients.createQueryBuilder('c').select('c.*');
    const total = await filteredTotal(reads, matching);
    return keysetSlice({ reads, mapping: this.mapping, matching, ...BY_ID }, piece, total);
  }

  /** @throws ValidationFailed when members do not fit each other */
  async create(client: NewClient, { origin }: Pick<Context, 'origin'>): Promise<IssuedClient> {
    requireSound(client);
    const clientId = `c_${randomBytes(16).toString('base64url')}`;
    const secret = client.isConfidential ? newSecret() : null;
    return this.database.unitOfWork.run(() => this.insert(client, clientId, secret), { origin });
  }

  /**
   * Gives a client a new secret; null when there is no such client.
   *
   * @param mayHave throws when the caller may not have the access that the client has
   * @throws Conflict `CLIENT_ENDED` when the client was revoked, or has no secret
   */
  rotate(
    id: number,
    overlapMs: number,
    mayHave: (client: Client) => void,
    { origin }: Pick<Context, 'origin'>,
  ): Promise<IssuedClient | null> {
    const secret = newSecret();
    return this.database.unitOfWork.run(() => this.renew(id, secret, overlapMs, mayHave), { origin });
  }

  /** Ends a client with everything that was issued to it, and returns it; null when there is no such client. */
  revoke(id: number, { origin }: Pick<Context, 'origin'>): Promise<Client | null> {
    return this.database.unitOfWork.run((tx) => this.end(id, tx), { origin });
  }

  private *insert(client: NewClient, clientId: string, secret: string | null): Steps<IssuedClient> {
    const { name, redirectUris, grantTypes, scopes, mayIntrospect } = client;
    const row = yield* one(sql`
      INSERT INTO oauth_clients
        (client_id, name, secret_hash, redirect_uris, grant_types, scopes, may_introspect, created_at)
      VALUES (${clientId}, ${name.trim()}, ${secret === null ? null : hashOf(secret)}, ${redirectUris.join(' ')},
        ${grantTypes.join(' ')}, ${scopes.join(' ')}, ${mayIntrospect}, ${new Date()})
      RETURNING ${this.mapping.columns}`);
    return issued(this.mapping.fromRow(row as Row), secret);
  }

  private *renew(
    id: number,
    secret: string,
    overlapMs: number,
    mayHave: (client: Client) => void,
  ): Steps<IssuedClient | null> {
    const client = yield* this.keep(id);
    if (!client) return null;
    mayHave(client);
    if (client.revokedAt !== null)
      throw new Conflict('CLIENT_ENDED', `The client ${id} was revoked: make another one.`);
    if (client.secretHash === null)
      throw new Conflict('CLIENT_ENDED', `The client ${id} is public and has no secret.`);
    const until = new Date(Date.now() + overlapMs);
    const row = yield* one(sql`
      UPDATE oauth_clients SET secret_hash = ${hashOf(secret)}, previous_hash = ${client.secretHash},
        previous_until = ${until}, version = version + 1
      WHERE id = ${id} RETURNING ${this.mapping.columns}`);
    return issued(this.mapping.fromRow(row as Row), secret);
  }

  private *end(id: number, tx: Transaction): Steps<Client | null> {
    const client = yield* this.keep(id);
    if (!client || client.revokedAt !== null) return client;
    const row = yield* one(sql`
      UPDATE oauth_clients SET revoked_at = ${new Date()}, version = version + 1
      WHERE id = ${id} RETURNING ${this.mapping.columns}`);
    yield* this.revocations.end(tx, [{ clientId: client.clientId }]);
    return this.mapping.fromRow(row as Row);
  }

  private *keep(id: number): Steps<Client | null> {
    const row = yield* one(
      sql`SELECT ${this.mapping.columns} FROM oauth_clients WHERE id = ${id} ${forUpdate}`,
    );
    return row ? this.mapping.fromRow(row) : null;
  }
}

function issued(client: Client, secret: string | null): IssuedClient {
  return { client, secret, version: client.version };
}
