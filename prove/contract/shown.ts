import type { Operation, Schema } from '../../testkit/contract/document.ts';

type Properties = NonNullable<Schema['properties']>;

/**
 * The optional members that answers have shown. An optional member that no answer ever shows is a promise that nobody
 * keeps. A comparison of single answers with the contract does not notice such a member.
 */
export class ShownMembers {
  // All references to one schema lead to the same object, so its members count wherever the schema is used.
  readonly #shown = new Map<Properties, Set<string>>();

  /** @param value a value that the schema, or one of the alternatives beside it, allows */
  add(schema: Schema, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const part of partsOf(schema)) this.add(part, value);
    if (Array.isArray(value)) {
      for (const item of value) if (schema.items) this.add(schema.items, item);
      return;
    }
    const { properties = {}, additionalProperties: further } = schema;
    const names = this.#shown.get(properties) ?? new Set();
    this.#shown.set(properties, names);
    for (const [name, inner] of Object.entries(value)) {
      const own = properties[name];
      if (own) {
        names.add(name);
        this.add(own, inner);
      } else if (typeof further === 'object') this.add(further, inner);
    }
  }

  /** The optional members that no answer has shown, each with the first answer that may have it. */
  missing(operations: readonly Operation[]): readonly string[] {
    const missing: string[] = [];
    const known = new Set<Schema>();
    const search = (schema: Schema, place: string): void => {
      if (known.has(schema)) return;
      known.add(schema);
      for (const part of partsOf(schema)) search(part, place);
      const { properties = {}, required = [], items, additionalProperties: further } = schema;
      const shown = this.#shown.get(properties);
      for (const [name, inner] of Object.entries(properties)) {
        if (!required.includes(name) && shown?.has(name) !== true) missing.push(`${place} ${name}`);
        search(inner, `${place} ${name}`);
      }
      if (items) search(items, place);
      if (typeof further === 'object') search(further, place);
    };
    for (const { id, responses } of operations)
      for (const [status, { content }] of responses)
        for (const schema of content.values()) search(schema, `${id} ${status}`);
    return missing;
  }
}

function partsOf({ allOf = [], anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...allOf, ...anyOf, ...oneOf];
}
