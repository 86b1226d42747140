import type { Steps } from '../../engine/database/sql.js';
import type { Fault } from './raw-row.js';

/** A row that was staged first, and then refused. */
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
 * The batch is stored already. The connection broke during the COMMIT of the first attempt. So the importer did not
 * know that the batch was stored, and tried again.
 */
export class BatchStored extends Error {
  constructor(readonly written: Written) {
    super();
  }
}

/**
 * Remembers the batches of an import, each in the transaction that writes the batch. If the import is begun again, it
 * reads the same file again, gets the same batches, and skips the batches that are remembered. So no row is left out or
 * written twice, and the counts are right.
 */
export interface Ledger {
  /** The maximum number of rows of a batch. */
  readonly size: number;
  /** The result of a batch that an earlier run has done; null if the batch is not done. */
  find(batch: number): Promise<Written | null>;
  /**
   * A step of the act that writes the batch. If it throws an error, this act writes nothing.
   *
   * @throws BatchStored
   */
  save(batch: number, rows: number, written: Written): Steps<void>;
}
