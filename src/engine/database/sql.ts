/**
 * SQL as a value. An act on the database is a generator that yields such values, so nothing but SQL can
 * be waited for inside a transaction, and running an act again simply means calling it again.
 */
export type Engine = 'sqlite' | 'postgres';

export type Value = string | number | bigint | boolean | Date | Buffer | null;

/** A row as the driver gives it: on SQLite flags are 0 or 1 and instants milliseconds; see `Mapping`. */
export type Row = Readonly<Record<string, unknown>>;

/** Several ids in the place of one value: `WHERE user_id ${anyOf(ids)}`. */
export class AnyOf {
  constructor(readonly ids: readonly number[]) {}
}

/** A piece of text in the place of a value, which must be the same whenever the statement is run. */
export class Text {
  constructor(
    readonly sqlite: string,
    readonly postgres = sqlite,
  ) {}
}

/**
 * At the end of a `SELECT` in an act that goes on to change the row: others who want to change it wait. On SQLite
 * acts are run one after another anyway.
 */
export const forUpdate = new Text('', 'FOR UPDATE');

/** The same for a row that is only read: others may do so too, but not change it. */
export const forShare = new Text('', 'FOR SHARE');

/** The same for a row that is only to stay: others may change it, but not remove it. */
export const forKeyShare = new Text('', 'FOR KEY SHARE');

type Part = Value | AnyOf | Text;

export class Sql {
  constructor(
    /** The strings of a call site, or finished text. Its identity is the key of prepared statements. */
    readonly source: TemplateStringsArray | string,
    readonly values: readonly (Value | AnyOf)[],
    /** The values with the texts between them, as they stand in the template. */
    readonly parts: readonly Part[] = values,
  ) {}
}

export type Steps<T> = Generator<Sql, T, readonly Row[]>;

/** One statement. Each place in the code where it stands is prepared once per connection. */
export function sql(strings: TemplateStringsArray, ...parts: Part[]): Sql {
  return parts.some((part) => part instanceof Text)
    ? new Sql(
        strings,
        parts.filter((part): part is Value | AnyOf => !(part instanceof Text)),
        parts,
      )
    : new Sql(strings, parts as (Value | AnyOf)[]);
}

/** Text made elsewhere (TypeORM's query builder), with the placeholders of the engine in use. */
export function raw(text: string, values: readonly Value[]): Sql {
  return new Sql(text, values);
}

/** Matches any of the ids, whatever their number, with one prepared statement. */
export function anyOf(ids: readonly number[]): AnyOf {
  return new AnyOf(ids);
}

export function* one<R = Row>(query: Sql): Steps<R | undefined> {
  return (yield query)[0] as R | undefined;
}

export function* all<R = Row>(query: Sql): Steps<readonly R[]> {
  return (yield query) as readonly R[];
}

/** For statements whose rows don't matter. To learn what changed, use `RETURNING` with `one` or `all`. */
export function* run(query: Sql): Steps<void> {
  yield query;
}

// An act that committed or rolled back by itself would do so for the others of its batch as well.
const TRANSACTION_CONTROL = /^\s*(begin|start|commit|end|rollback|abort|savepoint|release|prepare)\b/i;

/** The text of a statement. Meant to be called once per call site: it also checks what may not be run. */
export function textOf(query: Sql, engine: Engine): string {
  const text = typeof query.source === 'string' ? query.source : join(query.source, query.parts, engine);
  if (TRANSACTION_CONTROL.test(text)) {
    throw new TypeError(`Only the unit of work opens and ends transactions, but an act tried: ${text}`);
  }
  return text;
}

function join(strings: TemplateStringsArray, parts: readonly Part[], engine: Engine): string {
  let bound = 0;
  return strings.reduce((text, string, index) => {
    const part = parts[index - 1];
    if (part instanceof Text) return text + part[engine] + string;
    bound += 1;
    const placeholder = engine === 'sqlite' ? '?' : `$${bound}`;
    if (!(part instanceof AnyOf)) return text + placeholder + string;
    const list =
      engine === 'sqlite'
        ? `IN (SELECT value FROM json_each(${placeholder}))`
        : `= ANY(${placeholder}::bigint[])`;
    return text + list + string;
  });
}

/** Refuses numbers that a database cannot hold exactly, instead of storing a neighbour. */
export function requireExact(value: number): number {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  throw new RangeError(`${value} cannot be stored exactly`);
}
