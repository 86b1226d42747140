import { GraphQLScalarType, GraphQLError } from 'graphql';
import { isoOf, momentOf } from '../values/moment.js';

/** RFC 3339. The output is in UTC with milliseconds. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (value instanceof Date) return isoOf(value);
    throw new TypeError(`Not a moment: ${String(value)}`);
  },
  parseValue(value) {
    const moment = typeof value === 'string' ? momentOf(value) : null;
    if (moment) return moment;
    throw new GraphQLError('must be a moment in RFC 3339, such as 2026-11-21T08:44:54.000Z');
  },
});

/** `Int` ends at 2^31 - 1, JavaScript's integers at 2^53 - 1. */
export const SafeInt = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  serialize: requireSafeInteger,
  parseValue: requireSafeInteger,
});

function requireSafeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError(`must be an integer up to 2^53 - 1, not ${String(value)}`);
}
