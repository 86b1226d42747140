import {
  getNamedType,
  isCompositeType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { GraphqlLimitExceeded } from '../errors.js';
import { FIELDS } from '../generated/fields.js';

export interface Limits {
  readonly depth: number;
  readonly cost: number;
}

const MAX_ALIASES = 30;
const MAX_ROOT_FIELDS = 20;
const MAX_DIRECTIVES = 50;

interface Size {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
  /** The most that can be returned, weighed by `@cost` and multiplied by `@listSize`. */
  cost: number;
}

/**
 * Measures an operation before it is executed and refuses what is too large. Each fragment is measured once, however
 * often it is spread, so the time is linear in the length of the text.
 *
 * @returns the cost
 * @throws GraphqlLimitExceeded naming the limit, the value and the bound
 */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  limits: Limits,
): number {
  const size = new Measure(schema, document, { ...defaultsOf(operation), ...variables }).operation(operation);
  requireAtMost('depth', size.depth, limits.depth);
  requireAtMost('number of root fields', size.fields, MAX_ROOT_FIELDS);
  requireAtMost('number of aliases', size.aliases, MAX_ALIASES);
  requireAtMost('number of directives', size.directives, MAX_DIRECTIVES);
  requireAtMost('cost', size.cost, limits.cost);
  return size.cost;
}

function requireAtMost(what: string, value: number, bound: number): void {
  if (value > bound) {
    throw new GraphqlLimitExceeded(`The ${what} of this operation is ${value}; it may be at most ${bound}.`);
  }
}

function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue?.kind === Kind.INT) defaults[variable.name.value] = Number(defaultValue.value);
  }
  return defaults;
}

class Measure {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {
    this.fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
  }

  operation(operation: OperationDefinitionNode): Size {
    const root = this.schema.getRootType(operation.operation);
    const size = this.selections(operation.selectionSet, root ?? undefined);
    size.directives += operation.directives?.length ?? 0;
    return size;
  }

  private selections(selectionSet: SelectionSetNode, parent: GraphQLNamedType | undefined): Size {
    const sum: Size = { depth: 0, aliases: 0, directives: 0, fields: 0, cost: 0 };
    for (const selection of selectionSet.selections) {
      const size =
        selection.kind === Kind.FIELD
          ? this.field(selection, parent)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.selections(
                selection.selectionSet,
                this.typeOf(selection.typeCondition?.name.value) ?? parent,
              )
            : this.fragment(selection.name.value);
      sum.depth = Math.max(sum.depth, size.depth);
      sum.aliases += size.aliases;
      sum.directives += size.directives + (selection.directives?.length ?? 0);
      sum.fields += size.fields;
      sum.cost += size.cost;
    }
    return sum;
  }

  private fragment(name: string): Size {
    const known = this.measured.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return { depth: 0, aliases: 0, directives: 0, fields: 0, cost: 0 };
    const size = this.selections(fragment.selectionSet, this.typeOf(fragment.typeCondition.name.value));
    this.measured.set(name, size);
    return size;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined): Size {
    const name = node.name.value;
    const aliases = node.alias ? 1 : 0;
    // Introspection has its own rule in graphql-js, and returns the same few things however it is asked.
    if (name.startsWith('__')) return { depth: 0, aliases, directives: 0, fields: 1, cost: 0 };
    const field = FIELDS[`${parent?.name}.${name}`];
    const type = parent && 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
    const inside = node.selectionSet
      ? this.selections(node.selectionSet, type && getNamedType(type))
      : { depth: 0, aliases: 0, directives: 0, fields: 0, cost: 0 };
    return {
      depth: inside.depth + 1,
      aliases: inside.aliases + aliases,
      directives: inside.directives,
      fields: 1,
      cost: this.itemsOf(node, field) * ((field?.cost ?? 1) + inside.cost),
    };
  }

  private itemsOf(node: FieldNode, field: (typeof FIELDS)[string] | undefined): number {
    if (!field?.list) return 1;
    const { slicingArgument, assumedSize } = field.list;
    const value = node.arguments?.find((argument) => argument.name.value === slicingArgument)?.value;
    const given =
      value?.kind === Kind.INT
        ? Number(value.value)
        : value?.kind === Kind.VARIABLE
          ? this.variables[value.name.value]
          : undefined;
    // A negative number is refused later; here it must not make up for what other fields cost.
    return typeof given === 'number' ? Math.max(0, given) : (assumedSize ?? 1);
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    const type = name === undefined ? undefined : this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}
