import { items, member, members, textOf, type Node } from '../json.ts';
import type { Document } from './document.ts';
import { METHODS, type Endpoint } from './model.ts';

const RIGHT =
  'write the whole path, such as /api/v1/products, and its short form beside it: x-alias: /api/products';

/**
 * The version of an operation, and its addresses in the syntax of the router: its path, and then its short form. The
 * version is in the path (`/api/v1/products`), or in `x-version` beside the methods.
 */
export function addresses(
  document: Document,
  { pathItem, template }: Pick<Endpoint, 'pathItem' | 'template'>,
): { paths: string[]; version: string | null } {
  const alias = textOf(member(pathItem, 'x-alias'));
  return {
    paths: [template, ...(alias === undefined ? [] : [alias])].map((path) =>
      routeOf(document, pathItem, path),
    ),
    version: versionIn(template) ?? textOf(member(pathItem, 'x-version')) ?? null,
  };
}

function versionIn(template: string): string | null {
  return /^\/api\/(v\d+)(?:\/|$)/.exec(template)?.[1] ?? null;
}

/**
 * Client generators read only the first server of the document, and the paths. So there is one server, the root, and no
 * path depends on another server.
 */
export function checkAddresses(document: Document): void {
  const list = member(document.root, 'servers');
  const [server, ...others] = items(list);
  if (list !== undefined && (server === undefined || others.length > 0 || !isRoot(server))) {
    document.fault(list, 'the document must have one server, the root of the service: servers: [{ url: / }]');
  }
  for (const [template, pathItem] of members(member(document.root, 'paths'))) {
    const operations = METHODS.map((method) => member(pathItem, method));
    for (const node of [pathItem, ...operations]) {
      const servers = node && member(node, 'servers');
      if (servers !== undefined) {
        document.fault(
          servers,
          `servers of a path or an operation are ignored by generated clients, which would ask for ${template} at the root; ${RIGHT}`,
        );
      }
    }
    checkPath(document, pathItem, template);
  }
}

function isRoot(server: Node): boolean {
  const url = textOf(member(server, 'url')) ?? '';
  return url === '/' || /^https?:\/\/[^/?#{}]+\/?$/.test(url);
}

function checkPath(document: Document, pathItem: Node, template: string): void {
  const alias = member(pathItem, 'x-alias');
  const version = member(pathItem, 'x-version');
  const own = versionIn(template);
  if (template.startsWith('/api/') && own === null) {
    document.fault(pathItem, `the path ${template} names no version; ${RIGHT}`);
  }
  if (version !== undefined && own !== null) {
    document.fault(version, `the path names its version, ${own}; x-version is for paths that name none`);
  }
  if (version !== undefined && !/^v\d+$/.test(textOf(version) ?? '')) {
    document.fault(version, `x-version must name a version, such as v1, not ${String(textOf(version))}`);
  }
  if (alias === undefined) return;
  const text = textOf(alias) ?? '';
  const [here, there] = [template, text].map((path) => templateNames(path).join());
  if (here !== there) {
    document.fault(alias, `the short form ${text} must have the parameters of ${template} in their order`);
  }
}

function routeOf(document: Document, pathItem: Node, template: string): string {
  const segments = template.split('/').map((segment) => {
    const name = /^\{([A-Za-z_]\w*)\}$/.exec(segment)?.[1];
    if (name !== undefined) return `:${name}`;
    if (/[{}:*?#]/.test(segment)) {
      document.fault(pathItem, `a segment must be plain text or one {parameter}, not "${segment}"`);
    }
    return segment;
  });
  if (!template.startsWith('/')) document.fault(pathItem, 'a path must begin with /');
  return segments.join('/');
}

/** The names of the parameters in a template. */
export function templateNames(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');
}
