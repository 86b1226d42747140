import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Position, Slice } from '../../generated/contract.js';
import { built } from './built.js';
import { instantParameter } from './columns.js';
import type { Mapping } from './mapping.js';
import type { Reads } from './reads.js';
import { sliceOf, type Piece } from './slices.js';

/** A property that a list is sorted by. Its value is never null. */
interface Key {
  /** The property of the entity. */
  readonly property: string;
  readonly isDescending: boolean;
}

type Part = string | number;

/** The parts that are needed to read a list with a filter, or in an order that is not the order of ids. */
export interface Sliced<E extends ObjectLiteral> {
  readonly reads: Pick<Reads, 'all'>;
  readonly mapping: Mapping<E>;
  /** Selects the columns of the mapping, without an order. */
  readonly matching: SelectQueryBuilder<E>;
  /** The sort keys, such as `-price` for descending prices. */
  readonly sort: readonly string[];
  /** The property of the entity for each name of a sort key. `id` is one of these names. */
  readonly properties: Readonly<Record<string, string>>;
  /** The SQL name of the id, if the query takes the ids from another table. The default is `<alias>.id`. */
  readonly id?: string;
}

export const BY_ID = { sort: [], properties: { id: 'id' } } as const;

/**
 * One slice of the rows that a query matches. The beginning of the slice is found by the sort keys of the rows, not by
 * counting rows. So no row is repeated or skipped when other rows are inserted or deleted between two slices.
 */
export async function keysetSlice<E extends ObjectLiteral>(
  { reads, mapping, matching, sort, properties, id = `${matching.alias}.id` }: Sliced<E>,
  { position, limit }: Piece,
  total: number | null,
): Promise<Slice<E>> {
  const query = matching.clone();
  const keys = keysOf(sort, properties).map((key) => ({
    ...key,
    column: key.property === properties.id ? id : `${query.alias}.${key.property}`,
  }));
  if (position?.key) addCondition(query, keys, position);
  for (const { column, isDescending } of keys) {
    const isTurned = isDescending !== (position?.isBackwards ?? false);
    query.addOrderBy(column, isTurned ? 'DESC' : 'ASC');
  }
  const rows = await reads.all(built(query.limit(limit + 1)));
  const keyOf = (row: E) => keys.map(({ property }) => partOf((row as Record<string, unknown>)[property]));
  return sliceOf(rows.map(mapping.fromRow), { position, limit }, total, keyOf);
}

/**
 * The keys of an order. The last key is the id, so that no two rows have the same place in the order. Keys after the
 * id, and repeated keys, have no effect.
 */
function keysOf(sort: readonly string[], properties: Readonly<Record<string, string>>): readonly Key[] {
  const keys: Key[] = [];
  for (const text of [...sort, 'id']) {
    const name = text.replace(/^-/, '');
    const property = properties[name] as string;
    if (keys.every((key) => key.property !== property)) {
      keys.push({ property, isDescending: text.startsWith('-') });
    }
    if (name === 'id') break;
  }
  return keys;
}

/**
 * Selects the rows after a position, in the direction of the position. Such a row comes later by the first key, or it
 * has the same first key and comes later by the second key, and so on. With a separate condition on the first key, the
 * database can use an index to begin at the position.
 */
function addCondition<E extends ObjectLiteral>(
  query: SelectQueryBuilder<E>,
  keys: readonly (Key & { readonly column: string })[],
  { key: parts, isBackwards }: Position,
): void {
  const compared = keys.map(({ column, isDescending }, index) => ({
    column,
    operator: isDescending === isBackwards ? '>' : '<',
    parameter: `after${index}`,
  }));
  const alternatives = compared.map(({ column, operator, parameter }, index) =>
    [
      ...compared.slice(0, index).map((equal) => `${equal.column} = :${equal.parameter}`),
      `${column} ${operator} :${parameter}`,
    ].join(' AND '),
  );
  const [first] = compared;
  if (first && compared.length > 1) query.andWhere(`${first.column} ${first.operator}= :${first.parameter}`);
  const values = keys.map(({ property }, index) => [
    `after${index}`,
    valueOf(query, property, parts?.[index] as Part),
  ]);
  query.andWhere(`(${alternatives.join(' OR ')})`, Object.fromEntries(values) as ObjectLiteral);
}

/** A moment is represented by its milliseconds. */
function partOf(value: unknown): Part {
  return value instanceof Date ? value.getTime() : (value as Part);
}

function valueOf<E extends ObjectLiteral>(
  { dataSource, expressionMap }: SelectQueryBuilder<E>,
  property: string,
  part: Part,
): Part | Date {
  const column = expressionMap.mainAlias?.metadata.findColumnWithPropertyName(property);
  return column?.type === Date ? instantParameter(dataSource, new Date(part)) : part;
}
