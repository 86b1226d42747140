import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyProject, follow } from './walk-through.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const GUIDES = ['CONTRIBUTING.md', 'docs/second-resource.md'];

const HELP = `npm run prove:guide

Proves that a new resource breaks nothing. The resources of CONTRIBUTING.md and docs/second-resource.md are added to a copy of
the project, literally as the texts say. There, npm run contract completes the contracts. They must pass the lint, and the code
must compile. The quick tests must pass on SQLite. The proofs prove:contract and prove:twin must succeed. If TEST_POSTGRES_URL
names a server, the tests of the two resources and the proofs must also succeed on PostgreSQL.

  --tests T       "contract" (the only value) runs only some quick tests: the files that read the contracts or the code
                  generated from them, and the files that the guides add; default: all quick tests
  --requests N    the number of requests of prove:contract (200)
  --seed N        the seed of both proofs (7)
`;

/**
 * The tests of the copy run without Redis. So they get neither its address, nor the setting that forbids skipped tests.
 */
const { TEST_REDIS_URL: _redis, TEST_REQUIRE_SERVERS: _all, ...ON_BOTH_ENGINES } = process.env;
const { TEST_POSTGRES_URL: POSTGRES, ...ON_SQLITE } = ON_BOTH_ENGINES;

await prove(
  HELP,
  {
    tests: { words: ['contract'] },
    requests: { fallback: 200, least: 1, most: 100_000 },
    seed: { ...SEED, fallback: 7 },
  },
  async ({ tests, requests, seed }, { signal }) => {
    const folder = await mkdtemp(join(tmpdir(), 'store-guide-'));
    const run = async (command: string, env: NodeJS.ProcessEnv = ON_BOTH_ENGINES): Promise<void> => {
      tell(`\n> npm run ${command}`);
      const child = spawn('npm', ['run', '--silent', ...command.split(' ')], {
        cwd: folder,
        env,
        stdio: 'inherit',
        signal,
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Broken(`npm run ${command} fails after the guides were followed.`);
    };
    try {
      await copyProject(folder);
      for (const guide of GUIDES) await follow(folder, await readFile(join(TOP, guide), 'utf8'));
      await run('contract');
      await run('codegen');
      await run('typecheck');
      await run('lint:contract');
      await run('record:v1 -- --reporter=dot');
      await run('record:published -- --reporter=dot');
      const added = await addedTests(folder);
      const chosen = tests === null ? [] : [...added, ...(await testsOfContracts())];
      // A test that fails by chance says nothing about the guides, and rarely fails twice.
      await run(['test -- --reporter=dot --retry=1', ...chosen].join(' '), ON_SQLITE);
      if (POSTGRES) await run(['test -- --reporter=dot --retry=1', ...added].join(' '));
      await run(`prove:contract -- --requests ${requests} --seed ${seed}`);
      await run(`prove:twin -- --ops 60 --seed ${seed}`);
      tell(`\nThe resources of ${GUIDES.join(' and ')} break nothing.`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** The test files that only the copy has. */
async function addedTests(folder: string): Promise<string[]> {
  const added: string[] = [];
  for await (const file of glob('test/**/*.test.ts', { cwd: folder })) {
    if (!existsSync(join(TOP, file))) added.push(file);
  }
  if (added.length === 0) throw new Broken('The guides add no test.');
  return added;
}

/** The quick tests that name a contract, or code that is generated from it. These tests notice each new resource. */
async function testsOfContracts(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('test/**/!(*.long).test.ts', { cwd: TOP })) {
    const text = await readFile(join(TOP, file), 'utf8');
    if (/\/generated\/|openapi\.yaml|schema\.graphql|__schema|testkit\/contract/.test(text)) files.push(file);
  }
  if (files.length === 0) throw new Broken('No test reads the contracts.');
  return files;
}
