import { member, nameOf, type Node } from '../json.ts';
import { byName, className } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import { idsOf } from './ids.ts';
import { schemaType } from './schemas.ts';
import { comment, HEADER, imports, literal } from './text.ts';

/** The typed contract that controllers implement, and the types that representations must produce. */
export function emitContract(document: Document, rest: Rest): string {
  const operations = rest.operations.toSorted((a, b) => byName(a.id, b.id));
  const text = `
/**
 * Each feature declares its parts, in its module:
 * \`declare module '../../generated/contract.js' { interface Features { products: { entities: { Product: Product };
 * controllers: ProductsController; resolvers: ProductsResolver } } }\`. See \`topics.ts\` for \`events\`.
 */
export interface Features {}
/** The parts of one kind, of all features that have them. */
export type PartsOf<P extends string> = {
  [F in keyof Features]: Features[F] extends { readonly [N in P]: infer T } ? T : never;
}[keyof Features];
export type Entity<K extends EntityName> =
  PartsOf<'entities'> extends infer U ? (U extends { readonly [N in K]: infer E } ? E : never) : never;

/** The result of a handler. A handler that needs no promise makes none. */
export type Soon<T> = T | Promise<T>;

export interface Page<T> {
  readonly items: readonly T[];
  /** Null if the number is not known exactly. */
  readonly total: number | null;
  /** The number of rows that the pages of the list can reach; absent if they reach all rows. */
  readonly reach?: number;
}

/**
 * The place where a slice of a list begins: after a row, or before it. Without a key, it is the start or the end of the
 * list.
 */
export interface Position {
  readonly isBackwards: boolean;
  /** The values by which the row is sorted, with its id as the last one. */
  readonly key: readonly (string | number)[] | null;
}

export interface Slice<T> extends Page<T> {
  readonly next: Position | null;
  readonly previous: Position | null;
  /**
   * The values by which a row of the slice is sorted. They are the \`key\` of the positions directly after and before
   * the row.
   */
  readonly keyOf: (item: T) => Position['key'];
}

/** Any number of rows. They are in an object, because the framework would send an iterable as it is. */
export interface Export<T> {
  readonly batches: AsyncIterable<readonly T[]>;
}

/**
 * One method for each operation that has a handler of its own. \`C\` is the context that the application passes on:
 * principal, request id and so on.
 */
export interface Contract<C> {
${operations
  .filter(({ sameAs }) => sameAs === null)
  .map((operation) => methodText(rest, operation))
  .join('\n')}
}

/** The type that a representation must produce, by version and entity. */
export interface Represented {
${represented(document, operations)}
}
`;
  const dtos = operations
    .filter(({ sameAs }) => sameAs === null)
    .flatMap(({ path, query, body }) => [
      path?.dto.name,
      query?.isHanded === true ? query.dto.name : undefined,
      body?.dto,
    ]);
  const names = dtos.filter((name) => name !== undefined);
  const schemas = text.includes('schemas.') ? "import type * as schemas from './schemas.js';\n" : '';
  return `${HEADER}${imports('./dto', names, true)}import type { EntityName } from './operations.js';\n${schemas}${text}`;
}

function methodText(rest: Rest, operation: Operation): string {
  const { id, path, query, body } = operation;
  const input = [
    path === null ? [] : [`path: ${path.dto.name}`],
    query?.isHanded !== true ? [] : [`query: ${query.dto.name}`],
    body === null ? [] : [`body: ${body.dto}${body.required ? '' : ' | undefined'}`],
    ['context: C'],
  ].flat();
  const words = member(operation.node, 'summary')?.value;
  return `${comment(typeof words === 'string' ? words : undefined)}${id}(${input.join(', ')}): Soon<${resultType(rest, operation)}>;`;
}

/** A handler of an operation on a row returns null for a row that does not exist; see `ids.ts`. */
function resultType(rest: Rest, operation: Operation): string {
  const type = answerType(operation);
  if (idsOf(rest, operation).length === 0) return type;
  return type === 'void' ? 'unknown' : `${type} | null`;
}

function answerType({ answer }: Operation): string {
  if (answer.schema === null) return 'void';
  if (answer.shape === 'entity') return `Entity<${literal(answer.entity)}>`;
  if (answer.shape === 'slice') return `Slice<Entity<${literal(answer.entity)}>>`;
  if (answer.shape === 'page') return `Page<Entity<${literal(answer.entity)}>>`;
  if (answer.shape === 'export') return `Export<Entity<${literal(answer.entity)}>>`;
  return schemaType(answer.schema, 'schemas.');
}

/**
 * The representations by version. A path without a version shows the representation of some version. Within one
 * version an entity has only one representation, because the service chooses a representation by version and entity
 * alone.
 */
export function representedIn(
  document: Document,
  operations: readonly Operation[],
): Map<string, Map<string, Node>> {
  const versions = new Map<string, Map<string, Node>>();
  for (const { answer, version, node } of operations) {
    if (answer.entity === null || answer.entitySchema === null || version === null) continue;
    const entities = versions.get(version) ?? new Map<string, Node>();
    const other = entities.get(answer.entity);
    if (other !== undefined && other.at !== answer.entitySchema.at) {
      document.fault(
        node,
        `${answer.entity} is ${nameOf(answer.entitySchema)} here, but ${nameOf(other)} elsewhere in ${version}`,
      );
    }
    versions.set(version, entities.set(answer.entity, answer.entitySchema));
  }
  const shown = [...versions.values()].flatMap((entities) => [...entities.values()]).map(({ at }) => at);
  for (const { answer, version, node } of operations) {
    if (version === null && answer.entitySchema !== null && !shown.includes(answer.entitySchema.at)) {
      document.fault(
        node,
        `${String(answer.entity)} is shown without a version, in a form that no version has`,
      );
    }
  }
  return versions;
}

function represented(document: Document, operations: readonly Operation[]): string {
  return [...representedIn(document, operations)]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([version, entities]) => {
      const lines = [...entities].toSorted(([a], [b]) => byName(a, b));
      return `readonly ${version}: { ${lines.map(([name, node]) => `readonly ${name}: schemas.${className(nameOf(node))}`).join('; ')} };`;
    })
    .join('\n');
}
