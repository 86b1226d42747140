import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const COMPILED = new URL('dist/', ROOT);
/** The table of the packages and their files. It is written last, so that an incomplete bundle is not used. */
const TABLE = new URL('packages.json', COMPILED);

/** Packages that stay in node_modules: some have compiled code, and one changes a global object. */
const LEFT_OUT = new Set(['better-sqlite3', 'pg-native', 'reflect-metadata']);

/**
 * Parts of packages that the service never runs: drivers of other databases, a parser of telephone numbers, and the
 * compilers of Fastify for JSON schemas. They are a fifth of the code that a start would read.
 */
const UNUSED = [
  /\/typeorm\/driver\/(?:aurora-mysql|aurora-postgres|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-native|sap|spanner|sqljs|sqlserver)\/\w+(?:Driver|QueryRunner)\.js$/,
  /\/libphonenumber-js\/max\/index\.cjs$/,
  /\/@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)\/index\.js$/,
];

/** A file that loads TypeORM again, outside of the bundle, to find two names that TypeORM 1 does not have. */
const LOADS_TYPEORM = /\/@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/;
const NAMES_OF_TYPEORM = 'export const Connection = undefined, AbstractRepository = undefined;';

/**
 * Modules of Node that a start must not load. The service does not use `http2`, which Fastify loads. See
 * src/engine/http/node-http.ts for `http`.
 */
const OF_NODE: ReadonlyMap<string, string> = new Map([
  ['http', `module.exports = process.getBuiltinModule('node:http');`],
  ['http2', 'module.exports = {};'],
]);

/**
 * Puts the packages that the compiled service imports into fewer than a hundred files below dist/packages. A start
 * from node_modules reads three thousand files, which takes most of its time. The compiled files of the service itself
 * stay as they are.
 */
async function main(): Promise<void> {
  const specifiers = await importedPackages();
  const stamp = await digest(specifiers);
  const table = await readFile(TABLE, 'utf8').catch(() => '{}');
  // Each bundle has a folder of its own, because a running service may still load a part of an older bundle.
  const folder = `packages/${stamp}/`;
  if ((JSON.parse(table) as { folder?: string }).folder === folder) return;
  process.stderr.write(
    'Bundling the packages, because the code or the packages have changed. This takes about 3 s …\n',
  );
  // Two processes may do this at the same time.
  const own = new URL(`packages/${stamp}.${process.pid}/`, COMPILED);
  const files = await bundle(specifiers, own);
  await rename(own, new URL(folder, COMPILED)).catch(() => rm(own, { recursive: true }));
  const next = new URL(`packages.${process.pid}.json`, COMPILED);
  await writeFile(next, JSON.stringify({ folder, files }));
  await rename(next, TABLE);
}

async function importedPackages(): Promise<readonly string[]> {
  const files = (await readdir(COMPILED, { recursive: true })).filter(
    (name) => name.endsWith('.js') && !name.startsWith('packages'),
  );
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, COMPILED), 'utf8')));
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bfrom |\bimport |\bimport(?:\.meta\.resolve)?\()['"]([^'".][^'"\s]*)['"]/g),
  ]);
  const packages = new Set(named.map(([, specifier = '']) => specifier));
  return [...packages].filter((name) => !name.startsWith('node:') && !LEFT_OUT.has(name)).toSorted();
}

async function digest(specifiers: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(specifiers));
  for (const file of [new URL('package-lock.json', ROOT), new URL(import.meta.url)])
    hash.update(await readFile(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Returns the file of each package. */
async function bundle(specifiers: readonly string[], folder: URL): Promise<Record<string, string>> {
  // Rolldown is imported here, so that a start without a new bundle does not load it.
  const { rolldown } = await import('rolldown');
  const entries = new Map<string, string>();
  for (const specifier of specifiers) entries.set(entryAt(specifier), await entryOf(specifier));
  const built = await rolldown({
    cwd: fileURLToPath(ROOT),
    input: Object.fromEntries(specifiers.map((specifier) => [nameOf(specifier), entryAt(specifier)])),
    platform: 'node',
    external: (id) => LEFT_OUT.has(id),
    // Some packages import optional packages that are not installed. Each such import causes a warning, so warnings are
    // hidden.
    onLog: () => undefined,
    plugins: [
      {
        name: 'parts',
        resolveId: (id) => (entries.has(id) || OF_NODE.has(bare(id)) ? id : null),
        load: (id) => entries.get(id) ?? OF_NODE.get(bare(id)) ?? replaced(id),
        generateBundle: (_options, files) => {
          for (const file of Object.values(files)) if (file.type === 'chunk') file.code = inAscii(file.code);
        },
      },
    ],
  });
  await built.write({
    dir: fileURLToPath(folder),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '-[hash].js',
    // Nest, TypeORM and the log show the names of classes.
    keepNames: true,
    strictExecutionOrder: true,
    comments: false,
  });
  await built.close();
  const gone = [LOADS_TYPEORM, ...UNUSED].filter((part) => !met.has(part));
  if (gone.length > 0) throw new Error(`No file of the packages matches ${gone.join(' or ')}.`);
  return Object.fromEntries(specifiers.map((specifier) => [specifier, `${nameOf(specifier)}.js`]));
}

/**
 * Escapes the characters outside of ASCII. V8 keeps the text of each file as long as the service runs. It stores a text
 * in two bytes for each character if one character is outside of Latin-1. Node does the same for each file of more than
 * a million bytes, if one character is outside of ASCII.
 *
 * @throws Error for such a character in a `String.raw` template, where an escape would have another meaning
 */
function inAscii(code: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error('A String.raw has a character outside of ASCII.');
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function bare(id: string): string {
  return id.replace(/^node:/, '');
}

function nameOf(specifier: string): string {
  return specifier.replaceAll('/', '_');
}

/** An entry has an address in the folder dist, so that its import is resolved as an import of the service. */
function entryAt(specifier: string): string {
  return fileURLToPath(new URL(`.entry-${nameOf(specifier)}.mjs`, COMPILED));
}

/** Exports the names that Node itself gives to the importers of a package, also if the package is no ES module. */
async function entryOf(specifier: string): Promise<string> {
  const names = Object.keys((await import(specifier)) as object).filter((name) => name !== 'module.exports');
  return `export { ${names.join(', ')} } from '${specifier}';`;
}

const met = new Set<RegExp>();

function replaced(id: string): string | null {
  const part = [LOADS_TYPEORM, ...UNUSED].find((each) => each.test(id));
  if (part === undefined) return null;
  met.add(part);
  if (part === LOADS_TYPEORM) return NAMES_OF_TYPEORM;
  const [, name = id] = /(?<![\w-])([\w-]+)(?:\/index)?\.\w+$/.exec(id) ?? [];
  const refusal = `throw new Error('${name} is not in the bundle: see UNUSED in tools/bundle-packages.ts.');`;
  return /^[A-Z]/.test(name)
    ? `exports.${name} = class ${name} { constructor() { ${refusal} } };`
    : `module.exports = () => () => { ${refusal} };`;
}

await main();
