import type { ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import type { Context } from '../contract/context.js';
import { ValidationFailed } from '../errors/errors.js';
import type { Page, Slice, Soon } from '../../generated/contract.js';
import type { Asker } from './asker.js';
import { batchesOf } from './batches.js';
import { timeOfChange } from './change-time.js';
import type { Database } from './database.js';
import { engineOf } from './engine.js';
import type { TableParts } from './table-parts.js';
import { depthFaults, filteredPage, filteredTotal, type Span } from './filtered-page.js';
import { BY_ID, keysetSlice } from './keyset.js';
import { mappingOf, type Mapping } from './mapping.js';
import { Refusals, type Details } from './refusals.js';
import type { Piece } from './slices.js';
import {
  anyOf,
  later,
  one,
  run,
  sql,
  template,
  type AnyOf,
  type Row,
  type Sql,
  type Steps,
  type Value,
} from './sql.js';
import type { Transaction } from './transaction.js';
import { Tree } from './tree.js';

export interface Keyed extends ObjectLiteral {
  readonly id: number;
}

/** Some columns of a row. A column that is undefined is not written. */
export type Values<E> = { readonly [K in keyof E]?: E[K] | undefined };

export interface TableOptions<E> {
  /** The hidden columns (`select: false`) whose values follow from the other columns of the row. */
  readonly derived?: (row: E) => Values<E>;
  readonly details?: Details<E>;
  /** The columns with texts whose blanks at both ends are removed before they are stored. */
  readonly trimmed?: readonly (keyof E & string)[];
}

/**
 * The rows of an entity with an `id`. The methods that return `Steps` are steps of an act; each other method is a read
 * or a whole act. A violated constraint becomes the refusal that the contract states for it; see `Refusals`.
 */
export class EntityTable<E extends Keyed> {
  readonly mapping: Mapping<E>;
  protected readonly database: Database;
  protected readonly refusals: Refusals<E>;
  readonly #tree: Tree | null;
  readonly #rows: Repository<E>;
  readonly #shown: ReadonlySet<string>;
  readonly #columns: ReadonlyMap<string, string>;
  readonly #derived: (row: E) => Values<E>;
  readonly #isTrimmed: ReadonlySet<string>;
  /** The texts of statements, by their kind and columns. Each text is the key of a prepared statement. */
  readonly #texts = new Map<string, TemplateStringsArray>();

  constructor(
    { database }: TableParts,
    protected readonly entity: new () => E,
    { derived = () => ({}), details = {}, trimmed = [] }: TableOptions<E> = {},
  ) {
    this.database = database;
    const metadata = database.dataSource.getMetadata(entity);
    this.mapping = mappingOf(database.dataSource, entity);
    this.refusals = new Refusals(metadata, details);
    this.#tree = Tree.of(metadata);
    this.#rows = database.dataSource.getRepository(entity);
    this.#columns = new Map(metadata.columns.map((each) => [each.propertyName, each.databaseName]));
    this.#shown = new Set(metadata.columns.filter((each) => each.isSelect).map((each) => each.propertyName));
    this.#derived = derived;
    this.#isTrimmed = new Set(trimmed);
  }

  find(id: number): Soon<E | null> {
    return this.database.reads
      .entities(this.mapping, this.#selection('one', 'id = ', '', id))
      .then(([row]) => row ?? null);
  }

  /** The rows with these ids, by id. An id without a row is not in the map. */
  async findMany(ids: readonly number[]): Promise<ReadonlyMap<number, E>> {
    const rows = await this.database.reads.entities(
      this.mapping,
      this.#selection('many', 'id ', '', anyOf(ids)),
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * A page of the rows with these values, in the order of ids.
   *
   * @param advice how a client can get the rows of a page that is too deep; see `depthFaults`
   * @throws ValidationFailed when the page is too deep
   */
  async pageWhere(values: Values<E>, span: Span, advice = 'narrow the filter'): Promise<Page<E>> {
    const faults = depthFaults(span, { parameter: 'page' }, advice);
    if (faults.length > 0) throw new ValidationFailed(faults);
    const sort = (query: SelectQueryBuilder<E>) => query.orderBy('t.id', 'ASC');
    return filteredPage(this.database.reads, this.mapping, this.#matching(values), sort, span);
  }

  /** The slice of the rows with these values, after or before a cursor. */
  async sliceWhere(values: Values<E>, piece: Piece, sort: readonly ('id' | '-id')[] = []): Promise<Slice<E>> {
    const { reads } = this.database;
    const matching = this.#matching(values);
    const total = piece.isWithoutTotal ? null : await filteredTotal(reads, matching);
    return keysetSlice({ reads, mapping: this.mapping, matching, ...BY_ID, sort }, piece, total);
  }

  /** All rows, in the order of ids. */
  all(asker: Asker): AsyncIterable<readonly E[]> {
    const everything = this.#matching({});
    return batchesOf(this.database.scans.of(asker), this.mapping, everything, everything);
  }

  /** @throws Conflict, ValidationFailed or NotFound, as the contract states */
  create(values: Values<E>, { origin }: Pick<Context, 'origin'>): Promise<E> {
    return this.database.unitOfWork.run((tx) => this.insert(tx, values), { origin });
  }

  /**
   * Removes a row and returns it as it was; null when there is no such row.
   *
   * @throws Conflict when another row refers to it
   */
  delete(id: number, { origin }: Pick<Context, 'origin'>): Promise<E | null> {
    const act = function* (this: EntityTable<E>, tx: Transaction): Steps<E | null> {
      const row = yield* this.lock(id, true);
      if (row) yield* this.remove(tx, row);
      return row;
    };
    return this.database.unitOfWork.run((tx) => act.call(this, tx), { origin });
  }

  /**
   * Reads a row, and locks it until the act is over. Acts that only refer to the row do not wait, if the table has no
   * unique constraint.
   *
   * @param isRemoved whether the act may remove the row. Then acts that refer to the row wait too.
   */
  *lock(id: number, isRemoved = false): Steps<E | null> {
    if (this.#tree && !isRemoved) yield* this.#tree.begin();
    // On PostgreSQL, a change of a unique column needs the same lock as a removal.
    const lock = isRemoved || this.refusals.isUnique ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
    const row = yield* one(this.#selection(lock, 'id = ', this.#isSqlite ? '' : ` ${lock}`, id));
    return row ? this.mapping.fromRow(row) : null;
  }

  /**
   * Reads a row. Until the act is over, no other act can remove the row. Other acts can change it only if the table has
   * no unique constraint; see `lock`.
   */
  *hold(id: number): Steps<E | null> {
    const lock = this.#isSqlite ? '' : ' FOR KEY SHARE';
    const row = yield* one(this.#selection('FOR KEY SHARE', 'id = ', lock, id));
    return row ? this.mapping.fromRow(row) : null;
  }

  /** Stores a new row. Its version is 1, and its two times are the present time. */
  *insert(tx: Transaction, values: Values<E>): Steps<E> {
    yield* this.#place(tx, values);
    const row = this.#made(values);
    const given = this.#given(row);
    const names = given.map(([name]) => this.#columns.get(name) as string);
    const text = this.#text(`insert ${names.join()}`, () => [
      `INSERT INTO ${this.mapping.table} (${names.join(', ')}) VALUES (`,
      ...names.slice(1).map(() => ', '),
      `) RETURNING ${this.mapping.columns.sqlite}`,
    ]);
    return yield* this.#written(
      tx,
      text,
      row,
      given.map(([, value]) => value),
    );
  }

  /**
   * Stores a row like `insert`, under an id from `reserveId`. The act does not wait for the statement, so it does not
   * learn of a violated constraint. The values have to contain all shown columns except the id, the version and the
   * times.
   */
  *insertLater(tx: Transaction, id: number | null, values: Values<E>): Steps<E> {
    if (id === null) return yield* this.insert(tx, values);
    yield* this.#place(tx, values);
    const row = Object.assign(this.#made(values), { id });
    const given: [string, Value][] = [['id', id], ...this.#given(row)];
    const names = given.map(([name]) => this.#columns.get(name) as string);
    const missing = this.#shown.difference(new Set(given.map(([name]) => name)));
    if (missing.size > 0) throw new TypeError(`The row has no ${[...missing].join()}.`);
    const text = this.#text(`insert ${names.join()}`, () => [
      `INSERT INTO ${this.mapping.table} (${names.join(', ')}) VALUES (`,
      ...names.slice(1).map(() => ', '),
      ')',
    ]);
    yield* later(sql(text, ...given.map(([, value]) => value)));
    return row;
  }

  /** An id for `insertLater`. Null on SQLite, where a statement has no round trip that could be saved. */
  *reserveId({ engine }: Transaction): Steps<number | null> {
    if (engine === 'sqlite') return null;
    const { table } = this.mapping;
    const text = this.#text('reserve', () => [
      `SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id`,
    ]);
    return (yield* one<{ id: number }>(sql(text)))?.id ?? null;
  }

  /**
   * Changes a row that the act has locked. If a shown value really changes, the version rises too. If nothing changes,
   * nothing is written.
   *
   * @returns the row as it is now: the same object, if nothing was written
   */
  *write(tx: Transaction, row: E, values: Values<E>): Steps<E> {
    const changed = this.#given(values).filter(([name, value]) => !isSame(value, row[name]));
    if (changed.length === 0) return row;
    if (this.#tree) yield* this.#tree.check(tx, row.id, Object.fromEntries(changed));
    const isShown = changed.some(([name]) => this.#shown.has(name));
    const now = Object.assign(new this.entity(), row, Object.fromEntries(changed));
    const raised = {
      version: Number(row['version']) + 1,
      updatedAt: timeOfChange(row['updatedAt'] as Date | undefined),
      ...this.#derived(now),
    };
    const given = isShown ? [...changed, ...this.#given(raised)] : changed;
    const names = given.map(([name]) => this.#columns.get(name) as string);
    const text = this.#text(`update ${names.join()}`, () => [
      `UPDATE ${this.mapping.table} SET ${names[0]} = `,
      ...names.slice(1).map((name) => `, ${name} = `),
      ' WHERE id = ',
      ` RETURNING ${this.mapping.columns.sqlite}`,
    ]);
    return yield* this.#written(tx, text, now, [...given.map(([, value]) => value), row.id]);
  }

  /** Removes a row that the act has locked. @throws Conflict when another row refers to it */
  remove(_tx: Transaction, row: E): Steps<void> {
    return this.removeRow(row);
  }

  /** Removes only the row itself. Subclasses may add more statements to `remove`. */
  protected *removeRow(row: E): Steps<void> {
    const text = this.#text('delete', () => [`DELETE FROM ${this.mapping.table} WHERE id = `, '']);
    try {
      yield* run(sql(text, row.id));
    } catch (error) {
      throw this.refusals.ofRemoval(error, row);
    }
  }

  /** Checks the place of a new row in the tree, if the rows form a tree. */
  *#place(tx: Transaction, values: Values<E>): Steps<void> {
    if (!this.#tree) return;
    yield* this.#tree.begin();
    yield* this.#tree.check(tx, null, values);
  }

  *#written(tx: Transaction, text: TemplateStringsArray, row: E, values: readonly Value[]): Steps<E> {
    try {
      return this.mapping.fromRow((yield* one(sql(text, ...values))) as Row);
    } catch (error) {
      throw this.refusals.ofWriting(error, row, tx.origin);
    }
  }

  /** A new row without an id. */
  #made(values: Values<E>): E {
    const now = new Date();
    const own = { version: 1, createdAt: now, updatedAt: now };
    const row = Object.assign(new this.entity(), own, Object.fromEntries(this.#given(values)));
    return Object.assign(row, this.#derived(row));
  }

  /** The values of columns that this table has, except the id, as they are stored. */
  #given(values: object): [string, Value][] {
    const given = Object.entries(values) as [string, Value | undefined][];
    return given.flatMap(([name, value]): [string, Value][] => {
      if (value === undefined || name === 'id' || !this.#columns.has(name)) return [];
      return [[name, typeof value === 'string' && this.#isTrimmed.has(name) ? value.trim() : value]];
    });
  }

  #matching(values: Values<E>): SelectQueryBuilder<E> {
    return this.#given(values).reduce(
      (query, [name, value]) => query.andWhere(`t.${name} = :${name}`, { [name]: value }),
      this.#rows.createQueryBuilder('t').select('t.*'),
    );
  }

  #selection(kind: string, where: string, end: string, value: number | AnyOf): Sql {
    const { columns, table } = this.mapping;
    const text = this.#text(kind, () => [`SELECT ${columns.sqlite} FROM ${table} WHERE ${where}`, end]);
    return sql(text, value);
  }

  #text(key: string, make: () => string[]): TemplateStringsArray {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = template(make());
    this.#texts.set(key, text);
    return text;
  }

  get #isSqlite(): boolean {
    return engineOf(this.database.dataSource) === 'sqlite';
  }
}

function isSame(value: unknown, other: unknown): boolean {
  return value instanceof Date && other instanceof Date
    ? value.getTime() === other.getTime()
    : value === other;
}
