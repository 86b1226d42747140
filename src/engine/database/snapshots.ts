import type { DataSource, EntityMetadata } from 'typeorm';
import { isShown } from './columns.js';

/**
 * Converts an entity to the JSON that an event stores, and back. Secret columns, such as a password hash, are not
 * included; see `isShown`.
 */
export interface Snapshots<E> {
  readonly write: (entity: E) => string;
  readonly read: (text: string) => E;
}

type Plain = Record<string, unknown>;
type Class = new () => object;

/** @param lists for each property that is a list: the entity class of its items */
export function snapshotsOf<E extends object>(
  dataSource: DataSource,
  entity: new () => E,
  lists: { readonly [K in keyof E]?: Class } = {},
): Snapshots<E> {
  const own = plainOf(dataSource.getMetadata(entity));
  const parts = Object.entries(lists).map(
    ([property, part]) => [property, part as Class, plainOf(dataSource.getMetadata(part as Class))] as const,
  );
  return {
    write: (source) => {
      const plain = own.from(source);
      for (const [property, , { from }] of parts) {
        plain[property] = (source as Record<string, readonly object[] | undefined>)[property]?.map(from);
      }
      return JSON.stringify(plain);
    },
    read: (text) => {
      const plain = JSON.parse(text) as Plain;
      const read = own.into(new entity(), plain);
      for (const [property, part, { into }] of parts) {
        const rows = plain[property] as readonly Plain[] | undefined;
        if (rows) Object.assign(read, { [property]: rows.map((row) => into(new part(), row)) });
      }
      return read;
    },
  };
}

function plainOf({ columns }: EntityMetadata) {
  const read = columns.filter(({ isSelect: select, comment }) => isShown({ select, comment }));
  const names = read.map(({ propertyName }) => propertyName);
  // On SQLite, `data-source.ts` makes each `Date` column an integer with a transformer. No other column has a
  // transformer. So a column with a transformer is an instant.
  const instants = read.filter(({ type, transformer }) => type === Date || transformer !== undefined);
  return {
    from: (source: object): Plain => {
      const plain: Plain = {};
      for (const name of names) plain[name] = (source as Plain)[name];
      return plain;
    },
    into: <T extends object>(target: T, plain: Plain): T => {
      for (const name of names) (target as Plain)[name] = plain[name];
      for (const { propertyName: name } of instants) {
        if (typeof plain[name] === 'string') (target as Plain)[name] = new Date(plain[name]);
      }
      return target;
    },
  };
}
