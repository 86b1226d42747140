import type { Making, Operation, Reference, Schema } from './model.ts';
import { flat } from './schemas.ts';

type Related = 'entity' | 'pathRows' | 'shows' | 'makes' | 'uniques' | 'conflicts';

/** An operation as it is written, before it is compared with the other operations. */
export interface Linked extends Omit<Operation, 'named' | Related> {
  /** The codes that the operation itself names (`x-conflicts`). */
  readonly conflicts: readonly string[];
  /** The version of an operation whose path names no version (`x-version`); null for all other operations. */
  readonly version: string | null;
  /**
   * The GET that the link `self` leads to. `id` is the path to the member of the answer that holds the id for this GET.
   */
  readonly self: { readonly operation: string; readonly id: readonly string[] } | null;
}

const JSON_PATCH = 'application/json-patch+json';
/** The path of a row. A path below it, such as `/categories/{id}/products/{product_id}`, is not the path of a row. */
const ROW = /^[^{]*\{\w+\}$/;

/**
 * Adds to each operation the members that follow from the other operations, such as the entity that it shows, the row
 * that it makes, and the codes of its 409.
 */
export function related(operations: readonly Linked[]): readonly Omit<Operation, 'named'>[] {
  const shown = operations.flatMap((operation) => shownBy(operation) ?? []);
  return operations.map((operation) => {
    const pathRows = pathRowsOf(operations, operation);
    const entity = Object.values(pathRows)[0] ?? null;
    const own = shownBy(operation)?.['x-entity'];
    const members = Object.keys(flat(bodyOf(operation) ?? {}).properties ?? {});
    const uniques = Object.fromEntries(
      shown
        .filter((schema) => schema['x-entity'] === own)
        .flatMap((schema) => Object.entries(schema['x-unique'] ?? {}))
        .filter(([, names]) => names.some((name) => members.includes(name))),
    );
    const keeping =
      operation.method === 'DELETE' && ROW.test(operation.path)
        ? operations.flatMap((other) => referencesIn(bodyOf(other)).filter((each) => each.entity === entity))
        : [];
    const conflicts = new Set([
      ...operation.conflicts,
      ...Object.keys(uniques),
      ...keeping.flatMap(({ keeps }) => keeps ?? []),
      ...(operation.body?.media.has(JSON_PATCH) ? ['PATCH_CONFLICT'] : []),
      ...(operation.parameters.some(({ name }) => name === 'Idempotency-Key')
        ? ['IDEMPOTENCY_KEY_IN_USE']
        : []),
    ]);
    return {
      ...operation,
      entity,
      pathRows,
      shows: own ?? null,
      makes: makingOf(operations, operation),
      uniques,
      conflicts: [...conflicts],
    };
  });
}

/** The schema of a body of JSON; undefined if there is no body. The other schema, of JSON patches, is not returned. */
export function bodyOf({ body }: Pick<Operation, 'body'>): Schema | undefined {
  return [...(body?.media.values() ?? [])][0];
}

/** The reference to a row that a member contains; undefined if it contains none. */
export function referenceOf(schema: Schema): Reference | undefined {
  return flat(schema)['x-refers'];
}

/** All references in a schema, at any depth, each by the name of the member that holds it. */
export function referencesByName(schema: Schema | undefined): ReadonlyMap<string, Reference> {
  const found = new Map<string, Reference>();
  if (schema !== undefined) collect('', schema, found, new Set());
  return found;
}

function referencesIn(schema: Schema | undefined): readonly Reference[] {
  return [...referencesByName(schema).values()];
}

function collect(name: string, given: Schema, found: Map<string, Reference>, seen: Set<Schema>): void {
  if (seen.has(given)) return;
  seen.add(given);
  const schema = flat(given);
  const reference = schema['x-refers'];
  if (reference) found.set(name, reference);
  for (const [member, each] of Object.entries(schema.properties ?? {})) collect(member, each, found, seen);
  for (const each of [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ])
    collect(name, each, found, seen);
}

/** The schema of the entity in the answer of success: the answer itself, its only member, or the items of its list. */
function shownBy({ responses, success }: Linked): Schema | undefined {
  const answer = [...(responses.get(success)?.content.values() ?? [])][0];
  return answer && entityIn(answer);
}

function entityIn(given: Schema): Schema | undefined {
  const schema = flat(given);
  if (schema['x-entity'] !== undefined) return schema;
  const { items, anyOf, properties = {} } = schema;
  const [only, ...others] = Object.values(properties);
  const inner = items ?? anyOf?.[0] ?? properties['data'] ?? (others.length === 0 ? only : undefined);
  return inner && entityIn(inner);
}

/**
 * The entity of the row that each parameter of the path names. In `/api/v1/categories/{id}/products/{product_id}`, the
 * GET at `/api/v1/categories/{id}` shows the first row, and the GET at `/api/v1/products/{id}` shows the second one. A
 * parameter that names no row is left out.
 */
function pathRowsOf(operations: readonly Linked[], { path, version }: Linked): Record<string, string> {
  const whole = version === null ? path : `/api/${version}${path}`;
  const top = /^\/api\/\w+/.exec(whole)?.[0] ?? '';
  const rows = [...whole.matchAll(/\/[^/]+\/\{(\w+)\}/g)].map(({ 0: last, 1: name = '', index }) => {
    const entity =
      entityShownAt(operations, whole.slice(0, index) + last) ?? entityShownAt(operations, top + last);
    return [name, entity] as const;
  });
  return Object.fromEntries(rows.filter((row): row is [string, string] => row[1] !== undefined));
}

function entityShownAt(operations: readonly Linked[], path: string): string | undefined {
  const wanted = withoutNames(path);
  const get = operations.find((other) => other.method === 'GET' && withoutNames(other.path) === wanted);
  return get && shownBy(get)?.['x-entity'];
}

function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function makingOf(operations: readonly Linked[], { self }: Linked): Making | null {
  if (self === null) return null;
  const get = operations.find(({ id }) => id === self.operation);
  const entity = get && shownBy(get)?.['x-entity'];
  return entity === undefined ? null : { entity, id: self.id };
}
