import type { Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { CountedTable, CountedTables, type Page, type Row, type Slice } from './counted-table.js';
import { BLOCK, sqliteTriggers } from './counts.js';
import { translated } from './faults.js';
import { BlockCounts, type Located } from './fenwick.js';
import { mappingOf, type Mapping } from './mapping.js';
import { SharedRows } from './shared-rows.js';
import { firstId, sliceOf, type Piece } from './slices.js';
import { UNPLANNED } from './sql.js';
import { currentSpan, type Span } from '../tracing/span.js';
import { recorded } from './statement-times.js';
import type { SharedLock } from './shared-lock.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SqliteUnitOfWork } from './sqlite-unit-of-work.js';

/** The maximum number of lists that `AskedLists` remembers. Each list has one of these places. */
const PLACES = 128;

/** Two statements that select the same rows. */
interface Selection {
  readonly versions: Statement<number[], [id: number, version: number]>;
  readonly whole: Statement<number[], unknown[]>;
}

interface BlockRow {
  block: number;
  n: number;
}

/**
 * Holds the block counts in memory: the numbers of rows per block of ids (see `counts.ts`). The counts agree with the
 * data of the read connection. Every commit changes the `data_version` of that connection. After a commit of the unit
 * of work, the counts are brought up to date in the same tick, and get the new version. After any other commit, of
 * another process or outside of the unit of work, the versions differ, and the counts are loaded again.
 */
export class SqliteCountedTables extends CountedTables {
  readonly #dataSource: DataSource;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #lock: SharedLock;
  readonly #tables = new Map<string, Counts>();
  readonly #begin: Statement<[]>;
  readonly #commit: Statement<[]>;
  #version: unknown;

  constructor(
    dataSource: DataSource,
    writer: SqliteConnection,
    reader: SqliteConnection,
    lock: SharedLock,
    unitOfWork: SqliteUnitOfWork,
  ) {
    super();
    this.#dataSource = dataSource;
    this.#writer = writer;
    this.#reader = reader;
    this.#lock = lock;
    this.#begin = reader.handle.prepare('BEGIN');
    this.#commit = reader.handle.prepare('COMMIT');
    unitOfWork.beforeCommit(() => this.#takeChanges());
  }

  override of<E extends Row>(entity: new () => E): CountedTable<E> {
    const mapping = mappingOf(this.#dataSource, entity);
    const counts = this.#tables.get(mapping.table) ?? new Counts(this.#writer, this.#reader, mapping.table);
    this.#tables.set(mapping.table, counts);
    return new SqliteCountedTable(this, counts, this.#reader, this.#lock, mapping);
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }

  /** The version of the data that the counts in memory agree with. */
  get version(): unknown {
    return this.#version;
  }

  /** A value that is different after any commit, of this process or of another one. The reader itself never writes. */
  currentVersion(): unknown {
    this.#lock.beforeRead();
    return this.#reader.dataVersion();
  }

  /**
   * Returns a result from counts and rows of the same moment. If the counts are missing or out of date, counts and rows
   * are read in one transaction.
   *
   * @param read is called again if its first result is not of one moment
   */
  consistent<T>(counts: Counts, read: (blocks: BlockCounts) => T): T {
    this.#lock.beforeRead();
    // If the counts are up to date, a result without a transaction is of the same moment too. The version is read last,
    // so it also shows a commit during `read`.
    if (counts.blocks !== undefined) {
      const result = read(counts.blocks);
      if (this.#reader.dataVersion() === this.#version) return result;
    }
    this.#begin.run();
    try {
      // This is the version of the snapshot in which the rows are read. If another connection has committed meanwhile,
      // it differs from `#version`, and the counts are forgotten.
      this.#moveTo(this.#reader.dataVersion());
      return read(counts.blocks ?? counts.load());
    } finally {
      // SQLite ends the transaction itself after some errors.
      if (this.#reader.handle.inTransaction) this.#commit.run();
    }
  }

  #moveTo(version: unknown): void {
    if (version === this.#version) return;
    for (const counts of this.#tables.values()) counts.forget();
    this.#version = version;
  }

  /**
   * The unit of work calls this while this process holds the write lock. It calls the returned function right after the
   * COMMIT.
   */
  #takeChanges(): () => void {
    const upToDate = this.#reader.dataVersion() === this.#version;
    const othersBefore = this.#writer.dataVersion();
    const changes = [...this.#tables.values()].map((counts) => ({ counts, rows: counts.takeChanges() }));
    return () => {
      const version = this.#reader.dataVersion();
      // The writer's version changes only with commits of other connections. If it has changed, another connection
      // committed directly after our COMMIT. Then the counts are out of date.
      if (!upToDate || this.#writer.dataVersion() !== othersBefore) {
        this.#moveTo(version);
        return;
      }
      this.#version = version;
      for (const { counts, rows } of changes) counts.apply(rows);
    };
  }
}

/** The counts of one table, and their changes by the acts of the present transaction. */
class Counts {
  blocks: BlockCounts | undefined;
  readonly #select: Statement<[], BlockRow>;
  readonly #take: Statement<[], BlockRow>;
  readonly #listeners: (() => void)[] = [];

  constructor(writer: SqliteConnection, reader: SqliteConnection, table: string) {
    requireTriggers(reader, table);
    // Temporary triggers exist on this connection only, so other programs can still use the file. The triggers write
    // the changed blocks into a temporary table. If an act fails, its savepoint undoes these rows too. A trigger could
    // call a JavaScript function instead, but the savepoint would not undo the effects of that call.
    const noting = `INSERT INTO ${table}_changed VALUES (NEW.block, NEW.n)
      ON CONFLICT (block) DO UPDATE SET n = excluded.n`;
    writer.handle.exec(`
      CREATE TEMP TABLE ${table}_changed (block INTEGER PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TEMP TRIGGER ${table}_noted_insert AFTER INSERT ON main.${table}_blocks BEGIN ${noting}; END;
      CREATE TEMP TRIGGER ${table}_noted_update AFTER UPDATE ON main.${table}_blocks BEGIN ${noting}; END;
    `);
    this.#take = writer.handle.prepare(`DELETE FROM temp.${table}_changed RETURNING block, n`);
    this.#select = reader.handle.prepare(`SELECT block, n FROM ${table}_blocks WHERE n > 0 ORDER BY block`);
  }

  load(): BlockCounts {
    const blocks = new BlockCounts();
    for (const { block, n } of this.#select.iterate()) blocks.set(block, n);
    this.blocks = blocks;
    return blocks;
  }

  forget(): void {
    this.blocks = undefined;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Calls `listener` when the counts are forgotten. Then another connection may have written, and rows of the table
   * that are kept in memory may be out of date.
   */
  onForget(listener: () => void): void {
    this.#listeners.push(listener);
  }

  takeChanges(): readonly BlockRow[] {
    return this.#take.all();
  }

  apply(changes: readonly BlockRow[]): void {
    const { blocks } = this;
    if (blocks === undefined) return;
    const ascending = changes.toSorted((a, b) => a.block - b.block);
    if (!ascending.every(({ block, n }) => blocks.set(block, n))) this.forget();
  }
}

/** A list that was requested lately. */
interface AskedList<E extends Row> {
  start: number;
  limit: number;
  /** The version of the data at the last request. */
  version: unknown;
  /** The page, if it was requested twice without a commit in between. */
  page: Page<E> | null;
}

/**
 * The lists that were requested lately. The start and the limit of a list decide its only place, and consecutive pages
 * have different places. A list that is requested only once makes no new object. Such an object would live for about a
 * hundred requests, and V8 collects objects of this age late.
 */
class AskedLists<E extends Row> {
  readonly #places: readonly AskedList<E>[] = Array.from({ length: PLACES }, () => ({
    start: -1,
    limit: -1,
    version: undefined,
    page: null,
  }));

  /** Undefined for a list that was not requested lately. */
  find(start: number, limit: number): AskedList<E> | undefined {
    const list = this.#placeOf(start, limit);
    return list.start === start && list.limit === limit ? list : undefined;
  }

  note(start: number, limit: number, version: unknown, page: Page<E> | null = null): void {
    const list = this.#placeOf(start, limit);
    list.start = start;
    list.limit = limit;
    list.version = version;
    list.page = page;
  }

  #placeOf(start: number, limit: number): AskedList<E> {
    // A limit is at least 1, so the place is always a number.
    return this.#places[(Math.floor(start / limit) + limit) % PLACES] as AskedList<E>;
  }
}

class SqliteCountedTable<E extends Row> extends CountedTable<E> {
  readonly #tables: SqliteCountedTables;
  readonly #counts: Counts;
  readonly #lock: SharedLock;
  readonly #mapping: Mapping<E>;
  readonly #rows: SharedRows<E>;
  readonly #askedPages = new AskedLists<E>();
  readonly #askedFrom = new AskedLists<E>();
  readonly #askedBefore = new AskedLists<E>();
  readonly #summary: string;
  readonly #from: Selection;
  readonly #before: Selection;
  /** Whether the cache has all rows of the last list for which it was used. */
  #isLikelyKept = false;

  constructor(
    tables: SqliteCountedTables,
    counts: Counts,
    reader: SqliteConnection,
    lock: SharedLock,
    mapping: Mapping<E>,
  ) {
    super();
    this.#lock = lock;
    this.#tables = tables;
    this.#counts = counts;
    this.#mapping = mapping;
    this.#rows = new SharedRows(reader, lock, mapping);
    this.#summary = `SELECT ${mapping.table}`;
    const selection = (condition: string): Selection => {
      const rest = `FROM ${mapping.table} WHERE ${condition}`;
      return {
        versions: reader.handle.prepare<number[], [number, number]>(`SELECT id, version ${rest}`).raw(),
        whole: reader.handle.prepare<number[], unknown[]>(`SELECT ${mapping.columns.sqlite} ${rest}`).raw(),
      };
    };
    this.#from = selection(`id >= ? ORDER BY id LIMIT ${UNPLANNED.sqlite} ? OFFSET ${UNPLANNED.sqlite} ?`);
    this.#before = selection(`id <= ? ORDER BY id DESC LIMIT ${UNPLANNED.sqlite} ?`);
    counts.onForget(() => this.#rows.clear());
  }

  override find(id: number): E | null {
    try {
      const span = currentSpan();
      return span === undefined ? this.#rows.find(id) : this.#recorded(span, () => this.#rows.find(id));
    } catch (error) {
      throw translated(error);
    }
  }

  override page(offset: number, limit: number): Page<E> {
    try {
      const asked = this.#askedPages.find(offset, limit);
      const known = asked?.page ?? null;
      if (known !== null && asked?.version === this.#tables.currentVersion()) return known;
      const page = this.#consistent((blocks) => ({
        items: this.#itemsAt(blocks.locate(offset), limit, asked !== undefined),
        total: blocks.total,
      }));
      // Most pages are requested only once, and caching such a page would cost more than it saves.
      const { version } = this.#tables;
      const isAskedAgain = asked?.version === version;
      if (isAskedAgain) Object.freeze(page.items);
      this.#askedPages.note(offset, limit, version, isAskedAgain ? page : null);
      return page;
    } catch (error) {
      throw translated(error);
    }
  }

  // oxlint-disable-next-line typescript/require-await -- to reject rather than throw; nothing is waited for
  override async slice(piece: Piece): Promise<Slice<E>> {
    const { position, limit } = piece;
    const first = firstId(position);
    const isBackwards = position?.isBackwards === true;
    const lists = isBackwards ? this.#askedBefore : this.#askedFrom;
    const wasAsked = lists.find(first, limit) !== undefined;
    try {
      const [found, total] = this.#consistent((blocks) => [
        isBackwards
          ? this.#items(this.#before, wasAsked, first, limit + 1)
          : this.#items(this.#from, wasAsked, first, limit + 1, 0),
        blocks.total,
      ]);
      lists.note(first, limit, this.#tables.version);
      return { ...sliceOf(found, piece, total, ({ id }) => [id]), total };
    } catch (error) {
      throw translated(error);
    }
  }

  // oxlint-disable-next-line typescript/require-await
  override async newest(limit: number): Promise<readonly E[]> {
    try {
      this.#lock.beforeRead();
      const span = currentSpan();
      const read = () => this.#items(this.#before, true, Number.MAX_SAFE_INTEGER, limit);
      return span === undefined ? read() : this.#recorded(span, read);
    } catch (error) {
      throw translated(error);
    }
  }

  // oxlint-disable-next-line typescript/require-await
  override async total(): Promise<number> {
    try {
      return this.#consistent((blocks) => blocks.total);
    } catch (error) {
      throw translated(error);
    }
  }

  #consistent<T>(read: (blocks: BlockCounts) => T): T {
    const span = currentSpan();
    return span === undefined
      ? this.#tables.consistent(this.#counts, read)
      : this.#recorded(span, () => this.#tables.consistent(this.#counts, read));
  }

  #recorded<T>(span: Span, read: () => T): T {
    return recorded(span, this.#summary, 'sqlite', read);
  }

  #itemsAt(start: Located | undefined, limit: number, wasAsked: boolean): E[] {
    return start === undefined
      ? []
      : this.#items(this.#from, wasAsked, start.block * BLOCK, limit, start.skip);
  }

  /**
   * The rows of a list. Rows are cached only for a list that was requested before, and for the newest rows. For any
   * other list, the search for cached rows would cost more than reading all rows and encoding them.
   *
   * The cache is likely to have all rows if it had all rows of the last list for which it was used. Then this method
   * first reads only the versions of the rows, and uses the cached rows if all of them are present. In all other cases,
   * it reads the whole rows. So one statement is enough in most cases.
   */
  #items({ versions, whole }: Selection, wasAsked: boolean, ...values: number[]): E[] {
    if (!wasAsked) return whole.all(...values).map((row) => this.#mapping.fromValues(row));
    const kept = this.#isLikelyKept ? this.#keptItems(versions.all(...values)) : null;
    if (kept !== null) return kept;
    const items = whole.all(...values).map((row) => this.#rows.take(row));
    this.#isLikelyKept = items.every(Object.isFrozen);
    return items;
  }

  /** @returns null if one of the rows has to be read as a whole */
  #keptItems(versions: readonly [id: number, version: number][]): E[] | null {
    const items: E[] = [];
    for (const [id, version] of versions) {
      const item = this.#rows.get(id, version);
      if (item === undefined) return null;
      items.push(item);
    }
    return items;
  }
}

function requireTriggers(reader: SqliteConnection, table: string): void {
  const { added, removed } = sqliteTriggers(table);
  const found = reader.handle
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? AND name IN (?, ?)`)
    .all(table, added, removed);
  if (found.length === 2) return;
  throw new Error(
    `${table} is not counted: its migration must call createCounts, and call it again after any change that copies the table`,
  );
}
