import { Client } from 'pg';
import { bound } from '../../src/database/sqlite-connection.js';
import BetterSqlite3 from 'better-sqlite3';
import { AnyOf, textOf, type Sql } from '../../src/database/sql.js';

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * How many rows of tables and indexes are passed over for a statement: on PostgreSQL those that it really read. SQLite
 * counts none; there it is Infinity when a step of the plan goes through a whole table or index, else 0.
 */
export async function rowsTouched(url: string, statement: Sql): Promise<number> {
  return url.startsWith('sqlite:')
    ? ofSqlite(url.slice('sqlite:'.length), statement)
    : ofPostgres(url, statement);
}

async function ofPostgres(url: string, statement: Sql): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const values = statement.values.map((value) => (value instanceof AnyOf ? value.ids : value));
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${textOf(statement, 'postgres')}`,
      values as unknown[],
    );
    return leavesOf(rows[0]?.['QUERY PLAN'][0].Plan as Plan);
  } finally {
    await client.end();
  }
}

/** Only what reads a table counts; what stands above it gets the same rows once more. */
function leavesOf(plan: Plan): number {
  const inside = (plan.Plans ?? []).reduce((sum, part) => sum + leavesOf(part), 0);
  const own = 'Relation Name' in plan ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0;
  return inside + own * plan['Actual Loops'];
}

function ofSqlite(file: string, statement: Sql): number {
  const handle = new BetterSqlite3(file, { readonly: true });
  try {
    const steps = handle
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${textOf(statement, 'sqlite')}`)
      .all(statement.values.map(bound));
    return steps.some(({ detail }) => /^SCAN (?!json_each|passed)/.test(detail)) ? Infinity : 0;
  } finally {
    handle.close();
  }
}
