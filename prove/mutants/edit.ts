/** A change of a text at one place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit, and its description, such as `maxLength: 200 → 201`. */
export interface Change {
  readonly edit: Edit;
  readonly what: string;
}

/** A change, and the place of the change, such as `ProductName`. */
export interface Candidate extends Change {
  readonly place: string;
}

/** All possible changes of a contract, by kind. */
export type Candidates = Readonly<Record<string, readonly Candidate[]>>;

export function applied(text: string, { start, end, text: other }: Edit): string {
  return text.slice(0, start) + other + text.slice(end);
}
