import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/**
 * The sums of all orders (ADR 52): the number and the total amount of the orders of each status (`all`), of each day
 * and status (`day`), and of each minute (`minute`). Days and minutes are counted in UTC from 1970, by the time of the
 * order. Triggers update the sums, so every way to write an order is included.
 *
 * On SQLite, TypeORM's schema builder changes a table by copying it, and the copy loses the triggers; see
 * `createCounts`.
 */
export class OrderSums1763700000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = engineOf(queryRunner.dataSource) === 'sqlite' ? ON_SQLITE : ON_POSTGRES;
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isSqlite = engineOf(queryRunner.dataSource) === 'sqlite';
    for (const statement of isSqlite ? OFF_SQLITE : OFF_POSTGRES) await queryRunner.query(statement);
  }
}

// The number of days and minutes for which existing orders get sums. Nobody asks for the sums of earlier days and
// minutes; see `OrderSumsRepository`.
const [FILLED_DAYS, FILLED_MINUTES] = [40, 120];

const addOnSqlite = (row: 'OLD' | 'NEW', sign: '' | '-'): string => `
  INSERT INTO order_sums (span, at, status, n, total_minor) VALUES
    ('all', 0, ${row}.status, ${sign}1, ${sign}${row}.total_minor),
    ('day', ${row}.created_at / 86400000, ${row}.status, ${sign}1, ${sign}${row}.total_minor),
    ('minute', ${row}.created_at / 60000, '', ${sign}1, ${sign}${row}.total_minor)
  ON CONFLICT (span, at, status) DO UPDATE SET n = n + excluded.n, total_minor = total_minor + excluded.total_minor;`;

const ON_SQLITE = [
  `CREATE TABLE order_sums (
    span TEXT NOT NULL, at INTEGER NOT NULL, status TEXT NOT NULL, n INTEGER NOT NULL, total_minor INTEGER NOT NULL,
    PRIMARY KEY (span, at, status)
  ) WITHOUT ROWID`,
  `INSERT INTO order_sums
    SELECT 'all', 0, status, count(*), sum(total_minor) FROM orders GROUP BY status
    UNION ALL
    SELECT 'day', created_at / 86400000, status, count(*), sum(total_minor) FROM orders
    WHERE created_at > (unixepoch() - ${FILLED_DAYS} * 86400) * 1000 GROUP BY 2, 3
    UNION ALL
    SELECT 'minute', created_at / 60000, '', count(*), sum(total_minor) FROM orders
    WHERE created_at > (unixepoch() - ${FILLED_MINUTES} * 60) * 1000 GROUP BY 2`,
  'CREATE VIEW order_figures AS SELECT span, at, status, n, total_minor FROM order_sums',
  `CREATE TRIGGER orders_sums_added AFTER INSERT ON orders BEGIN ${addOnSqlite('NEW', '')} END`,
  `CREATE TRIGGER orders_sums_removed AFTER DELETE ON orders BEGIN ${addOnSqlite('OLD', '-')} END`,
  `CREATE TRIGGER orders_sums_changed AFTER UPDATE OF status, total_minor, created_at ON orders
    WHEN (OLD.status, OLD.total_minor, OLD.created_at) <> (NEW.status, NEW.total_minor, NEW.created_at)
    BEGIN ${addOnSqlite('OLD', '-')} ${addOnSqlite('NEW', '')} END`,
];

const OFF_SQLITE = [
  ...['added', 'removed', 'changed'].map((what) => `DROP TRIGGER orders_sums_${what}`),
  'DROP VIEW order_figures',
  'DROP TABLE order_sums',
];

const dayOf = (moment: string): string => `floor(extract(epoch FROM ${moment}) / 86400)::bigint`;
const minuteOf = (moment: string): string => `floor(extract(epoch FROM ${moment}) / 60)::bigint`;

/** The rows of `order_sums` that a row of `order_sum_deltas` changes. The alias of `order_sum_deltas` is `d`. */
const SPREAD = `(VALUES
  ('all', 0::bigint, d.status), ('day', ${dayOf('d.created_at')}, d.status), ('minute', ${minuteOf('d.created_at')}, '')
) AS place (span, at, status)`;

/**
 * Whether the event of the change is still in the outbox, so that it has no position in the log yet. The figures leave
 * out such a change, because they show the state at the newest position of the log.
 */
const IS_WAITING = `EXISTS (SELECT FROM event_outbox o
  WHERE o.kind = 'order' AND o.entity_id = d.order_id AND o.entity_version = d.version)`;

/** The maximum number of deltas that one call of `order_sums_fold` folds. */
const FOLDED = 20_000;

/**
 * Sums that are updated in place would make orders wait for one another. So the triggers only append deltas, and
 * `order_sums_fold` moves them into the sums. Readers add sums and deltas in one statement (`order_figures`), whose
 * snapshot contains each change exactly once. Block counts work in the same way; see `counts.ts`.
 */
const ON_POSTGRES = [
  `CREATE TABLE order_sums (
    span text COLLATE "C", at bigint, status text COLLATE "C", n bigint NOT NULL, total_minor numeric NOT NULL,
    PRIMARY KEY (span, at, status)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE order_sum_deltas (
    order_id bigint NOT NULL, version integer NOT NULL, created_at timestamp(3) with time zone NOT NULL,
    status text COLLATE "C" NOT NULL, n integer NOT NULL, total_minor bigint NOT NULL
  )`,
  `CREATE VIEW order_figures AS
    SELECT span, at, status, n, total_minor FROM order_sums
    UNION ALL
    SELECT place.span, place.at, place.status, d.n, d.total_minor
    FROM order_sum_deltas d CROSS JOIN LATERAL ${SPREAD} WHERE NOT ${IS_WAITING}`,
  `CREATE FUNCTION order_sums_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO order_sum_deltas VALUES (NEW.id, NEW.version, NEW.created_at, NEW.status, 1, NEW.total_minor);
      ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO order_sum_deltas VALUES
          (NEW.id, NEW.version, OLD.created_at, OLD.status, -1, -OLD.total_minor),
          (NEW.id, NEW.version, NEW.created_at, NEW.status, 1, NEW.total_minor);
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO order_sum_deltas VALUES (OLD.id, OLD.version + 1, OLD.created_at, OLD.status, -1, -OLD.total_minor);
      ELSE
        TRUNCATE order_sum_deltas, order_sums;
      END IF;
      RETURN NULL;
    END $$`,
  // PostgreSQL makes a new plan at each call, because the tables of the deltas and of the outbox may be empty or long.
  `CREATE FUNCTION order_sums_fold() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
    DECLARE taken bigint;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('order_sums_fold', 0)) THEN RETURN 0; END IF;
      WITH d AS (
          DELETE FROM order_sum_deltas WHERE ctid = ANY (ARRAY(
            SELECT d.ctid FROM order_sum_deltas d WHERE NOT ${IS_WAITING} LIMIT ${FOLDED}))
          RETURNING created_at, status, n, total_minor),
        folded AS (
          INSERT INTO order_sums AS kept (span, at, status, n, total_minor)
          SELECT place.span, place.at, place.status, sum(d.n), sum(d.total_minor)
          FROM d CROSS JOIN LATERAL ${SPREAD} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
          ON CONFLICT (span, at, status) DO UPDATE
          SET n = kept.n + excluded.n, total_minor = kept.total_minor + excluded.total_minor)
      SELECT count(*) INTO taken FROM d;
      RETURN taken;
    END $$`,
  // The creation of a trigger locks the table, so other transactions cannot write orders until this transaction ends.
  // Therefore no order is missing in the sums that the last statement makes.
  ...['INSERT', 'DELETE'].map(
    (event) => `CREATE TRIGGER orders_sums_${event.toLowerCase()} AFTER ${event} ON orders
      FOR EACH ROW EXECUTE FUNCTION order_sums_change()`,
  ),
  `CREATE TRIGGER orders_sums_update AFTER UPDATE OF status, total_minor, created_at ON orders FOR EACH ROW
    WHEN ((OLD.status, OLD.total_minor, OLD.created_at) IS DISTINCT FROM (NEW.status, NEW.total_minor, NEW.created_at))
    EXECUTE FUNCTION order_sums_change()`,
  `CREATE TRIGGER orders_sums_truncate AFTER TRUNCATE ON orders
    FOR EACH STATEMENT EXECUTE FUNCTION order_sums_change()`,
  `INSERT INTO order_sums
    SELECT 'all', 0, status, count(*), sum(total_minor) FROM orders GROUP BY status
    UNION ALL
    SELECT 'day', ${dayOf('created_at')}, status, count(*), sum(total_minor) FROM orders
    WHERE created_at > now() - interval '${FILLED_DAYS} days' GROUP BY 2, 3
    UNION ALL
    SELECT 'minute', ${minuteOf('created_at')}, '', count(*), sum(total_minor) FROM orders
    WHERE created_at > now() - interval '${FILLED_MINUTES} minutes' GROUP BY 2`,
];

const OFF_POSTGRES = [
  ...['insert', 'delete', 'update', 'truncate'].map((event) => `DROP TRIGGER orders_sums_${event} ON orders`),
  'DROP FUNCTION order_sums_fold()',
  'DROP FUNCTION order_sums_change()',
  'DROP VIEW order_figures',
  'DROP TABLE order_sum_deltas, order_sums',
];
