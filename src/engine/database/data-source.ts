import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Database as SqliteHandle } from 'better-sqlite3';
import pg, { type Client, type ClientBase, DatabaseError, types, type Pool, type PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions, type ValueTransformer } from 'typeorm';
import { withPatience } from './busy.js';
import { engineOf } from './engine.js';
import { faultOf } from './faults.js';
import { migrate } from './migrations.js';
import { type Limits, statementMsOf, withoutLimits } from './postgres-connection.js';
import { IsoClient, requireSettings } from './postgres-session.js';
import { parserOf } from './postgres-values.js';
import { refusalOfPooler, requireAddresses } from './pooler.js';
import { scanConfig } from './postgres-long-reads.js';
import { shareSessions } from './postgres-trip.js';
import { Replica } from './replica.js';
import { DatabaseSettingsError } from './settings-error.js';
import { shownUrl } from '../config/shown-url.js';

export type StoreOptions = Pick<DataSourceOptions, 'entities' | 'migrations'> & {
  /** `sqlite:<file>`, `sqlite::memory:` (a temporary file) or `postgres://…` */
  url: string;
  /** The address of PostgreSQL itself, if `url` is the address of a connection pooler. */
  directUrl?: string | null;
  /** The address of a replica of PostgreSQL. */
  readUrl?: string | null;
};

/** TypeORM's data source with an orderly close: the parts that work on its connections finish first. */
export class StoreDataSource extends DataSource {
  readonly #closers: (() => Promise<void>)[] = [];
  /** The names of the migrations that were run when the data source was opened. */
  migrated: readonly string[] = [];
  /** Null without a replica. */
  replica: Replica | null = null;

  beforeDestroy(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  override async destroy(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
    await super.destroy();
    removeIfTemporary(this.options);
  }
}

export function dataSourceOptions({
  url,
  directUrl = null,
  readUrl = null,
  ...rest
}: StoreOptions): DataSourceOptions {
  // The schema is never made from the entities. Only migrations change the database.
  const common = { ...rest, synchronize: false, migrationsRun: false, logging: false };
  if (url.startsWith('sqlite:')) {
    return { ...common, type: 'better-sqlite3', database: sqliteFile(url), timeout: 5, prepareDatabase };
  }
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new DatabaseSettingsError(
      `The database URL «${shownUrl(url)}» is not valid. Use sqlite:./data/store.sqlite, ` +
        'sqlite::memory: or postgres://user:password@host:5432/database.',
    );
  }
  return {
    ...common,
    type: 'postgres',
    // Without this setting, TypeORM would load a second copy of the driver, beside the copy in the bundle of packages.
    // An error of the second copy would not be an instance of our `DatabaseError`.
    driver: pg,
    url: directUrl === null ? url : withoutLimits(url),
    installExtensions: false,
    connectTimeoutMS: CONNECT_MS,
    extra: {
      ...(directUrl === null
        ? ownSessions(url)
        : { ...sharedSessions(url), direct: otherConfig(directUrl, url) }),
      ...(readUrl !== null && { replica: otherConfig(readUrl, url) }),
    },
  };
}

const CONNECT_MS = 5_000;
const CONNECTION = { Client: IsoClient, types: { getTypeParser }, keepAlive: true };

/** The options of connections that have a session of the server for themselves. */
function ownSessions(url: string): PoolConfig {
  return { ...CONNECTION, onConnect: tolerateErrors, ...limitsIn(url) };
}

/** The options of connections through a pooler. Their limits are set in each transaction. */
function sharedSessions(url: string): PoolConfig & { limits: Limits } {
  return { ...CONNECTION, onConnect: shareAndTolerate, limits: limitsIn(url) };
}

function shareAndTolerate(client: ClientBase): void {
  tolerateErrors(client);
  shareSessions(client as Client);
}

/** The options of connections to another address. @param url the main address, with the limits of the operator */
function otherConfig(other: string, url: string): PoolConfig {
  return {
    ...ownSessions(url),
    connectionString: withoutLimits(other),
    connectionTimeoutMillis: CONNECT_MS,
  };
}

function limitsIn(url: string): Limits {
  return {
    statement_timeout: statementMsOf(url),
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
  };
}

/**
 * Without a listener, an error of a connection would end the process. A server that is about to stop may report its
 * stop in the same packet as the end of the sign-in. At that moment, no user of the pool has the connection yet, so
 * nobody else has added a listener. The error may be ignored here, because the next statement on the connection fails.
 */
function tolerateErrors(client: ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * The options of another pool on the same server, beside the pool of TypeORM. Its connections have sessions
 * of their own.
 */
export function poolConfigOf(options: DataSourceOptions): PoolConfig {
  if (options.type !== 'postgres') throw new TypeError('Only PostgreSQL has pools.');
  const { url, connectTimeoutMS, extra } = options;
  const direct = directIn(options);
  if (direct !== null) return direct;
  return {
    ...(url !== undefined && { connectionString: url }),
    ...(connectTimeoutMS !== undefined && { connectionTimeoutMillis: connectTimeoutMS }),
    ...(extra as PoolConfig),
  };
}

/** The options of connections that go around a pooler; null if there is no pooler. */
function directIn({ extra }: DataSourceOptions): PoolConfig | null {
  return (extra as { direct?: PoolConfig } | undefined)?.direct ?? null;
}

/** Opens the database and brings its schema up to date. */
export async function openDataSource(options: DataSourceOptions): Promise<StoreDataSource> {
  if (options.type === 'better-sqlite3') makeForOwner(options.database);
  const dataSource = new StoreDataSource(options);
  try {
    await dataSource.initialize();
  } catch (error) {
    throw await explained(error, options);
  }
  try {
    if (engineOf(dataSource) === 'sqlite') storeInstantsAsMilliseconds(dataSource);
    else {
      await requireAddresses(dataSource, directIn(options)?.connectionString ?? null);
      await requireSettings(dataSource);
    }
    dataSource.migrated = await migrate(dataSource);
    dataSource.replica = await replicaOf(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  return dataSource;
}

/** Opens the connections to the replica; null if the options name no replica. */
async function replicaOf({ options, driver }: DataSource): Promise<Replica | null> {
  const { replica } = (options as { extra?: { replica?: PoolConfig } }).extra ?? {};
  if (replica === undefined) return null;
  const { master } = driver as unknown as { master: Pool };
  return Replica.open(master, replica, scanConfig());
}

/** The file that a URL names; null for PostgreSQL, and for `sqlite::memory:`, whose file is temporary. */
export function sqliteFileOf(url: string): string | null {
  const path = sqlitePath(url);
  return !url.startsWith('sqlite:') || path === ':memory:' ? null : resolve(path);
}

function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length).replace(/^\/\/(?=\/|\.)/, '');
}

function sqliteFile(url: string): string {
  const path = sqlitePath(url);
  if (path === ':memory:') return temporaryFile();
  if (path === '' || path.endsWith('/') || path.startsWith('//')) {
    throw new DatabaseSettingsError(
      `«${url}» does not name a file. Name one, as in sqlite:./data/store.sqlite.`,
    );
  }
  const file = resolve(path);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw new DatabaseSettingsError(
      `The folder ${dirname(file)} for the database cannot be created. Create it and allow this user to write to it, or name another file.`,
      { cause: error },
    );
  }
  return file;
}

// Node's own recursive mkdir is not used, because it never ends if a file system reports an existing parent folder as
// missing (as /proc does).
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Creates the file for its owner only. SQLite gives the files beside it the same rights. */
function makeForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // The file exists and keeps its rights, or SQLite will report the error.
  }
}

const temporaryFolders = new Set<string>();

// Cleans up after a process that ends without closing its database.
process.once('exit', () => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

function removeIfTemporary({ database }: DataSourceOptions): void {
  const folder = dirname(String(database));
  if (temporaryFolders.delete(folder)) rmSync(folder, { recursive: true, force: true });
}

// The database of `sqlite::memory:` is a temporary file, because the service reads on a second connection. A second
// connection cannot see a database that is really in memory.
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  temporaryFolders.add(folder);
  return join(folder, 'store.sqlite');
}

async function prepareDatabase(handle: SqliteHandle): Promise<void> {
  await withPatience(() => handle.pragma('journal_mode = WAL'));
  handle.pragma('synchronous = FULL');
  handle.pragma('temp_store = MEMORY');
  // Without this setting, INSERT OR REPLACE would remove a row without running the delete triggers, which keep the
  // counts.
  handle.pragma('recursive_triggers = ON');
}

/** SQLite has no type for instants, and TypeORM would write them as text. */
function storeInstantsAsMilliseconds(dataSource: DataSource): void {
  const columns = dataSource.entityMetadatas.flatMap((entity) => entity.columns);
  for (const column of columns.filter(({ type }) => type === Date)) {
    column.type = 'integer';
    column.transformer = milliseconds;
  }
}

const milliseconds: ValueTransformer = {
  to: (value: unknown) => (value instanceof Date ? value.getTime() : value),
  from: (value: unknown) => (typeof value === 'number' ? new Date(value) : value),
};

type ParserArguments = Parameters<typeof types.getTypeParser>;

function getTypeParser(oid: ParserArguments[0], format: ParserArguments[1]): (value: string) => unknown {
  return format === 'binary' ? types.getTypeParser(oid, format) : parserOf(oid);
}

async function explained(error: unknown, options: DataSourceOptions): Promise<unknown> {
  const unavailable = faultOf(error).kind === 'unavailable';
  if (options.type === 'better-sqlite3') {
    if (!unavailable) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new DatabaseSettingsError(
      `The database file ${options.database} cannot be opened (${reason}). Check that it is an SQLite file that ` +
        'this user may read and write, in a folder that this user may write to, or name another file.',
      { cause: error },
    );
  }
  if (!(error instanceof DatabaseError)) return error;
  const main = 'url' in options ? (options.url ?? '') : '';
  const refusal = await refusalOfPooler(error, main);
  if (refusal !== null) return new DatabaseSettingsError(refusal, { cause: error });
  // The error of an unreachable server is returned as it is, so that the start is tried again. A missing user or
  // database ends the start, because waiting does not create it. (After the start, the same refusals mean something
  // else; see `faults.ts`.)
  const isRefused = /^(28|3D)/.test(error.code ?? '');
  if (unavailable && !isRefused) return error;
  return new DatabaseSettingsError(
    `PostgreSQL refused the connection to «${shownUrl(main)}»: ${error.message}. Check the user, the password and the database in the URL.`,
    { cause: error },
  );
}
