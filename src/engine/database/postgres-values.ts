import { types } from 'pg';
import { AnyOf, requireExact, type Row, type Value } from './sql.js';

/** A column of an answer. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

const INT8: number = types.builtins.INT8;
const TIMESTAMPTZ: number = types.builtins.TIMESTAMPTZ;

/** Makes a row from the texts that the server sends. */
export type RowReader = (texts: readonly (string | null)[]) => Row;

/** For statements that return no rows. */
export const NO_FIELDS: RowReader = () => ({});

export function readerOf(fields: readonly Field[]): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => [name, parserOf(dataTypeID)] as const);
  return (texts) => {
    const row: Record<string, unknown> = {};
    for (const [index, [name, parse]] of columns.entries()) {
      const text = texts[index] as string | null;
      row[name] = text === null ? null : parse(text);
    }
    return row;
  };
}

/**
 * The function that reads the values of a type. It throws for a `bigint` that a number cannot hold exactly, because the
 * value must not be rounded. Ids and amounts of money are small enough.
 */
export function parserOf(oid: number): (text: string) => unknown {
  if (oid === INT8) return (digits) => requireExact(Number(digits));
  const parse = types.getTypeParser(oid, 'text') as (text: string) => unknown;
  if (oid !== TIMESTAMPTZ) return parse;
  // `Date` reads an instant in the usual form, because the parser of the driver takes ten times as long.
  return (text) => (USUAL_INSTANT.test(text) ? new Date(`${text.replace(' ', 'T')}:00`) : parse(text));
}

const USUAL_INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?[+-]\d\d$/;

/** A value as the driver sends it. */
export function bound(value: Value | AnyOf): string | Buffer | null {
  if (typeof value === 'string' || value === null || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number') return String(requireExact(value));
  if (value instanceof Date) return instantText(value);
  if (value instanceof AnyOf) return `{${value.ids.map(requireExact).join()}}`;
  return String(typeof value === 'bigint' ? requireExact(Number(value)) : value);
}

/** PostgreSQL has no signs before years, and no year 0. */
function instantText(instant: Date): string {
  requireExact(instant.getTime());
  const text = instant.toISOString();
  const year = instant.getUTCFullYear();
  if (year >= 1 && year <= 9_999) return text;
  const rest = text.slice(text.indexOf('-', 1));
  return year < 1 ? `${String(1 - year).padStart(4, '0')}${rest} BC` : `${year}${rest}`;
}
