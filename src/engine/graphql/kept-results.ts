import { Kind, type OperationDefinitionNode } from 'graphql';
import { rightsOf, type Principal } from '../access/principal.js';
import type { Reads } from '../database/reads.js';
import type { AdmittedOperation } from './admitted-operation.js';
import { CHANGING } from './field.js';
import type { TextResult } from './text-result.js';

/** The most characters of all kept results, and of one of them. */
const MOST_CHARACTERS = 16_000_000;
const MOST_OF_ONE = 64_000;
/** The most results, with the ones that were asked for only once. */
const MOST_RESULTS = 20_000;
/** Longer variables are not compared. */
const MOST_OF_VARIABLES = 500;

/** A result as JSON; null if it was asked for only once, and was not kept. */
type Kept = string | null;
type Result = TextResult | null;

/**
 * Keeps the results of compiled queries until the next commit. The version of the data is read for each query, so
 * nothing outdated is ever shown. A result is kept at its second request, because most results are requested only once.
 * Results with errors are not kept. With PostgreSQL nothing is kept, because there a version costs as much as a query.
 */
export class KeptResults {
  private version: unknown;
  /** If `young` is half of the bound, it takes the place of `old`. So results that are often requested stay. */
  private young = new Map<string, Kept>();
  private old = new Map<string, Kept>();
  private characters = 0;
  /** Null: the results of the operation are not kept. */
  private readonly names = new WeakMap<OperationDefinitionNode, string | null>();
  private readonly rights = new WeakMap<Principal, string>();
  private named = 0;

  constructor(private readonly reads: Pick<Reads, 'version'>) {}

  /** The kept result, or that of `execute`. */
  of(
    admitted: AdmittedOperation,
    principal: Principal,
    execute: () => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const name = this.nameOf(admitted, principal);
    const version = name === null ? null : this.currentVersion();
    if (name === null || version === null) return execute();
    if (version !== this.version) this.forget(version);
    const young = this.young.get(name);
    const kept = young === undefined ? this.old.get(name) : young;
    if (typeof kept === 'string') {
      if (young === undefined) this.keep(name, kept);
      return { data: kept, errors: undefined };
    }
    const finish = (result: Result): Result => {
      const isShort = result !== null && !result.errors && result.data.length <= MOST_OF_ONE;
      // If there was a commit meanwhile, the result may be older than the present version.
      if (isShort && version === this.version) this.keep(name, kept === null ? result.data : null);
      return result;
    };
    const result = execute();
    return result instanceof Promise ? result.then(finish) : finish(result);
  }

  /** Two queries with the same name have the same result, as long as there is no commit. */
  private nameOf({ operation, values }: AdmittedOperation, principal: Principal): string | null {
    let name = this.names.get(operation);
    if (name === undefined) {
      this.named += 1;
      name = isKeepable(operation) ? String(this.named) : null;
      this.names.set(operation, name);
    }
    if (name === null) return null;
    const variables = JSON.stringify(values);
    if (variables.length > MOST_OF_VARIABLES) return null;
    let rights = this.rights.get(principal);
    if (rights === undefined) {
      rights = rightsOf(principal);
      this.rights.set(principal, rights);
    }
    return `${name} ${rights} ${variables}`;
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
