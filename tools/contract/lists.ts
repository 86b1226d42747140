import { isMap, isScalar, parseDocument, visit, type Document, type YAMLMap } from 'yaml';

/** The schema of a list: an array in version 1, an envelope with cursors in version 2. */
const LISTS: Readonly<Record<string, (item: string) => string>> = {
  List: (item) => `
    type: array
    description: One page of a list.
    maxItems: 100
    items: { $ref: '${item}' }`,
  Page: (item) => `
    type: object
    description: One page of a list.
    additionalProperties: false
    required: [data, page]
    properties:
      data:
        type: array
        maxItems: 100
        description: The items of the page.
        items: { $ref: '${item}' }
      page: { $ref: '#/components/schemas/PageInfo' }`,
};

/** A schema that the document refers to, and that follows from the schema of its items. */
export interface ListSchema {
  readonly name: string;
  /** The name of the schema of the items. The schema of the list is inserted after that schema. */
  readonly item: string;
  readonly schema: YAMLMap;
}

/**
 * The kind of the list with this name, and the schemas from which the list may follow (`items`). If several of these
 * schemas exist, the list follows from the first. If `items` is empty, the name is not the name of a list.
 */
export function listOf(name: string): { readonly kind: string; readonly items: readonly string[] } {
  const [, base = '', kind = ''] = /^(\w+)(List|Page)$/.exec(name) ?? [];
  if (kind === '') return { kind, items: [] };
  return { kind, items: kind === 'Page' ? [`${base}V2`, base] : [base] };
}

/**
 * The schemas of lists to which the document refers, but which it does not have. `CategoryList` follows from
 * `Category`. `CategoryPage` follows from `CategoryV2`, or from `Category` if there is no `CategoryV2`. A list without
 * a schema of its items is left out.
 */
export function missingLists(document: Document): ListSchema[] {
  const schemas = document.getIn(['components', 'schemas']);
  const missing = new Map<string, ListSchema>();
  visit(document, {
    Pair(_, { key, value }) {
      if (!isMap(schemas) || !isScalar(key) || key.value !== '$ref' || !isScalar(value)) return;
      const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(String(value.value)) ?? [];
      const { kind, items } = listOf(name);
      const item = items.find((each) => schemas.has(each));
      if (item === undefined || schemas.has(name)) return;
      const text = LISTS[kind]?.(`#/components/schemas/${item}`) ?? '';
      missing.set(name, { name, item, schema: parseDocument(text).contents as YAMLMap });
    },
  });
  return [...missing.values()];
}
