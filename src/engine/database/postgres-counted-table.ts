import { Logger } from '@nestjs/common';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { CountedTable, CountedTables, type Page, type Row, type Slice } from './counted-table.js';
import { translated } from './faults.js';
import { mappingOf, type Mapping } from './mapping.js';
import { askPool, newStatementName, patienceOf } from './postgres-connection.js';
import type { Asked } from './postgres-trip.js';
import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import type { Row as SqlRow } from './sql.js';
import { firstId, sliceOf, type Piece } from './slices.js';

// The longest time until a delta is folded (added) into the counts. A delta is a change of the number of rows; see
// `counts.ts`. Until then every read of a page has to add the delta to the counts.
const FOLD_MS = 100;
// The number of folded deltas after which their space is made free. A folded delta costs readers time until then.
const VACUUM_AFTER = 2_000;

interface Located {
  counted_total: number;
  id: number | null;
  [column: string]: unknown;
}

/** Finds pages by `<table>_locate`. After commits of this process it folds the deltas that the triggers wrote. */
export class PostgresCountedTables extends CountedTables {
  readonly #dataSource: DataSource;
  readonly #pool: pg.Pool;
  readonly #tables = new Map<string, { taken: number }>();
  readonly #logger = new Logger('CountedTables');
  #timer: NodeJS.Timeout | undefined;
  #folding: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(dataSource: DataSource, pool: pg.Pool, unitOfWork: PostgresUnitOfWork) {
    super();
    this.#dataSource = dataSource;
    this.#pool = pool;
    unitOfWork.afterCommit(() => this.#foldSoon());
  }

  override of<E extends Row>(entity: new () => E): CountedTable<E> {
    const mapping = mappingOf(this.#dataSource, entity);
    if (!this.#tables.has(mapping.table)) this.#tables.set(mapping.table, { taken: 0 });
    // Folds the deltas that an earlier process left.
    this.#foldSoon();
    return new PostgresCountedTable(this.#pool, mapping);
  }

  override async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#folding;
  }

  #foldSoon(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = setTimeout(() => {
      // The timer is cleared before folding begins, because commits during folding need another timer.
      this.#timer = undefined;
      this.#folding = this.#folding.then(() => this.#fold());
    }, FOLD_MS).unref();
  }

  async #fold(): Promise<void> {
    try {
      for (const [table, state] of this.#tables) {
        const [row] = await this.#ask<{ taken: number }>(`SELECT ${table}_fold() AS taken`);
        state.taken += row?.taken ?? 0;
        if (state.taken < VACUUM_AFTER) continue;
        state.taken = 0;
        await this.#ask(`VACUUM (TRUNCATE FALSE) ${table}_count_deltas, ${table}_counts`);
      }
    } catch (error) {
      // If deltas are not folded, the counts stay exact, but reading them becomes slower. The next commit starts the
      // next attempt.
      this.#logger.warn(error);
    }
  }

  #ask<R extends object>(text: string): Promise<R[]> {
    return askPool<R>(this.#pool, { name: '', text, values: [] }, patienceOf(this.#pool));
  }
}

class PostgresCountedTable<E extends Row> extends CountedTable<E> {
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;
  readonly #mapping: Mapping<E>;
  readonly #row: { name: string; text: string };
  readonly #page: { name: string; text: string };
  readonly #after: { name: string; text: string };
  readonly #before: { name: string; text: string };
  readonly #newest: { name: string; text: string };
  readonly #total: { name: string; text: string };

  constructor(pool: pg.Pool, mapping: Mapping<E>) {
    super();
    this.#pool = pool;
    this.#patienceMs = patienceOf(pool);
    this.#mapping = mapping;
    const { table, columns } = mapping;
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
    const [row] = await this.#query<Located>({ ...this.#row, values: [id] });
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

  async #query<R extends object = SqlRow>(asked: Asked): Promise<R[]> {
    try {
      return await askPool<R>(this.#pool, asked, this.#patienceMs);
    } catch (error) {
      throw translated(error);
    }
  }
}
