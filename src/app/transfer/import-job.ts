import type { Currency } from '../../engine/values/currency.js';
import type { Mapping } from './mapping.js';
import type { Kind } from './members.js';
import type { Refusals } from './refusals.js';
import type { SourceFile } from './source-file.js';

/** One run of `import`: its files, its options, and the receivers of its reports. */
export interface ImportJob {
  readonly kind: Kind;
  readonly file: SourceFile;
  /** The lines of orders, when they are in a file of their own. */
  readonly itemsFile: SourceFile | null;
  readonly mapping: Mapping;
  readonly currency: Currency;
  readonly isDryRun: boolean;
  /** Whether nothing is written if any row is refused. */
  readonly isStrict: boolean;
  /** Whether an event is written for each row that is stored. */
  readonly hasEvents: boolean;
  readonly refusals: Refusals;
  readonly progress: (label: string, done: number, total: number) => void;
}
