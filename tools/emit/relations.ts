import { items, member, members, type Node } from '../json.ts';
import { byName, camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Rest } from '../openapi/model.ts';
import { referencesIn, type Reference } from '../openapi/references.ts';
import { bodyOf, madeBy, uniquesOf } from '../openapi/relations.ts';
import { HEADER, literal } from './text.ts';

const TYPES = `
import type { EntityName } from './operations.js';

export interface Reference {
  readonly entity: string;
  readonly code: string;
  /** The maximum number of levels, if the rows form a tree. */
  readonly levels?: number;
}

/** The rules of the contract for the rows of an entity. Members have the names of properties, such as \`userId\`. */
export interface Relations {
  /** The members whose values are unique together, by the code of the conflict (\`x-unique\`). */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** The members that hold the id of another row (\`x-refers\`). */
  readonly refers: Readonly<Record<string, Reference>>;
  /** The code of the conflict when a row cannot be removed, because another row refers to it. */
  readonly keeps: string | null;
}
`;

interface Relations {
  readonly unique: Record<string, readonly string[]>;
  readonly refers: Record<string, Pick<Reference, 'entity' | 'code' | 'levels'>>;
  keeps: string | null;
}

/** The relations between rows, by entity, for the part that turns a violated constraint into a refusal. */
export function emitRelations(document: Document, rest: Rest): string {
  const found = new Map<string, Relations>();
  const of = (entity: string): Relations => {
    const relations = found.get(entity) ?? { unique: {}, refers: {}, keeps: null };
    found.set(entity, relations);
    return relations;
  };
  const schemas = members(member(member(document.root, 'components'), 'schemas'));
  for (const { entity, code, names } of schemas.flatMap(([, schema]) => uniquesOf(document, schema)))
    of(entity).unique[code] = names.map(camelCase);
  for (const operation of rest.operations) {
    const made = madeBy(rest, operation);
    if (made === null) continue;
    for (const [name, property] of propertiesOf(document, bodyOf(document, operation))) {
      const [reference] = isNested(document, property) ? [] : referencesIn(document, property);
      if (reference === undefined) continue;
      const { entity, code, keeps, levels } = reference;
      of(made).refers[camelCase(name)] = { entity, code, levels };
      if (keeps !== undefined) of(entity).keeps = keeps;
    }
  }
  const sorted = Object.fromEntries([...found].toSorted(([a], [b]) => byName(a, b)));
  return `${HEADER}${TYPES}
export const RELATIONS: { readonly [K in EntityName]?: Relations } = ${literal(sorted)};
`;
}

/** The members of an object, also those of the parts of an `allOf`. */
function propertiesOf(document: Document, schema: Node | undefined): readonly (readonly [string, Node])[] {
  const target = schema === undefined ? undefined : document.follow(schema);
  const parts = items(member(target, 'allOf')).flatMap((part) => propertiesOf(document, part));
  return [...members(member(target, 'properties')), ...parts];
}

/** A member with members or items of its own is not a column. */
function isNested(document: Document, property: Node): boolean {
  const target = document.follow(property);
  return ['properties', 'items'].some((name) => member(target, name) !== undefined);
}
