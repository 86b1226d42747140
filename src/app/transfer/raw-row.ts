/** A row of a file, by column. */
export type RawRow = Readonly<Record<string, unknown>>;

export interface Fault {
  readonly column: string;
  readonly value: string;
  readonly reason: string;
  /** A fault that many rows may have: the first row reports it, the others are counted as consequences of it. */
  readonly about?: { readonly key: string; readonly others: Consequence };
  /** There only when the row is refused because of a fault that is reported elsewhere. */
  readonly follows?: Consequence;
}

/**
 * The reason why a row is refused whose only faults are reported elsewhere already. The words follow a number in the
 * summary.
 */
export type Consequence =
  | 'with a line that is refused'
  | 'that repeat a refused row'
  | 'that refer to what is named above as missing'
  | 'with an id or address that is named above as taken';

/** A value in the form in which a fault shows it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
}
