import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, type Service } from '../../support/fixtures/process.js';

vi.setConfig({ testTimeout: 120_000 });

const TOP = fileURLToPath(new URL('../../../', import.meta.url));

/** Blocks that need what is not here, by a piece of their text. */
const ELSEWHERE: readonly (readonly [piece: string, why: string])[] = [
  ['docker compose', 'Docker'],
  ['STORE_JWT_ISSUERS', 'an issuer of tokens'],
  ['$CLIENT_ID', 'a person who copies the secret of a client from an answer, and a browser'],
];

/** Those that are not answered with success, by a piece of their text. */
const REFUSED: readonly (readonly [piece: string, status: number])[] = [['"colour": "red"', 400]];

/** Sends what the README prints, tells on the standard error what came of it, and ends streams. */
const CURL = `#!/bin/sh
exec "$REAL_CURL" -sS --max-time 4 -w '%{stderr}\\nSTATUS %{http_code}\\n' "$@"
`;

async function blocks(): Promise<string[]> {
  const readme = await readFile(join(TOP, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, block = '']) => block)
    .filter((block) => block.includes('curl') || block.startsWith('KEY=sk_'));
}

describe('the README', () => {
  let folder: string;
  let service: Service;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-readme-'));
    for (const name of ['dist', 'openapi.yaml', 'schema.graphql', 'documents'])
      await symlink(join(TOP, name), join(folder, name));
    await writeFile(join(folder, 'curl'), CURL);
    await chmod(join(folder, 'curl'), 0o755);
    service = await serve({ STORE_TRUSTED_DOCUMENTS: 'log' }, folder, ['--demo']);
  });
  afterAll(async () => {
    await service.stop('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  it('prints examples that do on a fresh demo store what it says, one after another', async () => {
    await expect.poll(() => service.output(), { timeout: 30_000 }).toMatch(/sk_demo_[A-Za-z0-9_-]{43}/);
    const key = /sk_demo_[A-Za-z0-9_-]{43}/.exec(service.output())?.[0] ?? '';
    const found = (await promisify(execFile)('which', ['curl'])).stdout.trim();
    const all = await blocks();
    const here = all.filter((block) => !ELSEWHERE.some(([piece]) => block.includes(piece)));
    expect(all.length - here.length).toBe(4);
    const script = here
      .map((block, index) => `echo "BLOCK ${index}" >&2\n${block}`)
      .join('\n')
      .replace(/^KEY=sk_demo_….*$/m, '')
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('localhost:3000', service.url.replace('http://', ''));
    const { stderr } = await promisify(execFile)('bash', ['-c', `exec 1>&2\n${script}`], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}`, KEY: key, REAL_CURL: found },
      maxBuffer: 100_000_000,
    });
    const parts = stderr.split(/^BLOCK \d+$/m).slice(1);
    expect(parts).toHaveLength(here.length);
    for (const [index, part] of parts.entries()) {
      const block = here[index] as string;
      const statuses = [...part.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => Number(status));
      const calls = block.split(/\bcurl\b/).length - 1;
      expect({ block, calls: statuses.length }).toEqual({ block, calls });
      const wanted = REFUSED.find(([piece]) => block.includes(piece))?.[1];
      const wrong = statuses.filter((status) =>
        wanted === undefined ? status < 200 || status > 299 : status !== wanted,
      );
      expect({ block, part, wrong }).toEqual({ block, part, wrong: [] });
      expect({ block, hasErrors: part.includes('"errors"') && wanted === undefined }).toEqual({
        block,
        hasErrors: false,
      });
    }
  });
});
