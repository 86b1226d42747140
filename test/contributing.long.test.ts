import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type Service } from '../testkit/process.js';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const KEY = 'k'.repeat(32);
const run = promisify(execFile);

const indent = (block: string, margin: string) => block.replace(/^(?=.)/gm, margin);

/** Follows CONTRIBUTING.md literally in a copy of the project. */
describe('adding a resource as CONTRIBUTING.md says', () => {
  let folder: string;
  let service: Service;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-contributing-'));
    for (const name of [
      'src',
      'tools',
      'openapi.yaml',
      'schema.graphql',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      '.prettierrc',
      '.spectral.yaml',
    ]) {
      await cp(join(TOP, name), join(folder, name), { recursive: true });
    }
    await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
    await follow(await readFile(join(TOP, 'CONTRIBUTING.md'), 'utf8'));
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

  async function edit(name: string, change: (text: string) => string): Promise<void> {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    const changed = change(text);
    if (changed === text) throw new Error(`CONTRIBUTING.md changes nothing in ${name}`);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), changed);
  }

  async function follow(guide: string): Promise<void> {
    for (const [, words = '', block = ''] of guide.matchAll(
      /\n\n((?:Into )?`[^\n]*(?:\n[^\n]+)*)\n\n```\w+\n([\s\S]*?)```/g,
    )) {
      const [, file = ''] = /`([^`]+)`/.exec(words) ?? [];
      const under = /, under `(\w+)`/.exec(words)?.[1];
      const inside = /, inside `([^`]+)`/.exec(words)?.[1];
      if (under !== undefined) {
        // The blocks begin at the margin, as Prettier formats them.
        await edit(file, (text) =>
          text.replace(
            new RegExp(`^( *)${under}:\n`, 'm'),
            (line, margin: string) => line + indent(block, `${margin}  `),
          ),
        );
      } else if (inside !== undefined)
        await edit(file, (text) => text.replace(`${inside} {\n`, (line) => line + block));
      else await edit(file, (text) => `${text}\n${block}`);
    }
    const line = /`(const FEATURES = [^`]*)`/.exec(guide)?.[1] as string;
    await edit('src/app/app.module.ts', (text) =>
      text
        .replace(/const FEATURES = .*/, line)
        .replace(
          /^import \{ SettingsModule/m,
          (first) => `import { ReviewsModule } from '../store/reviews/reviews.module.js';\n${first}`,
        ),
    );
  }

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
    await post('/api/products', { name: 'Chai', price: 18 });
    const created = await post('/api/reviews', { product_id: 1, stars: 5, text: 'Good tea.' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/api/reviews/1');
    expect(await created.json()).toEqual({ id: 1, product_id: 1, stars: 5, text: 'Good tea.' });
    expect((await post('/api/reviews', { product_id: 9, stars: 5, text: '' })).status).toBe(404);
    expect((await post('/api/reviews', { product_id: 1, stars: 6, text: '' })).status).toBe(400);
    const { data } = (await (
      await post('/graphql', {
        query: 'mutation { createReview(productId: 1, stars: 1, text: "Cold.") { id } } ',
      })
    ).json()) as { data: unknown };
    expect(data).toEqual({ createReview: { id: '2' } });
    const list = await fetch(`${service.url}/api/v1/reviews`);
    expect(list.headers.get('x-total-count')).toBe('2');
    const read = await (
      await post('/graphql', { query: '{ review(id: 2) { stars text productId } reviews { id } }' })
    ).json();
    expect(read).toMatchObject({
      data: { review: { stars: 1, text: 'Cold.', productId: '1' }, reviews: [{ id: '1' }, { id: '2' }] },
    });
  });
});
