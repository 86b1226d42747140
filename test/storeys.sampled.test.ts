import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { onlyLong } from './support/sampled.js';

const OXLINT = resolve('node_modules/oxlint/bin/oxlint');
const STOREYS = ['rules', 'generated', 'engine', 'store', 'app'];
const DOWN = 'A storey imports only itself and lower storeys: app, store, engine, generated, rules.';
const SHARED = 'The code that tests, proofs and the benchmark share is in testkit, below all of them.';

/** The number of a storey, counted from the lowest one. A file outside of the folders of `src` counts as `app`. */
const storeyOf = (file: string): number => {
  const storey = STOREYS.indexOf(/^src\/(\w+)\//.exec(file)?.[1] ?? 'app');
  if (storey === -1) throw new Error(`${file} is in a folder that is no storey.`);
  return storey;
};

interface Finding {
  readonly code: string;
  readonly filename: string;
  readonly help: string;
}

/** The faulty imports that the linter finds in a folder, with the rules of `npm run lint`. */
function findingsIn(folder: string): Promise<Finding[]> {
  return new Promise((done, fail) => {
    const args = [OXLINT, '--format', 'json'];
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (error, output) => {
      if (error !== null && output === '') return fail(error);
      const { diagnostics } = JSON.parse(output) as { diagnostics: Finding[] };
      return done(diagnostics.filter(({ code }) => /no-cycle|no-restricted-imports/.test(code)));
    });
  });
}

/** The findings of the linter for a tree of these files, with the configuration of this project. */
async function said(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storeys-'));
  try {
    await copyFile('.oxlintrc.json', join(folder, '.oxlintrc.json'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return (await findingsIn(folder)).map(({ filename, code, help }) => `${filename} ${code} ${help}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The place of a planted import. */
const placeOf = (from: string, to: string, what: string): string =>
  `${from}/part/${to}-${what.replaceAll(' ', '-')}.ts`;

const LEAF = 'export interface Leaf { id: number }\nexport const leaf = 1;\n';
const IMPORTS = (from: string): [string, string][] => [
  ['a value', `import { leaf } from '${from}';\nexport const value = leaf;\n`],
  ['a type', `import type { Leaf } from '${from}';\nexport type Own = Leaf;\n`],
  ['a re-export', `export { leaf } from '${from}';\n`],
  ['a dynamic import', `export const load = () => import('${from}');\n`],
];

describe('imports', () => {
  it('lead to no higher storey and form no circle, in the whole project', onlyLong, async () => {
    const found = await findingsIn('.');
    expect(found.map(({ filename, help }) => `${filename}: ${help}`)).toEqual([]);
  });

  it('lead to no higher storey, in every form of import', () => {
    const up = globSync('src/*/**/*.ts').flatMap((file) =>
      ts
        .preProcessFile(readFileSync(file, 'utf8'), true, true)
        .importedFiles.map(({ fileName }) => join(dirname(file), fileName))
        .filter((target) => target.startsWith('src/') && storeyOf(target) > storeyOf(file))
        .map((target) => `${file} -> ${target}`),
    );
    expect(up).toEqual([]);
  });

  const wrong = [
    ['engine', 'store'],
    ['engine', 'app'],
    ['store', 'app'],
    ['generated', 'engine'],
    ['rules', 'generated'],
    ['rules', 'engine'],
  ].flatMap(([from = '', to = '']) =>
    IMPORTS(`../../${to}/thing/leaf.js`).map(([what, text]) => ({ from, to, what, text })),
  );

  it.each(wrong)(
    'of higher storeys are refused by the linter: $what of $to in $from',
    ({ from, to, what }) => {
      expect(refused.get(placeOf(`src/${from}`, to, what))).toEqual([
        expect.stringContaining(`eslint(no-restricted-imports) ${DOWN}`),
      ]);
    },
  );

  it('of lower storeys are accepted by the linter', async () => {
    const files: Record<string, string> = {};
    for (const [from = '', to = ''] of [
      ['app', 'store'],
      ['store', 'engine'],
      ['engine', 'generated'],
      ['generated', 'rules'],
    ]) {
      const [[, text] = ['', '']] = IMPORTS(`../../${to}/thing/leaf.js`);
      files[`src/${from}/part/good.ts`] = text;
      files[`src/${to}/thing/leaf.ts`] = LEAF;
    }
    expect(await said(files)).toEqual([]);
  });

  const beside = [
    ['testkit', 'test'],
    ['testkit', 'prove'],
    ['testkit', 'bench'],
    ['prove', 'test'],
    ['prove', 'bench'],
    ['bench', 'test'],
    ['bench', 'prove'],
    ['test', 'prove'],
    ['test', 'bench'],
  ].flatMap(([from = '', to = '']) =>
    IMPORTS(`../../${to}/thing/leaf.js`).map(([what, text]) => ({ from, to, what, text })),
  );

  it.each(beside)(
    'between the folders beside src are refused by the linter: $what of $to in $from',
    ({ from, to, what }) => {
      expect(refused.get(placeOf(from, to, what))).toEqual([
        expect.stringContaining(`eslint(no-restricted-imports) ${SHARED}`),
      ]);
    },
  );

  /** The findings in each planted file. One run of the linter checks all files. */
  let refused: ReadonlyMap<string, string[]>;
  beforeAll(async () => {
    const planted = [
      ...wrong.map(({ from, to, what, text }) => [placeOf(`src/${from}`, to, what), text]),
      ...beside.map(({ from, to, what, text }) => [placeOf(from, to, what), text]),
    ] as const;
    const leaves = ['src/app', 'src/store', 'src/engine', 'test', 'prove', 'bench'];
    const found = await said(
      Object.fromEntries([
        ...planted,
        ...leaves.map((folder) => [`${folder}/thing/leaf.ts`, LEAF]),
      ]) as Record<string, string>,
    );
    refused = Map.groupBy(found, (finding) => finding.slice(0, finding.indexOf(' ')));
  });

  it('cause no finding in the files that are imported', () => {
    expect([...refused.keys()].filter((place) => place.endsWith('/leaf.ts'))).toEqual([]);
  });

  it('of the testkit are accepted beside src, and a test may import the part that it tests', async () => {
    const files: Record<string, string> = {};
    for (const [from = '', to = ''] of [
      ['test/part', 'testkit'],
      ['prove/part', 'testkit'],
      ['bench/part', 'testkit'],
      ['test/prove', 'prove'],
      ['test/bench', 'bench'],
    ]) {
      const [[, text] = ['', '']] = IMPORTS(`../../${to}/thing/leaf.js`);
      files[`${from}/good.ts`] = text;
      files[`${to}/thing/leaf.ts`] = LEAF;
    }
    expect(await said(files)).toEqual([]);
  });

  it.each([
    [
      'of two files',
      {
        one: "import type { Two } from './two.js';\nexport interface One { two: Two }\n",
        two: "import type { One } from './one.js';\nexport interface Two { one: One }\n",
      },
    ],
    [
      'of three files',
      {
        one: "import type { Two } from './two.js';\nexport interface One { two: Two }\n",
        two: "import type { Three } from './three.js';\nexport interface Two { three: Three }\n",
        three: "import { type One } from './one.js';\nexport interface Three { one: One }\n",
      },
    ],
  ])('that form a circle of types are refused by the linter: %s', async (_name, texts) => {
    const files = Object.entries(texts).map(([name, text]) => [`src/engine/part/${name}.ts`, text]);
    const found = await said(Object.fromEntries(files) as Record<string, string>);
    expect(found).toHaveLength(files.length);
    for (const finding of found) expect(finding).toContain('import(no-cycle) Refactor to remove the cycle.');
  });
});
