import { spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve, type Service } from '../../testkit/process.ts';
import { createPostgres, createSqlite, type Engine, type ProofDatabase } from '../databases.ts';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { ADMIN_KEY } from '../contract/world.ts';
import { Inspector } from './inspector.ts';
import { Meter } from './meter.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;
/**
 * The bound of the heap of the service. Even if a message is too expensive, other programs of the machine must have
 * room.
 */
const HEAP_MB = 1_500;
const SEED = ['--products', '1000', '--users', '100', '--orders', '500'];

/** The built service on a small store of its own. `Probe` restarts the service after a fatal message. */
export class Measured {
  readonly database: ProofDatabase;
  readonly #signal: AbortSignal;
  #port = '0';
  #service: Service | null = null;
  #inspector: Inspector | null = null;
  #meter: Meter | null = null;

  private constructor(database: ProofDatabase, signal: AbortSignal) {
    this.database = database;
    this.#signal = signal;
  }

  static async on(engine: Engine, { signal, atEnd }: Proceeding): Promise<Measured> {
    // This proof does not check flushes, so the files are in memory, if there is room.
    const { bavail, bsize } = statfsSync(MEMORY, { bigint: false });
    if (bavail * bsize > ROOM_BYTES) process.env['TMPDIR'] ??= MEMORY;
    const database =
      engine === 'sqlite'
        ? await createSqlite()
        : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
    atEnd(() => database.drop());
    const measured = new Measured(database, signal);
    const { status, stderr } = spawnSync(process.execPath, ['dist/app/cli/main.js', 'seed', ...SEED], {
      cwd: TOP,
      env: { PATH: process.env['PATH'], ...measured.#settings() },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The store could not be filled: ${stderr}`);
    await measured.start();
    return measured;
  }

  #settings(): Record<string, string> {
    return {
      STORE_DATABASE_URL: this.database.url,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: ADMIN_KEY,
      // The host name of the requests. The service accepts the forms of its own pages only from this origin.
      STORE_PUBLIC_URL: 'http://store.example',
      STORE_RATE_LIMIT: 'off',
      STORE_ACCESS_LOG: 'errors',
      // Tokens are made only once, so they must last.
      STORE_TOKEN_TTL: '86400',
      STORE_TRUSTED_DOCUMENTS: 'log',
    };
  }

  async start(): Promise<void> {
    const settings = {
      ...this.#settings(),
      PORT: this.#port,
      NODE_OPTIONS: `--inspect=127.0.0.1:0 --max-old-space-size=${HEAP_MB}`,
    };
    const service = await serve(settings, { signal: this.#signal });
    // At the end of the proof the signal kills the process. Node reports this as an error, which is ignored.
    service.process.on('error', () => undefined);
    this.#service = service;
    this.#port = new URL(service.url).port;
    this.#meter = new Meter(service.process.pid as number);
    this.#inspector = await Inspector.of(service.output());
  }

  /** Kills the process, unless it has ended already, and starts another one on the same store. */
  async restart(): Promise<void> {
    this.#inspector?.leave();
    await this.#service?.stop('SIGKILL');
    await this.start();
  }

  get hasEnded(): boolean {
    const { exitCode, signalCode } = this.#running.process;
    return exitCode !== null || signalCode !== null;
  }

  get url(): string {
    return this.#running.url;
  }

  get meter(): Meter {
    if (!this.#meter) throw new Error('The service was not started.');
    return this.#meter;
  }

  get inspector(): Inspector {
    if (!this.#inspector) throw new Error('The service was not started.');
    return this.#inspector;
  }

  get #running(): Service {
    if (!this.#service) throw new Error('The service was not started.');
    return this.#service;
  }
}
