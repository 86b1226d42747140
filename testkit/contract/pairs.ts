import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { Operation } from './model.ts';

/*
 * A relation of many rows to many rows, such as `/categories/{id}/products/{product_id}`: its PUT stores a pair of ids,
 * and its DELETE removes the pair.
 */

/** A part of a contract that shows the pairs of a row. */
export interface PairReader {
  /** The path parameter that names the row whose pairs are shown: `holder` or `member` of `Relation`. */
  readonly of: string;
  /** The other of the two path parameters. It names a row of the kind whose ids are shown. */
  readonly shows: string;
  /** A GET that answers with a list, or a type of GraphQL and the selection that reads ids from a row of this type. */
  readonly by: Operation | { readonly type: string; readonly selection: string };
}

export interface Relation {
  /** The first path parameter of the PUT. It names a row of one side. */
  readonly holder: string;
  /** The second path parameter of the PUT. It names a row of the other side. */
  readonly member: string;
  /** The DELETE that removes a pair. */
  readonly remove: Operation | undefined;
  readonly readers: readonly PairReader[];
}

/** The operations that store a pair: a PUT without a body, whose path names two rows. */
export function pairPutsIn(operations: readonly Operation[]): Operation[] {
  return operations.filter(
    ({ method, body, path, pathRows }) =>
      method === 'PUT' && body === null && path.endsWith('}') && Object.keys(pathRows).length === 2,
  );
}

/**
 * The relation of an operation that stores a pair.
 *
 * @throws Error when no part of the contracts shows the pairs, so that no client could see a change
 */
export function relationOf(
  put: Operation,
  operations: readonly Operation[],
  schema: GraphQLSchema,
): Relation {
  const [holder = '', member = ''] = Object.keys(put.pathRows);
  const at = (method: string, path: string): Operation | undefined =>
    operations.find((each) => each.method === method && each.path === path);
  const path = put.path.replace(/\/\{\w+\}$/, '');
  const list = at('GET', path);
  const fields = [
    ...fieldsBetween(schema, put, holder, member),
    ...fieldsBetween(schema, put, member, holder),
  ];
  const readers = [...(list ? [{ of: holder, shows: member, by: list }] : []), ...fields];
  if (readers.length === 0) {
    const [one, other] = [put.pathRows[holder], put.pathRows[member]];
    throw new Error(
      `Nothing shows the pairs of ${put.path}, so no client can see a change of them. Declare GET ${path} in ` +
        `openapi.yaml, or in schema.graphql a field of ${one} with a list of ${other}, or a field of ${other} with a list of ${one}.`,
    );
  }
  return { holder, member, remove: at('DELETE', put.path), readers };
}

/** The fields that list rows of the kind `shows`. They are in the type of the kind `of`. */
function fieldsBetween(schema: GraphQLSchema, put: Operation, of: string, shows: string): PairReader[] {
  const [type = '', other = ''] = [put.pathRows[of], put.pathRows[shows]];
  const owner = schema.getType(type);
  if (!isObjectType(owner)) return [];
  return Object.values(owner.getFields()).flatMap((field): PairReader[] => {
    const ids = field.args.some(isRequiredArgument) ? null : idsIn(field, other);
    return ids === null ? [] : [{ of, shows, by: { type, selection: `pairs: ${field.name} ${ids}` } }];
  });
}

/** The selection that reads the ids of a list or of a connection; null for another field. */
function idsIn({ type }: GraphQLField<unknown, unknown>, entity: string): string | null {
  const { name } = getNamedType(type);
  if (name === `${entity}Connection`) return '{ nodes { id } }';
  return name === entity && isListType(getNullableType(type)) ? '{ id }' : null;
}
