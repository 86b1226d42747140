import type { Page as ContractPage, Slice as ContractSlice } from '../../generated/contract.js';
import type { Piece } from './slices.js';

export interface Page<E> extends ContractPage<E> {
  readonly total: number;
}

export interface Slice<E> extends ContractSlice<E> {
  readonly total: number;
}

/** What a counted table needs of its rows: a version that rises with every change of them. */
export interface Row {
  readonly id: number;
  readonly version: number;
}

/**
 * A table whose migration called `createCounts`: any page in the order of ids, and the exact number of rows,
 * cost about the same however large the table and however far the page.
 *
 * What it returns may be shared with others who read the same rows: it must not be changed.
 */
export abstract class CountedTable<E extends Row> {
  abstract find(id: number): Promise<E | null>;

  /** At most `limit` rows after the first `offset`, and the total, both of one moment. */
  abstract page(offset: number, limit: number): Promise<Page<E>>;

  /** The rows behind or before an id, and the total. */
  abstract slice(piece: Piece): Promise<Slice<E>>;

  /** The rows with the highest ids, the highest first. */
  abstract newest(limit: number): Promise<readonly E[]>;

  abstract total(): Promise<number>;
}

export abstract class CountedTables {
  /** To be called once, by the repository that owns the table. */
  abstract of<E extends Row>(entity: new () => E): CountedTable<E>;

  abstract stop(): Promise<void>;
}
