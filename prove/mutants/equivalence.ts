import {
  parse as parseSdl,
  visit,
  Kind,
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type ValueNode,
} from 'graphql';
import { parse as parseYaml } from 'yaml';
import type { Contracts } from './mutants.ts';

type Node = Readonly<Record<string, unknown>>;

/** Explanations and examples. No client relies on them. */
const WORDS = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'externalDocs',
  'info',
  // The words of an error may change (docs/adr/0036-error-codes.md).
  'x-message',
  // The words of the pages.
  'x-about',
  'x-label',
  'x-hint',
  'x-null',
]);
/** Lists whose order has no meaning. */
const SETS = new Set(['required', 'enum', 'tags', 'apiKey', 'oauth', 'jwt', 'basic', 'x-scopes', 'security']);
/** The value that a keyword has if it is not written. */
const UNWRITTEN: Readonly<Record<string, unknown>> = {
  required: false,
  additionalProperties: true,
  uniqueItems: false,
  readOnly: false,
  writeOnly: false,
  deprecated: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
};
const INTEGERS: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
};

/** A rule by which two contracts promise the same, and its reason. */
interface Rule {
  readonly reason: string;
  readonly reduce: (node: Node) => Node;
}

/** Each rule removes the parts of a schema, a parameter or an operation that add no promise. */
const RULES: readonly Rule[] = [
  { reason: 'it says the same in other words or in another order', reduce: withoutWords },
  { reason: 'it writes or leaves out the value that a keyword has by default', reduce: withoutUnwritten },
  { reason: 'the bound follows from the other keywords of the schema', reduce: withoutImplied },
];

/** Returns the reason why the changed contracts promise the same as before; null if they do not. */
export function equivalenceOf(before: Contracts, after: Contracts): string | null {
  const [old, own] = [readable(before), readable(after)];
  const rules: Rule[] = [];
  for (const rule of RULES) {
    rules.push(rule);
    if (meaning(old, rules) === meaning(own, rules)) return rule.reason;
  }
  return null;
}

/** Both contracts as they were parsed. A contract that cannot be parsed is compared as text. */
interface Parsed {
  readonly openapi: unknown;
  readonly sdl: DocumentNode | string;
}

/** The contracts of a run are compared with every mutant, so they are parsed once. */
const PARSED = new WeakMap<Contracts, Parsed>();

function readable(contracts: Contracts): Parsed {
  const known = PARSED.get(contracts);
  if (known) return known;
  const parsed = {
    openapi: orText(contracts.openapi, (text): unknown => parseYaml(text)),
    sdl: orText(contracts.sdl, (text) => parseSdl(text, { noLocation: true })),
  };
  PARSED.set(contracts, parsed);
  return parsed;
}

function orText<T>(text: string, read: (text: string) => T): T | string {
  try {
    return read(text);
  } catch {
    return text;
  }
}

/** Returns a text that is equal for contracts that promise the same by these rules. */
function meaning({ openapi, sdl }: Parsed, rules: readonly Rule[]): string {
  return JSON.stringify([
    reduced(openapi, rules, ''),
    typeof sdl === 'string' ? sdl : sdlMeaning(sdl, rules),
  ]);
}

/**
 * Applies the rules to a value of a contract. `of` is the keyword that has this value. For a member of `properties`,
 * and for an item of a list, `of` is empty.
 */
function reduced(value: unknown, rules: readonly Rule[], of: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => reduced(item, rules, ''));
    return SETS.has(of) ? items.map((item) => JSON.stringify(item)).toSorted() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const own =
    of === 'properties' ? (value as Node) : rules.reduce((node, rule) => rule.reduce(node), value as Node);
  return Object.fromEntries(
    Object.entries(own)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, reduced(each, rules, of === 'properties' ? '' : key)]),
  );
}

function without(node: Node, isLeftOut: (key: string, value: unknown) => boolean): Node {
  return Object.fromEntries(Object.entries(node).filter(([key, value]) => !isLeftOut(key, value)));
}

function withoutWords(node: Node): Node {
  return without(node, (key) => WORDS.has(key));
}

function withoutUnwritten(node: Node): Node {
  return without(
    node,
    (key, value) =>
      (Object.hasOwn(UNWRITTEN, key) && UNWRITTEN[key] === value) ||
      (key === 'explode' && value === (styleOf(node) === 'form')),
  );
}

/** The style of a parameter. The default of OpenAPI depends on the place of the parameter. */
function styleOf(node: Node): unknown {
  return node['style'] ?? (node['in'] === 'query' || node['in'] === 'cookie' ? 'form' : 'simple');
}

function withoutImplied(node: Node): Node {
  const [least, most] = INTEGERS[String(node['format'])] ?? [-Infinity, Infinity];
  const pattern = typeof node['pattern'] === 'string' ? new RegExp(node['pattern'], 'u') : null;
  const items = node['items'] as Node | undefined;
  const choices =
    node['uniqueItems'] === true
      ? ((items?.['enum'] as unknown[] | undefined)?.length ?? Infinity)
      : Infinity;
  return without(node, (key, value) => {
    const number = Number(value);
    if (key === 'minimum') return number <= least;
    if (key === 'maximum') return number >= most;
    if (key === 'minLength') return number === 1 && pattern !== null && !pattern.test('');
    if (key === 'maxItems') return number >= choices;
    return false;
  });
}

function sdlMeaning(document: DocumentNode, rules: readonly Rule[]): unknown {
  const plain = visit(document, {
    enter: (node) => {
      if (!('description' in node)) return undefined;
      const { description: _, ...rest } = node;
      return rest as ASTNode;
    },
    InputValueDefinition: {
      leave: (node) =>
        node.defaultValue?.kind === Kind.NULL ? { ...node, defaultValue: undefined } : undefined,
    },
    Directive: { leave: (node) => directiveMeaning(node, rules) },
  });
  return plain;
}

function directiveMeaning(node: DirectiveNode, rules: readonly Rule[]): unknown {
  const values = (node.arguments ?? []).map(({ name, value }) => [name.value, valueMeaning(value)]);
  return { name: node.name.value, arguments: reduced(Object.fromEntries(values), rules, '') };
}

/** The text, or the number. Every other value stays as it was parsed, so its kind is compared too. */
function valueMeaning(value: ValueNode): unknown {
  if (value.kind === Kind.STRING) return value.value;
  return value.kind === Kind.INT || value.kind === Kind.FLOAT ? Number(value.value) : value;
}
