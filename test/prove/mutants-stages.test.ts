import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { Compiler } from '../../prove/mutants/compiler.js';
import { Known } from '../../prove/mutants/known.js';
import { mutantsOf, type Contracts, type Mutant } from '../../prove/mutants/mutants.js';
import type { Copy } from '../../prove/mutants/copy.js';
import { differences, type NormalForm } from '../../testkit/contract/normal-form.js';
import { publishedForm, v1Form } from '../../testkit/contract/recorded.js';
import { Records } from '../../prove/mutants/records.js';
import { failedFiles, STAGES } from '../../prove/mutants/stages.js';

const [openapi, sdl] = (await Promise.all(
  ['openapi.yaml', 'schema.graphql'].map((name) => readFile(name, 'utf8')),
)) as [string, string];
type Node = Record<string, unknown>;
const REAL: Contracts = { openapi, sdl };

const generated = (type: string, value: string) =>
  new Map([['tea.ts', `export type Tea = ${type};\nexport const tea = ${value};\n`]]);
const changes = (contracts: Contracts) => mutantsOf(contracts, 5, 100).map(({ change }) => change);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stages-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the stages of tests', () => {
  const stages = STAGES.filter(({ name }) => /reads|tests|suite/.test(name));

  it.each(stages.map((stage) => [stage.name, stage] as const))(
    'run only the given files, or their own files if none are given: %s',
    async (_, stage) => {
      const ran: string[][] = [];
      const outcome = { isDone: true, output: '' };
      const copy = { run: (...command: string[]) => (ran.push(command), Promise.resolve(outcome)) };
      await stage.run(copy as unknown as Copy, ['test/tea.test.ts']);
      await stage.run(copy as unknown as Copy);
      const files = ran.map((command) => command.filter((word) => word.startsWith('test/')));
      expect(files[0]).toEqual(['test/tea.test.ts']);
      expect(files[1]).not.toContain('test/tea.test.ts');
      expect(files[1]?.map((name) => existsSync(name))).not.toContain(false);
    },
  );

  it('name each file in which a test failed, and name it only once', () => {
    const output = [
      ' ✓ |together| test/good.test.ts (1 test) 4ms',
      ' FAIL  |together| test/cup.test.ts > a cup > is round',
      ' FAIL  |together| test/cup.test.ts > a cup > is red',
      ' FAIL  |alone| test/a/tea.alone.test.ts [ test/a/tea.alone.test.ts ]',
    ];
    expect(failedFiles(output.join('\n'))).toEqual(['test/a/tea.alone.test.ts', 'test/cup.test.ts']);
    expect(failedFiles('BROKEN: getTea answers 500')).toBeUndefined();
  });
});

describe('the records', () => {
  const grown: Contracts = {
    openapi: openapi.replace(
      /^  \/api\/v[12]\/products:\n(?=    get:|    x-alias)/gm,
      (path) =>
        `${path.replace('products', 'teas')}    get: { operationId: x, security: [], responses: {} }\n${path}`,
    ),
    sdl: sdl.replace('type Money {', 'type Money { "New." text: String!'),
  };

  it('notice a change of a recorded part, in either contract', async () => {
    const records = await Records.in('.');
    const of = (contracts: Partial<Contracts>) => records.breaks({ ...REAL, ...contracts });
    expect(of({})).toEqual([]);
    expect(of({ sdl: sdl.replace('page: Int = 1 ', 'page: Int = 2 ') })).not.toEqual([]);
    expect(of({ openapi: openapi.replace('x-alias: /api/products\n', 'x-alias: /api/teas\n') })).not.toEqual(
      [],
    );
  });

  it('are written for a copy, and include the new parts of the contracts of the copy', async () => {
    expect(grown.openapi.match(/teas:/g)).toHaveLength(2);
    const folder = await emptyFolder();
    await mkdir(join(folder, 'test/engine/contract'), { recursive: true });
    const records = await Records.in('.');
    expect(records.breaks(grown)).toEqual([]);
    await records.write(folder, grown);
    const read = async (name: string) =>
      JSON.parse(await readFile(join(folder, 'test/engine/contract', name), 'utf8')) as Node;
    const document = parse(grown.openapi) as Node;
    expect(await read('published.json')).toEqual(
      JSON.parse(JSON.stringify(publishedForm(document, grown.sdl))),
    );
    const v1 = (await read('v1-contract.json')) as unknown as NormalForm;
    expect(v1.operations).toHaveProperty(['GET /api/v1/teas']);
    expect(differences(v1, v1Form(document))).toEqual({ breaking: [], added: [] });
  });
});

describe('the compiler', () => {
  it('finds the error that changed generated files cause, and no error when the files are good again', async () => {
    const folder = await emptyFolder();
    await mkdir(join(folder, 'src/generated'), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    // The compiler reads only the types that these files need, because the types of a browser take seconds.
    const options = {
      strict: true,
      module: 'nodenext',
      lib: ['es2023'],
      types: [],
      isolatedModules: true,
      skipLibCheck: true,
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['src'] }),
    );
    await writeFile(join(folder, 'src/generated/tea.ts'), '');
    const uses = "import { tea, type Tea } from './generated/tea.js';\nexport const mine: Tea = tea;\n";
    await writeFile(join(folder, 'src/cup.ts'), uses);
    await writeFile(
      join(folder, 'src/pot.ts'),
      "import { mine } from './cup.js';\nexport const name: string = mine.name;\n",
    );
    const good = generated('{ name: string }', "{ name: 'mint' }");
    const compiler = new Compiler(folder);
    expect(compiler.compileFirst(good)).toBeNull();
    expect(compiler.error(generated('{ name: string }', '{ name: 1 }'))).toMatch(/cup\.ts.*TS2322/);
    expect(compiler.error(generated('{ name: number }', '{ name: 1 }'))).toMatch(/pot\.ts.*TS2322/);
    expect(compiler.error(generated('{ name: string }', '{'))).toMatch(/tea\.ts/);
    expect(compiler.error(good)).toBeNull();
  });

  it('refuses a project that has an error from the beginning', async () => {
    const folder = await emptyFolder();
    await mkdir(join(folder, 'src/generated'), { recursive: true });
    await writeFile(
      join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "lib": ["es2023"], "types": [], "skipLibCheck": true }, "include": ["src"] }',
    );
    await writeFile(join(folder, 'src/generated/tea.ts'), '');
    expect(
      new Compiler(folder).compileFirst(new Map([['tea.ts', 'export const tea: number = "";']])),
    ).toMatch(/TS2322/);
  });
});

describe('the file of known changes', () => {
  const [first, second, third] = mutantsOf(REAL, 1, 3) as [Mutant, Mutant, Mutant];
  const verdict = { kind: 'noticed', by: 'codegen', line: 'It says no.' } as const;

  it('gets each noticed change once, and no other change', async () => {
    const file = join(await emptyFolder(), 'known.jsonl');
    new Known(file).add({ mutant: first, verdict });
    const again = new Known(file);
    again.add({ mutant: first, verdict });
    again.add({ mutant: second, verdict: { kind: 'hole' } });
    again.add({ mutant: third, verdict: { kind: 'untried' } });
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1);
    const known = new Known(file);
    expect([first, second, third].map((mutant) => known.of(mutant))).toEqual([verdict, null, null]);
  });

  it('is optional: without it, no change is known', () => {
    const known = new Known('');
    known.add({ mutant: first, verdict });
    expect(known.of(first)).toBeNull();
  });

  it('recognises a change even if its line and all descriptions around it are different', () => {
    const reworded = {
      openapi: openapi.replaceAll(/^( *)description: [A-Z].*$(?!\n\1 )/gm, '$1description: Other words.\n\n'),
      sdl: sdl.replaceAll(/"""[^]*?"""|^\s*"[^"\n]+"$/gm, '\n"Other words."\n'),
    };
    expect(reworded.openapi).not.toBe(openapi);
    expect(reworded.sdl).not.toBe(sdl);
    const real = changes(REAL);
    expect(changes(reworded)).toEqual(real);
    expect(new Set(real).size).toBe(100);
  });
});
