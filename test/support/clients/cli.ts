import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DatabaseConfig, SecretsConfig } from '../../../src/engine/config/slices.js';
import type { TestApp } from './app.js';
import type { Command, Finished } from './command-host.js';

export type { Finished };

const MAIN = fileURLToPath(new URL('../../../dist/app/cli/main.js', import.meta.url));
const HOST = fileURLToPath(new URL('command-host.ts', import.meta.url));

interface Surroundings {
  readonly settings?: Record<string, string>;
  readonly input?: string | Buffer;
  readonly folder?: string;
}

/** Starts a command in a new process, with only the given settings. */
export function spawnCommand(
  args: readonly string[],
  { settings = {}, folder }: Surroundings = {},
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    ...(folder !== undefined && { cwd: folder }),
  });
}

/**
 * Runs a command to its end. The host is one process that runs commands one after another (command-host.ts). While the
 * host runs another command, this command gets a process of its own.
 */
export function runCommand(args: readonly string[], surroundings: Surroundings = {}): Promise<Finished> {
  return isHostBusy ? inNewProcess(args, surroundings) : inHost(args, surroundings);
}

let host: ChildProcess | undefined;
let isHostBusy = false;

async function inHost(
  args: readonly string[],
  { settings = {}, input = '', folder = process.cwd() }: Surroundings,
): Promise<Finished> {
  isHostBusy = true;
  try {
    if (host?.connected === false) host = undefined;
    const running = (host ??= startHost());
    const said: Buffer[] = [];
    const hear = (chunk: Buffer) => said.push(chunk);
    running.stderr?.on('data', hear);
    const environment = { PATH: process.env['PATH'] ?? '', ...settings };
    running.send({ args, environment, folder, input } satisfies Command);
    return await new Promise<Finished>((resolve, reject) => {
      const ended = (): void => {
        host = undefined;
        reject(new Error(`The command ended its host: ${Buffer.concat(said).toString()}`));
      };
      running.once('close', ended).once('message', (finished) => {
        running.off('close', ended).stderr?.off('data', hear);
        resolve(finished as Finished);
      });
    });
  } finally {
    isHostBusy = false;
  }
}

/** Starts the host. It ends with the process of the tests. */
function startHost(): ChildProcess {
  const started = fork(HOST, {
    env: { PATH: process.env['PATH'] },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  started.unref();
  started.channel?.unref();
  return started;
}

function inNewProcess(args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  const child = spawnCommand(args, surroundings);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // A command that reads no input may end before its input is written. The write then fails, which is no fault.
  child.stdin?.on('error', () => {}).end(surroundings.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The settings with which a command uses the same database as this application. */
export function settingsOf({ app }: TestApp): Record<string, string> {
  const { url } = app.get(DatabaseConfig, { strict: false });
  const { secret } = app.get(SecretsConfig, { strict: false });
  return { STORE_DATABASE_URL: url, ...(secret !== null && { STORE_SECRET: secret }) };
}

/**
 * Runs a command on a new terminal, and answers its questions one after another.
 *
 * @returns the exit code, and everything that was shown on the terminal
 */
export async function runOnTerminal(
  args: readonly string[],
  settings: Record<string, string>,
  answers: readonly (readonly [prompt: string, keys: string])[],
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const command = [process.execPath, MAIN, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], ...settings },
  });
  let screen = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [prompt, keys] = answers[answered] ?? [];
    if (prompt === undefined || keys === undefined || !screen.endsWith(prompt)) return;
    answered += 1;
    child.stdin.write(keys);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, screen };
}
