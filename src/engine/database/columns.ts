import type { ColumnOptions, DataSource, QueryRunner, TableColumnOptions } from 'typeorm';
import { engineOf } from './engine.js';
import type { Engine } from './sql.js';

/**
 * The kinds of column that there are. Entities say `@Column(money())`, and migrations name the same kind in
 * `tableColumns`, where it gets the type that means the same on the engine in use.
 */
type Kind = ColumnOptions;

/** Made by the database, never used again, even after the newest row is deleted. */
export function id(): Kind {
  return { type: Number, primary: true, generated: 'increment' };
}

/** The id of a row in another table. */
export function reference(options: Kind = {}): Kind {
  return { type: Number, ...options };
}

/** Ordered and compared by code point. */
export function text(options: Kind = {}): Kind {
  return { type: 'text', ...options };
}

export function flag(options: Kind = {}): Kind {
  return { type: 'boolean', ...options };
}

/** A whole number within 32 bits. */
export function counter(options: Kind = {}): Kind {
  return { type: 'integer', ...options };
}

/** Whole minor units of the store's currency, within 53 bits. */
export function money(options: Kind = {}): Kind {
  return { type: Number, ...options };
}

/** A moment in UTC, to the millisecond; a `Date` in entities. */
export function instant(options: Kind = {}): Kind {
  return { type: Date, ...options };
}

/** A moment as a parameter of TypeORM's query builder, which would make a text of a `Date` on SQLite. */
export function instantParameter(dataSource: DataSource, moment: Date): Date | number {
  return engineOf(dataSource) === 'sqlite' ? moment.getTime() : moment;
}

/** Starts at 1 and is raised by whoever changes the row. */
export function version(): Kind {
  return { type: 'integer', default: 1 };
}

/** The columns of `new Table({ columns })` on the engine of a migration. Absent `nullable` means NOT NULL. */
export function tableColumns(queryRunner: QueryRunner, columns: Record<string, Kind>): TableColumnOptions[] {
  const engine = engineOf(queryRunner.dataSource);
  return Object.entries(columns).map(([name, kind]) => ({
    name,
    ...storage(engine, kind),
    isNullable: kind.nullable === true,
    isUnique: kind.unique === true,
    isPrimary: kind.primary === true,
    ...(kind.generated === 'increment' && { isGenerated: true, generationStrategy: 'increment' as const }),
    ...(kind.default !== undefined && { default: literal(kind.default) }),
  }));
}

function storage(engine: Engine, kind: Kind): Pick<TableColumnOptions, 'type' | 'precision' | 'collation'> {
  switch (kind.type) {
    // Kinds say Number instead of 'bigint', which TypeORM would turn into strings here and there. SQLite's
    // integers have 64 bits anyway, and only INTEGER can be AUTOINCREMENT.
    case Number:
      return { type: engine === 'sqlite' ? 'integer' : 'bigint' };
    case 'text':
      return engine === 'sqlite' ? { type: 'text' } : { type: 'text', collation: 'C' };
    case Date:
      return engine === 'sqlite' ? { type: 'integer' } : { type: 'timestamp with time zone', precision: 3 };
    case 'boolean':
    case 'integer':
      return { type: kind.type };
    default:
      throw new TypeError(`Not a kind of column from columns.ts: ${String(kind.type)}`);
  }
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError('A default is a number, a flag or a text');
}
