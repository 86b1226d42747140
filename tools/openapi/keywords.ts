import { isObject, items, member, members, textOf, texts, typeOf, type Node } from '../json.ts';
import { faultOfPattern } from '../patterns.ts';
import type { Document } from './document.ts';

const COUNT = (node: Node): boolean => Number.isInteger(node.value) && Number(node.value) >= 0;
const LEVELS = (node: Node): boolean => COUNT(node) && Number(node.value) >= 2;
const NUMBER = (node: Node): boolean => typeof node.value === 'number' && Number.isFinite(node.value);
const TEXT = (node: Node): boolean => typeof node.value === 'string';
const FLAG = (node: Node): boolean => typeof node.value === 'boolean';
const LIST = (node: Node): boolean => items(node).length > 0;
const OBJECT = (node: Node): boolean => isObject(node.value);
const ANY = (): boolean => true;
const REASON = (node: Node): boolean => isReason(node.value);
const TEXTS = (node: Node): boolean =>
  typeOf(node.value) === 'array' && new Set(texts(node)).size === items(node).length;

export const TYPES: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'null',
]);
export const FORMATS = new Map<string, readonly string[]>([
  ...['date-time', 'date', 'email', 'uri', 'uri-reference', 'uuid'].map(
    (name) => [name, ['string']] as const,
  ),
  ...['int32', 'int64'].map((name) => [name, ['integer']] as const),
  ...['float', 'double'].map((name) => [name, ['number', 'integer']] as const),
]);

/** Whether a value is a sentence. The reason for an exception, such as `x-untied`, must be a sentence. */
export function isReason(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Z`][\s\S]*\.$/u.test(value) && value.includes(' ');
}

/** Every supported keyword, with a check of its value. Any other keyword is refused. */
const KEYWORDS: Readonly<Record<string, (node: Node) => boolean>> = {
  $ref: TEXT,
  allOf: LIST,
  anyOf: LIST,
  oneOf: LIST,
  discriminator: OBJECT,
  type: (node) =>
    TYPES.has(textOf(node) ?? '') ||
    (LIST(node) && items(node).every((item) => TYPES.has(textOf(item) ?? ''))),
  enum: LIST,
  const: ANY,
  format: (node) => FORMATS.has(textOf(node) ?? ''),
  default: ANY,
  title: TEXT,
  description: TEXT,
  example: ANY,
  examples: LIST,
  deprecated: FLAG,
  readOnly: FLAG,
  writeOnly: FLAG,
  externalDocs: OBJECT,
  $comment: TEXT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: (node) => NUMBER(node) && Number(node.value) > 0,
  minLength: COUNT,
  maxLength: COUNT,
  pattern: TEXT,
  items: OBJECT,
  minItems: COUNT,
  maxItems: COUNT,
  uniqueItems: FLAG,
  properties: OBJECT,
  required: TEXTS,
  additionalProperties: (node) => FLAG(node) || OBJECT(node),
  unevaluatedProperties: (node) => node.value === false,
  minProperties: COUNT,
  maxProperties: COUNT,
  'x-entity': TEXT,
  'x-graphql': TEXT,
  'x-untied': REASON,
  'x-message': (node) => /^must .*[^.]$/u.test(textOf(node) ?? ''),
  'x-money': FLAG,
  'x-shown-once': FLAG,
  'x-ended': FLAG,
  'x-label': TEXT,
  'x-hint': TEXT,
  'x-control': (node) => textOf(node) === 'email',
  'x-null': (node) => /\S/.test(textOf(node) ?? ''),
  'x-since': (node) => /^v[2-9]$/.test(textOf(node) ?? ''),
  'x-judged-apart': FLAG,
  'x-unique': (node) =>
    OBJECT(node) && members(node).every(([, names]) => texts(names).length > 0 && TEXTS(names)),
  'x-refers': (node) =>
    OBJECT(node) &&
    ['entity', 'code'].every((name) => member(node, name) !== undefined) &&
    members(node).every(([name, value]) =>
      name === 'levels' ? LEVELS(value) : ['entity', 'code', 'keeps'].includes(name) && TEXT(value),
    ),
  'x-links': (node) =>
    OBJECT(node) &&
    members(node).every(
      ([, link]) =>
        TEXT(member(link, 'operationId') ?? link) &&
        members(member(link, 'parameters')).every(([, value]) => TEXT(value)),
    ),
  'x-graphql-enum': (node) => OBJECT(node) && members(node).every(([, name]) => TEXT(name)),
};

/** Checks a schema and everything in it. It follows references, and checks each place once. */
export function checkKeywords(document: Document, schema: Node, seen: Set<string>): void {
  if (seen.has(schema.at)) return;
  seen.add(schema.at);
  if (!isObject(schema.value)) {
    document.fault(schema, `a schema must be an object, not ${JSON.stringify(schema.value)}`);
    return;
  }
  for (const [name, node] of members(schema)) {
    const fits = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
    if (fits === undefined) document.fault(node, `the keyword ${name} is not supported`);
    else if (!fits(node))
      document.fault(node, `${name} can't be ${typeOf(node.value)} ${JSON.stringify(node.value)}`);
  }
  const pattern = member(schema, 'pattern');
  const wrong = pattern === undefined ? null : faultOfPattern(pattern.value);
  if (pattern !== undefined && wrong !== null)
    document.fault(pattern, `the pattern ${JSON.stringify(pattern.value)} ${wrong}`);
  const message = member(schema, 'x-message');
  if (message !== undefined && member(schema, 'pattern') === undefined)
    document.fault(message, 'x-message needs a pattern');
  const words = member(schema, 'x-null');
  if (words !== undefined && !texts(member(schema, 'type')).includes('null'))
    document.fault(words, "x-null needs a type that allows null, such as [string, 'null']");
  const required = texts(member(schema, 'required'));
  for (const [name, node] of members(member(schema, 'properties'))) {
    const since = member(node, 'x-since');
    if (since !== undefined && required.includes(name))
      document.fault(
        since,
        'a member with x-since must not be required, because older versions do not have it',
      );
  }
  for (const inner of innerSchemas(schema)) checkKeywords(document, inner, seen);
  if (member(schema, '$ref') !== undefined) {
    const target = document.follow(schema);
    if (target !== undefined) checkKeywords(document, target, seen);
  }
}

function innerSchemas(schema: Node): Node[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => items(member(schema, name)));
  const singles = ['items', 'additionalProperties']
    .map((name) => member(schema, name))
    .filter((node) => node !== undefined && isObject(node.value)) as Node[];
  return [...lists, ...singles, ...members(member(schema, 'properties')).map(([, node]) => node)];
}
