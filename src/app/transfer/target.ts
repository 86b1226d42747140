import type { Steps } from '../../engine/database/sql.js';
import type { Fault } from './raw-row.js';
import type { StagedRow } from './staging.js';

/** A row that the store does not have yet, or has otherwise. */
export interface Changing extends StagedRow {
  /** Of our row, when there is one. */
  readonly ownId: number | null;
}

/** What a table does with rows: the part of an import that differs from kind to kind. All of it runs inside one act. */
export interface Target<R> {
  /** Looks up what rows refer to, in their order: what is to be stored, or why it cannot be. */
  resolve(rows: readonly Changing[]): Steps<readonly (R | readonly Fault[])[]>;
  insert(rows: readonly { readonly id: number; readonly row: R }[]): Steps<void>;
  /** Whether the row has another status now, which those who follow the store are told of by itself. */
  update(id: number, row: R): Steps<boolean>;
}
