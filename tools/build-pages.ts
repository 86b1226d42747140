import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { IndexHtmlTransformContext } from 'vite';
import { documentsOf, writeGuides } from './guide-pages.ts';

const ROOT = new URL('../', import.meta.url);
const SOURCES = new URL('pages/', ROOT);
const TARGET = new URL('dist/', SOURCES);
const ASSETS = new URL('assets/', TARGET);
const PAGES = [
  'index.html',
  'docs.html',
  'oauth2-redirect.html',
  'graphql.html',
  'browse.html',
  'sign-in.html',
  'board.html',
  'imports.html',
  'guide.html',
];
/** The first script of the pages for browsing; see `paintedFirst`. */
const STARTING = 'browse-start.ts';
/** The files that scripts of the pages import from outside of the folder `pages`; see `requireListed`. */
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

/** The file with the digest of the sources. It is written last, so that an incomplete output is not used. */
const STAMP = new URL('made-of', TARGET);

const COMPRESSIBLE = /\.(js|css|svg|ttf)$/;
// At level 11 a build takes five seconds more, and saves a tenth of the size.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Builds the pages into pages/dist, unless they were built from the same sources and packages before. `npm start` runs
 * this each time.
 */
async function main(): Promise<void> {
  const stamp = await digest();
  const isBuilt = (await readFile(STAMP, 'utf8').catch(() => null)) === stamp;
  if (isBuilt) return;
  process.stderr.write(
    'Building the pages for browsers, because their sources have changed. This takes about 5 s …\n',
  );
  await bundle();
  await writeGuides(ROOT, TARGET, await readFile(new URL('guide.html', TARGET), 'utf8'));
  await compress();
  await writeFile(STAMP, stamp);
}

/**
 * The digest is made of the names and contents of the files, and not of their times, because a checkout or a copied
 * folder gives old files a new time.
 */
async function digest(): Promise<string> {
  const sources = (await readdir(SOURCES, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((file) => !file.startsWith(fileURLToPath(TARGET)))
    .toSorted();
  const root = fileURLToPath(ROOT);
  const files = [
    ...sources.map((file) => relative(root, file)),
    ...(await documentsOf(ROOT)),
    'package-lock.json',
    'tools/build-pages.ts',
    'tools/guide-pages.ts',
    ...IMPORTED,
  ];
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(await readFile(`${root}${file}`))
      .update('\0');
  return hash.digest('hex');
}

async function bundle(): Promise<void> {
  // Vite is imported here, so that a start without a build does not load it.
  const { build } = await import('vite');
  await build({
    root: fileURLToPath(SOURCES),
    configFile: false,
    logLevel: 'warn',
    plugins: [
      { name: 'parts', transformIndexHtml: { order: 'pre', handler: withParts } },
      {
        name: 'listed',
        buildEnd() {
          requireListed([...this.getModuleIds()]);
        },
      },
      { name: 'painted-first', transformIndexHtml: { order: 'post', handler: paintedFirst } },
    ],
    build: {
      outDir: fileURLToPath(TARGET),
      emptyOutDir: true,
      target: 'es2022',
      // Switches off a warning about large chunks. Monaco is one large chunk, and splitting it would not save a
      // download.
      chunkSizeWarningLimit: Infinity,
      modulePreload: { polyfill: false },
      // Small files as data URLs in a style sheet would need a wider Content-Security-Policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: [...PAGES, STARTING].map((page) => fileURLToPath(new URL(page, SOURCES))),
        onwarn: (warning, report) => {
          // The directive "use client" at the top of React's components has a meaning only for servers that render
          // them.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') report(warning);
        },
      },
    },
  });
}

/**
 * Requires that `IMPORTED` has each file that a script imports from outside of the folder `pages`. Otherwise, the pages
 * would not be built again when such a file changes.
 */
function requireListed(modules: readonly string[]): void {
  const root = fileURLToPath(ROOT);
  const packages = `${root}node_modules/`;
  const own = fileURLToPath(SOURCES);
  const lacking = modules
    .filter((id) => id.startsWith(root) && !id.startsWith(packages) && !id.startsWith(own))
    .map((id) => id.slice(root.length).split('?', 1)[0] ?? '')
    .filter((file) => !IMPORTED.includes(file));
  if (lacking.length > 0)
    throw new Error(
      `The pages import ${lacking.join(', ')}. Add each of these files to IMPORTED in tools/build-pages.ts.`,
    );
}

const SCRIPTS = /\n? {0,8}<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g;
const ADDRESS = /src="([^"]+)"/;

/**
 * Puts a small script into the page for browsing. The small script loads the script of the page after the first paint.
 * It has `defer`, so the parser does not wait for it. Chromium starts a new process for the first page of a tab, and
 * the requests of a new process are slow: a parser that waits for a script paints up to 60 ms later.
 */
function paintedFirst(html: string, { path, bundle: files = {} }: IndexHtmlTransformContext): string {
  if (path !== '/browse.html') return html;
  const start = Object.values(files).find(
    (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(`/${STARTING}`),
  );
  const [, address] = ADDRESS.exec(html) ?? [];
  if (!start || !address || !html.includes('</head>'))
    throw new Error('The page for browsing has no script or no head.');
  const script = `<script defer src="/${start.fileName}" data-load="${address}"></script>`;
  return html.replaceAll(SCRIPTS, '').replace('</head>', () => `  ${script}\n  </head>`);
}

/**
 * Replaces `<!-- part: header.html -->` by the file of this name in the folder `parts`. If a link of the part leads to
 * the page itself, it gets `aria-current`.
 */
async function withParts(html: string, { path }: { readonly path: string }): Promise<string> {
  const address = path.replace(/\.html$/, '');
  let made = html;
  for (const [comment, name] of html.matchAll(/<!-- part: ([a-z-]+\.html) -->/g)) {
    const part = await readFile(new URL(`parts/${name}`, SOURCES), 'utf8');
    const current = part.replace(`href="${address}"`, (href) => `${href} aria-current="page"`);
    made = made.replace(comment, () => current);
  }
  return made;
}

/**
 * Writes two compressed copies (Brotli and gzip) beside each script, style sheet, SVG picture and font of `assets`. A
 * copy that is not smaller than its file is left out. The service sends a copy to clients that accept its coding.
 */
async function compress(): Promise<void> {
  const names = (await readdir(ASSETS)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(name, ASSETS));
      const codings = [
        ['br', await promisify(brotliCompress)(bytes, BROTLI)],
        ['gz', await promisify(gzip)(bytes, { level: 9 })],
      ] as const;
      for (const [suffix, compressed] of codings) {
        if (compressed.length < bytes.length)
          await writeFile(new URL(`${name}.${suffix}`, ASSETS), compressed);
      }
    }),
  );
}

await main();
