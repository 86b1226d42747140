import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type Service } from '../testkit/process.js';
import { copyProject, follow } from '../testkit/walk-through.js';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const KEY = 'k'.repeat(32);
const run = promisify(execFile);

/** Follows both texts literally, one after the other, in a copy of the project. */
describe('adding resources as CONTRIBUTING.md and docs/second-resource.md say', () => {
  let folder: string;
  let service: Service;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-contributing-'));
    await copyProject(folder);
    for (const text of ['CONTRIBUTING.md', 'docs/second-resource.md'])
      await follow(folder, await readFile(join(TOP, text), 'utf8'));
    await node('tools/contract.ts');
    await node('tools/generate.ts');
    await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
    service = await serve(
      { STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`, STORE_ADMIN_KEY: KEY },
      { folder },
    );
  }, 120_000);
  afterAll(async () => {
    await service?.stop('SIGINT');
    await rm(folder, { recursive: true, force: true });
  });

  const node = (...args: string[]) => run(process.execPath, args, { cwd: folder });

  it('gives contracts that pass the lint', async () => {
    await expect(
      node(
        'node_modules/@stoplight/spectral-cli/dist/index.js',
        'lint',
        'openapi.yaml',
        '--fail-severity=hint',
      ),
    ).resolves.toBeDefined();
    // The test lints the whole contract on a busy machine.
  }, 120_000);

  it('serves the resource through both doors', async () => {
    const post = (path: string, body: unknown) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('/api/v1/products', { name: 'Chai', price: 18 });
    const created = await post('/api/v2/reviews', { product_id: 1, stars: 5, text: 'Good tea.' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/api/v2/reviews/1');
    expect(await created.json()).toEqual({ id: 1, product_id: 1, stars: 5, text: 'Good tea.' });
    expect((await post('/api/v2/reviews', { product_id: 9, stars: 5, text: '' })).status).toBe(404);
    expect((await post('/api/v2/reviews', { product_id: 1, stars: 6, text: '' })).status).toBe(400);
    const { data } = (await (
      await post('/graphql', {
        query: 'mutation { createReview(productId: 1, stars: 1, text: "Cold.") { id } } ',
      })
    ).json()) as { data: unknown };
    expect(data).toEqual({ createReview: { id: '2' } });
    const list = await fetch(`${service.url}/api/v2/reviews`);
    expect(list.headers.get('x-total-count')).toBe('2');
    const read = await (
      await post('/graphql', {
        query: '{ review(id: 2) { stars text productId } reviewsConnection { nodes { id } } }',
      })
    ).json();
    expect(read).toMatchObject({
      data: {
        review: { stars: 1, text: 'Cold.', productId: '1' },
        reviewsConnection: { nodes: [{ id: '1' }, { id: '2' }] },
      },
    });
  });

  it('passes its own tests of categories', async () => {
    const { stdout } = await node(
      'node_modules/vitest/vitest.mjs',
      'run',
      'test/store/categories',
      '--reporter=json',
    );
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ numFailedTests: 0, success: true });
  }, 120_000);
});
