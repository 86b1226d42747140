import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

export interface Fault {
  kind: 'unique' | 'foreign_key' | 'check' | 'unavailable' | 'full' | 'other';
  /**
   * For `unique`: the columns, as `table.column, table.column`. For `check`, and on PostgreSQL also for `foreign_key`:
   * the name of the constraint.
   */
  constraint?: string;
}

/** The database cannot serve this call now; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** `unknown`: the connection broke during COMMIT, and the result could not be determined. */
    readonly outcome: 'nothing stored' | 'unknown' = 'nothing stored',
  ) {
    super(message, options);
  }
}

/** The server did not answer, so it is not known whether it executed the statement. */
export class NoAnswer extends DatabaseUnavailable {}

/** Reads a driver's error, so that repositories can tell an expected refusal from a failure. */
export function faultOf(error: unknown): Fault {
  if (error instanceof QueryFailedError) return faultOf(error.driverError);
  if (error instanceof DatabaseUnavailable) return { kind: 'unavailable' };
  if (error instanceof DatabaseError) return postgresFault(error);
  if (!(error instanceof Error)) return { kind: 'other' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_')) return sqliteFault(code, error.message);
  return { kind: CONNECTION_LOST.test(`${code} ${error.message}`) ? 'unavailable' : 'other' };
}

/**
 * The reason of an error in a few words. If a host name has several addresses, Node throws an error without a message.
 * This error contains one error for each address.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Wraps an error that means that the database is not available now. Every other error stays as the driver made it, so
 * that `faultOf` can read it.
 */
export function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || faultOf(error).kind !== 'unavailable') return error;
  return new DatabaseUnavailable('The database is not available', { cause: error });
}

/** True when the connection itself is lost, so that no other statement can run on it. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|57P0)/.test(error.code ?? '');
  return faultOf(error).kind === 'unavailable';
}

// The codes and texts of lost connections. Neither driver has classes for these errors.
const CONNECTION_LOST =
  /ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|[Cc]onnection terminated|connection error|timeout exceeded when trying to connect|database connection is not open|Cannot use a pool after calling end/;

function sqliteFault(code: string, message: string): Fault {
  const named = (kind: Fault['kind']): Fault => ({
    kind,
    constraint: message.slice(message.indexOf(': ') + 2),
  });
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return named('unique');
    case 'SQLITE_CONSTRAINT_CHECK':
      return named('check');
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return { kind: 'foreign_key' };
    // SQLite enforces `ON DELETE RESTRICT` by a trigger of its own.
    case 'SQLITE_CONSTRAINT_TRIGGER':
      return { kind: message.startsWith('FOREIGN KEY') ? 'foreign_key' : 'other' };
    case 'SQLITE_FULL':
      return { kind: 'full' };
    default:
      return { kind: SQLITE_UNAVAILABLE.test(code) ? 'unavailable' : 'other' };
  }
}

const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT|PROTOCOL|NOMEM)/;

function postgresFault(error: DatabaseError): Fault {
  const named = (kind: Fault['kind']): Fault =>
    error.constraint === undefined ? { kind } : { kind, constraint: error.constraint };
  switch (error.code) {
    case '23505':
      return { kind: 'unique', constraint: uniqueColumns(error) };
    case '23503':
    // PostgreSQL 18 and later, for `ON DELETE RESTRICT`.
    case '23001':
      return named('foreign_key');
    case '23514':
      return named('check');
    case '53100':
      return { kind: 'full' };
    default:
      return { kind: POSTGRES_UNAVAILABLE.test(error.code ?? '') ? 'unavailable' : 'other' };
  }
}

// The codes of PostgreSQL which mean that the database is not available now:
// - 08: a broken connection
// - 53: missing resources
// - 57P0: a shutdown
// - 57014, 55P03: a time-out of a statement or of a lock
// - 40001, 40P01: a conflict that remained after all retries
// - 25006: a standby that took over, but is still read-only
// - 28, 3D, 55000: the server accepts no connections now. (28 and 3D usually mean a wrong user or database, but the
//   settings were correct at the start.)
const POSTGRES_UNAVAILABLE = /^(08|53|57P0|57014|55P03|55000|28|3D|40001|40P01|25006)/;

/**
 * The columns of a unique constraint, in SQLite's notation. They are found by the brackets in the detail of the error,
 * because the server translates the words of the detail.
 */
function uniqueColumns(error: DatabaseError): string {
  const { detail = '' } = error;
  const [begin, end] = [detail.indexOf('(') + 1, detail.indexOf(')=(')];
  if (begin === 0 || end <= begin) return error.constraint ?? '';
  return detail
    .slice(begin, end)
    .split(', ')
    .map((column) => `${error.table}.${column}`)
    .join(', ');
}
