/**
 * SQL as a value. An act on the database is a generator that yields such values, so nothing but SQL can
 * be waited for inside a transaction, and running an act again simply means calling it again.
 */
export type Engine = 'sqlite' | 'postgres';

export type Value = string | number | bigint | boolean | Date | Buffer | null;

/** A row as the driver gives it: on SQLite flags are 0 or 1 and instants milliseconds; see `hydrate`. */
export type Row = Readonly<Record<string, unknown>>;

/** Several ids in the place of one value: `WHERE user_id ${anyOf(ids)}`. */
export class AnyOf {
  constructor(readonly ids: readonly number[]) {}
}

export class Sql {
  constructor(
    /** The strings of a call site, or finished text. Its identity is the key of prepared statements. */
    readonly source: TemplateStringsArray | string,
    readonly values: readonly (Value | AnyOf)[],
  ) {}
}

export type Steps<T> = Generator<Sql, T, readonly Row[]>;

/**
 * A change of the database, all or nothing. It may run more than once before it succeeds, so it must
 * not touch anything else; what has to happen outside belongs into `tx.afterCommit`.
 */
export type Act<T> = (tx: Transaction) => Steps<T>;

export class Transaction {
  readonly #afterCommit: (() => void)[];

  constructor(
    readonly engine: Engine,
    afterCommit: (() => void)[],
  ) {
    this.#afterCommit = afterCommit;
  }

  /** Runs `callback` in the tick of the COMMIT, before the act's promise settles; never after a rollback. */
  afterCommit(callback: () => void): void {
    this.#afterCommit.push(callback);
  }
}

/** One statement. Each place in the code where it stands is prepared once per connection. */
export function sql(strings: TemplateStringsArray, ...values: (Value | AnyOf)[]): Sql {
  return new Sql(strings, values);
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
  const text = typeof query.source === 'string' ? query.source : join(query.source, query.values, engine);
  if (TRANSACTION_CONTROL.test(text)) {
    throw new TypeError(`Only the unit of work opens and ends transactions, but an act tried: ${text}`);
  }
  return text;
}

function join(strings: TemplateStringsArray, values: Sql['values'], engine: Engine): string {
  return strings.reduce((text, part, index) => {
    const placeholder = engine === 'sqlite' ? '?' : `$${index}`;
    if (!(values[index - 1] instanceof AnyOf)) return text + placeholder + part;
    const list =
      engine === 'sqlite'
        ? `IN (SELECT value FROM json_each(${placeholder}))`
        : `= ANY(${placeholder}::bigint[])`;
    return text + list + part;
  });
}

/** Refuses numbers that a database cannot hold exactly, instead of storing a neighbour. */
export function requireExact(value: number): number {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  throw new RangeError(`${value} cannot be stored exactly`);
}
