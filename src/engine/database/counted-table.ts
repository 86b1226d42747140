import type { Page as ContractPage, Slice as ContractSlice, Soon } from '../../generated/contract.js';
import type { Piece } from './slices.js';

export interface Page<E> extends ContractPage<E> {
  readonly total: number;
}

export interface Slice<E> extends ContractSlice<E> {
  readonly total: number;
}

/** The members that every row of a counted table has. The version rises with every change of a shown value. */
export interface Row {
  readonly id: number;
  readonly version: number;
}

/**
 * A table whose migration called `createCounts`. Reading a page in the order of ids takes about the same time for every
 * page, and for every size of the table. Reading the exact number of rows takes about the same time too.
 *
 * Results may be shared with other readers of the same rows. Do not change them.
 */
export abstract class CountedTable<E extends Row> {
  /** On SQLite, returns the row itself, and not a promise. */
  abstract find(id: number): Soon<E | null>;

  /**
   * At most `limit` rows after the first `offset` rows, and the total, both as they were at the same moment. On SQLite,
   * returns the page itself, and not a promise.
   */
  abstract page(offset: number, limit: number): Soon<Page<E>>;

  /** The rows after or before an id, and the total. */
  abstract slice(piece: Piece): Promise<Slice<E>>;

  /** The rows with the highest ids, the highest first. */
  abstract newest(limit: number): Promise<readonly E[]>;

  abstract total(): Promise<number>;
}

export abstract class CountedTables {
  /** Call this at start. All callers share the counts of the table. */
  abstract of<E extends Row>(entity: new () => E): CountedTable<E>;

  abstract stop(): Promise<void>;
}
