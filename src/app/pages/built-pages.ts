import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { FORMS } from '../../engine/browse/filters.js';
import { BASIC_SIGN_IN_PATH, BASIC_SIGN_OUT_PATH } from './basic-sign-in.js';
import { SIGN_IN_PATH } from '../../store/oauth/pages-client.js';

/** The addresses of the pages and of their files, without `/graphql`, which GraphiQL shares with GraphQL itself. */
export const PAGE_PATHS = [
  '/',
  '/docs',
  '/assets/:name',
  '/docs/',
  '/favicon.ico',
  `${FORMS}/*`,
  '/docs/oauth2-redirect',
  SIGN_IN_PATH,
  '/board',
  '/docs/*',
  '/imports',
  BASIC_SIGN_IN_PATH,
  BASIC_SIGN_OUT_PATH,
] as const;

/**
 * The output of tools/build-pages.ts. These pages are small and stay in memory. Guides are read from the disk
 * (`readGuide`). The files that pages load are large, so only their names and properties stay in memory.
 */
export interface BuiltPages {
  /** The page with placeholders for facts; see overview.ts. */
  readonly overview: string;
  readonly docs: string;
  /** The page to which a browser comes back after a sign-in from the REST reference. */
  readonly docsRedirect: string;
  readonly graphiql: string;
  /** The page that begins a session, with placeholders; see page-routes.ts. */
  readonly signIn: string;
  /** The order board, with placeholders; see board.ts. */
  readonly board: string;
  /** The page of imports, with placeholders; see imports.ts. */
  readonly imports: string;
  /** The page around the answers of the REST interface; see engine/browse/shell.ts. */
  readonly browse: string;
  /** The files that pages load, by the last part of their address. No other file of the folder is served. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface Asset {
  readonly type: string;
  /** The forms in which the file can be sent, by content coding; `identity` is always there. */
  readonly variants: Readonly<Partial<Record<Coding, Variant>>> & { readonly identity: Variant };
}

export interface Variant {
  readonly file: URL;
  readonly bytes: number;
  readonly etag: string;
}

/** The codings in the order of preference, the smallest first. */
export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

const SUFFIXES: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

// The folder is at the top of the project. Its relative address is the same from `src` and from `dist`.
const FOLDER = new URL('../../../pages/dist/', import.meta.url);

/**
 * The page of a Markdown file of `docs`, such as `guides/rest`. The pages are not kept in memory, because they are
 * many.
 *
 * @param path the part of the address after `/docs/`
 * @returns null when there is no such page
 */
export async function readGuide(path: string): Promise<string | null> {
  if (!/^[a-z0-9-]{1,100}(\/[a-z0-9-]{1,100})?$/.test(path)) return null;
  try {
    return await readFile(new URL(`docs/${path}.html`, FOLDER), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns null when the pages were not built, or the build did not finish */
export function readBuiltPages(): BuiltPages | null {
  try {
    readFileSync(new URL('made-of', FOLDER));
    const page = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
    return {
      overview: page('index.html'),
      docs: page('docs.html'),
      docsRedirect: page('oauth2-redirect.html'),
      graphiql: page('graphql.html'),
      signIn: page('sign-in.html'),
      board: page('board.html'),
      imports: page('imports.html'),
      browse: page('browse.html'),
      assets: readAssets(new URL('assets/', FOLDER)),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function readAssets(folder: URL): ReadonlyMap<string, Asset> {
  const names = new Set(readdirSync(folder));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const variants = CODINGS.filter((coding) => names.has(name + SUFFIXES[coding])).map(
      (coding) => [coding, variantOf(folder, name + SUFFIXES[coding])] as const,
    );
    assets.set(name, { type, variants: Object.fromEntries(variants) as unknown as Asset['variants'] });
  }
  return assets;
}

/** The name contains a digest of the content, so it serves as the entity tag. */
function variantOf(folder: URL, name: string): Variant {
  const file = new URL(name, folder);
  return { file, bytes: statSync(file).size, etag: `"${name}"` };
}
