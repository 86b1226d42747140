import type { Context } from '../contract/context.js';
import { EntityTable, type Keyed } from './entity-table.js';
import { anyOf, run, sql, template, Text, together, UNPLANNED, type Sql, type Steps } from './sql.js';
import type { TableParts } from './table-parts.js';

/** A column with ids, and the rows that have these ids. */
type Side<E extends Keyed> = readonly [column: string, rows: EntityTable<E>];

/** The part of the context that a change needs. */
type Guard = Pick<Context, 'origin'>;

/**
 * A relation of many rows to many rows, such as categories and the products in them. The primary key of the table is a
 * pair of ids. A pair belongs to neither row: a change of a pair raises no version, and writes no event. The pairs of a
 * deleted row are deleted with it (`CASCADE` in the migration).
 *
 * `H` is the entity that holds the members: in `/categories/{id}/products/{product_id}`, the category.
 */
export class JoinTable<H extends Keyed, M extends Keyed> {
  readonly #parts: TableParts;
  readonly #holders: EntityTable<H>;
  readonly #members: EntityTable<M>;
  readonly #insert: TemplateStringsArray;
  readonly #delete: TemplateStringsArray;
  readonly #ofHolders: FirstPairs;
  readonly #ofMembers: FirstPairs;

  /** @param table the table of the pairs; its columns are the columns of the two sides */
  constructor(parts: TableParts, table: string, holders: Side<H>, members: readonly [string, new () => M]) {
    const [[holder, rows], [member, entity]] = [holders, members];
    this.#parts = parts;
    this.#holders = rows;
    this.#members = new EntityTable(parts, entity);
    this.#insert = template([
      `INSERT INTO ${table} (${holder}, ${member}) VALUES (`,
      ', ',
      ') ON CONFLICT DO NOTHING',
    ]);
    this.#delete = template([`DELETE FROM ${table} WHERE ${holder} = `, ` AND ${member} = `, '']);
    this.#ofHolders = firstPairs(table, rows.mapping.table, holder, member);
    this.#ofMembers = firstPairs(table, this.#members.mapping.table, member, holder);
  }

  /**
   * Stores a pair, and returns its holder; null if one of the rows does not exist. If the pair exists already, nothing
   * changes.
   */
  add(holder: number, member: number, guard: Guard): Promise<H | null> {
    return this.#change(holder, member, guard, this.#insert);
  }

  /**
   * Removes a pair, and returns its holder; null if one of the rows does not exist. If there is no such pair, nothing
   * changes.
   */
  remove(holder: number, member: number, guard: Guard): Promise<H | null> {
    return this.#change(holder, member, guard, this.#delete);
  }

  /**
   * The members of each holder, in the order of their ids. A holder without a member is not in the map.
   *
   * @param most the maximum number of members of each holder. The other members are not read
   */
  membersOf(holders: readonly number[], most: number): Promise<ReadonlyMap<number, readonly M[]>> {
    return this.#paired(this.#ofHolders(holders, most), this.#members);
  }

  /**
   * The holders of each member, in the order of their ids. A member without a holder is not in the map.
   *
   * @param most the maximum number of holders of each member. The other holders are not read
   */
  holdersOf(members: readonly number[], most: number): Promise<ReadonlyMap<number, readonly H[]>> {
    return this.#paired(this.#ofMembers(members, most), this.#holders);
  }

  #change(holder: number, member: number, { origin }: Guard, text: TemplateStringsArray): Promise<H | null> {
    const act = function* (this: JoinTable<H, M>): Steps<H | null> {
      const [row, other] = yield* together(this.#holders.hold(holder), this.#members.hold(member));
      if (row === null || other === null) return null;
      yield* run(sql(text, holder, member));
      return row;
    };
    return this.#parts.database.unitOfWork.run(() => act.call(this), { origin });
  }

  async #paired<E extends Keyed>(
    pairs: Sql,
    rows: EntityTable<E>,
  ): Promise<ReadonlyMap<number, readonly E[]>> {
    const found = await this.#parts.database.reads.all<{ one: number; other: number }>(pairs);
    const others = await rows.findMany([...new Set(found.map(({ other }) => other))]);
    const groups = [...Map.groupBy(found, ({ one }) => one)];
    return new Map(groups.map(([id, own]) => [id, own.flatMap(({ other }) => others.get(other) ?? [])]));
  }
}

type FirstPairs = (ids: readonly number[], most: number) => Sql;

/**
 * The statement that reads the first pairs of each of several rows. The SQL differs by engine, because each engine uses
 * the index only if the statement has the form for this engine.
 *
 * @param rows the table of the rows
 * @param one the column with the ids of these rows
 */
function firstPairs(table: string, rows: string, one: string, other: string): FirstPairs {
  const first = `(SELECT ${other} FROM ${table} WHERE ${one} = r.id ORDER BY ${other} LIMIT`;
  const begin = new Text(
    `JOIN ${table} p ON p.${one} = r.id AND p.${other} IN ${first}`,
    `CROSS JOIN LATERAL ${first}`,
  );
  const end = new Text(')', ') p');
  const text = template([
    `SELECT r.id AS one, p.${other} AS other FROM ${rows} r `,
    ' ',
    ' ',
    ' ',
    ' WHERE r.id ',
    ` ORDER BY p.${other}`,
  ]);
  return (ids, most) => sql(text, begin, UNPLANNED, most, end, anyOf(ids));
}
