import { resolved as follow, type Node } from './references.ts';
import { withUnlisted } from './unlisted.ts';

/** The parts of openapi.yaml that a client of one version relies on: operations and schemas, without explanations. */
export interface NormalForm {
  /** The operations, by method and path. */
  readonly operations: Readonly<Record<string, unknown>>;
  /** The schemas, responses and headers that the operations use, by kind and name (`schemas/Product`). */
  readonly components: Readonly<Record<string, unknown>>;
}

export interface Differences {
  /** Changes that may break an existing client. */
  readonly breaking: readonly string[];
  /** Changes that an existing client does not notice. */
  readonly added: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/**
 * Members with explanations, or with rules that only the service uses. A correct client does not rely on
 * them.
 */
const WORDS =
  /^(title|summary|description|examples?|tags|operationId|links|externalDocs|x-(?!owner|alias|max-body).*)$/;
/** The places where a new member breaks no client; `*` is any name. A new parameter must also be optional. */
const MAY_GROW = [
  'operations/*',
  'operations/*/parameters/*',
  'operations/*/body/content/*',
  'operations/*/responses/*',
  'operations/*/responses/*/headers/*',
  'operations/*/responses/*/content/*',
  'components/*',
  'components/*/headers/*',
  'components/*/content/*',
];

/**
 * @param document openapi.yaml as it was parsed
 * @param isOwn whether a path belongs to the version; `item` is the object of the path in the document
 */
export function normalForm(document: Node, isOwn: (path: string, item: Node) => boolean): NormalForm {
  const used = new Map<string, unknown>();
  const operations: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(withUnlisted(document)['paths'] as Record<string, Node>)) {
    if (!isOwn(path, item)) continue;
    for (const method of METHODS.filter((each) => each in item)) {
      operations[`${method.toUpperCase()} ${path}`] = operationOf(document, item, item[method] as Node, used);
    }
  }
  return { operations: sorted(operations), components: sorted(Object.fromEntries(used)) };
}

function operationOf(document: Node, item: Node, node: Node, used: Map<string, unknown>): unknown {
  const parameters = [item, node]
    .flatMap((each) => (each['parameters'] ?? []) as Node[])
    .map((each) => {
      const { name, in: place, ...rest } = follow(document, each);
      return [`${String(place)} ${String(name)}`, withoutExplanations(document, rest, used)] as const;
    });
  const body = node['requestBody'] as Node | undefined;
  const responses = Object.entries(node['responses'] as Record<string, Node>).map(
    ([status, response]) => [status, withoutExplanations(document, response, used)] as const,
  );
  return {
    alias: item['x-alias'] ?? null,
    security: node['security'] ?? document['security'],
    owner: node['x-owner'] ?? null,
    parameters: sorted(Object.fromEntries(parameters)),
    ...(body && { body: withoutExplanations(document, body, used) }),
    responses: sorted(Object.fromEntries(responses)),
  };
}

/**
 * The value without explanations. A reference to a schema, a response or a header stays, and its target is added to
 * `used`. Any other reference is replaced by its target.
 */
function withoutExplanations(document: Node, value: unknown, used: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutExplanations(document, each, used));
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Node)['$ref'];
  const name =
    typeof reference === 'string' &&
    /^#\/components\/((?:schemas|responses|headers)\/.+)$/.exec(reference)?.[1];
  if (typeof name === 'string') {
    const { $ref: _, ...beside } = value as Node;
    // The members beside a reference apply too.
    if (Object.keys(beside).some((key) => !WORDS.test(key)))
      return withoutExplanations(document, { allOf: [{ $ref: reference }], ...beside }, used);
    if (!used.has(name)) {
      used.set(name, null);
      used.set(name, withoutExplanations(document, follow(document, value as Node), used));
    }
    return { $ref: name };
  }
  const target = follow(document, value as Node);
  return sorted(
    Object.fromEntries(
      Object.entries(target)
        .filter(([key]) => !WORDS.test(key))
        .map(([key, each]) => [
          key,
          key === 'properties'
            ? membersOf(document, each as Node, used)
            : withoutExplanations(document, each, used),
        ]),
    ),
  );
}

/** All names are kept, because a member may be called `title` or `description`. */
function membersOf(document: Node, properties: Node, used: Map<string, unknown>): unknown {
  return sorted(
    Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, withoutExplanations(document, each, used)]),
    ),
  );
}

function sorted<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Compares two normal forms of one version. It makes no difference whether a part is written in its place, as a
 * component with a reference, or as the only part of an `allOf`.
 */
export function differences(before: NormalForm, now: NormalForm): Differences {
  const breaking: string[] = [];
  const added: string[] = [];
  const compared = new Set<string>();
  compare(before.operations, now.operations, ['operations']);
  return { breaking, added };

  function compare(was: unknown, is: unknown, at: readonly string[]): void {
    const component = componentIn(was);
    if (component !== undefined && component === componentIn(is)) {
      if (compared.has(component)) return;
      compared.add(component);
      return compare(before.components[component], now.components[component], ['components', component]);
    }
    const [old, own] = [meaningOf(before, was), meaningOf(now, is)];
    if (Array.isArray(old) && Array.isArray(own) && old.length === own.length && old.some(isNode)) {
      for (const [index, item] of old.entries()) compare(item, own[index], [...at, String(index)]);
      return;
    }
    if (!isNode(old) || !isNode(own)) {
      if (JSON.stringify(old) !== JSON.stringify(own)) {
        breaking.push(`${at.join(' › ')}: ${JSON.stringify(old)} became ${JSON.stringify(own)}`);
      }
      return;
    }
    for (const [name, value] of Object.entries(old)) {
      if (name in own) compare(value, own[name], [...at, name]);
      else breaking.push(`${[...at, name].join(' › ')} is gone`);
    }
    for (const name of Object.keys(own).filter((each) => !(each in old))) {
      const path = [...at, name];
      const isFree = mayGrow(path) && !(path[2] === 'parameters' && isRequired(own[name]));
      (isFree ? added : breaking).push(`${path.join(' › ')} is new`);
    }
  }
}

/**
 * The form to record when `now` breaks nothing: the recorded parts stay as they are written, and the new parts of `now`
 * are added. An operation or a component that has grown is written as in `now`.
 */
export function grown(before: NormalForm, now: NormalForm): NormalForm {
  const changed = differences(before, now).added.map((place) => place.split(' › ').slice(0, 2).join(' › '));
  const together = (part: keyof NormalForm): Record<string, unknown> => {
    const kept = Object.entries(before[part]).filter(([name]) => !changed.includes(`${part} › ${name}`));
    return sorted({ ...now[part], ...Object.fromEntries(kept) });
  };
  const operations = together('operations');
  const components = together('components');
  const form = { operations, components: usedBy(operations, components) };
  // A new component may have the name of a removed component, but another meaning.
  const { breaking, added } = differences(form, now);
  return breaking.length + added.length === 0 ? form : now;
}

/** The components that a value refers to, directly or through other components. */
export function usedBy(value: unknown, components: NormalForm['components']): Record<string, unknown> {
  const found = new Map<string, unknown>();
  const search = (each: unknown): void => {
    for (const [, name = ''] of JSON.stringify(each).matchAll(/"\$ref":"([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.set(name, components[name]);
      search(components[name]);
    }
  };
  search(value);
  return sorted(Object.fromEntries(found));
}

function componentIn(value: unknown): string | undefined {
  return isNode(value) ? (value['$ref'] as string | undefined) : undefined;
}

function meaningOf(form: NormalForm, value: unknown): unknown {
  const component = componentIn(value);
  if (component !== undefined) return meaningOf(form, form.components[component]);
  if (!isNode(value) || !Array.isArray(value['allOf']) || value['allOf'].length !== 1) return value;
  const { allOf, ...beside } = value;
  const part = meaningOf(form, (allOf as unknown[])[0]) as Node;
  // The part may have a member with the same name as a member beside `allOf`. Then both members apply, so neither may
  // replace the other.
  return Object.keys(beside).some((name) => name in part) ? value : { ...part, ...beside };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mayGrow(path: readonly string[]): boolean {
  return MAY_GROW.some((pattern) => {
    const names = pattern.split('/');
    return names.length === path.length && names.every((name, index) => name === '*' || name === path[index]);
  });
}

function isRequired(parameter: unknown): boolean {
  return isNode(parameter) && parameter['required'] === true;
}
