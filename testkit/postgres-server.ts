import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { exited, hasExited } from './exited.ts';
import type { Proceeding } from './proceeding.ts';

const HOW_TO =
  'apt-get install postgresql (Debian), dnf install postgresql-server (Fedora) or brew install postgresql (macOS). ' +
  'The programs are looked for on the PATH and in /usr/lib/postgresql/*/bin.';
/**
 * The user of the database. If this process is root, the server runs as the system user with the same name, because
 * PostgreSQL refuses to run as root.
 */
const USER = 'postgres';
const STARTED_MS = 30_000;
const PAUSE_MS = 50;

/** A server with data of its own. The data survives kills, and is removed at the end. */
export class PostgresServer {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  readonly #programs: string;
  readonly #signal: AbortSignal;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  #server: ChildProcess | null = null;

  /** @throws Error that says how to install PostgreSQL, if it is not installed */
  static async create(proceeding: Proceeding): Promise<PostgresServer> {
    const programs = findPostgres();
    if (programs === null) throw new Error(`There is no PostgreSQL server here: ${HOW_TO}`);
    const options = ['--auth', 'trust', '--username', USER, '--encoding', 'UTF8', '--no-locale'];
    return new PostgresServer(programs, await freePort(), proceeding, 'initdb', options);
  }

  /** A streaming replica of a server that runs. */
  static async createReplica(of: PostgresServer, proceeding: Proceeding): Promise<PostgresServer> {
    const options = ['--dbname', of.url, '--write-recovery-conf', '--checkpoint', 'fast'];
    return new PostgresServer(of.#programs, await freePort(), proceeding, 'pg_basebackup', options);
  }

  /** @param maker the program that makes the folder of the data */
  private constructor(
    programs: string,
    port: number,
    { signal, atEnd }: Proceeding,
    maker: string,
    options: readonly string[],
  ) {
    this.#programs = programs;
    this.#user = userOfPostgres();
    this.#port = port;
    this.#signal = signal;
    this.url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    this.#folder = mkdtempSync(join(tmpdir(), 'store-prove-postgres-'));
    atEnd(async () => {
      await this.#ended();
      rmSync(this.#folder, { recursive: true, force: true });
    });
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    const { status, stderr } = spawnSync(join(this.#programs, maker), ['-D', this.#data, ...options], {
      ...this.#user,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${maker} failed: ${stderr}`);
  }

  /**
   * Resolves when the server answers, or when the run has ended. Processes or files of a killed server may prevent the
   * start for a moment.
   */
  async start(): Promise<void> {
    const deadline = Date.now() + STARTED_MS;
    while (!this.#signal.aborted) {
      if (this.#server === null || hasExited(this.#server)) this.#server = this.#launch();
      const error = await connectionErrorOf(this.url);
      if (error === null) return;
      if (Date.now() > deadline) throw new Error('PostgreSQL does not start.', { cause: error });
      await sleep(PAUSE_MS);
    }
  }

  /** @param signal SIGKILL ends the server like a crash; SIGQUIT is like `pg_ctl stop -m immediate` */
  async kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    this.#server?.kill(signal);
    await this.#ended();
  }

  /** @throws Error if the server does not run */
  get pid(): number {
    const server = this.#server;
    if (server?.pid === undefined || hasExited(server)) throw new Error('PostgreSQL does not run.');
    return server.pid;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #ended(): Promise<void> {
    if (this.#server !== null) await exited(this.#server);
  }

  #launch(): ChildProcess {
    const address = ['-p', String(this.#port), '-h', '127.0.0.1', '-c', 'unix_socket_directories='];
    const server = spawn(
      join(this.#programs, 'postgres'),
      ['-D', this.#data, ...address, '-c', 'max_connections=300'],
      // On SIGQUIT the server ends its child processes. They would survive a SIGKILL.
      { ...this.#user, stdio: 'ignore', signal: this.#signal, killSignal: 'SIGQUIT' },
    );
    server.on('error', () => undefined);
    return server;
  }
}

/**
 * The folder with the programs of PostgreSQL: a folder of the PATH, otherwise the folder of the newest PostgreSQL in
 * `/usr/lib/postgresql` (Debian); null when PostgreSQL is not installed.
 */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.toSorted((a, b) => b - a).map((version) => join(debian, String(version), 'bin')),
  ];
  return folders.find(isWhole) ?? null;
}

function isWhole(folder: string): boolean {
  return ['initdb', 'pg_basebackup', 'postgres'].every((name) => existsSync(join(folder, name)));
}

/**
 * The user that has to run programs of PostgreSQL: `USER` if this process is root, otherwise the user of this process.
 */
export function userOfPostgres(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

function idOf(kind: '-u' | '-g'): number {
  try {
    return Number(
      execFileSync('id', [kind, USER], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    throw new Error(`PostgreSQL refuses to run as root, and there is no user ${USER} here: ${HOW_TO}`);
  }
}

export async function connectionErrorOf(connectionString: string): Promise<unknown> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
