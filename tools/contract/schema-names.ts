import { isMap, isPair, isScalar, visit, type Document, type Pair, type YAMLMap } from 'yaml';
import { referenceTo, textOf } from './nodes.ts';
import type { ShortForm } from './whole.ts';

/** Keys whose value is a schema. In a map of `properties` they are names of members. */
const SCHEMAS: ReadonlySet<string> = new Set(['schema', 'items']);
/** Keys below which there is data, and no schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** A place for a schema: the value of `pair`. The pair is a member of `map`. */
interface Place {
  readonly map: YAMLMap;
  readonly pair: Pair;
  /** Whether the pair is a member in `properties`. */
  readonly isMember: boolean;
}

/** The places where a name may stand for a schema: `schema` and `items`, and the members of `properties`. */
export function schemaPlaces(document: Document): Place[] {
  const places: Place[] = [];
  visit(document, {
    Pair(_, pair, path) {
      const map = path.at(-1);
      const isMember = isMemberAt(path);
      const key = textOf(pair.key);
      if (!isMember && (DATA.has(key) || key.startsWith('x-'))) return visit.SKIP;
      if ((isMember || SCHEMAS.has(key)) && isMap(map)) places.push({ map, pair, isMember });
      return undefined;
    },
  });
  return places;
}

/**
 * Whether a pair is a member in `properties`.
 *
 * @param path the nodes that contain the pair, from the outside to the inside
 */
function isMemberAt(path: readonly unknown[]): boolean {
  const owner = path.at(-2);
  // A member may have the name `properties`. Then the pairs in it are keywords.
  return isPair(owner) && textOf(owner.key) === 'properties' && !isMemberAt(path.slice(0, -2));
}

/** A name instead of a schema: `schema: Category`, `items: Category`, `id: Id` among `properties`. */
export function namesOfSchemas(document: Document): ShortForm[] {
  return schemaPlaces(document).flatMap(({ map, pair, isMember }): ShortForm[] => {
    const { value } = pair;
    if (!isScalar(value)) return [];
    const name = textOf(value);
    const replace = (): void => {
      if (isMember) map.flow = false;
      pair.value = referenceTo('schemas', name);
    };
    return [
      { node: value, text: `the schema ${name} stands for a reference`, replace, names: { schemas: name } },
    ];
  });
}
