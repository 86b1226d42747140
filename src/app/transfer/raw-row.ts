/** A row of a file, by column. */
export type RawRow = Readonly<Record<string, unknown>>;

export interface Fault {
  readonly column: string;
  readonly value: string;
  readonly reason: string;
  /** What many rows may say: the first one is told, the others are counted as consequences of it. */
  readonly about?: { readonly key: string; readonly others: Consequence };
  /** Only there because of a fault that is told elsewhere. */
  readonly follows?: Consequence;
}

/** Why a row is refused in which nothing is wrong that is not told already, in words that go behind a number. */
export type Consequence =
  | 'with a line that is refused'
  | 'that repeat a refused row'
  | 'that refer to what is named above as missing'
  | 'with an id or address that is named above as taken';

/** A value as a fault shows it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
}
