import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Context } from '../../engine/contract/context.js';
import { Database } from '../../engine/database/database.js';
import { faultOf } from '../../engine/database/faults.js';
import { depthFaults, filteredPage, filteredTotal, type Span } from '../../engine/database/filtered-page.js';
import { BY_ID, keysetSlice } from '../../engine/database/keyset.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import type { Piece } from '../../engine/database/slices.js';
import { one, sql, type Row, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { Conflict, ValidationFailed } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { Identity } from './identity.entity.js';

export interface LinkedUser {
  readonly id: number;
  readonly name: string;
}

export type NewIdentity = Pick<Identity, 'issuer' | 'subject' | 'userId'>;

/** The links between our users and the subjects by which outside issuers know them. */
@Injectable()
export class IdentitiesRepository {
  private readonly mapping: Mapping<Identity>;

  constructor(
    @InjectRepository(Identity) private readonly identities: Repository<Identity>,
    private readonly database: Database,
    private readonly changes: CredentialChanges,
  ) {
    this.mapping = mappingOf(identities.manager.dataSource, Identity);
  }

  async find(id: number): Promise<Identity | null> {
    const row = await this.database.reads.one(
      sql`SELECT ${this.mapping.columns} FROM identities WHERE id = ${id}`,
    );
    return row ? this.mapping.fromRow(row) : null;
  }

  /** The user that an issuer knows by a subject; null when the subject is linked to no user. */
  async findUser(issuer: string, subject: string): Promise<LinkedUser | null> {
    const row = await this.database.reads.one<LinkedUser & Row>(sql`
      SELECT u.id, u.name FROM identities i JOIN users u ON u.id = i.user_id
      WHERE i.issuer = ${issuer} AND i.subject = ${subject}`);
    return row ?? null;
  }

  /** Reads a page, in the order of ids. @throws ValidationFailed when the page is too deep */
  async list(userId: number | undefined, span: Span): Promise<Page<Identity>> {
    const faults = depthFaults(span, { parameter: 'page' }, 'narrow the filter');
    if (faults.length > 0) throw new ValidationFailed(faults);
    const matching = this.matching(userId);
    const sort = (query: typeof matching) => query.orderBy('i.id', 'ASC');
    return filteredPage(this.database.reads, this.mapping, matching, sort, span);
  }

  /** The slice of the same list after or before a cursor. */
  async slice(userId: number | undefined, piece: Piece): Promise<Slice<Identity>> {
    const { reads } = this.database;
    const matching = this.matching(userId);
    const total = await filteredTotal(reads, matching);
    return keysetSlice({ reads, mapping: this.mapping, matching, ...BY_ID }, piece, total);
  }

  /**
   * @throws Conflict `IDENTITY_TAKEN`
   * @throws ValidationFailed when there is no such user
   */
  create(identity: NewIdentity, { origin }: Pick<Context, 'origin'>): Promise<Identity> {
    return this.database.unitOfWork.run((tx) => this.insert(tx, identity), { origin });
  }

  /** Removes a link and returns it; null when there is no such link. */
  delete(id: number, { origin }: Pick<Context, 'origin'>): Promise<Identity | null> {
    return this.database.unitOfWork.run((tx) => this.remove(tx, id), { origin });
  }

  private matching(userId: number | undefined): SelectQueryBuilder<Identity> {
    const matching = this.identities.createQueryBuilder('i').select('i.*');
    return userId === undefined ? matching : matching.where('i.userId = :userId', { userId });
  }

  private *insert(tx: Transaction, { issuer, subject, userId }: NewIdentity): Steps<Identity> {
    try {
      const row = yield* one(sql`
        INSERT INTO identities (issuer, subject, user_id, created_at)
        VALUES (${issuer}, ${subject}, ${userId}, ${new Date()}) RETURNING ${this.mapping.columns}`);
      yield* this.changes.note(tx);
      return this.mapping.fromRow(row as Row);
    } catch (error) {
      const { kind } = faultOf(error);
      if (kind === 'unique') {
        throw new Conflict('IDENTITY_TAKEN', 'This subject of the issuer is already linked to a user.', {
          cause: error,
        });
      }
      if (kind !== 'foreign_key') throw error;
      const detail = `must name a user: there is none with the id ${userId}`;
      throw new ValidationFailed([{ pointer: '#/user_id', code: 'UNKNOWN', detail }]);
    }
  }

  private *remove(tx: Transaction, id: number): Steps<Identity | null> {
    const row = yield* one(sql`DELETE FROM identities WHERE id = ${id} RETURNING ${this.mapping.columns}`);
    if (!row) return null;
    yield* this.changes.note(tx);
    return this.mapping.fromRow(row);
  }
}
