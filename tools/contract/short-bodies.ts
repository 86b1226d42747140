import { isMap, isScalar, isSeq, YAMLMap, type Document, type Scalar } from 'yaml';
import { snakeCase } from '../names.ts';
import { METHODS } from '../openapi/model.ts';
import { flowList, pairsOf, textOf } from './nodes.ts';
import { UNCHANGED } from './short-schemas.ts';
import type { ShortForm } from './whole.ts';

/** The schemas of bodies that follow from a row, such as `TeaCreate`, with their descriptions. */
const KINDS: Readonly<Record<string, (noun: string) => string>> = {
  Create: (noun) => `A new ${noun}.`,
  Replace: (noun) => `All members of the ${noun}.`,
  Update: (noun) => `Members of the ${noun} to change.`,
};

/**
 * The bodies without a schema, if their schema follows from the schema of a row (`x-entity`). `TeaCreate` requires the
 * members of `Tea` that cannot be null. `TeaReplace` requires all members, and `TeaUpdate` none. The members in
 * `UNCHANGED`, such as `id`, are never required.
 */
export function missingBodies(document: Document): ShortForm[] {
  const items = pairsOf(document.get('paths')).flatMap(({ value }) => pairsOf(value));
  const bodies = items
    .filter(({ key, value }) => METHODS.some((each) => each === textOf(key)) && isMap(value))
    .map(({ value }) => (value as YAMLMap).get('requestBody', true))
    .filter((body): body is Scalar => isScalar(body));
  const names = new Set(bodies.map(textOf));
  return [...names].flatMap((name): ShortForm[] => {
    const row = rowOf(document, name);
    if (row === null || has(document, 'schemas', name) || has(document, 'requestBodies', name)) return [];
    const node = bodies.find((body) => textOf(body) === name) as Scalar;
    return [{ node, text: `there is no schema ${name}`, replace: () => addPart(document, name, row) }];
  });
}

/** The name of the schema of a row from which the schema of a body follows; null if there is none. */
export function rowOf(document: Document, body: string): string | null {
  const [, row = '', kind = ''] = /^(\w+?)([A-Z][a-z]+)$/.exec(body) ?? [];
  return kind in KINDS && document.hasIn(['components', 'schemas', row, 'x-entity']) ? row : null;
}

function has(document: Document, kind: string, name: string): boolean {
  return document.hasIn(['components', kind, name]);
}

/** Adds the schema in its short form, after the schema of the row and the other bodies of the row. */
function addPart(document: Document, name: string, row: string): void {
  const schemas = document.getIn(['components', 'schemas']) as YAMLMap;
  const properties = pairsOf(document.getIn(['components', 'schemas', row, 'properties']));
  const [own, unchanged] = [false, true].map((is) =>
    properties.filter(({ key }) => UNCHANGED.has(textOf(key)) === is),
  ) as [typeof properties, typeof properties];
  const kind = name.slice(row.length);
  const isRequired = ({ value }: (typeof own)[number]): boolean =>
    kind === 'Replace' || (kind === 'Create' && !canBeNull(document, value));
  const lists = {
    'x-unchanged': kind === 'Create' ? [] : unchanged,
    required: own.filter(isRequired),
    'x-optional': own.filter((each) => !isRequired(each)),
  };
  const schema = new YAMLMap();
  schema.set('description', KINDS[kind]?.(snakeCase(row).replaceAll('_', ' ')));
  schema.set('x-part-of', row);
  for (const [list, pairs] of Object.entries(lists)) {
    if (pairs.length > 0) schema.set(list, flowList(pairs.map(({ key }) => textOf(key))));
  }
  const place = schemas.items.findLastIndex(
    ({ key }) => rowOf(document, textOf(key)) === row || textOf(key) === row,
  );
  schemas.items.splice(place + 1, 0, document.createPair(name, schema));
}

/** @param schema a schema, or the name of one */
function canBeNull(document: Document, schema: unknown): boolean {
  const reference = isMap(schema) ? schema.get('$ref') : isScalar(schema) ? schema.value : undefined;
  if (typeof reference === 'string')
    return canBeNull(document, document.getIn(['components', 'schemas', reference.replace(/^.*\//, '')]));
  const type = isMap(schema) ? schema.get('type') : undefined;
  return isSeq(type) && type.items.some((each) => textOf(each) === 'null');
}
