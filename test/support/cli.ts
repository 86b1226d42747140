import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly settings?: Record<string, string>;
  readonly input?: string | Buffer;
  readonly folder?: string;
}

/** Starts the command line as a process of its own; without settings but those given. */
export function spawnStore(
  args: readonly string[],
  { settings = {}, folder }: Surroundings = {},
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    ...(folder !== undefined && { cwd: folder }),
  });
}

/** The same, to its end. */
export function store(args: readonly string[], surroundings: Surroundings = {}): Promise<Finished> {
  const child = spawnStore(args, surroundings);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // A command that reads no input may end before it was written.
  child.stdin?.on('error', () => {}).end(surroundings.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
