import { getArgumentValues, Kind, visit, BREAK, type FieldNode, type GraphQLField } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;
type Arguments = Readonly<Record<string, unknown>>;

const NONE: Arguments = Object.freeze(Object.create(null) as Arguments);

/**
 * Makes the function that returns the arguments of a selected field. The arguments are read only once if they have no
 * variables and no objects: then they are always the same, and no resolver can change them.
 */
export function argumentsFor(
  field: Pick<GraphQLField<unknown, unknown>, 'args'>,
  node: FieldNode,
): (variables: Variables) => Arguments {
  if (field.args.length === 0) return () => NONE;
  const read = (variables: Variables): Arguments =>
    getArgumentValues(field as GraphQLField<unknown, unknown>, node, variables);
  if (hasVariable(node)) return read;
  const values = Object.freeze(read({}));
  return Object.values(values).some((value) => typeof value === 'object' && value !== null)
    ? read
    : () => values;
}

function hasVariable({ arguments: given = [] }: FieldNode): boolean {
  let found = false;
  for (const { value } of given) {
    visit(value, {
      [Kind.VARIABLE]: () => {
        found = true;
        return BREAK;
      },
    });
  }
  return found;
}
