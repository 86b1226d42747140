import type { Steps } from '../../engine/database/sql.js';
import type { Fault } from './raw-row.js';

/** A row that the store refused, or that lost its id or its address to another row. */
export interface RefusedRow {
  readonly line: number;
  /** The faults as they are reported. If many rows may have the same fault, the fault has an `about`. */
  readonly faults: readonly Fault[];
}

export interface Written {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly refused: readonly RefusedRow[];
  /** The number of rows that repeat a refused row, and so are refused with it. `refused` does not contain them. */
  readonly refusedRepeats: number;
}

/**
 * Remembers the batches of an import, each in the transaction that writes the batch. If the import is begun again, it
 * reads the same file again, gets the same batches, and skips the batches that are remembered. So a row is neither left
 * out nor written twice, and the counts are right.
 */
export interface Ledger {
  /** The number of rows in a batch. */
  readonly size: number;
  /** The result of a batch that an earlier run has done; null if the batch is not done. */
  find(batch: number): Promise<Written | null>;
  /** A step of the act that writes the batch. @throws an error, to end the import before the batch */
  save(batch: number, rows: number, written: Written): Steps<void>;
}
