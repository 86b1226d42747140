import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyProject, follow } from '../testkit/walk-through.ts';
import { Broken, prove, SEED, tell } from './options.ts';

const GUIDE = fileURLToPath(new URL('../CONTRIBUTING.md', import.meta.url));

const HELP = `npm run prove:guide

Proves that a new resource breaks nothing. The resource of CONTRIBUTING.md is added to a copy of the project, literally as the text
says. There, the contracts must be complete, the quick tests must pass on SQLite, and the proofs prove:contract and prove:twin
must be kept.

  --requests N    the number of requests of prove:contract (200)
  --seed N        the seed of both proofs (7)
`;

/** The tests of the copy need no servers, so the settings of this process that name servers do not reach them. */
const {
  TEST_POSTGRES_URL: _postgres,
  TEST_REDIS_URL: _redis,
  TEST_REQUIRE_SERVERS: _all,
  ...ENVIRONMENT
} = process.env;

await prove(
  HELP,
  { requests: { fallback: 200, least: 1, most: 100_000 }, seed: { ...SEED, fallback: 7 } },
  async ({ requests, seed }, { signal }) => {
    const folder = await mkdtemp(join(tmpdir(), 'store-guide-'));
    const run = async (command: string): Promise<void> => {
      tell(`\n> npm run ${command}`);
      const child = spawn('npm', ['run', '--silent', ...command.split(' ')], {
        cwd: folder,
        env: ENVIRONMENT,
        stdio: 'inherit',
        signal,
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Broken(`npm run ${command} fails after CONTRIBUTING.md was followed.`);
    };
    try {
      await copyProject(folder);
      await follow(folder, await readFile(GUIDE, 'utf8'));
      await run('contract');
      await run('codegen');
      await run('typecheck');
      await run('test -- --reporter=dot');
      await run(`prove:contract -- --requests ${requests} --seed ${seed} --engine sqlite`);
      await run(`prove:twin -- --ops 60 --seed ${seed} --engine sqlite`);
      tell('\nThe resource of CONTRIBUTING.md breaks nothing.');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
