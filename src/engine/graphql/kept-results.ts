import { Kind, type OperationDefinitionNode } from 'graphql';
import { rightsOf, type Principal } from '../access/principal.js';
import type { Reads } from '../database/reads.js';
import type { AdmittedOperation } from './admitted-operation.js';
import { CHANGING } from './field.js';
import type { TextResult } from './text-result.js';

/** The maximum number of characters of all cached results together. A character takes one or two bytes. */
const MOST_CHARACTERS = 16_000_000;
/** The maximum number of characters of one cached result. */
const MOST_OF_ONE = 64_000;
/** The maximum number of entries. A result that was requested only once has an entry without its text. */
const MOST_RESULTS = 20_000;
/** The results of queries with longer variables are not cached. */
const MOST_OF_VARIABLES = 500;

interface Kept {
  /** The result as JSON; null if it was requested only once, and is not cached. */
  data: string | null;
  /** Whether `data` has answered a request since it was cached, or since `hand` last passed it. */
  isUsed: boolean;
}

/**
 * Caches the results of compiled queries until the next commit. The version of the data is read for each query, so
 * nothing outdated is ever shown. The first query after a commit removes all cached results. A result is cached at its
 * second request, because most results are requested only once. Results with errors are not cached. On PostgreSQL
 * nothing is cached, because PostgreSQL has no such version; see `Reads.version`.
 */
export class KeptResults {
  private version: unknown;
  private readonly results = new Map<string, Kept>();
  /**
   * When a bound is reached, `hand` goes round the results. It removes each result that has answered no request since
   * the last round (the algorithm CLOCK). So results that are often requested stay.
   */
  private hand = this.results.entries();
  private characters = 0;
  /** Null: the results of the operation are not cached. */
  private readonly operations = new WeakMap<OperationDefinitionNode, string | null>();
  private readonly rights = new WeakMap<Principal, string>();
  private numbered = 0;

  constructor(private readonly reads: Pick<Reads, 'version'>) {}

  /** The cached result, or the result of `execute`. */
  of(
    admitted: AdmittedOperation,
    principal: Principal,
    execute: () => TextResult | Promise<TextResult>,
  ): TextResult | Promise<TextResult> {
    const operation = this.numberOf(admitted.operation);
    const version = operation === null ? null : this.currentVersion();
    if (operation === null || version === null) return execute();
    if (version !== this.version) this.forget(version);
    const variables = JSON.stringify(admitted.values);
    if (variables.length > MOST_OF_VARIABLES) return execute();
    // Two queries with the same `name` have the same result, as long as there is no commit.
    const name = `${operation} ${this.rightsOf(principal)} ${variables}`;
    const kept = this.results.get(name);
    if (kept && kept.data !== null) {
      kept.isUsed = true;
      return { data: kept.data, errors: undefined };
    }
    const finish = (result: TextResult): TextResult => {
      const isShort = !result.errors && result.data.length <= MOST_OF_ONE;
      // If there was a commit meanwhile, the result may be older than the present version.
      if (isShort && version === this.version) this.keep(name, result.data);
      return result;
    };
    const result = execute();
    return result instanceof Promise ? result.then(finish) : finish(result);
  }

  /** A name of the operation; null if its results are not cached. */
  private numberOf(operation: OperationDefinitionNode): string | null {
    let number = this.operations.get(operation);
    if (number === undefined) {
      this.numbered += 1;
      number = isKeepable(operation) ? String(this.numbered) : null;
      this.operations.set(operation, number);
    }
    return number;
  }

  private rightsOf(principal: Principal): string {
    let rights = this.rights.get(principal);
    if (rights === undefined) {
      rights = rightsOf(principal);
      this.rights.set(principal, rights);
    }
    return rights;
  }

  private currentVersion(): unknown {
    try {
      return this.reads.version();
    } catch {
      // The query has the same error, and reports it.
      return null;
    }
  }

  private keep(name: string, data: string): void {
    const kept = this.results.get(name);
    if (kept === undefined) {
      this.results.set(name, { data: null, isUsed: false });
      this.characters += name.length;
    } else if (kept.data === null) {
      kept.data = flat(data);
      this.characters += data.length;
    }
    while (this.results.size > MOST_RESULTS || this.characters > MOST_CHARACTERS) this.step();
  }

  /** One step of `hand`. Room for a new result takes at most two rounds, and a round takes a few milliseconds. */
  private step(): void {
    const next = this.hand.next();
    if (next.done) {
      this.hand = this.results.entries();
      return;
    }
    const [name, kept] = next.value;
    if (kept.isUsed) {
      kept.isUsed = false;
      return;
    }
    this.results.delete(name);
    this.characters -= name.length + (kept.data?.length ?? 0);
  }

  private forget(version: unknown): void {
    this.version = version;
    this.results.clear();
    // V8 would keep the removed results in memory as long as there is an iterator that has not passed them.
    this.hand = this.results.entries();
    this.characters = 0;
  }
}

function isKeepable({ selectionSet }: OperationDefinitionNode): boolean {
  return selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && !CHANGING.has(`Query.${selection.name.value}`),
  );
}

/**
 * The same text in one part. V8 joins texts lazily, so a text that was made of many parts takes ten times the memory
 * of its characters, and each request would walk over the parts.
 */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
