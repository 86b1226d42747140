import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, type Service } from '../../../testkit/process.js';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** `docs/clients.md` has its own test, which runs the commands of the page with each tool. */
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: TOP }).toSorted()].filter(
  (page) => page !== 'docs/clients.md',
);

/**
 * The blocks that are marked as `console`, because a test cannot run them. Each entry has the page and a part of the
 * text of the block. Its last text says why a test cannot run the block, or names a thing that the block needs.
 */
const BY_HAND: readonly (readonly [page: string, excerpt: string, why: string])[] = [
  ['README.md', 'npm ci && npm start', 'it installs packages, and this test has already started a service'],
  ['README.md', 'npm ci && npm test', 'it installs packages, and would run all quick tests'],
  ['docs/cli.md', 'northwind/products.csv', 'the Northwind files; northwind.long.test.ts imports them'],
  ['docs/development.md', 'TEST_POSTGRES_URL', 'a PostgreSQL server'],
  [
    'docs/development.md',
    'npm run prove:mutants',
    'half an hour; test/prove runs the proof with few changes',
  ],
  ['docs/guides/credentials.md', 'STORE_JWT_ISSUERS', 'an issuer of tokens'],
  ['docs/guides/credentials.md', '$API/identities', 'an issuer of tokens'],
  ['docs/guides/oauth.md', 'code=$CODE', 'a person who signs in with a browser'],
  ['docs/import.md', 'northwind/products.csv', 'the Northwind files; northwind.long.test.ts imports them'],
  ['docs/operations.md', 'docker compose', 'Docker; containers.test.ts checks the files'],
  ['docs/operations.md', 'helm install store deploy/helm/store --set', 'Helm; test/deploy checks the chart'],
  ['docs/operations.md', 'kubectl create secret', 'Helm; test/deploy checks the chart'],
  ['docs/operations.md', 'kubectl wait', 'a cluster; test/deploy checks the manifests'],
];

/** The blocks whose requests are answered with an error status: a part of the text of the block, and the status. */
const REFUSED: readonly (readonly [excerpt: string, status: number])[] = [['"colour": "red"', 400]];

/** Sends the request, prints its status to the standard error, and ends a stream (`-N`) after two seconds. */
const CURL = `#!/bin/sh
limit=30
case " $* " in *' -N '*) limit=2 ;; esac
"$REAL_CURL" -sS --max-time $limit -w '%{stderr}\\nSTATUS %{http_code}\\n' "$@"
code=$?
test $code = 28 -a $limit = 2 || exit $code
`;

/** Runs a command of the built command line, as `npm run store` does, and prints its exit code. */
const NPM = `#!/bin/sh
test "$1" = run && shift
test "$1" = --silent && shift
test "$1 $2" = 'store --' || exit 99
shift 2
"$NODE" dist/app/cli/main.js "$@"
code=$?
printf '\\nEXIT %s\\n' $code >&2
exit $code
`;

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const found = readFileSync(join(TOP, page), 'utf8').matchAll(/^( *)```(\S*).*\n([^]*?)^\1```$/gm);
  return [...found].map(([, , language = '', text = '']) => ({ page, language, text }));
}

const BLOCKS = PAGES.flatMap(blocksOf);
const inShell = (page: string) =>
  BLOCKS.filter((block) => block.page === page && block.language === 'sh').map(({ text }) => text);
const [VARIABLES = ''] = inShell('README.md');

function keyIn(output: string): string {
  const [key] = /sk_demo_[A-Za-z0-9_-]{43}/.exec(output) ?? [];
  if (key === undefined) throw new Error(`There is no key in ${output}`);
  return key;
}

describe('the README and the guides', () => {
  let folder: string;
  let service: Service;
  let key: string;
  let curl: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-readme-'));
    for (const name of ['dist', 'openapi.yaml', 'schema.graphql', 'documents'])
      await symlink(join(TOP, name), join(folder, name));
    curl = (await run('which', ['curl'])).stdout.trim();
    for (const [name, text] of [
      ['curl', CURL],
      ['npm', NPM],
    ] as const) {
      await writeFile(join(folder, name), text);
      await chmod(join(folder, name), 0o755);
    }
    service = await serve({ STORE_TRUSTED_DOCUMENTS: 'log' }, { folder, args: ['--demo'] });
    key = await vi.waitFor(() => keyIn(service.output()), { timeout: 30_000 });
  });
  afterAll(async () => {
    await service?.stop('SIGINT');
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the blocks of a page one after another, and returns the output of each. */
  async function outcomes(blocks: readonly string[]): Promise<string[]> {
    const script = [VARIABLES, ...blocks.map((block, index) => `echo "BLOCK ${index}" >&2\n${block}`)]
      .join('\n')
      .replace(/^KEY=sk_demo_….*$/gm, '')
      .replaceAll('http://127.0.0.1:3000', service.url);
    const path = `${folder}:${process.env['PATH']}`;
    const env = { PATH: path, KEY: key, REAL_CURL: curl, NODE: process.execPath };
    // An unknown variable is an error. A page may use only its own variables, and the variables of the first block of
    // README.md.
    const ended = await run('bash', ['-euo', 'pipefail', '-c', `exec 1>&2\n${script}`], {
      cwd: folder,
      env,
      maxBuffer: 100_000_000,
    }).catch((error: { stderr: string }) => error);
    return ended.stderr.split(/^BLOCK \d+$/m).slice(1);
  }

  it.each(PAGES.filter((page) => inShell(page).length > 0))(
    'have examples in %s that give the expected statuses on a demo store',
    async (page) => {
      const blocks = inShell(page);
      const parts = await outcomes(blocks);
      for (const [index, part] of parts.entries()) {
        const block = blocks[index] as string;
        const statuses = [...part.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => Number(status));
        const exits = [...part.matchAll(/^EXIT (\d+)$/gm)].map(([, code]) => Number(code));
        const wanted = REFUSED.find(([excerpt]) => block.includes(excerpt))?.[1];
        const wrong = statuses.filter((status) =>
          wanted === undefined ? status < 200 || status > 299 : status !== wanted,
        );
        const calls = { curl: block.split(/\bcurl\b/).length - 1, npm: block.split('npm run').length - 1 };
        expect({ block, part, wrong, exits: exits.filter((code) => code !== 0) }).toEqual({
          block,
          part,
          wrong: [],
          exits: [],
        });
        expect({ block, part, curl: statuses.length, npm: exits.length }).toEqual({ block, part, ...calls });
        const hasErrors = part.includes('"errors"') && wanted === undefined;
        expect({ block, part, hasErrors }).toEqual({ block, part, hasErrors: false });
      }
      expect({ parts, count: parts.length }).toEqual({ parts, count: blocks.length });
    },
  );

  it('mark as console only the blocks that `BY_HAND` lists', () => {
    const marked = BLOCKS.filter(({ language }) => language === 'console');
    expect(
      marked.filter(
        ({ page, text }) => !BY_HAND.some(([where, excerpt]) => where === page && text.includes(excerpt)),
      ),
    ).toEqual([]);
    expect(marked).toHaveLength(BY_HAND.length);
  });

  it('have only blocks with a known language, so that no shell block is left out', () => {
    const languages = new Set(BLOCKS.map(({ language }) => language));
    expect([...languages].toSorted()).toEqual([
      '',
      'console',
      'diff',
      'graphql',
      'js',
      'json',
      'sh',
      'sql',
      'text',
      'ts',
      'yaml',
    ]);
  });
});
