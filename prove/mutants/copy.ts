import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contracts } from './mutants.ts';
import { formatted } from './quick-stages.ts';
import { Records } from './records.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
/** Folders that a copy does not need, or that are too large. `node_modules` is linked instead. */
const LEFT_OUT = /^(\.git|node_modules|dist|artifacts|coverage|data|pages\/dist)$/;
const NAMES = { openapi: 'openapi.yaml', sdl: 'schema.graphql' } as const;
/** A step that takes longer is assumed to hang. */
const LONGEST_MS = 20 * 60_000;

export interface Outcome {
  readonly isDone: boolean;
  readonly output: string;
}

/** A copy of the project in a folder of its own, in which steps run with other contracts. */
export class Copy {
  readonly folder: string;
  readonly #signal: AbortSignal;
  readonly #temporary: string;
  /** The records of the project itself. */
  readonly #records = Records.in(TOP);

  private constructor(folder: string, temporary: string, signal: AbortSignal) {
    this.folder = folder;
    this.#temporary = temporary;
    this.#signal = signal;
  }

  /** @param root an existing folder for the copy; the caller removes this folder */
  static async in(root: string, name: string, signal: AbortSignal): Promise<Copy> {
    const folder = join(root, name);
    const temporary = join(root, `${name}-tmp`);
    await mkdir(temporary, { recursive: true });
    await cp(TOP, folder, {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => !LEFT_OUT.test(relative(TOP, source)),
    });
    await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
    return new Copy(folder, temporary, signal);
  }

  /**
   * Writes both contracts, adds the parts that follow from other parts (`npm run contract`), generates the code, and
   * records all new parts.
   */
  async write({ openapi, sdl }: Contracts): Promise<void> {
    await writeFile(join(this.folder, NAMES.openapi), openapi);
    await writeFile(join(this.folder, NAMES.sdl), await formatted(sdl));
    for (const script of ['tools/contract.ts', 'tools/generate.ts']) {
      const { isDone, output } = await this.run(script);
      if (!isDone) throw new Error(`${script} fails in a copy: ${output}`);
    }
    const [completedOpenapi = '', completedSdl = ''] = await Promise.all(
      [NAMES.openapi, NAMES.sdl].map((name) => readFile(join(this.folder, name), 'utf8')),
    );
    const records = await this.#records;
    await records.write(this.folder, { openapi: completedOpenapi, sdl: completedSdl });
  }

  /** Runs a script of the project, or of a package. `isDone` says whether the exit code was 0. */
  run(script: string, ...args: string[]): Promise<Outcome> {
    const env = Object.entries(process.env).filter(([name]) => !/^(TEST_|STORE_|npm_|NODE_)/.test(name));
    const child = spawn(process.execPath, [script, ...args], {
      cwd: this.folder,
      env: { ...Object.fromEntries(env), TMPDIR: this.#temporary, NO_COLOR: '1', CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The process gets its own process group, so that its children can be killed with it.
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const end = (): void => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // The process has ended already.
      }
    };
    const limit = setTimeout(() => {
      output += `\nIt took more than ${LONGEST_MS / 60_000} minutes.`;
      end();
    }, LONGEST_MS);
    this.#signal.addEventListener('abort', end);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(limit);
        this.#signal.removeEventListener('abort', end);
        resolve({ isDone: code === 0, output });
      });
    });
  }
}
