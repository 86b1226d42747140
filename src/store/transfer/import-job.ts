import type { Currency } from '../../engine/values/currency.js';
import type { Mapping } from './mapping.js';
import type { Kind } from './members.js';
import type { RefusalList } from './raw-row.js';
import type { SourceFile } from './source-file.js';

/** The counts of the first step of an import. */
export interface Taken {
  read: number;
  /** Lines of orders. */
  items: number;
  refused: number;
  /** Rows with the same data as an earlier row that is not refused. */
  repeated: number;
}

/** One run of an import: its files, its options, and the receivers of its reports. */
export interface ImportJob {
  readonly kind: Kind;
  readonly file: SourceFile;
  /** The file of the lines of orders; null if there is no such file. */
  readonly itemsFile: SourceFile | null;
  /** Whether each row of `file` is a line of an order. If so, `itemsFile` is the same file. */
  readonly hasOrderLines: boolean;
  readonly mapping: Mapping;
  readonly currency: Currency;
  readonly isDryRun: boolean;
  /** Whether nothing is written if any row is refused. */
  readonly isStrict: boolean;
  /** Whether an event is written for each row that is stored. */
  readonly hasEvents: boolean;
  readonly refusals: RefusalList;
  readonly progress: (label: string, done: number, total: number) => void;
  /** Called when all rows were read. @param waiting the number of rows that wait to be stored */
  readonly taken?: (taken: Taken, waiting: number) => Promise<void>;
  /**
   * Called if the rows cannot be read, or if a batch cannot be stored, before the error is thrown.
   *
   * @param line the line that cannot be read, or the first line of the batch that was not stored; null if not known
   * @param taken the counts of the rows that were read, if not all rows were read
   */
  readonly failed?: (line: number | null, taken: Taken | null) => void;
  /** Called often, at least once for each row that is read. If it returns a promise, the import waits for it. */
  readonly pause?: () => Promise<void> | undefined;
}
