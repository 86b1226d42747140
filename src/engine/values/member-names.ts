/** `parentId` → `parent_id`: the name that a property or an argument has in REST. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Makes the function that reads the members with these names from an input. The input is the arguments of a GraphQL
 * field (`inStock`), or the query or the body of an operation of REST (`in_stock`).
 */
export function inputReaderOf<N extends string>(
  names: readonly N[],
): (input: object) => { readonly [K in N]: unknown } {
  const pairs = names.map((name) => [name, snakeCase(name)] as const);
  return (input) => {
    const given = input as Readonly<Record<string, unknown>>;
    const members = {} as { [K in N]: unknown };
    for (const [name, inRest] of pairs) members[name] = given[name] ?? given[inRest];
    return members;
  };
}
