import { STATUS_CODES } from 'node:http';
import { resolved, type Node } from './references.ts';

/** A number in a description, and its meaning. */
export interface Statement {
  /** The number with the words around it. */
  readonly says: string;
  readonly least?: number;
  readonly most?: number;
  /** A number without a word that makes it a bound. */
  readonly value?: number;
}

/** The bounds of the values that a node describes. */
export interface Rule {
  readonly least: readonly number[];
  readonly most: readonly number[];
  /**
   * The numbers that a description may name without a word such as "at most": the bounds, the default and `multipleOf`.
   */
  readonly bare: readonly number[];
}

/** A node with a description. */
export interface Described {
  /** The place of the node, such as `components/schemas/Id`, or `Query.products.limit`. */
  readonly place: string;
  readonly description: string;
  readonly rule: Rule;
}

const DIGITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(DIGITS.map((word, index) => [word, index + 1])),
  hundred: 100,
  'a week': 604_800,
};
/** Code, and names that contain a number, such as `RFC 9110`. The numbers in them are not statements. */
const NAMES =
  /`[^`]*`|\((?:RFC|ISO|ECMA)[^)]*\)|\b(?:RFC|ISO|ECMA|UTF|OpenAPI|YAML|XML|IPv|HTTP\/|section|version|Version)[- ]?[\d.]+|\bdraft-[\w-]+|\b2\^\d+(?: - 1)?/g;
const NUMBER = String.raw`(\d[\d,]*\d|\d)(?![\w.,]*\d)`;
const UNITS = String.raw`(?: (?:printable |major |minor |UTF-16 )?(?:characters|items|values|members|bytes|units|KiB|MiB|levels|lines|messages|products|seconds|minutes))?`;
const MOST =
  'at most|up to|not more than|no more than|more than|larger than|longer than|may have|maximum of|ends at';
const LEAST = 'at least|not fewer than|no fewer than|no less than|not less than|counted from|minimum of';
const STATEMENT = new RegExp(
  [
    String.raw`(?<from>${NUMBER}) to (?<to>${NUMBER})${UNITS}`,
    String.raw`\b(?<bound>${MOST}|${LEAST}) (?:the )?(?:first )?(?<limit>${NUMBER}|${Object.keys(WORDS).join('|')})\b${UNITS}`,
    String.raw`\b(?<bare>${NUMBER})\b${UNITS}`,
  ].join('|'),
  'gi',
);
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/ KiB$/, 1_024],
  [/ MiB$/, 1_048_576],
  // Amounts of money are in minor units.
  [/ major units$/, 100],
];

/**
 * Every number of a description, apart from names, code and statuses of HTTP. Numbers in words count only after words
 * such as "at most".
 */
export function statementsIn(description: string): Statement[] {
  const text = description.replaceAll(NAMES, '…').replaceAll(/\s+/g, ' ');
  return [...text.matchAll(STATEMENT)].flatMap(({ 0: says, groups = {} }): Statement[] => {
    const { from, to, bound, limit, bare } = groups;
    const scale = SCALES.find(([unit]) => unit.test(says))?.[1] ?? 1;
    const read = (number: string): number =>
      (WORDS[number.toLowerCase()] ?? Number(number.replaceAll(',', ''))) * scale;
    if (from !== undefined && to !== undefined) return [{ says, least: read(from), most: read(to) }];
    if (bound !== undefined && limit !== undefined) {
      const isLeast = new RegExp(`^(?:${LEAST})$`, 'i').test(bound);
      return [{ says, ...(isLeast ? { least: read(limit) } : { most: read(limit) }) }];
    }
    // A status, such as 404, stands alone. A count is followed by the name of what is counted, such as “100 items”.
    const isStatus = /^\d{3}$/.test(says) && says in STATUS_CODES;
    return bare === undefined || isStatus ? [] : [{ says, value: read(bare) }];
  });
}

export function agrees({ least, most, value }: Statement, rule: Rule): boolean {
  if (value !== undefined) return rule.bare.includes(value);
  return (
    (least === undefined || rule.least.includes(least)) && (most === undefined || rule.most.includes(most))
  );
}

const LEASTS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MOSTS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * The bounds of all parts, and the bounds of repetitions in their patterns, such as `{1,20}`.
 *
 * @param parts schemas, or the arguments of directives
 */
export function ruleOf(parts: readonly Node[]): Rule {
  const numbers = (names: readonly string[]): number[] =>
    parts.flatMap((part) => names.map((name) => part[name]).filter((value) => typeof value === 'number'));
  const repeated = parts.flatMap(({ pattern }) =>
    typeof pattern === 'string' ? [...pattern.matchAll(/\{(\d+),(\d+)\}/g)] : [],
  );
  return {
    least: [...numbers(LEASTS), ...repeated.map(([, least]) => Number(least))],
    most: [...numbers(MOSTS), ...repeated.map(([, , most]) => Number(most))],
    bare: numbers([...LEASTS, ...MOSTS, 'default', 'multipleOf']),
  };
}

/**
 * Every node of openapi.yaml with a description, except in examples. The rule of a node comes from its `schema`, from
 * the schema in its `content`, or from the node itself. The bounds of `x-refers` and `x-reach` are added.
 */
export function describedIn(document: Node): Described[] {
  const found: Described[] = [];
  visit(document, []);
  return found;

  function visit(node: unknown, path: readonly string[]): void {
    if (typeof node !== 'object' || node === null || /^examples?$/.test(path.at(-1) ?? '')) return;
    const { description, schema, content } = node as Node;
    if (typeof description === 'string') {
      const [media] = Object.values((content ?? {}) as Readonly<Record<string, Node>>);
      const described = (schema ?? media?.['schema'] ?? node) as Node;
      const bounds = [...levelsIn(document, described), ...reachOf(described)];
      const rule = ruleOf([...partsOf(document, described), ...bounds]);
      found.push({ place: path.join('/'), description, rule });
    }
    for (const [name, value] of Object.entries(node)) visit(value, [...path, name]);
  }
}

/**
 * The bounds of trees (`levels` of `x-refers`) that a member, a schema, or the body of an operation states.
 * Each bound is returned as the `maximum` of a schema.
 */
export function levelsIn(document: Node, described: Node): Node[] {
  const { content = {} } = resolved(document, (described['requestBody'] ?? {}) as Node);
  const bodies = Object.values(content as Readonly<Record<string, Node>>).map(({ schema }) => schema as Node);
  const schemas = [described, ...bodies].flatMap((schema) => partsOf(document, schema));
  const members = schemas.flatMap(({ properties = {} }) => Object.values(properties as Record<string, Node>));
  return [...schemas, ...members.flatMap((member) => partsOf(document, member))].flatMap((part) => {
    const { levels } = (part['x-refers'] ?? {}) as Node;
    return levels === undefined ? [] : [{ maximum: levels }];
  });
}

/** The number of rows that the pages of a list reach (`x-reach`). */
export function reachOf({ 'x-reach': reach = {} }: Node): Node[] {
  return Object.values(reach as Node).map((rows) => ({ maximum: rows }));
}

/** The schema, or the target of its `$ref`, and the parts of its `allOf`. */
export function partsOf(document: Node, schema: Node): Node[] {
  const target = resolved(document, schema);
  return [target, ...((target['allOf'] ?? []) as Node[]).flatMap((part) => partsOf(document, part))];
}
