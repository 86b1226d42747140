import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { askPool, askPoolAlone, patienceOf } from './postgres-connection.js';
import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';

// The time from a commit to the fold that includes its deltas. All commits within this time share one fold. A fold adds
// deltas to the sums. A delta is a change of a sum; see `counts.ts`. Until a delta is folded, every reader has to add
// it to the sums.
const FOLD_MS = 100;
// The number of folded deltas after which their space is made free. Until their space is free, folded deltas cost
// readers time.
const VACUUM_AFTER = 2_000;

interface Folded {
  readonly tables: string;
  taken: number;
}

/** Folds deltas into sums after commits of this process. */
export class PostgresFolds {
  readonly #pool: pg.Pool;
  readonly #folded = new Map<string, Folded>();
  readonly #logger = new Logger('Folds');
  #timer: NodeJS.Timeout | undefined;
  #folding: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(pool: pg.Pool, unitOfWork: PostgresUnitOfWork) {
    this.#pool = pool;
    unitOfWork.afterCommit(() => this.#foldSoon());
  }

  /**
   * @param name the function `<name>_fold` moves deltas into the sums, and returns the number of deltas that it moved
   * @param tables the tables of the deltas and of the sums
   */
  add(name: string, tables: readonly [deltas: string, sums: string]): void {
    if (!this.#folded.has(name)) this.#folded.set(name, { tables: tables.join(), taken: 0 });
    // Folds the deltas that an earlier process left.
    this.#foldSoon();
  }

  async stop(): Promise<void> {
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
      for (const [name, state] of this.#folded) {
        const [row] = await this.#ask<{ taken: number }>(`SELECT ${name}_fold() AS taken`);
        const taken = row?.taken ?? 0;
        state.taken += taken;
        if (state.taken < VACUUM_AFTER) continue;
        state.taken = 0;
        // After an import, for example, many deltas are folded at once. Their pages are given back, because readers
        // would read the empty pages too. Giving pages back needs a short lock, so it is not done after every fold.
        const isMany = taken >= VACUUM_AFTER;
        const vacuum = { name: '', text: `VACUUM (TRUNCATE ${isMany}) ${state.tables}`, values: [] };
        await askPoolAlone(this.#pool, vacuum, patienceOf(this.#pool));
        // A function may leave deltas for its next call.
        if (isMany) this.#foldSoon();
      }
    } catch (error) {
      // If deltas are not folded, readers still get exact sums, but reading becomes slower. The next commit starts the
      // next attempt.
      this.#logger.warn(error);
    }
  }

  #ask<R extends object>(text: string): Promise<R[]> {
    return askPool<R>(this.#pool, { name: '', text, values: [] }, patienceOf(this.#pool));
  }
}
