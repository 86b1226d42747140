import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { CountedTable, CountedTables, type Page } from './counted-table.js';
import { translated } from './faults.js';
import { newStatementName } from './postgres-connection.js';
import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';

// How long a change may wait to be folded into the counts: until then every page has to sum it.
const FOLD_MS = 100;
// A delta that was taken still costs readers time until its space is free again.
const VACUUM_AFTER = 2_000;

interface Located {
  counted_total: number;
  id: number | null;
}

/** Pages found by `<table>_locate`. After commits of this process it folds what the triggers noted. */
export class PostgresCountedTables extends CountedTables {
  readonly #pool: pg.Pool;
  readonly #tables = new Map<string, { taken: number }>();
  readonly #logger = new Logger('CountedTables');
  #timer: NodeJS.Timeout | undefined;
  #folding: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(pool: pg.Pool, unitOfWork: PostgresUnitOfWork) {
    super();
    this.#pool = pool;
    unitOfWork.afterCommit(() => this.#foldSoon());
  }

  override of(table: string, columns: readonly string[]): CountedTable {
    if (!this.#tables.has(table)) this.#tables.set(table, { taken: 0 });
    // What an earlier process left behind.
    this.#foldSoon();
    return new PostgresCountedTable(this.#pool, table, columns);
  }

  override async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#folding;
  }

  #foldSoon(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = setTimeout(() => {
      // Cleared first: what is committed while this pass runs needs a pass of its own.
      this.#timer = undefined;
      this.#folding = this.#folding.then(() => this.#fold());
    }, FOLD_MS).unref();
  }

  async #fold(): Promise<void> {
    try {
      for (const [table, state] of this.#tables) {
        const { rows } = await this.#pool.query<{ taken: number }>(`SELECT ${table}_fold() AS taken`);
        state.taken += rows[0]?.taken ?? 0;
        if (state.taken < VACUUM_AFTER) continue;
        state.taken = 0;
        await this.#pool.query(`VACUUM (TRUNCATE FALSE) ${table}_count_deltas, ${table}_counts`);
      }
    } catch (error) {
      // The counts stay exact without it, only slower; the next commit brings the next attempt.
      this.#logger.warn(error);
    }
  }
}

class PostgresCountedTable extends CountedTable {
  readonly #pool: pg.Pool;
  readonly #page: { name: string; text: string };
  readonly #total: { name: string; text: string };

  constructor(pool: pg.Pool, table: string, columns: readonly string[]) {
    super();
    this.#pool = pool;
    const list = columns.join(', ');
    this.#page = {
      name: newStatementName(),
      text: `SELECT place.total AS counted_total, item.* FROM ${table}_locate($1) place
        LEFT JOIN LATERAL (
          SELECT ${list} FROM ${table} WHERE id >= place.first ORDER BY id LIMIT $2 OFFSET place.skip) item ON true
        ORDER BY item.id`,
    };
    this.#total = { name: newStatementName(), text: `SELECT total FROM ${table}_locate(0)` };
  }

  override async page<R>(offset: number, limit: number): Promise<Page<R>> {
    const found = await this.#query<Located>({ ...this.#page, values: [offset, limit] });
    const total = found[0]?.counted_total ?? 0;
    // Past the end the outer join leaves one row with nothing but the total.
    const rows = found.filter(({ id }) => id !== null).map((row) => withoutTotal(row) as R);
    return { rows, total };
  }

  override async total(): Promise<number> {
    const [row] = await this.#query<{ total: number }>(this.#total);
    return row?.total ?? 0;
  }

  async #query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<R[]> {
    try {
      return (await this.#pool.query<R>(config)).rows;
    } catch (error) {
      throw translated(error);
    }
  }
}

function withoutTotal({ counted_total: _total, ...row }: Located): unknown {
  return row;
}
