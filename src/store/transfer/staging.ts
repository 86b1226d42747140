import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';

/** A row without a fault of its own, which waits to be stored. */
export interface StagedRow {
  readonly line: number;
  readonly id: string;
  readonly data: unknown;
}

/**
 * The kinds of keys that are claimed (see `Claims`). `seen`: the id of any order, also of a refused one. `refused`: the
 * id of an order that is refused because of its lines, their number or their sum. `incomplete`: the id of an order with
 * a refused row, in a file in which each row is a line of an order. `about`: the name of a fault that many rows may
 * have.
 */
type KeyKind = 'id' | 'email' | 'seen' | 'refused' | 'incomplete' | 'about';

export interface Claim {
  readonly line: number;
  readonly seq: number | null;
}

/** A line whose order is not in the file of the orders. */
interface Stray {
  readonly line: number;
  readonly orderId: string;
}

/** The number of all lines of an order, and the number of its refused lines. */
export interface ItemCounts {
  readonly all: number;
  readonly refused: number;
}

/** The number of lines that are read at a time, so that other work of the process does not wait for long. */
const PAGE = 100;

/**
 * Keeps rows until all of them have been read. The rows are in a temporary database on the disk, which is removed when
 * the import or the process ends. So memory use does not depend on the size of the files. Lines of orders may come in
 * any sequence, and the rows of the standard input can be used twice. An id that occurs twice is noticed.
 */
export class Staging {
  readonly #database: Database = new BetterSqlite3('');
  readonly #addRow: Statement<[number, string, string, number]>;
  readonly #addKey: Statement<[string, string, number, number | null]>;
  readonly #key: Statement<[string, string], Claim>;
  readonly #removeKey: Statement<[string, string, number]>;
  readonly #count: Statement<[string], number>;
  readonly #data: Statement<[number], string>;
  readonly #addItem: Statement<[string, number, string | null]>;
  readonly #countItem: Statement<[string, number]>;
  readonly #itemCounts: Statement<[string], ItemCounts>;
  readonly #items: Statement<[string, number], string>;
  readonly #addRepeat: Statement<[{ id: string; line: number }]>;
  readonly #countRepeats: Statement<[{ id: string }], number>;
  readonly #repeats: Statement<[string, number], number>;
  readonly #batch: Statement<
    [number, number, number],
    { seq: number; line: number; id: string; data: string }
  >;
  rows = 0;
  #rivals = 0;

  /** The number of rows that wait to be stored, including rivals. */
  get waiting(): number {
    return this.rows + this.#rivals;
  }

  constructor() {
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('synchronous = OFF');
    this.#database.pragma('cache_size = -32768');
    this.#database.exec(`
      CREATE TABLE rows (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL, is_rival INTEGER NOT NULL);
      CREATE TABLE keys (kind TEXT, key TEXT, line INTEGER NOT NULL, seq INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      CREATE TABLE items (order_id TEXT NOT NULL, line INTEGER NOT NULL, data TEXT);
      CREATE INDEX items_by_order ON items (order_id, line);
      CREATE TABLE item_counts (order_id TEXT PRIMARY KEY, lines INTEGER NOT NULL, refused INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE repeats (id TEXT NOT NULL, line INTEGER NOT NULL, nth INTEGER NOT NULL, PRIMARY KEY (id, line))
        WITHOUT ROWID;
      BEGIN`);
    this.#addRow = this.#database.prepare('INSERT INTO rows (line, id, data, is_rival) VALUES (?, ?, ?, ?)');
    this.#addKey = this.#database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
    this.#key = this.#database.prepare('SELECT line, seq FROM keys WHERE kind = ? AND key = ?');
    this.#removeKey = this.#database.prepare('DELETE FROM keys WHERE kind = ? AND key = ? AND line = ?');
    this.#count = this.#database.prepare<[string], number>(`
      INSERT INTO keys VALUES ('count', ?, 1, NULL) ON CONFLICT DO UPDATE SET line = line + 1 RETURNING line`);
    this.#count.pluck();
    this.#data = this.#database.prepare<[number], string>('SELECT data FROM rows WHERE seq = ?');
    this.#data.pluck();
    this.#addItem = this.#database.prepare('INSERT INTO items VALUES (?, ?, ?)');
    this.#countItem = this.#database.prepare(`
      INSERT INTO item_counts VALUES (?, 1, ?)
      ON CONFLICT DO UPDATE SET lines = lines + 1, refused = refused + excluded.refused`);
    this.#itemCounts = this.#database.prepare(
      'SELECT lines AS "all", refused FROM item_counts WHERE order_id = ?',
    );
    this.#items = this.#database.prepare<[string, number], string>(
      'SELECT data FROM items WHERE order_id = ? AND data IS NOT NULL ORDER BY line, rowid LIMIT ?',
    );
    this.#items.pluck();
    // Repeats are numbered when they are added. To count millions of them later would block other work.
    const last = 'SELECT nth FROM repeats WHERE id = :id ORDER BY line DESC LIMIT 1';
    this.#addRepeat = this.#database.prepare(
      `INSERT INTO repeats VALUES (:id, :line, COALESCE((${last}), 0) + 1)`,
    );
    this.#countRepeats = this.#database.prepare<[{ id: string }], number>(last);
    this.#countRepeats.pluck();
    this.#repeats = this.#database.prepare<[string, number], number>(
      `SELECT line FROM repeats WHERE id = ? AND line > ? ORDER BY line LIMIT ${PAGE}`,
    );
    this.#repeats.pluck();
    this.#batch = this.#database.prepare(
      'SELECT seq, line, id, data FROM rows WHERE seq > ? AND is_rival = ? ORDER BY seq LIMIT ?',
    );
  }

  /** @returns the place of the row, for `claim` and `dataAt` */
  add({ line, id, data }: StagedRow): number {
    this.rows += 1;
    return Number(this.#addRow.run(line, id, JSON.stringify(data), 0).lastInsertRowid);
  }

  /**
   * Adds a rival: a row whose id or address an earlier row has claimed. The rival is stored only if the earlier row is
   * refused.
   */
  addRival({ line, id, data }: StagedRow): void {
    this.#rivals += 1;
    this.#addRow.run(line, id, JSON.stringify(data), 1);
  }

  /** Adds a refused row. It is never stored. It is kept so that a later row with the same data is recognised. */
  addRefused({ line, id, data }: StagedRow): number {
    return Number(this.#addRow.run(line, id, JSON.stringify(data), 2).lastInsertRowid);
  }

  dataAt(seq: number): unknown {
    return JSON.parse(this.#data.get(seq) ?? 'null') as unknown;
  }

  /** Claims a key for a row. Returns null if the key was free, otherwise the row that has claimed it before. */
  claim(kind: KeyKind, key: string, line: number, seq: number | null = null): Claim | null {
    if (this.#addKey.run(kind, key, line, seq).changes === 1) return null;
    return this.#key.get(kind, key) ?? null;
  }

  claimOf(kind: KeyKind, key: string): Claim | null {
    return this.#key.get(kind, key) ?? null;
  }

  /** Removes the claim of a row that was not stored. */
  release(kind: KeyKind, key: string, line: number): void {
    this.#removeKey.run(kind, key, line);
  }

  /** Counts the calls for this key, and returns the count, including this call. */
  count(key: string): number {
    return this.#count.get(key) ?? 0;
  }

  /** @param data null for a line that is refused */
  addItem(orderId: string, line: number, data: unknown): void {
    this.#addItem.run(orderId, line, data === null ? null : JSON.stringify(data));
    if (orderId !== '') this.#countItem.run(orderId, Number(data === null));
  }

  /** Notes the line of a row with the same data as an earlier row. */
  addRepeat(id: string, line: number): void {
    this.#addRepeat.run({ id, line });
  }

  /** The number of rows that repeat the row with this id. */
  countRepeats(id: string): number {
    return this.#countRepeats.get({ id }) ?? 0;
  }

  /** The lines of the rows that repeat the row with this id. A file may repeat one row millions of times. */
  *repeatsOf(id: string): Generator<number> {
    // The lines are read page by page, because nothing can be written while a statement is iterated.
    for (let after = 0; ;) {
      const lines = this.#repeats.all(id, after);
      yield* lines;
      const last = lines.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  /** The counts are kept separately from the lines, because an order in a file may have millions of lines. */
  itemCounts(orderId: string): ItemCounts {
    return this.#itemCounts.get(orderId) ?? { all: 0, refused: 0 };
  }

  /** The first lines of an order that are not refused. */
  itemsOf(orderId: string, most: number): unknown[] {
    return this.#items.all(orderId, most).map((data) => JSON.parse(data) as unknown);
  }

  /**
   * Lines whose orders are not in the file of the orders, page by page. A page may be empty. Lines of refused orders
   * are not among these lines.
   */
  *strayItems(): Generator<readonly Stray[]> {
    // The lines are read page by page, because nothing can be written while a statement is iterated.
    const statement = this.#database.prepare<[number, number], Stray>(`
      SELECT line, order_id AS orderId FROM items
      WHERE rowid > ? AND rowid <= ? AND NOT EXISTS (SELECT 1 FROM keys WHERE kind = 'seen' AND key = order_id)
      ORDER BY rowid`);
    const count = this.#database.prepare<[], number>('SELECT COALESCE(MAX(rowid), 0) FROM items').pluck();
    const last = count.get() ?? 0;
    for (let after = 0; after < last; after += PAGE) yield statement.all(after, after + PAGE);
  }

  *batches(size: number, isRival = false): Generator<readonly StagedRow[]> {
    for (let seq = 0; ;) {
      const rows = this.#batch.all(seq, Number(isRival), size);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ line, id, data }) => ({ line, id, data: JSON.parse(data) as unknown }));
      seq = last.seq;
    }
  }

  close(): void {
    this.#database.close();
  }
}
