import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exited } from './exited.ts';
import { freePort } from './free-port.ts';
import { connectionErrorOf, userOfPostgres } from './postgres-server.ts';

const PGBOUNCER = process.env['TEST_PGBOUNCER'] ?? '/usr/sbin/pgbouncer';
const STARTED_MS = 10_000;

export const hasPgBouncer = existsSync(PGBOUNCER);

/** A connection pooler for one caller only. The caller may kill it. */
export class PgBouncer {
  /** The address of the database through the pooler. */
  readonly url: string;
  readonly #folder: string;
  readonly #user = userOfPostgres();
  #process: ChildProcess | null = null;

  /**
   * @param behind the address of the database
   * @param settings such as `{ pool_mode: 'transaction' }`
   */
  static async create(behind: string, settings: Readonly<Record<string, string>>): Promise<PgBouncer> {
    const pooler = new PgBouncer(behind, await freePort(), settings);
    try {
      await pooler.start();
      return pooler;
    } catch (error) {
      await pooler.remove();
      throw error;
    }
  }

  private constructor(behind: string, port: number, settings: Readonly<Record<string, string>>) {
    const { hostname, port: serverPort, username } = new URL(behind);
    const url = new URL(behind);
    url.port = String(port);
    url.hostname = '127.0.0.1';
    this.url = url.href;
    this.#folder = mkdtempSync(join(tmpdir(), 'store-pgbouncer-'));
    const server = `host=${hostname} port=${serverPort || 5432} user=${decodeURIComponent(username)}`;
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'any',
      max_client_conn: '500',
      ...settings,
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(this.#file, `[databases]\n* = ${server}\n[pgbouncer]\n${text.join('\n')}\n`);
    const { uid, gid } = this.#user;
    if (uid === undefined || gid === undefined) return;
    for (const path of [this.#folder, this.#file]) chownSync(path, uid, gid);
  }

  /** Resolves when the database answers through the pooler. */
  async start(): Promise<void> {
    const process_ = spawn(PGBOUNCER, ['-q', this.#file], { ...this.#user, stdio: 'ignore' });
    process_.on('error', () => undefined);
    this.#process = process_;
    const deadline = Date.now() + STARTED_MS;
    for (;;) {
      const error = await connectionErrorOf(this.url);
      if (error === null) return;
      if (process_.exitCode !== null || Date.now() > deadline) {
        throw new Error('PgBouncer does not start.', { cause: error });
      }
      await pause(20);
    }
  }

  /** Ends the pooler at once, with all connections through it. */
  async kill(): Promise<void> {
    if (this.#process === null) return;
    this.#process.kill('SIGKILL');
    await exited(this.#process);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#folder, 'pgbouncer.ini');
  }
}
