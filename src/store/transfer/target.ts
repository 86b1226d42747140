import type { Steps } from '../../engine/database/sql.js';
import type { Fault } from './raw-row.js';
import type { StagedRow } from './staging.js';

/** A row that was never imported from this source, or was last imported with other data. */
export interface Changing extends StagedRow {
  /** The id of our row, if there is one. */
  readonly ownId: number | null;
}

/** The operations of an import on the tables of one kind of rows. All of them run inside the act of a batch. */
export interface Target<R> {
  /**
   * Checks the rows against the store where this is needed, and finds the rows to which they refer. Returns for each
   * row, in the order of the rows, either the data to store or the faults.
   */
  resolve(rows: readonly Changing[]): Steps<readonly (R | readonly Fault[])[]>;
  insert(rows: readonly { readonly id: number; readonly row: R }[]): Steps<void>;
  /** Updates a row. Returns whether its status has changed, because a changed status gets an event of its own. */
  update(id: number, row: R): Steps<boolean>;
  /** The last steps of the act. They run only if a row of the batch has the outcome `updated`. */
  conclude?(): Steps<void>;
}
