import { Injectable } from '@nestjs/common';
import type { Giving } from '../../engine/contract/context.js';
import { EntityTable, type Values } from '../../engine/database/entity-table.js';
import { sql, type Row, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { Identity } from './identity.entity.js';

export interface LinkedUser {
  readonly id: number;
  readonly name: string;
}

/** The links between our users and the subjects by which outside issuers know these users. */
@Injectable()
export class IdentitiesRepository extends EntityTable<Identity> {
  constructor(
    parts: TableParts,
    private readonly changes: CredentialChanges,
  ) {
    super(parts, Identity, {
      details: { IDENTITY_TAKEN: () => 'This subject of the issuer is already an identity of a user.' },
    });
  }

  /** The user that an issuer knows by a subject; null when the subject is no identity. */
  async findUser(issuer: string, subject: string): Promise<LinkedUser | null> {
    const row = await this.database.reads.one<LinkedUser & Row>(sql`
      SELECT u.id, u.name FROM identities i JOIN users u ON u.id = i.user_id
      WHERE i.issuer = ${issuer} AND i.subject = ${subject}`);
    return row ?? null;
  }

  /** @throws the same errors as `Context.confirm` */
  override async create(identity: Values<Identity>, context: Giving): Promise<Identity> {
    await context.confirm();
    return super.create(identity, context);
  }

  override *insert(tx: Transaction, identity: Values<Identity>): Steps<Identity> {
    const stored = yield* super.insert(tx, identity);
    yield* this.changes.note(tx);
    return stored;
  }

  override *remove(tx: Transaction, identity: Identity): Steps<void> {
    yield* this.removeRow(identity);
    yield* this.changes.note(tx);
  }
}
