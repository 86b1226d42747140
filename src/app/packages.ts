import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../', import.meta.url);

/**
 * The options of Node that load a program before the service. Such a program, for example OpenTelemetry, may change
 * packages while they are loaded.
 */
const PRELOADS = /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)(?:[\s=]|$)/;

/**
 * Makes the import of packages fast. It has to run before any package is imported.
 *
 * Node stores compiled code in a folder. A user who can write to this folder can run code in this process. So the
 * folder is beside the packages: a user who can write there can change the packages anyway. (By default, Node uses a
 * folder among the temporary files. Another user could create this folder first.) If the folder cannot be written, Node
 * compiles the code at each start.
 */
export function prepareImports(): void {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/store-service/', DIST)));
  if (!PRELOADS.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`))
    importFromBundle();
}

/**
 * Imports packages from the few files that `tools/bundle-packages.ts` made of them. Without these files, as in
 * `npm run start:dev`, Node imports the packages from `node_modules`, and the start takes longer.
 */
function importFromBundle(): void {
  const bundle = readTable();
  if (bundle === null) return;
  const own = DIST.href;
  const folder = new URL(bundle.folder, DIST).href;
  const files = new Map(Object.entries(bundle.files));
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const file = files.get(specifier);
      // Only files in `dist` import from the bundle. A `require` expects no ES module, so it gets the package from
      // `node_modules`.
      const isOurs = context.parentURL?.startsWith(own) === true && context.conditions.includes('import');
      return file === undefined || !isOurs
        ? nextResolve(specifier, context)
        : { url: folder + file, format: 'module', shortCircuit: true };
    },
  });
}

function readTable(): { readonly folder: string; readonly files: Readonly<Record<string, string>> } | null {
  try {
    return JSON.parse(readFileSync(new URL('packages.json', DIST), 'utf8')) as ReturnType<typeof readTable>;
  } catch {
    return null;
  }
}
