import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { CountedTable, CountedTables, type Page, type Row, type Slice } from './counted-table.js';
import { translated } from './faults.js';
import { mappingOf, type Mapping } from './mapping.js';
import { askPool, newStatementName, patienceOf } from './postgres-connection.js';
import type { Asked } from './postgres-trip.js';
import type { PostgresFolds } from './postgres-folds.js';
import type { Row as SqlRow } from './sql.js';
import type { Replica } from './replica.js';
import { currentSpan } from '../tracing/span.js';
import { recorded } from './statement-times.js';
import { firstId, sliceOf, type Piece } from './slices.js';

interface Located {
  counted_total: number;
  id: number | null;
  [column: string]: unknown;
}

/** Finds pages by the SQL function `<table>_locate`; see `counts.ts`. */
export class PostgresCountedTables extends CountedTables {
  readonly #dataSource: DataSource;
  readonly #pool: pg.Pool;
  readonly #folds: PostgresFolds;
  readonly #replica: Replica | null;

  constructor(dataSource: DataSource, pool: pg.Pool, folds: PostgresFolds, replica: Replica | null = null) {
    super();
    this.#dataSource = dataSource;
    this.#pool = pool;
    this.#folds = folds;
    this.#replica = replica;
  }

  override of<E extends Row>(entity: new () => E): CountedTable<E> {
    const mapping = mappingOf(this.#dataSource, entity);
    const { table } = mapping;
    this.#folds.add(table, [`${table}_count_deltas`, `${table}_counts`]);
    return new PostgresCountedTable(this.#pool, this.#replica, mapping);
  }

  override stop(): Promise<void> {
    return this.#folds.stop();
  }
}

class PostgresCountedTable<E extends Row> extends CountedTable<E> {
  readonly #pool: pg.Pool;
  readonly #replica: Replica | null;
  readonly #patienceMs: number;
  readonly #mapping: Mapping<E>;
  readonly #summary: string;
  readonly #row: { name: string; text: string };
  readonly #page: { name: string; text: string };
  readonly #after: { name: string; text: string };
  readonly #before: { name: string; text: string };
  readonly #newest: { name: string; text: string };
  readonly #total: { name: string; text: string };

  constructor(pool: pg.Pool, replica: Replica | null, mapping: Mapping<E>) {
    super();
    this.#pool = pool;
    this.#replica = replica;
    this.#patienceMs = patienceOf(pool);
    this.#mapping = mapping;
    const { table, columns } = mapping;
    this.#summary = `SELECT ${table}`;
    this.#row = { name: newStatementName(), text: `SELECT ${columns.postgres} FROM ${table} WHERE id = $1` };
    this.#page = {
      name: newStatementName(),
      text: `SELECT place.total AS counted_total, item.* FROM ${table}_locate($1) place
        LEFT JOIN LATERAL (
          SELECT ${columns.postgres} FROM ${table} WHERE id >= place.first
          ORDER BY id LIMIT $2 OFFSET place.skip) item ON true
        ORDER BY item.id`,
    };
    const slice = (condition: string) => ({
      name: newStatementName(),
      text: `SELECT place.total AS counted_total, item.* FROM ${table}_locate(0) place
        LEFT JOIN LATERAL (
          SELECT ${columns.postgres} FROM ${table} WHERE ${condition} LIMIT $2) item ON true`,
    });
    this.#after = slice('id >= $1 ORDER BY id');
    this.#before = slice('id <= $1 ORDER BY id DESC');
    this.#newest = {
      name: newStatementName(),
      text: `SELECT ${columns.postgres} FROM ${table} ORDER BY id DESC LIMIT $1`,
    };
    this.#total = { name: newStatementName(), text: `SELECT total AS counted_total FROM ${table}_locate(0)` };
  }

  override async find(id: number): Promise<E | null> {
    const [row] = await this.#query<Located>({ ...this.#row, values: [id] }, null);
    return row === undefined ? null : this.#mapping.fromRow(row);
  }

  override async page(offset: number, limit: number): Promise<Page<E>> {
    return this.#pageOf(await this.#query<Located>({ ...this.#page, values: [offset, limit] }));
  }

  override async slice(piece: Piece): Promise<Slice<E>> {
    const { position, limit } = piece;
    const statement = position?.isBackwards ? this.#before : this.#after;
    const found = await this.#query<Located>({ ...statement, values: [firstId(position), limit + 1] });
    // A join guarantees no order.
    found.sort((a, b) => Number(a.id) - Number(b.id));
    if (position?.isBackwards) found.reverse();
    const { items, total } = this.#pageOf(found);
    return { ...sliceOf(items, piece, total, ({ id }) => [id]), total };
  }

  override async newest(limit: number): Promise<readonly E[]> {
    return (await this.#query({ ...this.#newest, values: [limit] })).map(this.#mapping.fromRow);
  }

  override async total(): Promise<number> {
    const [row] = await this.#query<Located>({ ...this.#total, values: [] });
    return row?.counted_total ?? 0;
  }

  #pageOf(found: readonly Located[]): Page<E> {
    // If no row is found, the outer join returns one row with only the total.
    const items = found.filter(({ id }) => id !== null).map((row) => this.#mapping.fromRow(row));
    return { items, total: found[0]?.counted_total ?? 0 };
  }

  async #query<R extends object = SqlRow>(asked: Asked, replica = this.#replica): Promise<R[]> {
    const onPrimary = () => askPool<R>(this.#pool, asked, this.#patienceMs);
    const ask = () => replica?.rows(asked, onPrimary) ?? onPrimary();
    const span = currentSpan();
    try {
      return await (span === undefined ? ask() : recorded(span, this.#summary, 'postgres', ask));
    } catch (error) {
      throw translated(error);
    }
  }
}
