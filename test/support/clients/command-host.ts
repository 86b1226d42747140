import { enableCompileCache } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/*
 * Runs commands of the built command line, one after another in one process. A process for each command would
 * load the whole application again. Each command has its own arguments, environment, folder and streams. A
 * command must not leave a resource behind, because in a process of its own this resource would keep the process alive.
 */

export interface Command {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  readonly folder: string;
  readonly input: string | Uint8Array;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const END_MS = 10_000;

// Node creates these streams at the first access.
void [process.stdin, process.stdout, process.stderr];
enableCompileCache();
const { href } = new URL('../../../dist/app/cli/program.js', import.meta.url);
const { runCommandLine } = (await import(href)) as typeof import('../../../src/app/cli/program.js');

/** The resources that now prevent this process from ending, and did not before. */
function added(before: readonly string[]): string[] {
  const resources = process.getActiveResourcesInfo();
  for (const one of before) if (resources.includes(one)) resources.splice(resources.indexOf(one), 1);
  return resources;
}

/** A function, because the compiler assumes that `process.exitCode` still has the value that was assigned last. */
const exitCode = (): number => Number(process.exitCode ?? 0);

function collecting(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function execute({ args, environment, folder, input }: Command): Promise<Finished> {
  const [stdout, stderr] = [collecting(), collecting()];
  const streams = { stdin: Readable.from(input.length > 0 ? [Buffer.from(input)] : []), stdout: stdout.stream, stderr: stderr.stream }; // prettier-ignore
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value });
  process.env = environment;
  process.exitCode = undefined;
  process.chdir(folder);
  const listeners = process.listeners('exit');
  const resources = process.getActiveResourcesInfo();
  await runCommandLine(args);
  for (const deadline = Date.now() + END_MS; added(resources).length > 0; await pause(1)) {
    if (Date.now() > deadline)
      throw new Error(`${args.join(' ')} does not end: ${added(resources).join(', ')}`);
  }
  const code = exitCode();
  for (const listener of process.listeners('exit').filter((each) => !listeners.includes(each))) {
    listener(code);
    process.off('exit', listener);
  }
  process.exitCode = undefined;
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

process.on('message', (command: Command) => {
  void execute(command).then((finished) => process.send?.(finished));
});
process.on('disconnect', () => process.exit());
