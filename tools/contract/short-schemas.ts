import { isMap, isScalar, isSeq, Pair, Scalar, visit, YAMLMap, YAMLSeq, type Document } from 'yaml';
import { ID } from '../shape.ts';
import { flowList, pairsOf, referenceTo, textOf } from './nodes.ts';
import type { ShortForm } from './whole.ts';

interface Text {
  readonly pattern: string;
  /** `x-message` */
  readonly message: string;
}

const ONE_LINE: Text = {
  pattern: String.raw`^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$`,
  message: 'must have a character that is not blank, and no control characters or halves of characters',
};
const ANY_LINES: Text = {
  pattern: String.raw`^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$`,
  message: 'must have no control characters other than tab and line feed, and no halves of characters',
};
const FILLED_LINES: Text = {
  pattern: String.raw`^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$`,
  message:
    'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
};

/** The short forms of schemas; see `shortForms`. */
export function formsOfSchemas(document: Document): ShortForm[] {
  return [
    ...textsAndIds(document),
    ...pairsOf(document.getIn(['components', 'schemas'])).flatMap(({ key, value }) => [
      ...ofPart(document, textOf(key), value),
      ...ofRow(textOf(key), value),
    ]),
  ];
}

/** Texts and ids may be anywhere, also in a parameter or in a member of an object. */
function textsAndIds(document: Document): ShortForm[] {
  const forms: ShortForm[] = [];
  visit(document, {
    Map(_, schema) {
      if (schema.has('x-text')) forms.push(...ofText(schema));
      if (schema.has('x-refers')) forms.push(...ofId(schema));
    },
  });
  return forms;
}

/**
 * A text with `x-text: line` has one line, and a character that is not blank. A text with `x-text: lines` may be blank,
 * unless its `minLength` is above 0.
 */
function ofText(schema: YAMLMap): ShortForm[] {
  const kind = schema.get('x-text');
  if (kind !== 'line' && kind !== 'lines') return [];
  const replace = (): void => {
    if (!schema.has('type')) schema.items.unshift(pair('type', new Scalar('string')));
    const place = () => schema.items.findIndex(({ key }) => textOf(key) === 'x-text');
    if (kind === 'line' && !schema.has('minLength'))
      schema.items.splice(1, 0, pair('minLength', new Scalar(1)));
    const { pattern, message } =
      kind === 'line' ? ONE_LINE : Number(schema.get('minLength') ?? 0) > 0 ? FILLED_LINES : ANY_LINES;
    const quoted = new Scalar(pattern);
    quoted.type = Scalar.QUOTE_SINGLE;
    const words = new Scalar(message);
    // Prettier would break a long text at any word.
    if (message.length > 110) words.type = Scalar.BLOCK_LITERAL;
    schema.flow = false;
    schema.items.splice(place(), 1, pair('pattern', quoted), pair('x-message', words));
  };
  return [{ node: schema, text: `a text has x-text: ${kind}`, replace }];
}

/** Writes `x-text` instead of the parts that follow from it. */
export function shortenTexts(document: Document): void {
  visit(document, {
    Map(_, schema) {
      const text = [ONE_LINE, ANY_LINES, FILLED_LINES].find(
        ({ pattern, message }) =>
          schema.get('pattern') === pattern && String(schema.get('x-message')).trim() === message,
      );
      if (text === undefined) return;
      const place = schema.items.findIndex(({ key }) => textOf(key) === 'pattern');
      schema.items.splice(place, 2, pair('x-text', new Scalar(text === ONE_LINE ? 'line' : 'lines')));
      if (text === ONE_LINE && schema.get('minLength') === 1) schema.delete('minLength');
      if (schema.get('type') === 'string') schema.delete('type');
    },
  });
}

/** The bounds of an id. `type` may be written, for a member that can be null. */
function ofId(schema: YAMLMap): ShortForm[] {
  const hasBounds = ['$ref', 'allOf', 'minimum', 'items'].some((name) => schema.has(name));
  if (hasBounds) return [];
  const replace = (): void => {
    if (!schema.has('type')) schema.items.unshift(pair('type', new Scalar('integer')));
    schema.flow = false;
    const place = schema.items.findIndex(({ key }) => textOf(key) === 'type') + 1;
    const { minimum, maximum } = ID;
    const bounds = Object.entries({ format: 'int64', minimum, maximum });
    schema.items.splice(place, 0, ...bounds.map(([name, value]) => pair(name, new Scalar(value))));
  };
  return [{ node: schema, text: 'an id with x-refers has no bounds', replace }];
}

function pair(name: string, value: Scalar): Pair {
  return new Pair(new Scalar(name), value);
}

/** The schemas of members that a client may send back, but not change (`x-unchanged`). */
export const UNCHANGED: ReadonlyMap<string, string> = new Map([
  ['id', 'UnchangedId'],
  ['created_at', 'UnchangedTime'],
  ['updated_at', 'UnchangedTime'],
]);

/**
 * An object with some members of another object. Its example takes the values of these members from the first example
 * of the other object. If the object requires no member, a value must have at least one member.
 */
function ofPart(document: Document, name: string, schema: unknown): ShortForm[] {
  const whole = isMap(schema) ? schema.get('x-part-of') : undefined;
  if (!isMap(schema) || typeof whole !== 'string') return [];
  const names = ['required', 'x-optional'].flatMap((list) => textsOf(schema.get(list)));
  const unchanged = textsOf(schema.get('x-unchanged'));
  const replace = (): void => {
    schema.flow = false;
    for (const own of ['x-part-of', 'x-optional', 'x-unchanged']) schema.delete(own);
    schema.set('type', 'object');
    schema.set('additionalProperties', false);
    if (!schema.has('required')) schema.set('minProperties', 1);
    const from = ['components', 'schemas', whole];
    const properties = new YAMLMap();
    const examples = document.getIn([...from, 'examples', 0]);
    const example = new YAMLMap();
    for (const member of unchanged)
      properties.set(member, referenceTo('schemas', UNCHANGED.get(member) ?? member));
    for (const member of names) {
      properties.set(member, copyOf(document.getIn([...from, 'properties', member], true)));
      const value = isMap(examples) ? examples.get(member, true) : undefined;
      if (value !== undefined) example.set(member, copyOf(value));
    }
    example.flow = true;
    schema.set('properties', properties);
    const list = new YAMLSeq();
    list.flow = true;
    list.add(example);
    schema.set('examples', list);
  };
  return [{ node: schema, text: `${name} is a part of ${whole}`, replace, names: { schemas: whole } }];
}

function ofRow(name: string, schema: unknown): ShortForm[] {
  if (!isMap(schema) || !schema.has('x-entity') || schema.has('type') || schema.has('allOf')) return [];
  const replace = (): void => {
    schema.set('type', 'object');
    schema.set('additionalProperties', false);
    schema.set('required', flowList(pairsOf(schema.get('properties')).map(({ key }) => textOf(key))));
  };
  return [{ node: schema, text: `${name} has no type`, replace }];
}

function textsOf(list: unknown): string[] {
  return isSeq(list) ? list.items.map(textOf) : [];
}

function copyOf(node: unknown): unknown {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.clone() : node;
}
