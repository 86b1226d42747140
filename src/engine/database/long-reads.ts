import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { Unavailable } from '../errors/errors.js';
import { currentSpan } from '../tracing/span.js';
import type { Asker } from './asker.js';
import type { Reads } from './reads.js';
import { ScanQueue, type ScanBounds } from './scan-queue.js';
import type { Row, Sql } from './sql.js';
import type { StatementTimes } from './statement-times.js';

/** The longest time of one scan. */
export const SCAN_MS = 5_000;

/**
 * Reads whose cost grows with the table (ADR 30). One statement of such a read is a scan. Scans have connections of
 * their own, and take turns. So they block neither the event loop nor other reads, and no caller blocks another one.
 */
export abstract class LongReads {
  abstract readonly statements: StatementTimes;
  readonly #queue: ScanQueue;

  constructor(bounds: ScanBounds) {
    this.#queue = new ScanQueue(bounds);
  }

  of(asker: Asker): ScansOfOne {
    return new ScansOfOne(asker, this);
  }

  /** @throws Unavailable, RateLimited and ClientLeft, besides the errors of the database */
  run(asker: Asker, statement: Sql): Promise<readonly Row[]> {
    // The span is read here, because the scan may begin later, when the scan of another request ends.
    const span = currentSpan();
    return this.#queue.run(asker, async (gone) => {
      const begunAt = performance.now();
      try {
        const rows = await this.scan(statement, gone);
        this.statements.took(statement, begunAt, span);
        return rows;
      } catch (error) {
        // A scan that failed or was cancelled also took time.
        this.statements.observe((performance.now() - begunAt) / 1_000);
        this.statements.failed(statement, begunAt, error, span);
        throw error;
      }
    });
  }

  /** The number of scans that wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** The number of scans that were refused, because too many waited, or because their turn did not come in time. */
  get refused(): number {
    return this.#queue.refused.value;
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    await this.close();
  }

  /**
   * An SQL condition that lets a scan end early, for an engine that cannot cancel a statement; null for other engines.
   * The parameter is the SQL name of the column `id`.
   */
  abstract watch(id: string): string | null;

  protected abstract scan(statement: Sql, gone: AbortSignal): Promise<readonly Row[]>;

  protected abstract close(): Promise<void>;
}

/** The part of `Reads` that lists need, for one caller. */
export class ScansOfOne implements Pick<Reads, 'all' | 'one'> {
  constructor(
    readonly asker: Asker,
    private readonly scans: LongReads,
  ) {}

  all<R = Row>(statement: Sql): Promise<readonly R[]> {
    return this.scans.run(this.asker, statement) as Promise<readonly R[]>;
  }

  /** The first row, if there is one; the statement should not find more. */
  async one<R = Row>(statement: Sql): Promise<R | undefined> {
    return (await this.all<R>(statement))[0];
  }

  /** Returns the query in a form that ends early when the query takes too long, or its client leaves. */
  watched<E extends ObjectLiteral>(query: SelectQueryBuilder<E>): SelectQueryBuilder<E> {
    const condition = this.scans.watch(`${query.alias}.id`);
    return condition === null ? query : query.clone().andWhere(condition);
  }
}

export function tookTooLong(limitMs: number): Unavailable {
  return new Unavailable(
    `The service stopped reading this list after ${limitMs / 1000} s. Search for a longer text, narrow the filter, or leave \`sort\` out.`,
  );
}
