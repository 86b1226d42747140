import {
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';

/** With this cost, the standard introspection query of tools costs about 800. */
const COST_OF_AN_OBJECT = 1;
/** `__type` counts as this number of average types, because a client may request a type with many fields. */
const LARGER_THAN_OTHERS = 8;

/**
 * The size of the result of an introspection field. Introspection reads no data, but a short operation produces a long
 * answer.
 */
export interface Introspected {
  readonly items: number;
  readonly cost: number;
}

/**
 * The keys are the names of the type and the field, such as `__Type.enumValues`. A field that is not in the map returns
 * a scalar.
 */
export type Introspection = ReadonlyMap<string, Introspected>;

/** Counts the parts of the schema. A list inside of another part is counted with its average length. */
export function introspectionOf(schema: GraphQLSchema): Introspection {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const inputs = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
  const values = types.filter(isEnumType).flatMap((type) => type.getValues());
  const kinds = types.filter((type) => isUnionType(type) || isInterfaceType(type));
  const possible = kinds.reduce((sum, type) => sum + schema.getPossibleTypes(type).length, 0);
  const sizes: Record<string, number> = {
    '__Schema.types': types.length,
    '__Schema.directives': directives.length,
    '__Schema.queryType': 1,
    '__Schema.mutationType': 1,
    '__Schema.subscriptionType': 1,
    '__Type.fields': fields.length / types.length,
    '__Type.inputFields': inputs.length / types.length,
    '__Type.enumValues': values.length / types.length,
    '__Type.interfaces': possible / types.length,
    '__Type.possibleTypes': possible / types.length,
    // This number assumes that half of all types are wrapped, in a list or as non-null.
    '__Type.ofType': 1 / 2,
    '__Field.type': 1,
    '__Field.args': argumentsIn(fields) / fields.length,
    '__InputValue.type': 1,
    '__Directive.args': argumentsIn(directives) / directives.length,
  };
  const own = Object.entries(sizes).map(
    ([name, items]) => [name, { items, cost: COST_OF_AN_OBJECT }] as const,
  );
  const root = schema.getQueryType()?.name ?? '';
  return new Map<string, Introspected>([
    ...own,
    [`${root}.__schema`, { items: 1, cost: COST_OF_AN_OBJECT }],
    [`${root}.__type`, { items: LARGER_THAN_OTHERS, cost: COST_OF_AN_OBJECT }],
  ]);
}

function argumentsIn(owners: readonly { readonly args: readonly unknown[] }[]): number {
  return owners.reduce((sum, { args }) => sum + args.length, 0);
}

/** The types that the meta-fields of the query root return. */
export const META_TYPES: Readonly<Record<string, string>> = { __schema: '__Schema', __type: '__Type' };

/** The rule of validation while introspection is switched off. */
export const introspectionRule: ValidationRule = (context) => ({
  Field: (node) => {
    if (!Object.hasOwn(META_TYPES, node.name.value)) return;
    const message = 'Introspection is switched off. The schema is served at /schema.graphql.';
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});
