import { Injectable } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { holds, type Principal } from '../../engine/access/principal.js';
import { ImportsConfig } from '../../engine/config/slices.js';
import { EntityTable, type Values } from '../../engine/database/entity-table.js';
import { sliceOf, type Piece } from '../../engine/database/slices.js';
import { all, one, oneAtATime, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { Conflict, ContentTooLarge, Forbidden, RateLimited } from '../../engine/errors/errors.js';
import type { Slice } from '../../generated/contract.js';
import { ImportRefusal } from './import-refusal.entity.js';
import { Import } from './import.entity.js';

/**
 * The service keeps the newest imports of each caller, up to this number. In addition, it keeps all imports that wait
 * or run, that have written rows, or that have a part of their file and have not ended. But `OldImports` removes each
 * import some days after its end.
 */
const MOST_KEPT = 500;
/** The maximum number of imports of a caller that have not ended. */
const MOST_OPEN = 500;
const MOST_WAITING = 20;
const RETRY_SECONDS = 10;
/**
 * The bounds of the total size of the files of all imports that have not ended: for one caller, and for all callers.
 * Each bound is a number of files of the maximum size (`maxBytes`).
 */
const MOST_FILES = 4;
const MOST_FILES_OF_ALL = 16;

export interface Part {
  readonly number: number;
  readonly text: string;
  readonly isLast: boolean;
}

type Asking = Pick<Context, 'principal' | 'origin'>;

/** The imports over the API. A caller without `admin` can reach only its own imports. */
@Injectable()
export class ImportsRepository {
  readonly #imports: EntityTable<Import>;
  readonly #refusals: EntityTable<ImportRefusal>;

  constructor(
    private readonly parts: TableParts,
    private readonly config: ImportsConfig,
  ) {
    this.#imports = new EntityTable(parts, Import);
    this.#refusals = new EntityTable(parts, ImportRefusal);
  }

  async find(id: number, principal: Principal): Promise<Import | null> {
    return shownTo(await this.#imports.find(id), principal);
  }

  slice(piece: Piece, principal: Principal, sort: readonly ('id' | '-id')[] = []): Promise<Slice<Import>> {
    const isForAll = holds(principal, 'admin');
    return this.#imports.sliceWhere(isForAll ? {} : { caller: principal.id ?? '' }, piece, sort);
  }

  /** Null when there is no such import. */
  async refusals(id: number, piece: Piece, principal: Principal): Promise<Slice<ImportRefusal> | null> {
    const found = await this.find(id, principal);
    if (found === null) return null;
    if (found.endedAt === null) return sliceOf<ImportRefusal>([], piece, 0, () => []);
    return this.#refusals.sliceWhere({ importId: id }, piece);
  }

  /**
   * The file of refused rows, in parts.
   *
   * @throws Error if the file is removed before its end was read, so that nobody takes a part of it for the whole
   */
  async *refusedRows(id: number): AsyncGenerator<string> {
    const partOf = (number: number) =>
      this.parts.database.reads.one<{ text: string }>(sql`
        SELECT text FROM import_refused_rows WHERE import_id = ${id} AND number = ${number}`);
    for (let number = 1; ; number += 1) {
      const found = await partOf(number);
      if (found !== undefined) yield found.text;
      // All parts are removed together. So if the first part is still there, this is the end of the file.
      else if (number === 1 || (await partOf(1)) !== undefined) return;
      else throw new Error(`The refused rows of the import ${id} were removed while they were read.`);
    }
  }

  create(
    wanted: Pick<Import, 'kind' | 'format' | 'rehearsal' | 'events' | 'orderLines' | 'source' | 'mapping'>,
    { principal, origin }: Asking,
  ): Promise<Import> {
    const caller = principal.id ?? '';
    const values: Values<Import> = { ...NOTHING_DONE, ...wanted, caller, state: 'uploading' };
    const act = function* (this: ImportsRepository, tx: Transaction): Steps<Import> {
      yield* requireFew(caller);
      // An import that has written rows is not removed here, because it is the record of what its caller did.
      yield* run(sql`
        DELETE FROM imports WHERE id IN (
          SELECT id FROM imports
          WHERE caller = ${caller} AND (ended_at IS NOT NULL OR (state = 'uploading' AND bytes = 0))
            AND created = 0 AND updated = 0
          ORDER BY id DESC LIMIT 20 OFFSET ${MOST_KEPT - 1})`);
      return yield* this.#imports.insert(tx, values);
    };
    return this.parts.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /** Ends an import that has not ended yet. Null when there is no such import. */
  cancel(id: number, { principal, origin }: Asking): Promise<Import | null> {
    const act = function* (this: ImportsRepository, tx: Transaction): Steps<Import | null> {
      const found = shownTo(yield* this.#imports.lock(id), principal);
      if (found === null || found.endedAt !== null) return found;
      return yield* this.#imports.write(tx, found, { state: 'cancelled', endedAt: new Date() });
    };
    return this.parts.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * Stores a part of the file. With the last part, the import waits for a runner.
   *
   * @throws Conflict, ContentTooLarge, Forbidden or RateLimited
   */
  addPart(id: number, part: Part, { principal, origin }: Asking): Promise<Import | null> {
    const act = function* (this: ImportsRepository, tx: Transaction): Steps<Import | null> {
      // The sums of bytes below must not change before the part is counted.
      yield* oneAtATime('import parts');
      const found = shownTo(yield* this.#imports.lock(id), principal);
      if (found === null) return null;
      if (found.state !== 'uploading') {
        throw new Conflict(
          'IMPORT_STARTED',
          `The import ${id} is ${found.state}, so it accepts no more parts.`,
        );
      }
      const bytes = Buffer.byteLength(part.text);
      const before = yield* one<Row & { bytes: number }>(
        sql`SELECT bytes FROM import_parts WHERE import_id = ${id} AND number = ${part.number}`,
      );
      const more = bytes - (before?.bytes ?? 0);
      yield* this.#requireRoom(found, more);
      yield* run(sql`
        INSERT INTO import_parts (import_id, number, bytes, text) VALUES (${id}, ${part.number}, ${bytes}, ${part.text})
        ON CONFLICT (import_id, number) DO UPDATE SET bytes = excluded.bytes, text = excluded.text`);
      const stored = { bytes: found.bytes + more, parts: found.parts + (before === undefined ? 1 : 0) };
      if (!part.isLast) return yield* this.#imports.write(tx, found, stored);
      yield* requireAll(id, part.number, stored.parts);
      yield* requireTurn(found.caller);
      return yield* this.#imports.write(tx, found, { ...stored, state: 'waiting' });
    };
    return this.parts.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  *#requireRoom({ id, bytes, caller }: Import, more: number): Steps<void> {
    const { maxBytes } = this.config;
    if (bytes + more > maxBytes) {
      const detail = `The file of the import ${id} has more than ${maxBytes} bytes. Divide it into several imports.`;
      throw new ContentTooLarge(detail);
    }
    const sums = yield* one<Row & { own: number | null; of_all: number | null }>(sql`
      SELECT SUM(CASE WHEN caller = ${caller} THEN bytes ELSE 0 END) AS own, SUM(bytes) AS of_all
      FROM imports WHERE state IN ('uploading', 'waiting', 'running')`);
    const most = maxBytes * MOST_FILES;
    if (Number(sums?.own) + more > most) {
      const detail = `With this part, your imports that have not ended would have more than ${most} bytes together.`;
      throw new RateLimited(detail, RETRY_SECONDS);
    }
    if (Number(sums?.of_all) + more > maxBytes * MOST_FILES_OF_ALL) {
      throw new RateLimited(
        'With this part, the imports of all callers that have not ended would be too large together.',
        RETRY_SECONDS,
      );
    }
  }
}

const NOTHING_DONE = {
  problem: null,
  problemLine: null,
  bytes: 0,
  parts: 0,
  rows: 0,
  rowsDone: 0,
  read: 0,
  orderItems: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  repeated: 0,
  refused: 0,
  attempts: 0,
  runner: null,
  leaseUntil: null,
  startedAt: null,
  endedAt: null,
} satisfies Values<Import>;

/**
 * Null for an import of another caller, unless the principal has `admin`. The scope for the kind of the import is
 * checked each time, because a token of a client may have fewer scopes than the client.
 *
 * @throws Forbidden
 */
function shownTo(found: Import | null, principal: Principal): Import | null {
  if (found === null || (found.caller !== principal.id && !holds(principal, 'admin'))) return null;
  requireImportOf(found.kind, principal);
  return found;
}

/**
 * The caller must have the scope that allows it to create rows of this kind one by one.
 *
 * @throws Forbidden
 */
export function requireImportOf(kind: Import['kind'], principal: Principal): void {
  const scope = `${kind}:write` as const;
  if (!holds(principal, scope)) throw new Forbidden([scope]);
}

function* requireFew(caller: string): Steps<void> {
  const open = yield* one<Row & { count: number }>(
    sql`SELECT COUNT(*) AS count FROM imports WHERE caller = ${caller} AND ended_at IS NULL`,
  );
  if (Number(open?.count) < MOST_OPEN) return;
  throw new RateLimited(`${MOST_OPEN} of your imports have not ended. Cancel some of them.`, RETRY_SECONDS);
}

/** @param last the number of the last part @param count the number of stored parts */
function* requireAll(id: number, last: number, count: number): Steps<void> {
  const numbers = yield* all<Row & { number: number }>(
    sql`SELECT number FROM import_parts WHERE import_id = ${id} ORDER BY number`,
  );
  const highest = numbers.at(-1)?.number ?? 0;
  if (highest > last) {
    const detail = `The part ${last} was sent as the last one, but there is a part ${highest}.`;
    throw new Conflict('IMPORT_INCOMPLETE', detail);
  }
  if (count === last) return;
  const missing = numbers.findIndex(({ number }, index) => number !== index + 1) + 1;
  throw new Conflict('IMPORT_INCOMPLETE', `The part ${missing} of the import ${id} is missing.`);
}

function* requireTurn(caller: string): Steps<void> {
  const waiting = yield* all(sql`
    SELECT id FROM imports WHERE caller = ${caller} AND state IN ('waiting', 'running') LIMIT ${MOST_WAITING}`);
  if (waiting.length < MOST_WAITING) return;
  throw new RateLimited(`${MOST_WAITING} of your imports wait or run already.`, RETRY_SECONDS);
}
