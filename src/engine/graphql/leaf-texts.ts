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

type LeafWriter = (value: unknown) => string | null;

/**
 * Makes the function that writes a value of a scalar or an enum as JSON. It returns null, or throws, for a value that
 * is not of the type.
 */
export function leafWriter(type: GraphQLLeafType): LeafWriter {
  const any: LeafWriter = (value) => {
    const serialized: unknown = type.serialize(value);
    return serialized === null || serialized === undefined ? null : JSON.stringify(serialized);
  };
  return USUAL.get(type)?.(any) ?? any;
}

/** The values that rows usually have are written without the general serializer of their type. */
const USUAL: ReadonlyMap<GraphQLLeafType, (any: LeafWriter) => LeafWriter> = new Map<
  GraphQLLeafType,
  (any: LeafWriter) => LeafWriter
>([
  [GraphQLString, (any) => (value) => (typeof value === 'string' ? JSON.stringify(value) : any(value))],
  [
    GraphQLID,
    (any) => (value) => (typeof value === 'number' && Number.isInteger(value) ? `"${value}"` : any(value)),
  ],
  [
    GraphQLInt,
    (any) => (value) =>
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value <= GRAPHQL_MAX_INT &&
      value >= GRAPHQL_MIN_INT
        ? String(value)
        : any(value),
  ],
  [
    GraphQLFloat,
    (any) => (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : any(value)),
  ],
  [GraphQLBoolean, (any) => (value) => (typeof value === 'boolean' ? String(value) : any(value))],
]);
