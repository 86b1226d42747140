/** `list-products.v2` → `ListProductsV2`: a class name for any name of a component, operation or member. */
export function className(name: string): string {
  const joined = name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part[0]?.toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}

/** `min_price` → `minPrice`: the name in GraphQL of a member of REST. */
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

/** Names that the generated files use themselves, and names of globals that they use. */
export const RESERVED_CLASSES: ReadonlySet<string> = new Set(
  (
    'Array Boolean Contract Date Dto Entities Entity Map Number Object Optional Page Promise Record RegExp ' +
    'Represented Required Rule Set String Symbol'
  ).split(' '),
);

/**
 * Whether every object inherits a member of this name, such as `constructor`. Code that looks for the name,
 * class-validator included, cannot tell a member of the contract from the inherited one.
 */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Order by code unit, which is the same on every machine, with any locale. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
