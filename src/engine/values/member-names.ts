/** `parentId` → `parent_id`: the name in REST of a property or an argument. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The members of an input with these names. The input is the arguments of a GraphQL field (`inStock`), or the query or
 * the body of an operation of REST (`in_stock`).
 */
export function inputsOf<N extends string>(
  names: readonly N[],
  input: object,
): { readonly [K in N]: unknown } {
  const members = input as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, members[name] ?? members[snakeCase(name)]])) as {
    [K in N]: unknown;
  };
}
