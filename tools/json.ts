export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A value inside a document together with its JSON pointer. */
export interface Node {
  readonly value: Json;
  readonly at: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kind of a JSON value. Integers are a kind of their own, as in `type` of JSON Schema. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function escapePointer(part: string): string {
  return /[~/]/.test(part) ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part;
}

export function unescapePointer(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
}

/** Own members only, because a contract may name a member `constructor`. */
export function member(node: Node | undefined, name: string): Node | undefined {
  if (node === undefined || !isObject(node.value) || !Object.hasOwn(node.value, name)) return undefined;
  return { value: node.value[name] ?? null, at: `${node.at}/${escapePointer(name)}` };
}

export function members(node: Node | undefined): [string, Node][] {
  if (node === undefined || !isObject(node.value)) return [];
  return Object.entries(node.value).map(([name, value]) => [
    name,
    { value, at: `${node.at}/${escapePointer(name)}` },
  ]);
}

export function items(node: Node | undefined): Node[] {
  if (node === undefined || !Array.isArray(node.value)) return [];
  return (node.value as readonly Json[]).map((value, index) => ({ value, at: `${node.at}/${index}` }));
}

export function textOf(node: Node | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}

export function texts(node: Node | undefined): string[] {
  return items(node).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

/** The last name of the pointer: `/components/schemas/Product` → `Product`. */
export function nameOf(node: Node): string {
  return unescapePointer(node.at.slice(node.at.lastIndexOf('/') + 1));
}
