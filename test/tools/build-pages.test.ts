import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const top = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

describe('building the pages', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-pages-'));
    for (const name of ['pages', 'tools']) await mkdir(at(name));
    await cp(top('tools/build-pages.ts'), at('tools/build-pages.ts'));
    await symlink(top('node_modules'), at('node_modules'));
    await writeFile(at('package.json'), '{ "type": "module" }');
    await writeFile(at('package-lock.json'), '{}');
    await writeFile(at('pages/page.ts'), `document.title = '${'made '.repeat(100)}';`);
    for (const page of ['index', 'docs', 'oauth2-redirect', 'graphql', 'browse', 'sign-in']) {
      await writeFile(
        at(`pages/${page}.html`),
        '<!doctype html><title>A</title><script type="module" src="./page.ts"></script>',
      );
    }
    await build();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const build = () => promisify(execFile)(process.execPath, ['tools/build-pages.ts'], { cwd: folder });
  /** The time of the last build. */
  const made = async () => (await stat(at('pages/dist/index.html'))).mtimeMs;

  it('bundles them, each file also in compressed form', async () => {
    const names = await readdir(at('pages/dist/assets'));
    const script = names.find((name) => name.endsWith('.js')) as string;
    expect(names).toEqual(expect.arrayContaining([script, `${script}.br`, `${script}.gz`]));
    expect(await readFile(at('pages/dist/docs.html'), 'utf8')).toContain(`src="/assets/${script}"`);
    const compressed = await readFile(at(`pages/dist/assets/${script}.gz`));
    expect(gunzipSync(compressed)).toEqual(await readFile(at(`pages/dist/assets/${script}`)));
  });

  it('does nothing when the sources and packages are the same, even if their dates differ', async () => {
    const before = await made();
    const later = new Date(Date.now() + 60_000);
    for (const name of ['pages/page.ts', 'package-lock.json']) await utimes(at(name), later, later);
    await build();
    expect(await made()).toBe(before);
  });

  it.each([
    ['a source', 'pages/page.ts', "document.title = 'B';"],
    ['a page', 'pages/docs.html', '<!doctype html><title>B</title>'],
    ['the packages', 'package-lock.json', '{ "name": "b" }'],
    ['an incomplete build', 'pages/dist/made-of', ''],
  ])('builds them again after %s', async (_what, name, content) => {
    const before = await made();
    await writeFile(at(name), content);
    await build();
    expect(await made()).toBeGreaterThan(before);
  });
});
