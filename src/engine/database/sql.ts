// SQL as a value. An act on the database is a generator that yields such values. So inside a transaction an act can
// wait only for SQL. To run an act again, the unit of work calls it again.

export type Engine = 'sqlite' | 'postgres';

export type Value = string | number | bigint | boolean | Date | Buffer | null;

/** A row as the driver returns it. On SQLite flags are 0 or 1, and instants are milliseconds; see `Mapping`. */
export type Row = Readonly<Record<string, unknown>>;

/** Several ids instead of one value: `WHERE user_id ${anyOf(ids)}`. */
export class AnyOf {
  constructor(readonly ids: readonly number[]) {}
}

/** A part of the SQL text instead of a value. It must be the same each time the statement is run. */
export class Text {
  constructor(
    readonly sqlite: string,
    readonly postgres = sqlite,
  ) {}
}

/**
 * For the end of a `SELECT` in an act that later changes the row. Other acts that want to change the row wait for the
 * end of this act. On SQLite the text is empty, because acts run one after another anyway.
 */
export const forUpdate = new Text('', 'FOR UPDATE');

/** Like `forUpdate`, but without the rows that other acts have locked. The act then waits for no other act. */
export const forUpdateSkipping = new Text('', 'FOR UPDATE SKIP LOCKED');

/**
 * Like `forUpdate`, for a row that the act changes and does not remove. Acts that only refer to the row (a foreign key,
 * `forKeyShare`) do not wait. An act that may delete the row uses `forUpdate`.
 */
export const forNoKeyUpdate = new Text('', 'FOR NO KEY UPDATE');

/** Like `forUpdate`, for a row that is only read. Other acts may read the row too, but not change it. */
export const forShare = new Text('', 'FOR SHARE');

/** Like `forUpdate`, for a row that must not be removed. Other acts may change the row, but not remove it. */
export const forKeyShare = new Text('', 'FOR KEY SHARE');

/**
 * Put this before a number. SQLite then does not plan the statement for this value. Otherwise, for a limit and for some
 * columns, it prepares the statement again each time that a value is bound. The preparation takes a third of the time
 * of a page.
 */
export const UNPLANNED = new Text('0 +', '');

type Part = Value | AnyOf | Text;

export class Sql {
  constructor(
    /**
     * The strings of a call site, or a finished text. The identity of the strings is the key of the prepared statement.
     */
    readonly source: TemplateStringsArray | string,
    readonly values: readonly (Value | AnyOf)[],
    /** The values and the `Text` parts between them, in the order of the template. */
    readonly parts: readonly Part[] = values,
    /** False for a statement that may be sent later; see `later`. */
    readonly isAwaited = true,
  ) {}
}

/** Statements that do not depend on each other's rows. They are executed in order; see `together`. */
export class Round {
  /** If a statement failed, its index. */
  failedAt = 0;

  constructor(readonly statements: readonly Sql[]) {}
}

export type Steps<T> = Generator<Sql | Round, T, readonly Row[]>;

/** One statement. The statement of a call site is prepared once per connection. */
export function sql(strings: TemplateStringsArray, ...parts: Part[]): Sql {
  return parts.some((part) => part instanceof Text)
    ? new Sql(
        strings,
        parts.filter((part): part is Value | AnyOf => !(part instanceof Text)),
        parts,
      )
    : new Sql(strings, parts as (Value | AnyOf)[]);
}

/** The strings of a statement that is made once, for `sql(strings, …values)`. */
export function template(strings: string[]): TemplateStringsArray {
  return Object.assign(strings, { raw: strings });
}

/** Text made elsewhere (TypeORM's query builder), with the placeholders of the engine in use. */
export function raw(text: string, values: readonly Value[]): Sql {
  return new Sql(text, values);
}

/** Matches any of the ids, for any number of them, with one prepared statement. */
export function anyOf(ids: readonly number[]): AnyOf {
  return new AnyOf(ids);
}

export function* one<R = Row>(query: Sql): Steps<R | undefined> {
  return (yield query)[0] as R | undefined;
}

export function* all<R = Row>(query: Sql): Steps<readonly R[]> {
  return (yield query) as readonly R[];
}

/** For statements whose rows are not needed. To learn what changed, use `RETURNING` with `one` or `all`. */
export function* run(query: Sql): Steps<void> {
  yield query;
}

const LOCK = new Text('SELECT ', 'SELECT pg_advisory_xact_lock(hashtextextended(');
const LOCK_END = new Text('', '::text, 0))');

/**
 * Makes other acts that call this function with the same name wait for the end of this act. Use it for a rule over
 * several rows, such as the depth of a tree. Use it before the act locks a row, because acts that lock the same rows in
 * different orders end in a deadlock on PostgreSQL. On SQLite acts run one after another anyway.
 */
export function* oneAtATime(name: string): Steps<void> {
  yield* one(sql`${LOCK}${name}${LOCK_END}`);
}

/**
 * For a change whose rows are not needed, and that can fail only because of a bug or a lost connection. On PostgreSQL,
 * the change is sent with the next statement of the act, or with the COMMIT. The act does not get its error.
 */
export function* later({ source, values, parts }: Sql): Steps<void> {
  yield new Sql(source, values, parts, false);
}

type Results<P extends readonly Steps<unknown>[]> = {
  [K in keyof P]: P[K] extends Steps<infer T> ? T : never;
};

/**
 * Runs parts of an act that do not depend on each other. On PostgreSQL, the first statements of all parts take one
 * round trip, then their second statements, and so on. The statements of a round are executed in the order of the
 * parts, so locks are taken in this order too.
 */
export function* together<const P extends readonly Steps<unknown>[]>(...parts: P): Steps<Results<P>> {
  const steps = parts.map((part) => part.next());
  for (;;) {
    const open = parts
      .keys()
      .filter((index) => steps[index]?.done !== true)
      .toArray();
    const asked = open.map((index) => steps[index]?.value as Sql | Round);
    const [index, ...others] = open;
    if (index === undefined) return steps.map(({ value }) => value) as Results<P>;
    const alone = asked.findIndex((step) => step instanceof Round || !step.isAwaited);
    if (others.length > 0 && alone === -1) {
      const round = new Round(asked as Sql[]);
      const answers = (yield* answered(round, () => parts[open[round.failedAt] as number])) as unknown;
      for (const [place, part] of open.entries()) {
        steps[part] = (parts[part] as Steps<unknown>).next((answers as readonly Row[][])[place] as Row[]);
      }
    } else {
      const only = Math.max(alone, 0);
      const part = parts[open[only] as number] as Steps<unknown>;
      steps[open[only] as number] = part.next(yield* answered(asked[only] as Sql | Round, () => part));
    }
  }
}

/** Yields a step. If it fails, the part whose statement failed may throw its own error. */
function* answered(step: Sql | Round, failed: () => Steps<unknown> | undefined): Steps<readonly Row[]> {
  try {
    return yield step;
  } catch (fault) {
    failed()?.throw(fault);
    throw fault;
  }
}

// An act must not commit or roll back. It would commit or roll back the other acts of its batch too.
const TRANSACTION_CONTROL = /^\s*(begin|start|commit|end|rollback|abort|savepoint|release|prepare)\b/i;

/**
 * The text of a statement. Call this once per call site. The function also refuses statements that an act may not run.
 */
export function textOf(query: Sql, engine: Engine): string {
  const text = typeof query.source === 'string' ? query.source : join(query.source, query.parts, engine);
  if (TRANSACTION_CONTROL.test(text)) {
    throw new TypeError(`Only the unit of work may open or end a transaction, but an act tried it: ${text}`);
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

/** Refuses numbers that a database cannot hold exactly, instead of rounding them. */
export function requireExact(value: number): number {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  throw new RangeError(`${value} cannot be stored exactly`);
}
