import {
  getNamedType,
  isCompositeType,
  Kind,
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { GraphqlLimitExceeded } from '../errors.js';
import { FIELDS, type ListSize } from '../generated/fields.js';

export interface Limits {
  readonly depth: number;
  readonly cost: number;
}

/** Beyond this the text is not even read to its end. */
export const MAX_TOKENS = 2000;
const MAX_ALIASES = 30;
const MAX_ROOT_FIELDS = 20;
const MAX_DIRECTIVES = 50;
/** With every fragment written out; execution and compilation work on each of them. */
const MAX_SELECTIONS = 2000;
/** A longer text holds no more tokens, only comments and blanks, but would be kept in memory. */
const MAX_TEXT_LENGTH = 65_536;

interface Size {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
  selections: number;
  /** The most that can be returned, weighed by `@cost` and multiplied by `@listSize`. */
  cost: number;
}

/** What a field says of the lists in what it returns. */
interface Sized {
  readonly fields: readonly string[];
  readonly items: number;
}

const UNSIZED: Sized = { fields: [], items: 1 };

const NOTHING: Readonly<Size> = { depth: 0, aliases: 0, directives: 0, fields: 0, selections: 0, cost: 0 };

/**
 * Returns the cost of an operation, before it is executed.
 *
 * @throws GraphqlLimitExceeded naming the limit, the value and the bound
 */
export type CheckLimits = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => number;

/**
 * Makes the check that refuses what is too large. Each fragment is measured once, however often it is spread, so the
 * time is linear in the length of the text; and an operation whose size does not hang on its variables is measured
 * once as long as its parsed text is kept.
 */
export function limitsOf(schema: GraphQLSchema, limits: Limits): CheckLimits {
  const measured = new WeakMap<OperationDefinitionNode, Size>();
  return (document, operation, variables) => {
    let size = measured.get(operation);
    if (!size) {
      const measure = new Measure(schema, document, { ...defaultsOf(operation), ...variables });
      size = measure.operation(operation);
      if (!measure.hangsOnVariables) measured.set(operation, size);
    }
    requireAtMost('depth', size.depth, limits.depth);
    requireAtMost('number of root fields', size.fields, MAX_ROOT_FIELDS);
    requireAtMost('number of aliases', size.aliases, MAX_ALIASES);
    requireAtMost('number of directives', size.directives, MAX_DIRECTIVES);
    requireAtMost('number of selections', size.selections, MAX_SELECTIONS);
    requireAtMost('cost', size.cost, limits.cost, ' Give its lists a smaller limit, or ask for less.');
    return size.cost;
  };
}

/** Before Apollo reads the body of a request; what is wrong with it otherwise Apollo says. */
export function requireShortText(body: unknown): void {
  const text = (body as { query?: unknown } | null)?.query;
  if (typeof text === 'string') requireAtMost('length', text.length, MAX_TEXT_LENGTH);
}

/** As far as it is GraphQL: what comes behind a character that is none is not counted. */
export function countTokens(text: string): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  } catch {
    // Enough is known: there are too many.
  }
  return count;
}

function requireAtMost(what: string, value: number, bound: number, advice = ''): void {
  if (value > bound) {
    throw new GraphqlLimitExceeded(
      `The ${what} of this operation is ${value}; it may be at most ${bound}.${advice}`,
    );
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
  /** Whether a variable said how much is wanted; known when the operation was measured. */
  hangsOnVariables = false;
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
      sum.selections += size.selections + 1;
      sum.cost += size.cost;
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
    return size;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined, around: Sized): Readonly<Size> {
    const name = node.name.value;
    const aliases = node.alias ? 1 : 0;
    const field = FIELDS[`${parent?.name}.${name}`];
    const type = parent && 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
    const items = this.itemsOf(node, field?.list);
    const { sizedFields = [] } = field?.list ?? {};
    const isList = sizedFields.length === 0;
    const inside = node.selectionSet
      ? this.selections(
          node.selectionSet,
          type && getNamedType(type),
          isList ? UNSIZED : { fields: sizedFields, items },
        )
      : NOTHING;
    const results = around.fields.includes(name) ? around.items : isList ? items : 1;
    // For the depth of introspection graphql-js has a rule of its own, and it reads nothing that costs.
    const isIntrospection = name.startsWith('__');
    return {
      depth: isIntrospection ? 0 : inside.depth + 1,
      aliases: inside.aliases + aliases,
      directives: inside.directives,
      fields: 1,
      selections: inside.selections,
      cost: isIntrospection ? 0 : results * ((field?.cost ?? 1) + inside.cost),
    };
  }

  private itemsOf(node: FieldNode, list: ListSize | null | undefined): number {
    if (!list) return 1;
    const given = (node.arguments ?? [])
      .filter(({ name }) => list.slicingArguments.includes(name.value))
      .map(({ value }) => this.numberIn(value))
      .filter((value) => typeof value === 'number');
    // A negative number is refused later; here it must not make up for what other fields cost.
    return given.length > 0 ? Math.max(0, ...given) : (list.assumedSize ?? 1);
  }

  private numberIn(value: ValueNode): unknown {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind !== Kind.VARIABLE) return undefined;
    this.hangsOnVariables = true;
    return this.variables[value.name.value];
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    const type = name === undefined ? undefined : this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}
