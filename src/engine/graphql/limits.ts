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
  type ValueNode,
} from 'graphql';
import { FIELDS, type ListSize } from '../../generated/fields.js';
import { requireAtMost } from './admission.js';
import { introspectionOf, META_TYPES, type Introspection } from './introspection.js';

export interface Limits {
  readonly depth: number;
  readonly cost: number;
}

const MAX_ALIASES = 30;
const MAX_ROOT_FIELDS = 20;
const MAX_DIRECTIVES = 50;
/**
 * The value of an argument with this name is hashed. Hashing is slow on purpose, so a few such arguments would cost
 * more than the rest of the operation.
 */
const PASSWORD = 'password';
const MAX_PASSWORDS = 1;
/** This limit does not depend on the settings for other costs, so that tools can always read the schema. */
const MAX_INTROSPECTION = 5_000;
/**
 * The maximum number of selections. A fragment counts each time it is spread, because execution and compilation work on
 * each copy.
 */
const MAX_SELECTIONS = 2000;

export interface Size {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
  /** The number of password arguments that are given. */
  passwords: number;
  selections: number;
  /** The cost of the largest possible result: each field is weighted by `@cost` and multiplied by `@listSize`. */
  cost: number;
  /** The cost of introspection: how much of the schema itself can be returned. */
  introspection: number;
}

/** The size that a field states for lists inside its result (`sizedFields` of `@listSize`). */
interface Sized {
  readonly fields: readonly string[];
  readonly items: number;
}

const UNSIZED: Sized = { fields: [], items: 1 };

const NOTHING: Readonly<Size> = {
  depth: 0,
  aliases: 0,
  directives: 0,
  fields: 0,
  passwords: 0,
  selections: 0,
  cost: 0,
  introspection: 0,
};

/**
 * Returns the size of an operation, before it is executed.
 *
 * @throws GraphqlLimitExceeded naming the limit, the value and the bound
 */
export type CheckLimits = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => Readonly<Size>;

/**
 * Makes the check that refuses operations that are too large. A fragment that is spread many times takes no more time:
 * the check measures it once, and again only inside a field that states another size for its lists. If the size of an
 * operation does not depend on its variables, the size is remembered as long as the parsed text is kept.
 */
export function limitsOf(schema: GraphQLSchema, limits: Limits): CheckLimits {
  const measured = new WeakMap<OperationDefinitionNode, Size>();
  const introspection = introspectionOf(schema);
  return (document, operation, variables) => {
    let size = measured.get(operation);
    if (!size) {
      const measure = new Measure(schema, introspection, document, {
        ...defaultsOf(operation),
        ...variables,
      });
      size = measure.operation(operation);
      if (!measure.dependsOnVariables) measured.set(operation, size);
    }
    requireAtMost('depth', size.depth, limits.depth);
    requireAtMost('number of root fields', size.fields, MAX_ROOT_FIELDS);
    requireAtMost('number of passwords', size.passwords, MAX_PASSWORDS);
    requireAtMost('number of aliases', size.aliases, MAX_ALIASES);
    requireAtMost('number of directives', size.directives, MAX_DIRECTIVES);
    requireAtMost('number of selections', size.selections, MAX_SELECTIONS);
    requireAtMost(
      'cost',
      size.cost,
      limits.cost,
      ' Use a smaller limit for its lists, or select fewer fields.',
    );
    requireAtMost('cost of introspection', size.introspection, MAX_INTROSPECTION);
    return size;
  };
}

function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (!defaultValue || defaultValue.kind === Kind.NULL) continue;
    // Only integers are used as values (list sizes). For other kinds it only matters that there is a value.
    defaults[variable.name.value] =
      defaultValue.kind === Kind.INT ? Number(defaultValue.value) : defaultValue.kind;
  }
  return defaults;
}

class Measure {
  /** Whether the size depends on a variable. This is known after the operation was measured. */
  dependsOnVariables = false;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly introspection: Introspection,
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
    requireAtMost('cost of introspection', size.introspection, MAX_INTROSPECTION);
    return size;
  }

  private selections(
    selectionSet: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    sized = UNSIZED,
  ): Size {
    const sum: Size = { ...NOTHING };
    for (const selection of selectionSet.selections) {
      const size =
        selection.kind === Kind.FIELD
          ? this.field(selection, parent, sized)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.selections(
                selection.selectionSet,
                this.typeOf(selection.typeCondition?.name.value) ?? parent,
                sized,
              )
            : this.fragment(selection.name.value, sized);
      sum.depth = Math.max(sum.depth, size.depth);
      sum.aliases += size.aliases;
      sum.directives += size.directives + (selection.directives?.length ?? 0);
      sum.fields += size.fields;
      sum.passwords += size.passwords;
      sum.selections += size.selections + 1;
      sum.cost += size.cost;
      sum.introspection += size.introspection;
    }
    return sum;
  }

  private fragment(name: string, sized: Sized): Readonly<Size> {
    const key = [name, sized.items, ...sized.fields].join(' ');
    const known = this.measured.get(key);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    const type = this.typeOf(fragment.typeCondition.name.value);
    const size = this.selections(fragment.selectionSet, type, sized);
    this.measured.set(key, size);
    requireAtMost('cost of introspection', size.introspection, MAX_INTROSPECTION);
    return size;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined, around: Sized): Readonly<Size> {
    const name = node.name.value;
    const isIntrospection = name.startsWith('__') || parent?.name.startsWith('__') === true;
    const field = FIELDS[`${parent?.name}.${name}`];
    const items = this.itemsOf(node, field?.list);
    const { sizedFields = [] } = field?.list ?? {};
    const isList = sizedFields.length === 0;
    const inside = node.selectionSet
      ? this.selections(
          node.selectionSet,
          this.typeIn(parent, name),
          isList ? UNSIZED : { fields: sizedFields, items },
        )
      : NOTHING;
    const results = around.fields.includes(name) ? around.items : isList ? items : 1;
    return {
      // graphql-js has its own rule for the depth of introspection.
      depth: isIntrospection ? 0 : inside.depth + 1,
      aliases: inside.aliases + (node.alias ? 1 : 0),
      directives: inside.directives,
      fields: 1,
      passwords: inside.passwords + this.passwordsIn(node),
      selections: inside.selections,
      cost: isIntrospection
        ? 0
        : results * ((field?.cost ?? 1) + inside.cost) + this.costOfArguments(node, field?.costs ?? {}),
      introspection: isIntrospection
        ? this.costOfIntrospection(parent, name, inside.introspection)
        : inside.introspection,
    };
  }

  /** The cost of an introspection field. At the root of an operation, the cost is rounded up to a whole number. */
  private costOfIntrospection(parent: GraphQLNamedType | undefined, name: string, inside: number): number {
    const introspected = this.introspection.get(`${parent?.name}.${name}`);
    if (!introspected) return 0;
    const cost = introspected.items * (introspected.cost + inside);
    return name in META_TYPES ? Math.ceil(cost) : cost;
  }

  private typeIn(parent: GraphQLNamedType | undefined, name: string): GraphQLNamedType | undefined {
    const meta = META_TYPES[name];
    if (meta !== undefined) return this.schema.getType(meta);
    const type = parent && 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
    return type && getNamedType(type);
  }

  /** Only the most expensive argument counts, because all arguments are evaluated in one pass. */
  private costOfArguments(node: FieldNode, costs: Readonly<Record<string, number>>): number {
    const given = (node.arguments ?? [])
      .filter(({ name, value }) => Object.hasOwn(costs, name.value) && this.isGiven(value))
      .map(({ name }) => costs[name.value] ?? 0);
    return Math.max(0, ...given);
  }

  private passwordsIn(node: FieldNode): number {
    const given = (node.arguments ?? []).filter(
      ({ name, value }) => name.value === PASSWORD && this.isGiven(value),
    );
    return given.length;
  }

  private isGiven(value: ValueNode): boolean {
    if (value.kind !== Kind.VARIABLE) return value.kind !== Kind.NULL;
    this.dependsOnVariables = true;
    return this.variables[value.name.value] != null;
  }

  private itemsOf(node: FieldNode, list: ListSize | null | undefined): number {
    if (!list) return 1;
    const given = (node.arguments ?? [])
      .filter(({ name }) => list.slicingArguments.includes(name.value))
      .map(({ value }) => this.numberIn(value))
      .filter((value) => typeof value === 'number');
    // The size is at least 1, because an argument that is refused later, such as zero or a negative number, makes an
    // error for each parent row.
    return given.length > 0 ? Math.max(1, ...given) : (list.assumedSize ?? 1);
  }

  private numberIn(value: ValueNode): unknown {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind !== Kind.VARIABLE) return undefined;
    this.dependsOnVariables = true;
    return this.variables[value.name.value];
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    const type = name === undefined ? undefined : this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}
