import type pg from 'pg';
import { AnyOf, requireExact, type Row, type Sql, textOf, type Value } from './sql.js';

interface Prepared {
  name: string;
  text: string;
}

// For the whole process: the driver prepares a name on each connection when it first meets it there.
const preparedBySite = new WeakMap<TemplateStringsArray, Prepared>();
let namesGiven = 0;

/** Short, because it is sent each time, and different from all others in this process. */
export function newStatementName(): string {
  namesGiven += 1;
  return `s${namesGiven}`;
}

export async function query(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>({ ...prepared(statement), values: statement.values.map(bound) });
  return rows;
}

// Finished texts stay nameless: a server keeps named ones until the connection ends.
function prepared(statement: Sql): Prepared | { text: string } {
  const { source } = statement;
  if (typeof source === 'string') return { text: textOf(statement, 'postgres') };
  let known = preparedBySite.get(source);
  if (known === undefined) {
    known = { name: newStatementName(), text: textOf(statement, 'postgres') };
    preparedBySite.set(source, known);
  }
  return known;
}

function bound(value: Value | AnyOf): unknown {
  if (typeof value === 'number') return requireExact(value);
  if (typeof value === 'bigint') return requireExact(Number(value));
  if (value instanceof AnyOf) return value.ids.map(requireExact);
  if (value instanceof Date) requireExact(value.getTime());
  return value;
}
