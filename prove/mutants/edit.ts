/** A change of a text at one place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit, and its description for people: `maxLength: 200 → 201`. */
export interface Change {
  readonly edit: Edit;
  readonly what: string;
}

/** A change with its place: `ProductName`. */
export interface Candidate extends Change {
  readonly place: string;
}

/** By the kind of change: every change of this kind that a contract can have. */
export type Candidates = Readonly<Record<string, readonly Candidate[]>>;

export function applied(text: string, { start, end, text: other }: Edit): string {
  return text.slice(0, start) + other + text.slice(end);
}
