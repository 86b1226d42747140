import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../testkit/free-port.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 4;
// On every Linux that Node runs on, the kernel shows processor time to programs in hundredths of a second.
const TICKS_PER_SECOND = 100;

export interface ServerCommand {
  /** The arguments for `node`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file for stdout and stderr. The log goes to a file, because writing it is part of the cost of a request. */
  readonly logFile: string;
}

/** A server under test, in a process of its own. */
export class ServerProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #startedAt = performance.now();
  #startMs = Number.NaN;

  private constructor(port: number, { args, env, logFile }: ServerCommand, signal: AbortSignal) {
    this.port = port;
    const log = openSync(logFile, 'a');
    // The service must not get any setting of the caller's environment.
    const { PATH = '', HOME = '' } = process.env;
    this.#child = spawn(process.execPath, args, {
      env: { PATH, HOME, ...env, PORT: String(port) },
      stdio: ['ignore', log, log],
      signal,
    });
    // An abort is already an error for the caller that waits for the server, so it is ignored here.
    this.#child.on('error', () => undefined);
    closeSync(log);
  }

  /** Resolves when the list of products has been answered with 200 for the first time. */
  static async start(command: ServerCommand, signal: AbortSignal): Promise<ServerProcess> {
    const server = new ServerProcess(await freePort(), command, signal);
    try {
      server.#startMs = await server.#firstAnswer();
      return server;
    } catch (error) {
      await server.stop();
      const log = readFileSync(command.logFile, 'utf8').slice(-2000);
      throw new Error(`${command.args.join(' ')} did not start:\n${log}`, { cause: error });
    }
  }

  /** Milliseconds from the start of the process to the first answer. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Processor time of the process since its start, user and system, in microseconds. */
  cpuMicros(): number {
    const file = `/proc/${this.#child.pid}/stat`;
    if (!existsSync(file)) return this.#cpuByPs();
    // The name of the program comes second, in brackets, and may contain spaces.
    const fields = readFileSync(file, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
  }

  /** Resident memory, in bytes. */
  residentBytes(): number {
    return Number(this.#ps('rss')) * 1024;
  }

  /** Asks the process to end, and kills it only if it does not end in time. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(force);
  }

  async #firstAnswer(): Promise<number> {
    while (performance.now() - this.#startedAt < START_TIMEOUT_MS) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error('It ended');
      const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/products?limit=20`).catch(
        () => null,
      );
      await response?.arrayBuffer();
      if (response?.status === 200) return performance.now() - this.#startedAt;
      await sleep(POLL_MS);
    }
    throw new Error(`No answer within ${START_TIMEOUT_MS} ms`);
  }

  /** For systems without /proc. `ps` prints the time as `[[days-]hours:]minutes:seconds`. */
  #cpuByPs(): number {
    const [, days = '0', time = ''] = /^(?:(\d+)-)?(.*)$/.exec(this.#ps('time')) ?? [];
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return (Number(days) * 86_400 + seconds) * 1e6;
  }

  #ps(column: string): string {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(this.#child.pid)], {
      encoding: 'utf8',
    }).trim();
  }
}
