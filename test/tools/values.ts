import { randomFrom } from '../../testkit/random.js';

export interface Schema {
  readonly [keyword: string]: unknown;
}
type Pick = <T>(list: readonly T[]) => T;

const JUNK: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  19.99,
  1.005,
  1e15,
  2_147_483_648,
  '',
  'a',
  'abc',
  '𝒳𝒳𝒳',
  'naïve\u0000',
  ' ',
  '2026-02-29',
  '2024-02-29',
  '2026-11-21T08:44:54Z',
  'a@b.co',
  'not an address',
  'https://a.example/b?c#d',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  'card',
  [],
  ['a'],
  ['a', 'a'],
  [1, 1.5],
  [[1], [2, 3]],
  [null],
  {},
  { a: 1 },
  { kind: 'card' },
];

/** Values that are similar to valid values. They are generated from the schema, and then changed at some places. */
export function valuesFor(schema: Schema, root: Schema, seed: number, count: number): unknown[] {
  const next = randomFrom(seed);
  const pick: Pick = (list) => list[Math.floor(next() * list.length)] as (typeof list)[number];
  const resolve = (node: Schema): Schema => {
    if (typeof node['$ref'] !== 'string') return node;
    const target = node['$ref']
      .split('/')
      .slice(1)
      .reduce<unknown>((at, part) => (at as Schema)[part], root);
    return { ...resolve(target as Schema), ...node, $ref: undefined };
  };
  const build = (unresolved: Schema, depth: number): unknown => {
    const node = resolve(unresolved);
    if (next() < 0.06) return pick(JUNK);
    if (Array.isArray(node['allOf'])) {
      const parts = (node['allOf'] as Schema[]).map((part) => build(part, depth));
      const own = 'properties' in node ? [build({ ...node, allOf: undefined }, depth)] : [];
      const all = [...parts, ...own];
      return all.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part))
        ? Object.assign({}, ...all)
        : all[0];
    }
    if (Array.isArray(node['oneOf'])) return build(pick(node['oneOf'] as Schema[]), depth);
    if ('const' in node) return node['const'];
    if (Array.isArray(node['enum'])) return pick(node['enum'] as unknown[]);
    const type = Array.isArray(node['type']) ? pick(node['type'] as string[]) : node['type'];
    switch (type) {
      case 'object':
        return object(node, depth);
      case 'array':
        return Array.from({ length: Math.floor(next() * 4) }, () =>
          build((node['items'] ?? {}) as Schema, depth + 1),
        );
      case 'integer':
      case 'number':
        return pick([0, 1, 2, 3, 5, 10, 0.01, 0.05, 0.07, 1.1, 19.99, 100, 99.95, -3, 4.35, 1e7, 1.005]);
      case 'boolean':
        return next() < 0.5;
      case 'null':
        return null;
      default:
        return pick(JUNK.filter((value) => typeof value === 'string'));
    }
  };
  const object = (node: Schema, depth: number): unknown => {
    const result: Record<string, unknown> = {};
    const required = (node['required'] ?? []) as string[];
    for (const [name, inner] of Object.entries((node['properties'] ?? {}) as Record<string, Schema>)) {
      if (depth > 4 && !required.includes(name)) continue;
      if (next() < (required.includes(name) ? 0.93 : 0.5)) result[name] = build(inner, depth + 1);
    }
    const further = node['additionalProperties'];
    if (typeof further === 'object' && depth < 5) {
      for (const name of ['a', 'b c', 'd/e', '~'])
        if (next() < 0.4) result[name] = build(further as Schema, depth + 1);
    } else if (next() < 0.07) result[pick(['extra', 'constructor', 'toString', '__proto__x'])] = pick(JUNK);
    return result;
  };
  return Array.from({ length: count }, () => build(schema, 0));
}
