import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { requireThat } from '../options.ts';
import { directive } from './sdl.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The number of items that the operation asks for, by the name of the field that holds them (`edges`, `nodes`). */
type Sizes = Readonly<Record<string, number>>;

/**
 * Computes what an operation costs, as the descriptions of `@cost` and `@listSize` say. Fragments are not supported.
 */
export class Costs {
  readonly #schema: GraphQLSchema;

  constructor(sdl: string) {
    this.#schema = buildSchema(sdl);
  }

  /**
   * Call this only for an operation that was executed, because the answer to a refused operation has no cost.
   *
   * @throws Broken when the answer does not say the cost, or says a wrong cost
   */
  requireTold(id: string, query: string, variables: Variables, told: unknown): void {
    const cost = told as { readonly requested?: unknown } | undefined;
    requireThat(typeof cost?.requested === 'number', () => `${id} does not say its cost.`);
    const due = this.of(query, variables);
    requireThat(
      cost.requested === due,
      () => `${id} says that it costs ${String(cost.requested)}, but it costs ${due}.`,
    );
  }

  of(query: string, variables: Variables): number {
    const [operation] = parse(query).definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`This is not an operation: ${query}`);
    const root = this.#schema.getRootType(operation.operation);
    return this.#selected(operation.selectionSet, root ?? null, variables, {});
  }

  #selected(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | null,
    variables: Variables,
    sizes: Sizes,
  ): number {
    const costs = selections.map((each) => {
      if (each.kind !== Kind.FIELD) throw new Error('Operations of this proof have no fragments.');
      const field = isObjectType(type) ? type.getFields()[each.name.value] : undefined;
      return field === undefined ? 0 : this.#ofField(each, field, variables, sizes);
    });
    return costs.reduce((sum, cost) => sum + cost, 0);
  }

  #ofField(
    node: FieldNode,
    field: GraphQLField<unknown, unknown>,
    variables: Variables,
    sizes: Sizes,
  ): number {
    const type = getNamedType(field.type);
    const given = (node.arguments ?? []).map(
      ({ name, value }) => [name.value, valueOf(value, variables)] as const,
    );
    const isGiven = (name: string): boolean => given.some(([each, value]) => each === name && value != null);
    const size = directive(field, 'listSize');
    const slicing = (size?.['slicingArguments'] ?? []) as readonly string[];
    const wanted = given.filter(([name, value]) => slicing.includes(name) && typeof value === 'number');
    const items =
      wanted.length > 0
        ? Math.max(...wanted.map(([, value]) => value as number))
        : Number(size?.['assumedSize'] ?? 1);
    const inner = (size?.['sizedFields'] ?? []) as readonly string[];
    const inside = node.selectionSet
      ? this.#selected(
          node.selectionSet,
          type,
          variables,
          Object.fromEntries(inner.map((name) => [name, items])),
        )
      : 0;
    const results = sizes[field.name] ?? (isList(field) ? items : 1);
    const weight = directive(field, 'cost')?.['weight'] ?? (isCompositeType(type) ? 1 : 0);
    const dearest = Math.max(
      0,
      ...field.args
        .filter(({ name }) => isGiven(name))
        .map((argument) => Number(directive(argument, 'cost')?.['weight'] ?? 0)),
    );
    return results * (Number(weight) + inside) + dearest;
  }
}

function isList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** The value of an argument, as far as a cost depends on it. */
function valueOf(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.NULL ? null : value.kind;
}
