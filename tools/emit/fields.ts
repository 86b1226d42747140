import type { Field } from '../graphql/fields.ts';
import { byName } from '../names.ts';
import { HEADER, imports, literal, Raw } from './text.ts';

const TYPES = `
export interface Field {
  readonly type: string;
  readonly field: string;
  /** Null only for fields that are not at the root. A caller who may see the object may see these fields. */
  readonly access: 'public' | { readonly scopes: readonly Scope[]; readonly owner: string | null } | null;
  readonly cost: number;
  /** By argument. The largest cost of the given arguments counts once, in addition to the cost of the results. */
  readonly costs: Readonly<Record<string, number>>;
  readonly list: ListSize | null;
  readonly args: Dto | null;
}

/** The number of items that a list returns, from which the cost of their fields follows. */
export interface ListSize {
  readonly assumedSize: number | null;
  /** The largest of the given arguments counts. */
  readonly slicingArguments: readonly string[];
  /** The fields of the returned object that hold the items; empty if the field itself is the list. */
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
  return `${HEADER}${imports('./dto', args)}import type { Dto } from '../rules/members.js';
import type { Scope } from './operations.js';

export type RootField = ${rootFields.map(literal).join(' | ')};
${TYPES}
export const FIELDS: Readonly<Record<string, Field>> = ${literal(rows)};
`;
}
