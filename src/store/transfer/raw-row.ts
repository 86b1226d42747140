/** A row of a file, by column. */
export type RawRow = Readonly<Record<string, unknown>>;

export interface Fault {
  readonly column: string;
  readonly value: string;
  readonly reason: string;
  /**
   * This member is set for a fault that many rows may have. The fault is reported for the first row. The other rows are
   * counted as consequences.
   */
  readonly about?: { readonly key: string; readonly others: Consequence };
  /** This member is set only if the row is refused because of a fault that is reported elsewhere. */
  readonly follows?: Consequence;
}

export interface Refusal extends Fault {
  readonly file: string;
  readonly line: number;
}

/** Receives the faults of refused rows. */
export interface RefusalList {
  add(refusals: readonly Refusal[]): void;
  /** Called when the import has succeeded. */
  finish(): void;
  /** Called when the import has ended, also after `finish`. */
  abandon(): void;
}

/**
 * The reason for a refusal if all faults of the row are already reported elsewhere. In the summary, these words come
 * after a number of rows. The command line has other words for one row, if the grammar needs them.
 */
export type Consequence =
  | 'with a line that is refused'
  | 'of an order with another row that is refused'
  | 'that repeat a refused row'
  | 'that refer to the missing rows above'
  | 'whose id or address is taken, as reported above';

/** A value in the form in which a fault shows it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return startOf(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

/** The start of a text, as a copy. The result of `slice` would keep the whole text in memory. */
export function startOf(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}
