import type { QueryRunner } from 'typeorm';
import { engineOf } from './engine.js';

/**
 * The number of ids in a block. Smaller blocks need more counts. In larger blocks, a read has to skip more rows. The
 * triggers contain this number too, so a change of this number needs a migration.
 */
export const BLOCK = 32;

// On PostgreSQL the counts are a tree. Level 0 has the count of each block. On each level above, a node has the sum of
// 64 (2^6) nodes of the level below. To find a row, `<table>_locate` reads the whole top level, then at most 64 nodes
// of each lower level.
const BRANCH_BITS = 6;
const TOP_LEVEL = 2;

/**
 * For migrations: creates triggers that keep the number of rows per block of ids, so that `CountedTable` can find any
 * page and the total at once. The table needs an integer primary key `id` that never changes.
 *
 * On SQLite, TypeORM's schema builder changes a table by copying it. The copy loses the triggers (and the record of the
 * ids that have been used). So add columns by `ALTER TABLE` in SQL, or drop the counts and create them again.
 */
export async function createCounts(queryRunner: QueryRunner, table: string): Promise<void> {
  const statements =
    engineOf(queryRunner.dataSource) === 'sqlite' ? createOnSqlite(table) : createOnPostgres(table);
  for (const statement of statements) await queryRunner.query(statement);
}

export async function dropCounts(queryRunner: QueryRunner, table: string): Promise<void> {
  const statements =
    engineOf(queryRunner.dataSource) === 'sqlite' ? dropOnSqlite(table) : dropOnPostgres(table);
  for (const statement of statements) await queryRunner.query(statement);
}

export function sqliteTriggers(table: string): { added: string; removed: string } {
  return { added: `${table}_block_added`, removed: `${table}_block_removed` };
}

function createOnSqlite(table: string): string[] {
  const { added, removed } = sqliteTriggers(table);
  return [
    `CREATE TABLE ${table}_blocks (block INTEGER PRIMARY KEY, n INTEGER NOT NULL)`,
    `INSERT INTO ${table}_blocks SELECT id / ${BLOCK}, count(*) FROM ${table} GROUP BY 1`,
    `CREATE TRIGGER ${added} AFTER INSERT ON ${table} BEGIN
       INSERT INTO ${table}_blocks VALUES (NEW.id / ${BLOCK}, 1) ON CONFLICT (block) DO UPDATE SET n = n + 1;
     END`,
    `CREATE TRIGGER ${removed} AFTER DELETE ON ${table} BEGIN
       UPDATE ${table}_blocks SET n = n - 1 WHERE block = OLD.id / ${BLOCK};
     END`,
  ];
}

function dropOnSqlite(table: string): string[] {
  const { added, removed } = sqliteTriggers(table);
  return [`DROP TRIGGER ${added}`, `DROP TRIGGER ${removed}`, `DROP TABLE ${table}_blocks`];
}

/**
 * If writers updated a counter in place, each of them would wait for the commits of the others. So writers only append
 * deltas (changes of the number of rows of a block), and `<table>_fold` moves them into the counts in one statement.
 * Readers also sum counts and deltas in one statement, so the snapshot of this statement contains each change exactly
 * once.
 */
function createOnPostgres(table: string): string[] {
  return [
    `CREATE TABLE ${table}_count_deltas (block bigint NOT NULL, n integer NOT NULL)`,
    `CREATE TABLE ${table}_counts (level integer, at bigint, n integer NOT NULL, PRIMARY KEY (level, at))
       WITH (fillfactor = 50)`,
    countFunction(table),
    ...(['INSERT', 'DELETE'] as const).map(
      (event) => `CREATE TRIGGER ${table}_count_${event.toLowerCase()} AFTER ${event} ON ${table}
        REFERENCING ${event === 'INSERT' ? 'NEW' : 'OLD'} TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION ${table}_count()`,
    ),
    `CREATE TRIGGER ${table}_count_truncate AFTER TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION ${table}_count()`,
    foldFunction(table),
    locateFunction(table),
    `INSERT INTO ${table}_count_deltas SELECT id / ${BLOCK}, count(*) FROM ${table} GROUP BY 1`,
    `SELECT ${table}_fold()`,
  ];
}

function dropOnPostgres(table: string): string[] {
  return [
    ...['insert', 'delete', 'truncate'].map((event) => `DROP TRIGGER ${table}_count_${event} ON ${table}`),
    ...['count()', 'fold()', 'locate(bigint)'].map((signature) => `DROP FUNCTION ${table}_${signature}`),
    `DROP TABLE ${table}_count_deltas, ${table}_counts`,
  ];
}

function countFunction(table: string): string {
  return `CREATE FUNCTION ${table}_count() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        TRUNCATE ${table}_count_deltas, ${table}_counts;
      ELSE
        INSERT INTO ${table}_count_deltas
          SELECT id / ${BLOCK}, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END FROM changed GROUP BY 1;
      END IF;
      RETURN NULL;
    END $$`;
}

/**
 * The SQL function `<table>_fold`. It returns the number of deltas that it has moved into the counts. If another
 * process is moving deltas, it returns 0.
 */
function foldFunction(table: string): string {
  return `CREATE FUNCTION ${table}_fold() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE taken bigint;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('${table}_fold', 0)) THEN RETURN 0; END IF;
      WITH delta AS (DELETE FROM ${table}_count_deltas RETURNING block, n),
        folded AS (
          INSERT INTO ${table}_counts AS kept
          SELECT level, block >> (${BRANCH_BITS} * level), sum(n)
          FROM delta, generate_series(0, ${TOP_LEVEL}) level GROUP BY 1, 2 ORDER BY 1, 2
          ON CONFLICT (level, at) DO UPDATE SET n = kept.n + excluded.n)
      SELECT count(*) INTO taken FROM delta;
      RETURN taken;
    END $$`;
}

/**
 * The SQL function `<table>_locate`. It finds the row that has `wanted` rows before it. It returns the total, an id,
 * and the number of rows to skip from this id. The id is the first id of the block of the row. It is 0 if `wanted` is
 * less than `BLOCK`, and NULL if there is no such row. STABLE is essential, because all queries of the function then
 * use the snapshot of the calling statement. The sum of each node is cast to integer, because PostgreSQL adds bigint
 * values as numeric, at three times the cost.
 */
function locateFunction(table: string): string {
  return `CREATE FUNCTION ${table}_locate(wanted bigint, OUT total bigint, OUT first bigint, OUT skip bigint)
    LANGUAGE plpgsql STABLE AS $$
    DECLARE depth integer; node bigint; passed bigint; low bigint := 0; high bigint := ${2n ** 62n};
    BEGIN
      SELECT coalesce(sum(n), 0) INTO total FROM (
        SELECT n FROM ${table}_counts WHERE level = ${TOP_LEVEL}
        UNION ALL SELECT n FROM ${table}_count_deltas) nodes;
      skip := wanted;
      IF wanted >= total THEN RETURN; END IF;
      first := 0;
      IF wanted < ${BLOCK} THEN RETURN; END IF;
      FOR depth IN REVERSE ${TOP_LEVEL}..0 LOOP
        SELECT at, upto - n INTO node, passed FROM (
          SELECT at, n, sum(n) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) AS upto FROM (
            SELECT at, sum(n)::integer AS n FROM (
              SELECT at, n FROM ${table}_counts WHERE level = depth AND at BETWEEN low AND high
              UNION ALL
              SELECT block >> (${BRANCH_BITS} * depth), n FROM ${table}_count_deltas
              WHERE block >> (${BRANCH_BITS} * depth) BETWEEN low AND high) nodes
            GROUP BY at) summed) running
        WHERE upto > skip ORDER BY at LIMIT 1;
        skip := skip - passed;
        low := node << ${BRANCH_BITS};
        high := low + ${2 ** BRANCH_BITS - 1};
      END LOOP;
      first := node * ${BLOCK};
    END $$`;
}
