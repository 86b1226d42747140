/** `list-products.v2` → `ListProductsV2`: a class name for any name of a component, operation or member. */
export function className(name: string): string {
  const joined = name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part[0]?.toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}

/** `min_price` → `minPrice`: the GraphQL name of a member of REST. */
export function camelCase(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/);
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `OrderItem` → `order_item`: the name of a member that is named after a component. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, a: string, b: string, c: string) =>
      c === undefined ? `${a}_${b}` : `${c}_`,
    )
    .toLowerCase();
}

/** `ProductV2` → `Product`, `listProductsV2` → `listProducts`. */
export function withoutVersion(name: string): string {
  return name.replace(/V\d+$/, '');
}

/**
 * Names that are already used in the generated files with the classes of input: types of these files, and globals. A
 * class of the contract with such a name would replace the type or the global. `test/tools/names.test.ts` compares the
 * list with these files.
 */
export const RESERVED_CLASSES: ReadonlySet<string> = new Set(
  (
    'AsyncIterable Contract Date Dto Entity EntityName Export FIELDS Features Field Late ListSize OPERATIONS Operation ' +
    'OperationId Optional Page ParameterKind Parameters PartsOf Position Promise Readonly Record Represented Required ' +
    'RootField SCHEMES SCOPES Scheme Scope Slice Soon Version'
  ).split(' '),
);

/** Names that are already used in the generated file with the types of the SDL. The same test compares this list. */
const RESERVED_TYPES: ReadonlySet<string> = new Set(
  (
    'AsyncIterable Date DateTimeScalarConfig DirectiveResolverFn ENUM_VALUES Entity Exclude GraphQLResolveInfo ' +
    'GraphQLScalarType GraphQLScalarTypeConfig GraphqlContext InputMaybe IsTypeOfResolverFn Maybe NextResolverFn ' +
    'NonNullable Omit Pick Promise PropertyKey ReadonlyArray Record RequireFields Resolver ResolverFn ResolverTypeWrapper ' +
    'ResolversParentTypes ResolversTypes SafeIntScalarConfig Scalars SubscriptionObject SubscriptionResolveFn ' +
    'SubscriptionResolver SubscriptionResolverObject SubscriptionSubscribeFn SubscriptionSubscriberObject TypeResolveFn'
  ).split(' '),
);

/** Whether a type of the SDL cannot have this name. Each type has resolvers, such as `ProductResolvers`. */
export function isReservedType(name: string): boolean {
  return RESERVED_TYPES.has(name) || name.endsWith('Resolvers');
}

/**
 * Whether every object inherits a member of this name, such as `constructor`. Code that looks for the name,
 * class-validator included, cannot tell a member of the contract from the inherited member.
 */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Order by code unit, which is the same on every machine, with any locale. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
