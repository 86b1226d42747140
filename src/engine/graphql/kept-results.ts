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

/** A result as JSON; null if it was requested only once, and was not cached. */
type Kept = string | null;

/**
 * Caches the results of compiled queries until the next commit. The version of the data is read for each query, so
 * nothing outdated is ever shown. The first query after a commit removes all cached results. A result is cached at its
 * second request, because most results are requested only once. Results with errors are not cached. On PostgreSQL
 * nothing is cached, because PostgreSQL has no such version; see `Reads.version`.
 */
export class KeptResults {
  private version: unknown;
  /**
   * New entries go into `young`. When `young` has reached half of a bound, it takes the place of `old`. A result in
   * `old` that is requested again is also put into `young`. So results that are often requested stay.
   */
  private young = new Map<string, Kept>();
  private old = new Map<string, Kept>();
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
    const young = this.young.get(name);
    const kept = young === undefined ? this.old.get(name) : young;
    if (typeof kept === 'string') {
      if (young === undefined) this.keep(name, kept);
      return { data: kept, errors: undefined };
    }
    const finish = (result: TextResult): TextResult => {
      const isShort = !result.errors && result.data.length <= MOST_OF_ONE;
      // If there was a commit meanwhile, the result may be older than the present version.
      if (isShort && version === this.version) this.keep(name, kept === null ? flat(result.data) : null);
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

  private keep(name: string, kept: Kept): void {
    this.young.set(name, kept);
    this.characters += name.length + (kept?.length ?? 0);
    if (this.young.size <= MOST_RESULTS / 2 && this.characters <= MOST_CHARACTERS / 2) return;
    this.old = this.young;
    this.young = new Map();
    this.characters = 0;
  }

  private forget(version: unknown): void {
    this.version = version;
    this.young.clear();
    this.old.clear();
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
