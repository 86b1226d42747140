import type { Reading, TextStep } from './convert.js';
import { ITEM_MEMBERS, MEMBERS, type Kind, type Members } from './members.js';
import { DEFAULT_READING } from './convert.js';
import { AMOUNTS, amountColumns } from './own-row.js';

/** The part of a rule that gives the text of a member: a column, a fixed value, a template or a condition. */
export type TextSource =
  | { readonly column: string }
  | { readonly value: string }
  | {
      readonly template: readonly (
        string | { readonly column: string; readonly steps: readonly TextStep[] }
      )[];
    }
  | { readonly condition: Condition; readonly met: Rule; readonly otherwise: Rule | null };

export interface Condition {
  readonly column: string;
  /** The texts for which the condition holds; null if it holds for any text. */
  readonly is: readonly string[] | null;
  /** Whether the condition is inverted. */
  readonly not: boolean;
}

export interface Rule {
  readonly textSource: TextSource;
  readonly steps: readonly TextStep[];
  readonly reading: Reading;
  /** The text that is used when there is no other. */
  readonly fallback: string | null;
  readonly required: boolean;
}

export type Rules = Readonly<Record<string, Rule>>;

/**
 * A column that a mapping names, with the place of the name in the mapping. The header of the file must have this
 * column.
 */
export interface Named {
  readonly column: string;
  /** Another column that can replace this column. */
  readonly or?: string;
  readonly place: string;
}

/** The rules by which the rows of a file become our rows. */
export interface Mapping {
  readonly source: string;
  readonly fields: Rules;
  readonly items: Items | null;
  /** Texts that mean that there is no value. */
  readonly absent: ReadonlySet<string>;
  readonly delimiter: string;
  readonly columns: readonly Named[];
  readonly itemColumns: readonly Named[];
  /** Whether the file has the store's own format: only our columns and, in CSV, texts guarded against formulas. */
  readonly isOwn: boolean;
}

export interface Items {
  readonly fields: Rules;
  /** The name of the member that holds the items of an order, in a file of NDJSON. */
  readonly list: string;
}

/** The mapping for our own files: every column has the name of its member. */
export function ownMapping(kind: Kind, source: string): Mapping {
  return {
    source,
    fields: ownRules(MEMBERS[kind]),
    items: kind === 'orders' ? { fields: ownRules(ITEM_MEMBERS), list: 'items' } : null,
    absent: new Set(['']),
    delimiter: ',',
    columns: requiredColumns(MEMBERS[kind], kind),
    itemColumns: requiredColumns(ITEM_MEMBERS, 'items'),
    isOwn: true,
  };
}

function ownRules(members: Members): Rules {
  return Object.fromEntries(
    Object.entries(members).map(([name, { required }]): [string, Rule] => [
      name,
      {
        textSource: { column: name },
        steps: [],
        reading: DEFAULT_READING,
        fallback: null,
        required: required === true,
      },
    ]),
  );
}

/**
 * Whether a row of this kind must have an id. The next import of the same file finds a row by its id. Products and
 * users need no id, because the import finds them by their data.
 */
export function needsId(kind: Kind | 'items'): boolean {
  return kind === 'orders' || kind === 'items';
}

function requiredColumns(members: Members, kind: Kind | 'items'): Named[] {
  return Object.entries(members)
    .filter(([name, { required }]) => required !== false && (name !== 'id' || needsId(kind)))
    .map(([column]) => ({
      column,
      place: "the store's own format",
      ...(AMOUNTS[kind].includes(column) && { or: amountColumns(column)[0] }),
    }));
}
