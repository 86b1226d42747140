import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { BulkInsert, eachText } from '../../engine/database/bulk.js';
import { all, oneAtATime, run, sql, Text, type Steps } from '../../engine/database/sql.js';
import { ExternalId } from './external-id.entity.js';
import type { Kind } from './members.js';

export interface Known {
  readonly entityId: number;
  readonly fingerprint: string;
  /** The name of our product or user, or the status of our order. Null if our row was deleted after the import. */
  readonly name: string | null;
}

const NAMED: Readonly<Record<Kind, Text>> = {
  products: new Text('LEFT JOIN products found ON found.id = entity_id'),
  users: new Text('LEFT JOIN users found ON found.id = entity_id'),
  orders: new Text('LEFT JOIN (SELECT id, status AS name FROM orders) found ON found.id = entity_id'),
};

/** Remembers the imports from one source: which row of the source became which row of the store. */
export class ExternalIds {
  readonly #insert: BulkInsert<ExternalId>;

  constructor(
    dataSource: DataSource,
    private readonly source: string,
  ) {
    this.#insert = new BulkInsert(dataSource, ExternalId);
  }

  /**
   * Makes other imports of this kind from the same source wait until the end of the act. Without this lock, on
   * PostgreSQL, another import could commit a row between two reads of this act. Then the e-mail address of that row
   * would look like the address of another user.
   */
  *lock(kind: Kind): Steps<void> {
    yield* oneAtATime(`import ${kind} ${this.source}`);
  }

  /** Finds rows by their ids in the source. Rows that were never imported are missing in the result. */
  *find(kind: Kind, externalIds: readonly string[]): Steps<ReadonlyMap<string, Known>> {
    const ids = JSON.stringify(externalIds);
    const rows = yield* all<Known & { externalId: string }>(select(this.source, kind, ids));
    return new Map(rows.map(({ externalId, ...known }) => [externalId, known]));
  }

  *add(
    kind: Kind,
    made: readonly Pick<ExternalId, 'externalId' | 'entityId' | 'fingerprint'>[],
  ): Steps<void> {
    const { source } = this;
    yield* run(this.#insert.of(made.map((row) => ({ source, kind, ...row }))));
  }

  *renew(kind: Kind, externalId: string, fingerprint: string): Steps<void> {
    yield* run(sql`
      UPDATE external_ids SET fingerprint = ${fingerprint}
      WHERE source = ${this.source} AND kind = ${kind} AND external_id = ${externalId}`);
  }
}

// Each `sql` in the code is one prepared statement, and a statement cannot have the name of its table as a parameter.
// So each table has its own `sql`.
function select(source: string, kind: Kind, ids: string) {
  const columns = new Text(
    'external_id AS "externalId", entity_id AS "entityId", fingerprint, found.name AS name',
  );
  switch (kind) {
    case 'products':
      return sql`SELECT ${columns} FROM external_ids ${NAMED.products} WHERE source = ${source} AND kind = ${kind}
        AND external_id IN (SELECT value FROM ${eachText}(${ids}))`;
    case 'users':
      return sql`SELECT ${columns} FROM external_ids ${NAMED.users} WHERE source = ${source} AND kind = ${kind}
        AND external_id IN (SELECT value FROM ${eachText}(${ids}))`;
    default:
      return sql`SELECT ${columns} FROM external_ids ${NAMED.orders} WHERE source = ${source} AND kind = ${kind}
        AND external_id IN (SELECT value FROM ${eachText}(${ids}))`;
  }
}

/**
 * The fingerprint of a row as it is stored. The same data has the same fingerprint, even if it has another form in the
 * file.
 */
export function fingerprintOf(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22);
}

/** The members of the data of a row, in their order. */
const WHOLE: Readonly<Record<Kind, readonly string[]>> = {
  products: ['name', 'description', 'priceMinor', 'inStock', 'stock', 'createdAt', 'updatedAt'],
  users: ['name', 'email', 'createdAt', 'updatedAt'],
  orders: ['user', 'status', 'createdAt', 'updatedAt', 'items'],
};

/**
 * The fingerprint of the row with null for each member that the file does not have. Earlier releases stored this
 * fingerprint if the file did not have all members. If the stored fingerprint equals this one, the row has not changed.
 */
export function fingerprintWithNulls(kind: Kind, data: unknown): string {
  const given = data as Readonly<Record<string, unknown>>;
  return fingerprintOf(Object.fromEntries(WHOLE[kind].map((name) => [name, given[name] ?? null])));
}
