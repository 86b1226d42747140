import type { Field } from '../graphql/fields.ts';
import { byName } from '../names.ts';
import { HEADER, imports, literal, Raw } from './text.ts';

const TYPES = `
export interface Field {
  readonly type: string;
  readonly field: string;
  /** Null only for fields that are not at the root: whoever may see their object may see them. */
  readonly access: 'public' | { readonly scopes: readonly Scope[]; readonly owner: string | null } | null;
  readonly cost: number;
  /** By argument: of those that are given the largest counts once, besides the cost of the results. */
  readonly costs: Readonly<Record<string, number>>;
  readonly list: ListSize | null;
  readonly args: Dto | null;
}

/** How many items a list returns, so that the cost of what hangs on them is known. */
export interface ListSize {
  readonly assumedSize: number | null;
  /** The largest of those that are given counts. */
  readonly slicingArguments: readonly string[];
  /** The fields of what is returned that hold the items; empty where the field itself is the list. */
  readonly sizedFields: readonly string[];
}
`;

/** The data that the SDL gives for every field of every object type. */
export function emitFields(fields: readonly Field[], roots: readonly string[]): string {
  const sorted = fields.toSorted((a, b) => byName(`${a.type}.${a.field}`, `${b.type}.${b.field}`));
  const rows = Object.fromEntries(
    sorted.map((field) => [
      `${field.type}.${field.field}`,
      { ...field, args: field.args === null ? null : new Raw(field.args) },
    ]),
  );
  const args = sorted.flatMap((field) => (field.args === null ? [] : [field.args]));
  const rootFields = sorted
    .filter(({ type }) => roots.includes(type))
    .map(({ type, field }) => `${type}.${field}`);
  return `${HEADER}${imports('dto', args)}import type { Dto } from './members.js';
import type { Scope } from './operations.js';

export type RootField = ${rootFields.map(literal).join(' | ')};
${TYPES}
export const FIELDS: Readonly<Record<string, Field>> = ${literal(rows)};
`;
}
