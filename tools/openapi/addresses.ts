import { items, member, textOf, type Node } from '../json.ts';
import type { Document } from './document.ts';
import type { Place } from './model.ts';

/**
 * Every address of an operation in the router's syntax, and the version that its first server names, or else its path
 * begins with. Servers of its own go before those of its path, and these before those of the document.
 */
export function addresses(
  document: Document,
  { node, pathItem, template }: Pick<Place, 'node' | 'pathItem' | 'template'>,
): { paths: string[]; version: string | null } {
  const own = member(node, 'servers') ?? member(pathItem, 'servers');
  const servers = items(own ?? member(document.root, 'servers'));
  if (servers.length === 0) document.fault(own ?? pathItem, 'no server is stated');
  const prefixes = servers.map((server) => prefixOf(document, server));
  const route = routeOf(document, pathItem, template);
  return {
    paths: [...new Set(prefixes.map((prefix) => prefix + route))],
    version: versionIn(prefixes[0]) ?? /^\/(v\d+)\//.exec(template)?.[1] ?? null,
  };
}

/** The version of the document itself; what stands outside of it but shows an entity shows it in this one. */
export function ownVersion(document: Document): string | null {
  const [first] = items(member(document.root, 'servers'));
  return first === undefined ? null : versionIn(prefixOf(document, first));
}

function versionIn(prefix = ''): string | null {
  return /\/(v\d+)$/.exec(prefix)?.[1] ?? null;
}

function prefixOf(document: Document, server: Node): string {
  const url = textOf(member(server, 'url')) ?? '';
  if (/[{}:*]/.test(url.replace(/^https?:\/\//, '')) || !/^(https?:\/)?\//.test(url)) {
    document.fault(
      server,
      `the server's url must be a path or an http address without variables, not "${url}"`,
    );
    return '';
  }
  return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '');
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
  return [...template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
}
