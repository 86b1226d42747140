import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';

/** A row that is good in itself, on its way into the store. */
export interface StagedRow {
  readonly line: number;
  readonly id: string;
  readonly data: unknown;
}

/**
 * Where rows wait until all of them have been read, in a temporary database on the disk that ends with the process:
 * so memory stays flat whatever the size of the files, lines of orders may come in any order, the standard input can
 * be gone through twice, and an id that comes twice is noticed.
 */
export class Staging {
  readonly #database: Database = new BetterSqlite3('');
  readonly #addRow: Statement<[number, string, string]>;
  readonly #addKey: Statement<[string, string, number]>;
  readonly #lineOfKey: Statement<[string, string], number>;
  readonly #addItem: Statement<[string, number, string | null]>;
  readonly #items: Statement<[string], string | null>;
  readonly #batch: Statement<[number, number], { seq: number; line: number; id: string; data: string }>;
  rows = 0;

  constructor() {
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('synchronous = OFF');
    this.#database.pragma('cache_size = -32768');
    this.#database.exec(`
      CREATE TABLE rows (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL);
      CREATE TABLE keys (kind TEXT, key TEXT, line INTEGER NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      CREATE TABLE items (order_id TEXT NOT NULL, line INTEGER NOT NULL, data TEXT);
      CREATE INDEX items_by_order ON items (order_id, line);
      BEGIN`);
    this.#addRow = this.#database.prepare('INSERT INTO rows (line, id, data) VALUES (?, ?, ?)');
    this.#addKey = this.#database.prepare('INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.#lineOfKey = this.#database.prepare<[string, string], number>(
      'SELECT line FROM keys WHERE kind = ? AND key = ?',
    );
    this.#lineOfKey.pluck();
    this.#addItem = this.#database.prepare('INSERT INTO items VALUES (?, ?, ?)');
    this.#items = this.#database.prepare<[string], string | null>(
      'SELECT data FROM items WHERE order_id = ? ORDER BY line, rowid',
    );
    this.#items.pluck();
    this.#batch = this.#database.prepare(
      'SELECT seq, line, id, data FROM rows WHERE seq > ? ORDER BY seq LIMIT ?',
    );
  }

  add({ line, id, data }: StagedRow): void {
    this.#addRow.run(line, id, JSON.stringify(data));
    this.rows += 1;
  }

  /** The line where this was before, or null when this is the first time. */
  claim(kind: 'id' | 'email', key: string, line: number): number | null {
    if (this.#addKey.run(kind, key, line).changes === 1) return null;
    return this.#lineOfKey.get(kind, key) ?? null;
  }

  /** @param data null: a line of the order that is refused */
  addItem(orderId: string, line: number, data: unknown): void {
    this.#addItem.run(orderId, line, data === null ? null : JSON.stringify(data));
  }

  itemsOf(orderId: string): unknown[] {
    return this.#items.all(orderId).map((data) => (data === null ? null : (JSON.parse(data) as unknown)));
  }

  /** Lines of orders that there are not; of those that were refused are none of them. */
  *strayItems(): Generator<{ line: number; order_id: string }> {
    const statement = this.#database.prepare<[], { line: number; order_id: string }>(`
      SELECT line, order_id FROM items
      WHERE NOT EXISTS (SELECT 1 FROM keys WHERE kind = 'id' AND key = order_id) ORDER BY line`);
    yield* statement.iterate();
  }

  *batches(size: number): Generator<readonly StagedRow[]> {
    for (let seq = 0; ;) {
      const rows = this.#batch.all(seq, size);
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
