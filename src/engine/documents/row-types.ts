import { getMetadataArgsStorage } from 'typeorm';
import { isShown } from '../database/columns.js';

/**
 * Describes how the types of schema.graphql are stored, for trusted documents that become SQL. A feature describes
 * this once, beside its entity. Most fields need no description: a field without a description shows the property of
 * the entity with the same name. Access and arguments are never described here, because they follow from the contract.
 */
export type Source =
  /** An amount in major units, from a column in minor units. */
  | { readonly kind: 'major'; readonly property: string }
  /** An amount as `Money`, from a column in minor units. */
  | { readonly kind: 'money'; readonly property: string }
  /** A field that is null in every query, such as the cursor of an event. */
  | { readonly kind: 'nothing' }
  /** The row of another type whose id is in a property. */
  | { readonly kind: 'row'; readonly property: string }
  /** A property of another entity whose row belongs to this row; null if there is no such row. */
  | { readonly kind: 'value'; readonly entity: Entity; readonly owner: string; readonly property: string }
  /** Rows of another type that name this row as their owner. */
  | ({ readonly kind: 'rows'; readonly owner: string } & Listed);

interface Listed {
  /** The property by which the rows are sorted, with a minus for descending order. */
  readonly order: string;
  /** The argument that limits the number of rows; null if all rows are shown. */
  readonly limit: string | null;
}

export type Entity = new () => object;

export type RootSource =
  /** `args`: the row whose id is the argument `id`. `principal`: the user of the caller. */
  | { readonly kind: 'row'; readonly id: 'args' | 'principal' }
  /** The first rows of a list. */
  | ({ readonly kind: 'rows' } & RootList);

export interface RootList extends Listed {
  readonly limit: string;
  /**
   * The values that some arguments must have, by the names of the arguments. All arguments that neither `only` nor
   * `limit` names must be absent. For all other requests, the resolvers read the list.
   */
  readonly only: Readonly<Record<string, unknown>>;
}

/** A column that an entity shows. A secret column, such as a password hash, is never shown; see `isShown`. */
export interface Column {
  readonly name: string;
  readonly kind: 'id' | 'integer' | 'text' | 'boolean' | 'moment';
  readonly isNullable: boolean;
}

export class RowType {
  constructor(
    readonly table: string,
    private readonly columns: ReadonlyMap<string, Column>,
  ) {}

  static of(entity: Entity): RowType {
    const { tables, columns } = getMetadataArgsStorage();
    const table = tables.find(({ target }) => target === entity)?.name;
    if (table === undefined) throw new TypeError(`${entity.name} is not an entity with a named table.`);
    const shown = columns.filter(({ target, options }) => target === entity && isShown(options));
    return new RowType(
      table,
      new Map(
        shown.map(({ propertyName, options }) => [
          propertyName,
          {
            name: options.name ?? propertyName,
            kind: kindOf(options.type),
            isNullable: options.nullable === true,
          },
        ]),
      ),
    );
  }

  column(property: string): Column | undefined {
    return this.columns.get(property);
  }

  /** @throws TypeError for a property that a feature has named by mistake */
  columnOf(property: string): Column {
    const column = this.columns.get(property);
    if (!column) throw new TypeError(`The table ${this.table} has no column for ${property}.`);
    return column;
  }
}

/** The kind of a column, from its type in `database/columns.ts`. */
function kindOf(type: unknown): Column['kind'] {
  if (type === Number) return 'id';
  if (type === Date) return 'moment';
  if (type === 'integer' || type === 'text' || type === 'boolean') return type;
  throw new TypeError(`Not a kind of column from columns.ts: ${String(type)}`);
}

// A feature adds its entries to these maps when it is imported.
const entities = new Map<string, Entity>();
const sources = new Map<string, Source>();
const roots = new Map<string, RootSource>();

/** The entity whose rows a type of schema.graphql shows. */
export function defineRows(type: string, entity: Entity): void {
  entities.set(type, entity);
}

/** Fields that are not simply a property of the entity, by their names, such as `Order.total`. */
export function defineFields(fields: Readonly<Record<string, Source>>): void {
  for (const [name, source] of Object.entries(fields)) sources.set(name, source);
}

/** Fields of `Query`, by their names, such as `Query.user`. */
export function defineRoots(fields: Readonly<Record<string, RootSource>>): void {
  for (const [name, source] of Object.entries(fields)) roots.set(name, source);
}

/** Null if no feature has said which rows the type shows. */
export function rowTypeOf(type: string): RowType | null {
  const entity = entities.get(type);
  return entity ? RowType.of(entity) : null;
}

export function sourceOf(field: string): Source | undefined {
  return sources.get(field);
}

export function rootSourceOf(field: string): RootSource | undefined {
  return roots.get(field);
}
