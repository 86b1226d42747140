import type { Database as SqliteHandle } from 'better-sqlite3';
import type { EntityManager, ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm';

/** The name of the trigram index of a table. */
function trigramsOf(table: string): string {
  return `${table}_trigrams`;
}

const dueOf = (table: string): string => `${table}_trigrams_due`;

/**
 * For migrations on SQLite: creates an index of all trigrams (texts of three characters) in a column, for searches
 * within the column. The table needs an integer primary key `id`.
 *
 * The index is FTS5, which writes to disk at the end of each savepoint. Triggers that changed the index directly would
 * cost 200 µs a row, because each act has a savepoint. So the triggers only note the ids of changed rows, and
 * `TrigramIndexes` takes these rows into the index right before the COMMIT. A reader sees the row and its place in the
 * index at the same moment.
 */
export async function createTrigrams(queryRunner: QueryRunner, table: string, column: string): Promise<void> {
  const [index, due] = [trigramsOf(table), dueOf(table)];
  const note = (event: string, row: 'NEW' | 'OLD') =>
    `CREATE TRIGGER ${index}_${event.split(' ', 1)[0]?.toLowerCase()} AFTER ${event} BEGIN
       INSERT INTO ${due} (id) VALUES (${row}.id) ON CONFLICT DO NOTHING;
     END`;
  const statements = [
    // The index has no copy of the texts. It need not ignore case, because the texts of the column are normalised
    // already.
    `CREATE VIRTUAL TABLE ${index}
       USING fts5(${column}, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`,
    `INSERT INTO ${index} (rowid, ${column}) SELECT id, ${column} FROM ${table}`,
    `CREATE TABLE ${due} (id INTEGER PRIMARY KEY)`,
    note(`INSERT ON ${table}`, 'NEW'),
    note(`UPDATE OF ${column} ON ${table} WHEN NEW.${column} <> OLD.${column}`, 'NEW'),
    note(`DELETE ON ${table}`, 'OLD'),
  ];
  for (const statement of statements) await queryRunner.query(statement);
}

/**
 * Like `createTrigrams`, for texts about persons. The index of `createTrigrams` only marks a removed row. The trigrams
 * of the row stay in the file until FTS5 writes this part of the index again. The index that is created here removes
 * the trigrams at once. The removal needs the old text, so the triggers note the old text too. A program that replaces
 * rows (`INSERT OR REPLACE`) must set `recursive_triggers`, as this service does. Otherwise SQLite runs no trigger for
 * the old row.
 */
export async function createPersonalTrigrams(
  queryRunner: QueryRunner,
  table: string,
  column: string,
): Promise<void> {
  const [index, due] = [trigramsOf(table), dueOf(table)];
  // The first change of a row in a transaction notes the text that the index has.
  const note = (event: string, values: string) =>
    `CREATE TRIGGER ${index}_${event.split(' ', 1)[0]?.toLowerCase()} AFTER ${event} BEGIN
       INSERT INTO ${due} (id, old) VALUES (${values}) ON CONFLICT DO NOTHING;
     END`;
  const statements = [
    `CREATE VIRTUAL TABLE ${index} USING fts5(${column}, content='', tokenize='trigram case_sensitive 1')`,
    `INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`,
    `INSERT INTO ${index} (rowid, ${column}) SELECT id, ${column} FROM ${table}`,
    `CREATE TABLE ${due} (id INTEGER PRIMARY KEY, old TEXT)`,
    note(`INSERT ON ${table}`, 'NEW.id, NULL'),
    note(`UPDATE OF ${column} ON ${table} WHEN NEW.${column} <> OLD.${column}`, `OLD.id, OLD.${column}`),
    note(`DELETE ON ${table}`, `OLD.id, OLD.${column}`),
  ];
  for (const statement of statements) await queryRunner.query(statement);
}

export async function dropTrigrams(queryRunner: QueryRunner, table: string): Promise<void> {
  const index = trigramsOf(table);
  for (const event of ['insert', 'update', 'delete'])
    await queryRunner.query(`DROP TRIGGER ${index}_${event}`);
  await queryRunner.query(`DROP TABLE ${dueOf(table)}`);
  await queryRunner.query(`DROP TABLE ${index}`);
}

/**
 * The value of `MATCH` that finds exactly the rows whose column contains the text; null for a text that the index
 * cannot find. Such a text is shorter than three characters, or has a character that FTS5 reads as the end of the text
 * (U+0000) or as no character (U+FFFD to U+FFFF).
 */
export function phraseOf(text: string): string | null {
  if (Array.from(text).length < 3 || /[\0\uFFFD-\uFFFF]/.test(text)) return null;
  return `"${text.replaceAll('"', '""')}"`;
}

/** The rows of the index in which a phrase of `phraseOf` occurs, to count them. The alias is `t`. */
export function indexedRows<E extends ObjectLiteral>(
  manager: EntityManager,
  entity: new () => E,
  phrase: string,
): SelectQueryBuilder<E> {
  const index = trigramsOf(manager.dataSource.getMetadata(entity).tableName);
  return manager.createQueryBuilder().from<E>(index, 't').where(`t.${index} MATCH :phrase`, { phrase });
}

/** Adds the condition that a phrase of `phraseOf` occurs in the row. The id of the row is then also `t.rowid`. */
export function withIndex<E extends ObjectLiteral>(
  query: SelectQueryBuilder<E>,
  phrase: string,
): SelectQueryBuilder<E> {
  const index = trigramsOf(query.expressionMap.mainAlias?.metadata.tableName ?? '');
  // With `+`, SQLite cannot look up the index for each row. So it reads the index first.
  return query
    .innerJoin(index, 't', `${query.alias}.id = +t.rowid`)
    .andWhere(`t.${index} MATCH :phrase`, { phrase });
}

/** Keeps the trigram indexes up to date, on the connection that writes. */
export class TrigramIndexes {
  readonly #indexes: readonly { isDue: () => boolean; take: () => void }[];

  /** @param handle the connection that writes; the migrations have been run */
  constructor(handle: SqliteHandle) {
    const names = handle
      .prepare<[], { name: string; column: string }>(
        `SELECT t.name, (SELECT name FROM pragma_table_info(t.name) LIMIT 1) AS "column"
         FROM sqlite_master t WHERE t.type = 'table' AND t.sql LIKE 'CREATE VIRTUAL TABLE %USING fts5(%'`,
      )
      .all();
    this.#indexes = names.map(({ name, column }) => {
      const table = name.slice(0, -trigramsOf('').length);
      const due = dueOf(table);
      const isDue = handle.prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM ${due})`).pluck();
      const hasOldTexts = handle
        .prepare<[string], number>(`SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = 'old')`)
        .pluck();
      const statements = [
        hasOldTexts.get(due) === 1
          ? `INSERT INTO ${name} (${name}, rowid, ${column})
               SELECT 'delete', id, old FROM ${due} WHERE old IS NOT NULL`
          : `DELETE FROM ${name} WHERE rowid IN (SELECT id FROM ${due})`,
        `INSERT INTO ${name} (rowid, ${column})
           SELECT ${table}.id, ${table}.${column} FROM ${due} JOIN ${table} ON ${table}.id = ${due}.id`,
        `DELETE FROM ${due}`,
      ].map((text) => handle.prepare<[]>(text));
      return {
        isDue: () => isDue.get() === 1,
        take: () => {
          for (const statement of statements) statement.run();
        },
      };
    });
  }

  /** Takes the changed rows into the indexes. Call this within the transaction, right before its COMMIT. */
  takeChanges(): void {
    for (const { isDue, take } of this.#indexes) if (isDue()) take();
  }
}
