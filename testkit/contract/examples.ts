/** The members of a schema from which an example is made. */
interface Schema {
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

/**
 * The example of a schema. If the schema has no example, it is made from the first of its alternatives, from its items
 * or from its members. Undefined if the schema has none of these.
 */
export function exampleOf(schema: Schema): unknown {
  // `??` cannot be used here, because the example itself may be null.
  if (schema.examples) return schema.examples[0];
  const own = schema.example ?? schema.const;
  if (own !== undefined) return own;
  const part = schema.anyOf?.[0] ?? schema.allOf?.[0] ?? schema.oneOf?.[0];
  if (part) return exampleOf(part);
  if (schema.items) return [exampleOf(schema.items)];
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, each]) => [name, exampleOf(each)]);
    return Object.fromEntries(members) as unknown;
  }
  return undefined;
}
