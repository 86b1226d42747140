import { items, member, members, nameOf, type Node } from '../json.ts';
import { byName, camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import { Shapes } from '../openapi/shapes.ts';
import type { Member } from '../shape.ts';
import { HEADER, key, literal } from './text.ts';

const TYPES = `
import type { Represented } from './contract.js';

/** The functions that show the value of a column in another form. */
export interface Forms {
  readonly moment: (moment: Date) => string;
  readonly major: (minor: number) => number;
  readonly money: (minor: number) => { readonly amount: number; readonly currency: string };
}
`;

/** A column, its type, and the text that shows it. */
interface Column {
  readonly member: string;
  readonly property: string;
  readonly type: string;
  readonly shown: string;
}

/**
 * The plain representation of each entity whose members have the names of its columns: `parent_id` shows `parentId`, a
 * moment shows a `Date`, and the amount of money `price` shows the minor units of `priceMinor`. An entity with lists or
 * objects of its own has no plain representation.
 *
 * @param entities the schema that shows each entity, by version
 */
export function emitPlain(
  document: Document,
  entities: ReadonlyMap<string, ReadonlyMap<string, Node>>,
): string {
  const shapes = new Shapes(document, 'answer');
  const found = [...entities]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([version, schemas]) => {
      const plain = [...schemas]
        .toSorted(([a], [b]) => byName(a, b))
        .flatMap(([entity, schema]) => {
          const dto = shapes.dtos.get(shapes.of([schema], nameOf(schema))?.dto ?? '');
          const columns = dto?.members.map((each) => columnOf(document, schema, each)) ?? [null];
          return columns.includes(null) ? [] : [{ entity, columns: columns as Column[] }];
        });
      return { version, plain };
    });
  const types = found.map(({ version, plain }) => {
    const rows = plain.map(({ entity, columns }) => {
      const properties = columns.map(({ property, type }) => `readonly ${property}: ${type};`);
      return `readonly ${entity}: { ${properties.join(' ')} };`;
    });
    return `readonly ${version}: { ${rows.join('\n')} };`;
  });
  const values = found.map(({ version, plain }) => {
    const rows = plain.map(({ entity, columns }) => {
      const shown = columns.map((each) => `${key(each.member)}: ${each.shown}`).join(', ');
      const forms = ['moment', 'major', 'money'].filter((form) => shown.includes(`${form}(`));
      const second =
        forms.length === 0
          ? ''
          : `, { ${forms.join(', ')} }: Pick<Forms, ${forms.map((form) => `'${form}'`).join(' | ')}>`;
      const place = `['${version}']['${entity}']`;
      return `${entity}: (row: Plain${place}${second}): Represented${place} => ({ ${shown} }),`;
    });
    return `${version}: { ${rows.join('\n')} },`;
  });
  return `${HEADER}${TYPES}
/**
 * The columns that the plain representation of an entity reads. If an entity has no other representation, its class has
 * these columns.
 */
export interface Plain {
${types.join('\n')}
}

/** \`class User implements PlainRow<'v1', 'User'>\`: the compiler compares the columns. */
export type PlainRow<V extends keyof Plain, E extends keyof Plain[V]> = Plain[V][E];

export const PLAIN = {
${values.join('\n')}
};
`;
}

/** Null for an optional member, and for a member that is no column. */
function columnOf(document: Document, schema: Node, { name, shape, required }: Member): Column | null {
  const property = camelCase(name);
  const own = members(member(document.follow(schema), 'properties')).find(([each]) => each === name)?.[1];
  const isMoney = own !== undefined && isMarked(document, own);
  const column = (type: string, read: string, form?: string): Column => {
    const value = form === undefined ? `row.${read}` : `${form}(row.${read})`;
    const isChecked = form !== undefined && shape.nullable;
    return {
      member: name,
      property: read,
      type: shape.nullable ? `${type} | null` : type,
      shown: isChecked ? `row.${read} && ${value}` : value,
    };
  };
  if (!required) return null;
  if (isMoney) return column('number', `${property}Minor`, shape.kind === 'object' ? 'money' : 'major');
  if (shape.format === 'date-time' || shape.kind === 'date') return column('Date', property, 'moment');
  if (shape.kind === 'integer' || shape.kind === 'number') return column('number', property);
  if (shape.kind === 'boolean') return column('boolean', property);
  if (shape.kind !== 'string') return null;
  return column(shape.values?.map((value) => literal(value)).join(' | ') ?? 'string', property);
}

/** Whether a schema, or the first part of its `allOf`, is money. */
function isMarked(document: Document, schema: Node): boolean {
  const target = document.follow(schema);
  const [part] = items(member(target, 'allOf'));
  return member(target, 'x-money')?.value === true || (part !== undefined && isMarked(document, part));
}
