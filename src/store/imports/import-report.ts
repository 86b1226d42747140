import type { Database } from '../../engine/database/database.js';
import { BulkInsert, reserveIds } from '../../engine/database/bulk.js';
import { engineOf } from '../../engine/database/engine.js';
import { run, sql, type Steps } from '../../engine/database/sql.js';
import { REFUSED_BECAUSE } from '../transfer/members.js';
import { startOf, type Refusal, type RefusalList } from '../transfer/raw-row.js';
import type { SourceFile } from '../transfer/source-file.js';
import { WrongUsage } from '../transfer/failure.js';
import { guarded } from '../transfer/guard.js';
import { ImportRefusal } from './import-refusal.entity.js';
import type { ImportLeases } from './import-lease.js';

/** The bounds of the faults and rows that are kept. More of them would not help to correct a file. */
const MOST_FAULTS = 10_000;
const MOST_ROWS = 10_000;
/**
 * A row is refused as a consequence if it is good itself, but depends on a fault elsewhere. The bound of consequences
 * leaves room for the faults that caused them.
 */
const MOST_CONSEQUENCES = 1_000;
const MOST_BYTES = 8_388_608;
/** The maximum number of characters of a column or a value. */
const MOST_VALUE = 500;
/** The maximum number of characters of a reason. */
const MOST_REASON = 1_000;
/** The maximum number of faults that the reason of a row names. */
const MOST_REASONS = 100;
const CHUNK = 65_536;
const STEP = 500;

/**
 * Collects the faults of an import, and stores them at its end together with the refused rows. If an import fails, its
 * report has the rows that were refused before the failure.
 */
export class ImportReport implements RefusalList {
  readonly #faults: Refusal[] = [];
  #consequences = 0;
  /** The reason for each refused line. */
  readonly #reasons = new Map<number, string>();

  add(refusals: readonly Refusal[]): void {
    const [first] = refusals;
    if (first === undefined) return;
    for (const refusal of refusals) if (this.#hasRoomFor(refusal)) this.#faults.push(kept(refusal));
    if (this.#reasons.size >= MOST_ROWS) return;
    const reason = startOf(refusals.slice(0, MOST_REASONS).map(reasonOf).join('; '), MOST_REASON);
    if (!this.#reasons.has(first.line)) this.#reasons.set(first.line, reason);
  }

  #hasRoomFor({ follows }: Refusal): boolean {
    if (this.#faults.length >= MOST_FAULTS) return false;
    if (follows === undefined) return true;
    this.#consequences += 1;
    return this.#consequences <= MOST_CONSEQUENCES;
  }

  finish(): void {}

  abandon(): void {}

  /**
   * Stores the faults and the rows. If an earlier run was killed here, the faults and rows of that run are replaced.
   *
   * @param rows the rows of the file, with their texts
   */
  async store(
    importId: number,
    database: Database,
    leases: ImportLeases,
    file: SourceFile,
    rows: AsyncIterable<{ readonly line: number; readonly text?: string }>,
  ): Promise<void> {
    const write = (steps: () => Steps<void>): Promise<void> =>
      database.unitOfWork.run(function* () {
        yield* leases.renew(importId);
        yield* steps();
      });
    await write(function* () {
      yield* run(sql`DELETE FROM import_refusals WHERE import_id = ${importId}`);
      yield* run(sql`DELETE FROM import_refused_rows WHERE import_id = ${importId}`);
    });
    const insert = new BulkInsert(database.dataSource, ImportRefusal);
    const engine = engineOf(database.dataSource);
    for (let at = 0; at < this.#faults.length; at += STEP) {
      const faults = this.#faults.slice(at, at + STEP);
      await write(function* () {
        const ids = yield* reserveIds(engine, 'import_refusals', faults.length);
        yield* run(insert.of(faults.map((fault, index) => rowOf(fault, ids[index] as number, importId))));
      });
    }
    let number = 0;
    for await (const text of this.#chunks(file, rows)) {
      number += 1;
      const place = number;
      await write(() =>
        run(sql`
          INSERT INTO import_refused_rows (import_id, number, text) VALUES (${importId}, ${place}, ${text})`),
      );
    }
  }

  async *#chunks(
    file: SourceFile,
    rows: AsyncIterable<{ readonly line: number; readonly text?: string }>,
  ): AsyncGenerator<string> {
    if (this.#reasons.size === 0) return;
    const isCsv = file.format === 'csv';
    let bytes = 0;
    let found = 0;
    let chunk = '';
    for await (const { line, text } of readable(rows)) {
      const reason = this.#reasons.get(line);
      if (reason === undefined || text === undefined) continue;
      const head = chunk === '' && bytes === 0 && isCsv ? headOf(file) : '';
      chunk += head + (isCsv ? csvRow(file, reason, text) : jsonRow(reason, text));
      found += 1;
      if (chunk.length >= CHUNK) {
        bytes += Buffer.byteLength(chunk);
        yield chunk;
        chunk = '';
      }
      if (found === this.#reasons.size || bytes + chunk.length > MOST_BYTES) break;
    }
    if (chunk !== '') yield chunk;
  }
}

/** The rows up to the first place that cannot be read. The import has failed there. */
async function* readable<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
  }
}

/** A fault whose texts are cut to their bounds, because thousands of faults are held in memory. */
function kept({ file, line, column, value, reason, follows }: Refusal): Refusal {
  return {
    file,
    line,
    column: startOf(column, MOST_VALUE),
    value: startOf(value, MOST_VALUE),
    reason: startOf(reason, MOST_REASON),
    ...(follows !== undefined && { follows }),
  };
}

function reasonOf({ column, value, reason }: Refusal): string {
  if (column === '') return reason;
  return value === '' ? `${column} ${reason}` : `${column} "${value}" ${reason}`;
}

function rowOf({ line, column, value, reason, follows }: Refusal, id: number, importId: number) {
  return {
    id,
    importId,
    line,
    column: stored(column, MOST_VALUE),
    value: stored(value, MOST_VALUE),
    detail: stored(reason, MOST_REASON),
    code: follows === undefined ? ('fault' as const) : ('consequence' as const),
  };
}

/** JSON can contain a NUL, but PostgreSQL cannot store it. */
function stored(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The column of reasons comes first, in the header and in the rows. So the rest of a row stays as it was, even if it
 * has too few or too many columns.
 */
function headOf(file: SourceFile): string {
  return `${REFUSED_BECAUSE}${file.usedDelimiter}${withoutReason(file, file.header ?? '')}\n`;
}

function csvRow(file: SourceFile, reason: string, text: string): string {
  const quoted = `"${guarded(stored(reason, MOST_REASON))
    .replaceAll('"', '""')
    .replaceAll(/[\r\n]+/g, ' ')}"`;
  return `${quoted}${file.usedDelimiter}${withoutReason(file, text)}\n`;
}

/**
 * The text of a row without the reason of an earlier import, if the first column of the file is the column of
 * reasons.
 */
function withoutReason({ members, usedDelimiter }: SourceFile, text: string): string {
  if (members?.[0] !== REFUSED_BECAUSE) return text;
  const end = text.startsWith('"') ? /^"(?:[^"]|"")*"/.exec(text)?.[0].length : 0;
  const at = end === undefined ? -1 : text.indexOf(usedDelimiter, end);
  return at === -1 ? text : text.slice(at + 1);
}

/** The member `REFUSED_BECAUSE`, if an earlier report has put it before the other members. */
const WITH_REASON = /^\s*\{"refused_because":"(?:[^"\\]|\\.)*",?/;

function jsonRow(reason: string, text: string): string {
  const why = JSON.stringify(stored(reason, MOST_REASON));
  const rest = text.replace(WITH_REASON, '{').trimStart();
  if (!rest.startsWith('{')) return `{"${REFUSED_BECAUSE}":${why},"text":${JSON.stringify(text)}}\n`;
  const inner = rest.slice(1);
  return `{"${REFUSED_BECAUSE}":${why}${inner.trimStart().startsWith('}') ? '' : ','}${inner}\n`;
}
