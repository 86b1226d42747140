import { execFile } from 'node:child_process';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** As `tsc --init` would have it. Generated code is judged, too: it is no declaration file. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2025', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    outDir: 'built',
    rootDir: '.',
  },
  include: ['**/*.ts'],
  exclude: ['built', 'node_modules'],
};

/** A folder as somebody has it who writes a program against the service: a package with the tools installed. */
export async function clientFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'store-clients-'));
  await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  return folder;
}

/** Runs a program of an installed package, as `npx` does. */
export async function npx(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await inFolder(folder, [join(TOP, 'node_modules', '.bin', program), ...args]);
  return stdout;
}

/** Compiles all that is in the folder; what the compiler says is the error. */
export async function compile(folder: string): Promise<void> {
  await npx(folder, 'tsc', '-p', '.').catch((error: { stdout?: string }) => {
    throw new Error(`The compiler refuses it:\n${error.stdout?.slice(0, 5_000)}`);
  });
}

/** Runs a compiled program of the folder, and gives what it prints. */
export async function execute(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  return (await inFolder(folder, [join('built', program)], settings)).stdout;
}

function inFolder(folder: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return run(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], CI: 'true', NO_COLOR: '1', ...settings },
    maxBuffer: 100_000_000,
  });
}
