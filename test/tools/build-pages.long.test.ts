import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The files that scripts of the pages import from outside of the folder `pages`. */
const IMPORTED = [
  'documents/board.graphql',
  'src/rules/conflicts.ts',
  'src/rules/entered.ts',
  'src/rules/order-figures.ts',
  'src/store/accounts/lending.ts',
  'src/store/transfer/convert.ts',
  'src/store/transfer/date-pattern.ts',
  'src/store/transfer/template.ts',
];

const top = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

describe('building the pages', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-pages-'));
    for (const name of ['pages/parts', 'tools', 'docs', ...IMPORTED.map(dirname)])
      await mkdir(at(name), { recursive: true });
    for (const name of ['build-pages', 'guide-pages'])
      await cp(top(`tools/${name}.ts`), at(`tools/${name}.ts`));
    for (const name of IMPORTED) await writeFile(at(name), '');
    await writeFile(at('pages/parts/header.html'), '<header><a href="/docs">Docs</a></header>');
    await writeFile(at('README.md'), '# A store\n');
    await writeFile(
      at('docs/one.md'),
      '# One & two\n\n## A part\n\n[there](../README.md#a-store), [source](../tools/x.ts), [here](#a-part), `$&`\n',
    );
    await symlink(top('node_modules'), at('node_modules'));
    await writeFile(at('package.json'), '{ "type": "module" }');
    await writeFile(at('package-lock.json'), '{}');
    await writeFile(at('pages/page.ts'), `document.title = '${'made '.repeat(100)}';`);
    const pages = (await readdir(top('pages'))).filter((name) => name.endsWith('.html'));
    for (const page of pages) {
      await writeFile(
        at(`pages/${page}`),
        '<!doctype html><title>A</title><script type="module" src="./page.ts"></script><!-- part: header.html -->',
      );
    }
    await writeFile(at('pages/page.css'), 'p { color: red }');
    await writeFile(at('pages/browse-start.ts'), `document.body.id = 'started';`);
    await writeFile(
      at('pages/browse.html'),
      '<html><head><link rel="stylesheet" href="./page.css"><script type="module" src="./page.ts"></script></head></html>',
    );
    await writeFile(
      at('pages/guide.html'),
      '<!doctype html><title>{{title}}</title><main>{{content}}</main>',
    );
    await build();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const build = () => promisify(execFile)(process.execPath, ['tools/build-pages.ts'], { cwd: folder });
  /** The time of the last build. */
  const made = async () => (await stat(at('pages/dist/index.html'))).mtimeMs;

  it('bundles a script, and stores its compressed forms too', async () => {
    const names = await readdir(at('pages/dist/assets'));
    const script = names.find((name) => /^page-.*\.js$/.test(name)) as string;
    expect(names).toEqual(expect.arrayContaining([script, `${script}.br`, `${script}.gz`]));
    expect(await readFile(at('pages/dist/docs.html'), 'utf8')).toContain(`src="/assets/${script}"`);
    const compressed = await readFile(at(`pages/dist/assets/${script}.gz`));
    expect(gunzipSync(compressed)).toEqual(await readFile(at(`pages/dist/assets/${script}`)));
  });

  it('makes browse.html load its script by a small script that follows the style sheet', async () => {
    const page = await readFile(at('pages/dist/browse.html'), 'utf8');
    expect(page).toMatch(
      /<link rel="stylesheet"[^>]*>\s*<script defer src="\/assets\/browse-start-[^"]+\.js" data-load="\/assets\/page-[^"]+\.js"><\/script>\s*<\/head>/,
    );
    expect(page).not.toMatch(/type="module"|modulepreload/);
  });

  it('puts the shared header into each page, and marks the link to the page itself as current', async () => {
    expect(await readFile(at('pages/dist/docs.html'), 'utf8')).toContain(
      '<header><a href="/docs" aria-current="page">Docs</a></header>',
    );
    expect(await readFile(at('pages/dist/board.html'), 'utf8')).toContain(
      '<header><a href="/docs">Docs</a></header>',
    );
  });

  it('makes a page of each document, with links that the service can answer', async () => {
    const page = await readFile(at('pages/dist/docs/one.html'), 'utf8');
    expect(page).toContain('<title>One &amp; two</title>');
    expect(page).toContain('<h2 id="a-part">A part</h2>');
    expect(page).toContain(
      '<p><a href="/docs/readme#a-store">there</a>, source, <a href="#a-part">here</a>, <code>$&amp;</code></p>',
    );
    expect(await readFile(at('pages/dist/docs/readme.html'), 'utf8')).toContain('A store');
  });

  it('does nothing when the sources and packages are the same, even if their dates differ', async () => {
    const before = await made();
    const later = new Date(Date.now() + 60_000);
    for (const name of ['pages/page.ts', 'package-lock.json']) await utimes(at(name), later, later);
    await build();
    expect(await made()).toBe(before);
  });

  it('refuses an import that IMPORTED lacks, because changes of the file would not be noticed', async () => {
    const page = await readFile(at('pages/page.ts'), 'utf8');
    await writeFile(at('src/rules/other.ts'), "export const title = 'C';");
    await writeFile(
      at('pages/page.ts'),
      "import { title } from '../src/rules/other.js';\ndocument.title = title;",
    );
    await expect(build()).rejects.toThrow(
      'The pages import src/rules/other.ts. Add each of these files to IMPORTED',
    );
    await writeFile(at('pages/page.ts'), page);
    await build();
  });

  it('builds them again when a document gets another name', async () => {
    await rename(at('docs/one.md'), at('docs/two.md'));
    await build();
    expect(await readdir(at('pages/dist/docs'))).toEqual(['readme.html', 'two.html']);
    await rename(at('docs/two.md'), at('docs/one.md'));
    await build();
  });

  it.each([
    ['a source', 'pages/page.ts', "document.title = 'B';"],
    ['a file that scripts of the pages import', 'src/rules/entered.ts', 'export {};'],
    ['a part of pages', 'pages/parts/header.html', '<header></header>'],
    ['a page', 'pages/docs.html', '<!doctype html><title>B</title>'],
    ['a document', 'docs/one.md', '# Two\n'],
    ['the packages', 'package-lock.json', '{ "name": "b" }'],
    ['the digest, as in an incomplete build', 'pages/dist/made-of', ''],
  ])('builds them again after a change of %s', async (_what, name, content) => {
    const before = await made();
    await writeFile(at(name), content);
    await build();
    expect(await made()).toBeGreaterThan(before);
  });
});
