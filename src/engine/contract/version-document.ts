import type { Version } from '../../generated/operations.js';

type Node = Readonly<Record<string, unknown>>;

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);
const REFERENCE = /^#\/components\/(\w+)\/([\w.-]+)$/;

/**
 * The contract of one version alone. It has the paths of this version and the paths without a version (health, OAuth,
 * the documents), and only the tags and components that these use. References to operations of another version are
 * replaced by those to their twins in this version.
 */
export function versionDocument(whole: Node, version: Version): Node {
  const own = Object.entries(whole['paths'] as Record<string, Node>).filter(
    ([path, item]) => (versionOf(path, item) ?? version) === version,
  );
  const twins = twinsIn(own.map(([, item]) => item));
  const paths = Object.fromEntries(own.map(([path, item]) => [path, translated(item, twins)]));
  const operations = Object.values(paths).flatMap((item) => operationsIn(item as Node));
  const tags = new Set(operations.flatMap((operation) => operation['tags'] as readonly string[]));
  const { title } = whole['info'] as { readonly title: string };
  return {
    ...whole,
    info: { ...(whole['info'] as Node), title: `${title}, version ${version.slice(1)}` },
    tags: (whole['tags'] as readonly Node[]).filter(({ name }) => tags.has(name as string)),
    paths,
    components: componentsOf(whole, paths, twins),
  };
}

function versionOf(path: string, item: Node): string | undefined {
  return /^\/api\/(v\d+)(?:\/|$)/.exec(path)?.[1] ?? (item['x-version'] as string | undefined);
}

function operationsIn(item: Node): readonly Node[] {
  return Object.entries(item)
    .filter(([name]) => METHODS.has(name))
    .map(([, operation]) => operation as Node);
}

/** Maps operations of another version to the same operations in this version. */
function twinsIn(items: readonly Node[]): ReadonlyMap<unknown, unknown> {
  return new Map(
    items
      .flatMap(operationsIn)
      .filter((operation) => operation['x-same-as'] !== undefined)
      .map((operation) => [operation['x-same-as'], operation['operationId']]),
  );
}

/** Replaces operations that are not in this version by their twins. */
function translated(node: unknown, twins: ReadonlyMap<unknown, unknown>): unknown {
  if (Array.isArray(node)) return node.map((each) => translated(each, twins));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => name !== 'x-same-as')
      .map(([name, value]) => [
        name,
        name === 'operationId' ? (twins.get(value) ?? value) : translated(value, twins),
      ]),
  );
}

/** The components that the paths use, directly or through other components, and all security schemes. */
function componentsOf(whole: Node, paths: Node, twins: ReadonlyMap<unknown, unknown>): Node {
  const all = whole['components'] as Record<string, Node>;
  const used = new Map<string, Set<string>>([
    ['securitySchemes', new Set(Object.keys(all['securitySchemes'] ?? {}))],
  ]);
  const waiting: unknown[] = [paths];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'object' && node !== null) {
      waiting.push(...Object.values(node).filter((value) => value !== null));
    }
    // The mapping of a discriminator names schemas as `$ref` does.
    const [, kind = '', name = ''] = (typeof node === 'string' && REFERENCE.exec(node)) || [];
    const names = used.get(kind) ?? new Set();
    if (name === '' || names.has(name)) continue;
    used.set(kind, names.add(name));
    waiting.push(all[kind]?.[name]);
  }
  return Object.fromEntries(
    Object.entries(all).map(([kind, components]) => [
      kind,
      Object.fromEntries(
        Object.entries(components)
          .filter(([name]) => used.get(kind)?.has(name))
          .map(([name, component]) => [name, translated(component, twins)]),
      ),
    ]),
  );
}
