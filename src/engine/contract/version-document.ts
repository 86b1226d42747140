import type { Version } from '../../generated/operations.js';

type Node = Readonly<Record<string, unknown>>;
/** The names of components, by kind: `schemas`, `responses` and so on. */
type Used = ReadonlyMap<string, ReadonlySet<string>>;

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);
const REFERENCE = /^#\/components\/(\w+)\/([\w.-]+)$/;
/**
 * The keywords that are left out of a schema that no answer contains. In such a schema they have no meaning, but
 * generators of clients would make two types of the schema because of them.
 */
const DIRECTIONS: ReadonlySet<string> = new Set(['readOnly', 'writeOnly']);

/**
 * The contract of one version alone. It has the paths of this version and the paths without a version (health, OAuth,
 * the documents), all security schemes, and only those tags and other components that these paths use. A reference to
 * an operation of another version becomes a reference to the operation of this version that does the same (its twin,
 * `x-same-as`). Members of later versions (`x-since`) are left out. A name with the suffix of this version
 * (`ProductV2`) loses the suffix if nothing else in this document has the short name.
 */
export function versionDocument(whole: Node, version: Version): Node {
  const own = Object.entries(whole['paths'] as Record<string, Node>).filter(
    ([path, item]) => (versionOf(path, item) ?? version) === version,
  );
  const operations = own.flatMap(([, item]) => operationsIn(item));
  const all = whole['components'] as Record<string, Node>;
  const used = usedBy(own, all);
  const names = new Names(operations, used, version);
  const answered = usedBy(
    operations.map((operation) => operation['responses']),
    all,
  ).get('schemas');
  const components = Object.entries(all).map(([kind, each]) => [
    kind,
    Object.fromEntries(
      Object.entries(each)
        .filter(([name]) => kind === 'securitySchemes' || used.get(kind)?.has(name))
        .map(([name, component]) => {
          const isSentOnly = kind === 'schemas' && answered?.has(name) !== true;
          return [
            names.ofComponent(kind, name),
            translated(withoutLater(component, version), names, isSentOnly),
          ];
        }),
    ),
  ]);
  const tags = new Set(operations.flatMap((operation) => operation['tags'] as readonly string[]));
  const { title } = whole['info'] as { readonly title: string };
  return {
    ...whole,
    info: { ...(whole['info'] as Node), title: `${title}, version ${version.slice(1)}` },
    tags: (whole['tags'] as readonly Node[]).filter(({ name }) => tags.has(name as string)),
    paths: Object.fromEntries(own.map(([path, item]) => [path, translated(item, names, false)])),
    components: Object.fromEntries(components) as unknown,
  };
}

/** A schema without the members that only later versions have. */
function withoutLater(node: unknown, version: Version): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutLater(each, version));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node as Node)
      .filter(([, each]) => Number(sinceOf(each).slice(1)) <= Number(version.slice(1)))
      .map(([name, each]) => [name, withoutLater(each, version)]),
  );
}

/** The first version that has a member; `v1` if its schema does not name one. */
function sinceOf(schema: unknown): string {
  const { 'x-since': since } = typeof schema === 'object' && schema !== null ? (schema as Node) : {};
  return typeof since === 'string' ? since : 'v1';
}

function versionOf(path: string, item: Node): string | undefined {
  return /^\/api\/(v\d+)(?:\/|$)/.exec(path)?.[1] ?? (item['x-version'] as string | undefined);
}

function operationsIn(item: Node): readonly Node[] {
  return Object.entries(item)
    .filter(([name]) => METHODS.has(name))
    .map(([, operation]) => operation as Node);
}

/** The names in the document of one version, for operations and components of the whole contract. */
class Names {
  readonly #operations: ReadonlyMap<string, string>;
  readonly #used: Used;
  readonly #suffix: string;

  constructor(operations: readonly Node[], used: Used, version: Version) {
    this.#used = used;
    this.#suffix = version.toUpperCase();
    const ids = new Set(operations.map((operation) => operation['operationId'] as string));
    const short = new Map([...ids].map((id) => [id, this.#short(id, ids)]));
    // A reference to an operation of another version becomes a reference to its twin in this version.
    const twins = operations
      .filter((operation) => operation['x-same-as'] !== undefined)
      .map((operation) => [operation['x-same-as'], short.get(operation['operationId'] as string)]);
    this.#operations = new Map([...short, ...(twins as [string, string][])]);
  }

  ofOperation(id: string): string {
    return this.#operations.get(id) ?? id;
  }

  ofComponent(kind: string, name: string): string {
    return this.#short(name, this.#used.get(kind) ?? new Set());
  }

  /** Replaces the name in a reference, or the names of operations that a text has in backquotes. */
  in(text: string): string {
    const [, kind, name] = REFERENCE.exec(text) ?? [];
    if (kind !== undefined && name !== undefined)
      return `#/components/${kind}/${this.ofComponent(kind, name)}`;
    return text.replaceAll(/`(\w+)`/g, (_, id: string) => `\`${this.ofOperation(id)}\``);
  }

  #short(name: string, others: ReadonlySet<string>): string {
    const short = name.endsWith(this.#suffix) ? name.slice(0, -this.#suffix.length) : name;
    return others.has(short) ? name : short;
  }
}

function translated(node: unknown, names: Names, isSentOnly: boolean): unknown {
  if (typeof node === 'string') return names.in(node);
  if (Array.isArray(node)) return node.map((each) => translated(each, names, isSentOnly));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => name !== 'x-same-as' && !(isSentOnly && DIRECTIONS.has(name)))
      .map(([name, value]) => [
        name,
        name === 'operationId' ? names.ofOperation(value as string) : translated(value, names, isSentOnly),
      ]),
  );
}

/** The components that the nodes use, directly or through other components. */
function usedBy(nodes: readonly unknown[], all: Readonly<Record<string, Node>>): Used {
  const used = new Map<string, Set<string>>();
  const waiting: unknown[] = [...nodes];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node === 'object' && node !== null) waiting.push(...Object.values(node));
    // A discriminator refers to schemas in its `mapping`, with the same texts as `$ref`.
    const [reference, kind = '', name = ''] = (typeof node === 'string' && REFERENCE.exec(node)) || [];
    const names = used.get(kind) ?? new Set();
    if (name === '' || names.has(name)) continue;
    const target = all[kind]?.[name];
    if (target === undefined) throw new Error(`The contract has nothing at ${reference}.`);
    used.set(kind, names.add(name));
    waiting.push(target);
  }
  return used;
}
