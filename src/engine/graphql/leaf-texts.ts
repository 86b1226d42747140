import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GRAPHQL_MAX_INT,
  GRAPHQL_MIN_INT,
  GraphQLString,
  type GraphQLLeafType,
} from 'graphql';
import { isoOf } from '../values/moment.js';
import { DateTime } from './scalars.js';

type LeafWriter = (value: unknown) => string | null;

/**
 * Makes the function that writes a value of a scalar or an enum as JSON. The function returns null, or throws,
 * for a value that is not of the type.
 */
export function leafWriter(type: GraphQLLeafType): LeafWriter {
  const any: LeafWriter = (value) => {
    const serialised: unknown = type.serialize(value);
    return serialised === null || serialised === undefined ? null : JSON.stringify(serialised);
  };
  return USUAL.get(type.serialize)?.(any) ?? any;
}

/**
 * These functions write the usual values of rows without the general serialiser of the type. The key is the serialiser
 * and not the type: a schema can have its own copy of a type, such as `DateTime`, and the copy has the same serialiser.
 */
const USUAL: ReadonlyMap<unknown, (any: LeafWriter) => LeafWriter> = new Map<
  unknown,
  (any: LeafWriter) => LeafWriter
>([
  [
    GraphQLString.serialize,
    (any) => (value) => (typeof value === 'string' ? JSON.stringify(value) : any(value)),
  ],
  [
    GraphQLID.serialize,
    (any) => (value) => (typeof value === 'number' && Number.isInteger(value) ? `"${value}"` : any(value)),
  ],
  [
    GraphQLInt.serialize,
    (any) => (value) =>
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value <= GRAPHQL_MAX_INT &&
      value >= GRAPHQL_MIN_INT
        ? String(value)
        : any(value),
  ],
  [
    GraphQLFloat.serialize,
    (any) => (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : any(value)),
  ],
  [DateTime.serialize, (any) => (value) => (value instanceof Date ? `"${isoOf(value)}"` : any(value))],
  [GraphQLBoolean.serialize, (any) => (value) => (typeof value === 'boolean' ? String(value) : any(value))],
]);
