import type { Json } from '../json.ts';
import * as formats from '../../src/rules/formats.ts';
import type { Finding, Rule } from '../../src/rules/members.ts';
import * as rules from '../../src/rules/rules.ts';
import type { Shape } from '../shape.ts';
import { literal } from './text.ts';

/** The call of a rule in generated code: a name of src/rules and its arguments. */
export interface Call {
  readonly name: string;
  readonly args: readonly (Json | RegExp)[];
  /** The calls that are the arguments of this call, if its rule contains other rules, as `each` does. */
  readonly inner: readonly Call[] | null;
}

const TYPES: Readonly<Record<Shape['kind'], string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'moment',
  array: 'list',
  map: 'object',
  object: 'object',
  union: 'object',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'dateTime',
  date: 'date',
  email: 'email',
  uri: 'uri',
  'uri-reference': 'uriReference',
  uuid: 'uuid',
};

/**
 * The rules of a shape in the order of their precedence: type, allowed values, size, form. The rules of items come
 * after the upper bound of the number of items. So a client cannot make the service check a million items.
 */
export function rulesOf(shape: Shape): Call[] {
  const { bounds, union } = shape;
  const calls: Call[] = [call(TYPES[shape.kind])];
  const add = (name: string, value: number | undefined): void => {
    if (value !== undefined) calls.push(call(name, value));
  };
  if (shape.values !== null) calls.push(call('oneOf', ...shape.values));
  add('minLength', bounds.minLength === 0 ? undefined : bounds.minLength);
  add('maxLength', bounds.maxLength);
  add('minimum', bounds.minimum);
  add('above', bounds.exclusiveMinimum);
  add('maximum', bounds.maximum);
  add('below', bounds.exclusiveMaximum);
  for (const step of bounds.multipleOf ?? []) calls.push(call('multipleOf', ...decimal(step)));
  const format = FORMATS[shape.format ?? ''];
  if (format !== undefined) calls.push(call(format));
  for (const pattern of bounds.patterns ?? []) {
    const message = shape.messages.get(pattern);
    calls.push(call('pattern', new RegExp(pattern, 'u'), ...(message === undefined ? [] : [message])));
  }
  add('maxItems', bounds.maxItems);
  if (shape.kind === 'map') add('maxMembers', bounds.maxProperties);
  if (shape.items !== null) calls.push({ name: 'each', args: [], inner: rulesOf(shape.items) });
  add('minItems', bounds.minItems === 0 ? undefined : bounds.minItems);
  if (bounds.uniqueItems === true) calls.push(call('uniqueItems'));
  if (shape.kind === 'map') add('minMembers', bounds.minProperties === 0 ? undefined : bounds.minProperties);
  if (union?.apart === false) calls.push(call('discriminated', union.property, ...union.dtos.keys()));
  return shape.nullable ? [{ name: 'nullable', args: [], inner: calls }] : calls;
}

function call(name: string, ...args: (Json | RegExp)[]): Call {
  return { name, args, inner: null };
}

/** 0.05 → 5 units of 10^-2. */
function decimal(step: number): [number, number] {
  const [digits = '', exponent = '0'] = step.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const decimals = fraction.length - Number(exponent);
  return decimals >= 0 ? [Number(whole + fraction), decimals] : [step, 0];
}

export function rulesText(calls: readonly Call[]): string {
  return calls
    .map(({ name, args, inner }) => {
      if (inner !== null) return `${name}(${rulesText(inner)})`;
      return isConstant(name) ? name : `${name}(${args.map(literal).join(', ')})`;
    })
    .join(', ');
}

/** Whether the rule is one of the formats of src/rules. */
export function isFormat(name: string): boolean {
  return Object.values(FORMATS).includes(name);
}

function isConstant(name: string): boolean {
  return name === 'uniqueItems' || Object.values(TYPES).includes(name) || isFormat(name);
}

/** Applies the rules of a shape to a value. Generated code applies the same rules. */
export function findingsOf(shape: Shape, value: unknown): readonly Finding[] {
  return rules.each(...rulesOf(shape).map(ruleOf))([value]);
}

function ruleOf({ name, args, inner }: Call): Rule {
  const known: Readonly<Record<string, unknown>> = { ...rules, ...formats };
  if (isConstant(name)) return known[name] as Rule;
  return (known[name] as (...values: unknown[]) => Rule)(...(inner === null ? args : inner.map(ruleOf)));
}
