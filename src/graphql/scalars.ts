import { GraphQLScalarType, GraphQLError } from 'graphql';

/** RFC 3339, UTC, milliseconds. There is no argument of this type yet, so it only goes out. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    if (value instanceof Date) return value.toISOString();
    throw new TypeError(`Not a moment: ${String(value)}`);
  },
  parseValue(value) {
    const moment = typeof value === 'string' && RFC_3339.test(value) ? new Date(value) : null;
    if (moment && !Number.isNaN(moment.getTime())) return moment;
    throw new GraphQLError('must be a moment in RFC 3339, such as 2026-11-21T08:44:54.000Z');
  },
});

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

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
