import { randomUUID } from 'node:crypto';
import type { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { one, oneAtATime, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { Import } from './import.entity.js';

/**
 * Thrown when the import was cancelled, when another process has taken it over, or when this process is shutting down.
 */
export class ImportStopped extends Error {}

const LEASE_MS = 30_000;
/**
 * An import is begun at most this many times. If processes end during the import again and again, the import may be the
 * cause. An attempt that ends with `release` does not count.
 */
const MOST_ATTEMPTS = 5;

/** The end of a message that tells the caller what to do after a failure. */
export const NOT_TWICE = 'rows that are in the store already are not written twice.';

interface Leased extends Row {
  readonly id: number;
  readonly state: string;
  readonly runner: string | null;
  readonly lease_until: Date | number | null;
}

/**
 * The right of one process to do an import, for a while. A process renews its lease with each batch. When a process is
 * killed, its lease ends, and another process continues the import. In the whole service, one import runs at a time.
 *
 * A lease ends at its stored time. If the clock was set back, this time comes too late. So a process also treats a
 * lease as ended if it has watched the lease for the length of a lease, and the lease was not renewed. If the clock was
 * set forward, a lease ends too early. If another process then takes the import over, the first process notices this at
 * its next batch, and stores nothing more.
 */
export class ImportLeases {
  /** Whether this process is shutting down. If so, it renews no lease. */
  isStopped = false;
  readonly #runner = randomUUID();
  readonly #database: Database;
  readonly #mapping: Mapping<Import>;
  /** The lease of another process, and `performance.now()` when it was first seen. */
  #watched = { lease: '', since: 0 };

  constructor(database: Database) {
    this.#database = database;
    this.#mapping = mappingOf(database.dataSource, Import);
  }

  /**
   * Takes the next import, or an import whose lease has ended. Returns null when there is none, when another process
   * does an import, or when the import was begun too often and has now failed.
   */
  async take(): Promise<Import | null> {
    const any = await this.#database.reads.one<Leased>(sql`
      SELECT id, state, runner, lease_until FROM imports WHERE state IN ('running', 'waiting')
      ORDER BY CASE state WHEN 'running' THEN 0 ELSE 1 END LIMIT 1`);
    if (any === undefined || this.#isHeld(any)) return null;
    return this.#database.unitOfWork.run(() => this.#take());
  }

  *#take(): Steps<Import | null> {
    yield* oneAtATime('imports');
    const now = new Date();
    const running = yield* one<Leased>(
      sql`SELECT id, state, runner, lease_until FROM imports WHERE state = 'running' LIMIT 1`,
    );
    if (running !== undefined && this.#isHeld(running)) return null;
    const next = yield* one<Row & { id: number; attempts: number }>(
      // Callers take turns. The next import belongs to the caller whose last import began earliest.
      sql`
        SELECT id, attempts FROM imports WHERE state IN ('running', 'waiting')
        ORDER BY CASE state WHEN 'running' THEN 0 ELSE 1 END,
          CASE WHEN EXISTS (SELECT 1 FROM imports o WHERE o.caller = imports.caller AND o.started_at IS NOT NULL)
            THEN 1 ELSE 0 END,
          (SELECT MAX(o.started_at) FROM imports o WHERE o.caller = imports.caller), id LIMIT 1`,
    );
    if (next === undefined) return null;
    if (next.attempts >= MOST_ATTEMPTS) {
      const problem = `The import was begun ${MOST_ATTEMPTS} times and did not end, because the service stopped or the database could not be reached. Divide the file, and send the parts as new imports: ${NOT_TWICE}`;
      yield* run(sql`
        UPDATE imports SET state = 'failed', problem = ${problem}, ended_at = ${now}, version = version + 1
        WHERE id = ${next.id}`);
      return null;
    }
    const taken = yield* one(sql`
      UPDATE imports SET state = 'running', runner = ${this.#runner}, lease_until = ${this.#end()},
        attempts = attempts + 1, started_at = COALESCE(started_at, ${now}), version = version + 1
      WHERE id = ${next.id} RETURNING ${this.#mapping.columns}`);
    return taken === undefined ? null : this.#mapping.fromRow(taken);
  }

  /** A step of each act of the import. @throws ImportStopped */
  *renew(id: number): Steps<void> {
    if (this.isStopped) throw new ImportStopped();
    const held = yield* one(sql`
      UPDATE imports SET lease_until = ${this.#end()}
      WHERE id = ${id} AND state = 'running' AND runner = ${this.#runner} RETURNING id`);
    if (held === undefined) throw new ImportStopped();
  }

  /** Lets any process continue the import at once. A second call has no effect. */
  *release(id: number): Steps<void> {
    const released = new Date(0);
    yield* run(sql`
      UPDATE imports SET lease_until = ${released}, attempts = attempts - 1
      WHERE id = ${id} AND state = 'running' AND runner = ${this.#runner} AND lease_until > ${released}`);
  }

  #isHeld({ id, state, runner, lease_until }: Leased): boolean {
    if (state !== 'running') return false;
    const until = new Date(lease_until ?? 0).getTime();
    const lease = `${id} ${runner} ${until}`;
    const now = performance.now();
    if (this.#watched.lease !== lease) this.#watched = { lease, since: now };
    return until > Date.now() && now - this.#watched.since < LEASE_MS;
  }

  #end(): Date {
    return new Date(Date.now() + LEASE_MS);
  }
}
