import type { Writable } from 'node:stream';
import type { Connection, PoolClient, Submittable } from 'pg';
import { NoAnswer } from './faults.js';
import { bound, NO_FIELDS, readerOf, type Field, type RowReader } from './postgres-values.js';
import type { AnyOf, Row, Value } from './sql.js';

/** The name and text of a prepared statement. A statement without a name is prepared for one use. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

export interface Asked extends Prepared {
  readonly values: readonly (Value | AnyOf)[];
}

/** The statements that are prepared on a connection, by their names, with the readers of their rows. */
interface Kept {
  readonly readers: Map<string, RowReader>;
  /** After an error it is not known whether the server has prepared these statements. */
  readonly doubtful: Set<string>;
  /** The time at which the server last answered, on the clock of `performance`. */
  answeredAt: number;
}

const kept = new WeakMap<Connection, Kept>();
const silent = new WeakSet<PoolClient>();
const sharing = new WeakSet<Connection>();
/** A server that answered within this time is assumed to be reachable. */
const FRESH_MS = 1_000;

/** The methods of the driver's connection that a trip uses. The types of the driver do not describe them exactly. */
interface Wire {
  readonly stream: Writable;
  parse(query: Prepared): void;
  bind(config: { statement: string; values: readonly unknown[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
  close(statement: { type: 'S'; name: string }): void;
}

/**
 * One round trip: statements that are sent together. The server executes them in order. If one fails, the server skips
 * the statements after it. The driver itself would send each statement alone, and wait for its answer (ADR 47). A trip
 * can be sent only once.
 */
export class Trip implements Submittable {
  /** The rows of each statement. */
  readonly answers: (readonly Row[])[] = [];
  /** The command of the last statement, such as `COMMIT`. */
  command = '';
  readonly #statements: readonly (Prepared & { readonly values: readonly (string | Buffer | null)[] })[];
  #kept: Kept | null = null;
  #rows: Row[] = [];
  /** The error of a value that could not be read, such as a number beyond 53 bits; null if there is none. */
  #unreadable: { readonly error: unknown } | null = null;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(statements: readonly Asked[]) {
    // A value that cannot be stored is refused here, before anything is sent.
    this.#statements = statements.map(({ name, text, values }) => ({
      name,
      text,
      values: values.map(bound),
    }));
  }

  /** The number of statements that have succeeded. If the trip failed, the index of the statement that failed. */
  get succeeded(): number {
    return this.answers.length;
  }

  /**
   * Sends the statements, and waits until the server has answered all of them. The wait is bounded, because a server
   * that is frozen or unreachable may never answer, and never report an error.
   *
   * @param patienceMs 0 means forever
   * @throws NoAnswer, and the errors of the server
   */
  async sent(client: PoolClient, patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        if (patienceMs > 0) {
          timer = setTimeout(() => {
            silent.add(client);
            reject(new NoAnswer(`The database did not answer within ${patienceMs} ms`));
          }, patienceMs);
        }
        client.query(this);
      });
    } catch (error) {
      // The stack of an error from the server begins at the socket. The new stack leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.#kept = keptOn(connection);
    const { readers, doubtful } = this.#kept;
    const parsed = new Set<string>();
    const isSharing = sharing.has(connection);
    wire.stream.cork();
    try {
      for (const { name: given, text, values } of this.#statements) {
        const name = isSharing ? '' : given;
        if (name === '' || (!readers.has(name) && !parsed.has(name))) {
          if (doubtful.delete(name)) wire.close({ type: 'S', name });
          wire.parse({ name, text });
          parsed.add(name);
        }
        wire.bind({ statement: name, values });
        if (name === '' || !readers.has(name)) wire.describe({ type: 'P' });
        wire.execute();
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#kept?.readers.set(this.#name, readerOf(fields));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#unreadable !== null) return;
    try {
      this.#rows.push((this.#kept?.readers.get(this.#name) ?? NO_FIELDS)(fields));
    } catch (error) {
      this.#unreadable = { error };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const readers = this.#kept?.readers;
    if (readers?.has(this.#name) === false) readers.set(this.#name, NO_FIELDS);
    this.command = text;
    this.answers.push(this.#rows);
    this.#rows = [];
  }

  /** The answer to a statement without text. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    if (this.#kept !== null) this.#kept.answeredAt = performance.now();
    if (this.#unreadable === null) this.#resolve();
    else this.#reject(this.#unreadable.error);
  }

  handleError(error: unknown): void {
    for (const { name } of this.#statements.slice(this.succeeded)) {
      if (name === '') continue;
      this.#kept?.readers.delete(name);
      this.#kept?.doubtful.add(name);
    }
    this.#reject(error);
  }

  get #name(): string {
    return (this.#statements[this.succeeded] as Prepared).name;
  }
}

/**
 * True for connections on which a statement got no answer in time. They are not used any more, because a late answer to
 * that statement could be mistaken for the answer to a later statement.
 */
export function isSilent(client: PoolClient): boolean {
  return silent.has(client);
}

/**
 * From now on, the server keeps no prepared statements for the connection. Call this for a connection through a pooler,
 * where the next trip may go to another session.
 */
export function shareSessions({ connection }: { readonly connection: Connection }): void {
  sharing.add(connection);
}

/** Whether the server answered on this connection a moment ago. If so, it is assumed to be reachable. */
export function isFresh({ connection }: PoolClient): boolean {
  const at = kept.get(connection)?.answeredAt ?? -Infinity;
  return performance.now() - at < FRESH_MS;
}

function keptOn(connection: Connection): Kept {
  let known = kept.get(connection);
  if (known === undefined) {
    known = { readers: new Map(), doubtful: new Set(), answeredAt: -Infinity };
    kept.set(connection, known);
  }
  return known;
}
