import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

export interface Service {
  readonly process: ChildProcess;
  readonly url: string;
  /** All that was written so far, to either stream. */
  output(): string;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts the built service as a process of its own; without settings but those given.
 *
 * @param under a command that runs another one, and becomes it: signals are for the service
 * @param signal kills it
 */
export function launch(
  settings: Record<string, string>,
  folder = TOP,
  args: readonly string[] = [],
  under: readonly string[] = [],
  signal?: AbortSignal,
): { process: ChildProcess; output: () => string } {
  const [command, ...rest] = [...under, process.execPath, 'dist/main.js', ...args] as [string, ...string[]];
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { process: child, output: () => text };
}

/** The same, and waits until it says where it listens. */
export async function serve(
  settings: Record<string, string>,
  folder = TOP,
  args: readonly string[] = [],
  under: readonly string[] = [],
  signal?: AbortSignal,
): Promise<Service> {
  const { process: child, output } = launch(settings, folder, args, under, signal);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = /"address":"([^"]+)"/.exec(output())?.[1];
      if (address !== undefined) resolve(address);
    });
    ended.then(() => reject(new Error(`The service ended: ${output()}`)), reject);
  });
  return {
    process: child,
    url,
    output,
    stop: async (how) => {
      child.kill(how);
      const [code, by] = await ended;
      return { code, signal: by };
    },
  };
}
