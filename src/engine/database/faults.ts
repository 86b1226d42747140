import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

export interface Fault {
  kind: 'unique' | 'foreign_key' | 'check' | 'unavailable' | 'full' | 'other';
  /** Unique: the columns as `table.column, table.column`; check and, on PostgreSQL, foreign key: its name. */
  constraint?: string;
}

/** The database cannot serve this now; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** `unknown`: the connection broke while committing, and it could not be found out what happened. */
    readonly outcome: 'nothing stored' | 'unknown' = 'nothing stored',
  ) {
    super(message, options);
  }
}

/** The server is silent: whether it did what it was asked is not known. */
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

/** In a few words. What a name of several addresses failed of has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Wraps what only says «not now»; everything else stays the driver's error, for `faultOf` to read. */
export function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || faultOf(error).kind !== 'unavailable') return error;
  return new DatabaseUnavailable('The database cannot be used at the moment', { cause: error });
}

/** True when the connection itself is gone, so that nothing more can be learnt over it. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|57P0)/.test(error.code ?? '');
  return faultOf(error).kind === 'unavailable';
}

// Neither driver gives these a class of their own.
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
      return named('foreign_key');
    case '23514':
      return named('check');
    case '53100':
      return { kind: 'full' };
    default:
      return { kind: POSTGRES_UNAVAILABLE.test(error.code ?? '') ? 'unavailable' : 'other' };
  }
}

// Connection, resources, shutdown, lock and statement time-outs, conflicts that outlived their retries,
// and a standby that took over but is still read-only.
// 55000 and 28 and 3D come from a server that takes no connections now: settings were right at the start.
const POSTGRES_UNAVAILABLE = /^(08|53|57P0|57014|55P03|55000|28|3D|40001|40P01|25006)/;

/** Says it as SQLite does. The detail's words are translated by the server, its brackets are not. */
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
