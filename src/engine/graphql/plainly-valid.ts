import {
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isTypeSubTypeOf,
  getNamedType,
  getNullableType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/**
 * Finds documents that are certainly valid, in one pass. The rules of graphql-js take about ten times as long. False
 * does not mean that a document is wrong: only graphql-js finds errors, and only graphql-js decides on documents with
 * several definitions, fragments, directives, default values, introspection, or two fields with the same name in one
 * result. See ADR 75.
 */
export function isPlainlyValid(schema: GraphQLSchema, { definitions }: DocumentNode): boolean {
  const [operation] = definitions;
  if (definitions.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION) return false;
  // A subscription has one more rule.
  if (operation.operation === OperationTypeNode.SUBSCRIPTION || isAny(operation.directives)) return false;
  const root = schema.getRootType(operation.operation);
  return root != null && new Check(schema).operation(operation, root);
}

class Check {
  private readonly types = new Map<string, GraphQLInputType>();
  private readonly used = new Set<string>();

  constructor(private readonly schema: GraphQLSchema) {}

  operation(
    { variableDefinitions = [], selectionSet }: OperationDefinitionNode,
    root: GraphQLNamedType,
  ): boolean {
    for (const { variable, type, defaultValue, directives } of variableDefinitions) {
      const { value: name } = variable.name;
      const known = typeFromAST(this.schema, type);
      if (!isInputType(known) || this.types.has(name) || defaultValue || isAny(directives)) return false;
      this.types.set(name, known);
    }
    return this.selections(selectionSet, root) && this.used.size === this.types.size;
  }

  private selections({ selections }: SelectionSetNode, parent: GraphQLNamedType): boolean {
    const names = new Set<string>();
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD || isAny(selection.directives)) return false;
      const { value: name } = selection.alias ?? selection.name;
      if (names.has(name) || !this.field(selection, parent)) return false;
      names.add(name);
    }
    return true;
  }

  private field({ name, arguments: given, selectionSet }: FieldNode, parent: GraphQLNamedType): boolean {
    if (name.value === '__typename') return !isAny(given) && selectionSet === undefined;
    if (!isObjectType(parent)) return false;
    const fields = parent.getFields();
    const field = Object.hasOwn(fields, name.value) ? fields[name.value] : undefined;
    if (field === undefined || !this.inputs(given ?? [], field.args, isRequiredArgument)) return false;
    const type = getNamedType(field.type);
    if (isLeafType(type)) return selectionSet === undefined;
    return selectionSet !== undefined && this.selections(selectionSet, type);
  }

  /** Whether the arguments of a field, or the members of an input object, are valid. */
  private inputs<T extends Pick<GraphQLArgument, 'name' | 'type'>>(
    given: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[],
    known: readonly T[],
    isRequired: (input: T) => boolean,
  ): boolean {
    const names = new Set<string>();
    for (const { name, value } of given) {
      const input = known.find((one) => one.name === name.value);
      if (input === undefined || names.has(name.value) || !this.value(value, input.type)) return false;
      names.add(name.value);
    }
    return known.every((input) => names.has(input.name) || !isRequired(input));
  }

  private value(node: ValueNode, type: GraphQLInputType): boolean {
    if (node.kind === Kind.VARIABLE) return this.variable(node.name.value, type);
    if (node.kind === Kind.NULL) return !isNonNullType(type);
    const present = getNullableType(type);
    if (isListType(present)) {
      return node.kind === Kind.LIST && node.values.every((item) => this.value(item, present.ofType));
    }
    if (isInputObjectType(present)) {
      if (node.kind !== Kind.OBJECT || present.isOneOf) return false;
      return this.inputs(node.fields, Object.values(present.getFields()), isRequiredInputField);
    }
    // Some scalars take lists or objects. This function would have to look for variables inside them.
    if (node.kind === Kind.LIST || node.kind === Kind.OBJECT) return false;
    try {
      return present.parseLiteral(node, undefined) !== undefined;
    } catch {
      return false;
    }
  }

  private variable(name: string, place: GraphQLInputType): boolean {
    this.used.add(name);
    const type = this.types.get(name);
    return type !== undefined && isTypeSubTypeOf(this.schema, type, place);
  }
}

function isAny(nodes: readonly unknown[] | undefined): boolean {
  return nodes !== undefined && nodes.length > 0;
}
