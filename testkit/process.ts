import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${TOP}package.json`, 'utf8')) as {
  scripts: { 'start:prod': string };
};
/** The options of Node in `npm run start:prod` (ADR 48). */
export const NODE_OPTIONS_OF_PRODUCTION = scripts['start:prod'].split(' ').slice(1, -1);

export interface Service {
  readonly process: ChildProcess;
  readonly url: string;
  /** All output so far, of both streams. */
  output(): string;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface Circumstances {
  /** The folder in which the service runs; by default the folder of this project. */
  readonly folder?: string;
  readonly args?: readonly string[];
  /** A command that starts the service and is replaced by it (`exec`), so that signals go to the service. */
  readonly under?: readonly string[];
  /** When this signal is aborted, the service is killed. */
  readonly signal?: AbortSignal;
}

/** Starts the built service as a process of its own. It has only the given settings, and any free port by default. */
export function launch(
  settings: Readonly<Record<string, string>>,
  { folder = TOP, args = [], under = [], signal }: Circumstances = {},
): { process: ChildProcess; output: () => string } {
  const node = [process.execPath, ...NODE_OPTIONS_OF_PRODUCTION, 'dist/main.js'];
  const [command, ...rest] = [...under, ...node, ...args] as [string, ...string[]];
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

/** Like `launch`, but it resolves when the service has logged its address. */
export async function serve(
  settings: Readonly<Record<string, string>>,
  circumstances?: Circumstances,
): Promise<Service> {
  const { process: child, output } = launch(settings, circumstances);
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
