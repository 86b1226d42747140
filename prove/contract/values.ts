import type { Random } from '../../testkit/random.ts';
import type { Schema } from '../../testkit/contract/document.ts';
import { TEXTS, WRONG, WRONG_TEXTS } from './samples.ts';
import { flat, isValid, typesOf } from '../../testkit/contract/schemas.ts';

/** Gives the value of a member that depends on the store, or `OMIT`; undefined when any valid value is good. */
export type Known = (name: string, schema: Schema) => unknown;

/** Marks a member or a parameter that is left out, because its value cannot be made up. */
export const OMIT = Symbol('left out');

/** Makes values from schemas: at the bounds of a schema, within the bounds, and beyond them. */
export class Values {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  below(bound: number): number {
    return Math.floor(this.random() * bound);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  one<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }

  /** Random letters and digits. With a length of eight there are about 3 × 10^12 words. */
  word(length: number): string {
    return Array.from({ length }, () => this.below(36).toString(36)).join('');
  }

  valid(given: Schema, known: Known = () => undefined): unknown {
    const schema = flat(given);
    const choice = schema.anyOf ?? schema.oneOf;
    if (choice) return this.valid(this.one(choice), known);
    if (schema.enum) return this.one(schema.enum);
    if (schema.const !== undefined) return schema.const;
    const type = this.one(typesOf(schema).length > 0 ? typesOf(schema) : ['string']);
    if (type === 'null') return null;
    if (type === 'boolean') return this.chance(0.5);
    if (type === 'object') return this.#object(schema, known);
    if (type === 'array') return this.#array(schema, known);
    const candidates = (type === 'string' ? this.#texts(schema) : this.#numbers(schema)).filter((candidate) =>
      isValid(given, candidate),
    );
    if (candidates.length === 0) throw new Error(`No value is known for ${JSON.stringify(schema)}.`);
    return this.one(candidates);
  }

  #object(schema: Schema, known: Known): Record<string, unknown> {
    const required = new Set(schema.required);
    const members = Object.entries(schema.properties ?? {})
      .filter(([, member]) => !flat(member).readOnly)
      .map(([name, member]) => [name, member, known(name, member)] as const)
      .filter(([, , value]) => value !== OMIT);
    const optional = members.filter(([name]) => !required.has(name));
    const wanted = new Set([...required, ...optional.map(([name]) => name).filter(() => this.chance(0.5))]);
    const least = Math.min(schema.minProperties ?? 0, members.length);
    while (wanted.size < least) wanted.add(this.one(optional)[0]);
    return Object.fromEntries(
      members
        .filter(([name]) => wanted.has(name))
        .map(([name, member, value]) => [name, value ?? this.valid(member, known)]),
    );
  }

  #array(schema: Schema, known: Known): unknown[] {
    const { minItems = 0, maxItems = 5, items = {}, uniqueItems } = schema;
    const most = Math.min(maxItems, this.chance(0.1) ? 100 : 3);
    const length = Math.max(minItems, this.one([minItems, 1, 1, most]));
    const list = Array.from({ length: Math.min(length, maxItems) }, () => this.valid(items, known));
    if (!uniqueItems) return list;
    const distinct = [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
    // Sort keys such as `id` and `-id` are distinct, and the service accepts both together.
    return distinct;
  }

  #numbers(schema: Schema): readonly number[] {
    const { minimum = -1000, maximum = 1000, multipleOf = 1 } = schema;
    const step = typesOf(schema).includes('integer') ? 1 : multipleOf;
    const inside = minimum + Math.floor(this.random() * Math.min(maximum - minimum, 1000));
    const odd = Math.round(inside * 100 + 1) / 100;
    return [
      minimum,
      maximum,
      minimum + step,
      maximum - step,
      inside,
      odd,
      Number((minimum + 0.01).toFixed(2)),
    ];
  }

  #texts(schema: Schema): readonly string[] {
    const { minLength = 0, maxLength = 200 } = schema;
    const most = Math.min(maxLength, 5000);
    const own = [schema.example, ...(schema.examples ?? [])].filter((each) => typeof each === 'string');
    const least = ['x', '7', '😀'].map((each) => each.repeat(Math.max(minLength, 1)));
    return [
      ...own,
      ...TEXTS,
      ...least,
      'x'.repeat(most),
      '😀'.repeat(most),
      'x'.repeat(most - 1),
      '9'.repeat(15),
    ];
  }

  /** An invalid value, often similar to a valid one; undefined when no invalid value was found. */
  invalid(given: Schema, known: Known = () => undefined): unknown {
    for (let tries = 0; tries < 20; tries++) {
      const value = this.#spoilt(given, known);
      if (value !== undefined && !isValid(given, value)) return value;
    }
    const candidates = this.#wrong(flat(given)).filter((value) => !isValid(given, value));
    return candidates.length === 0 ? undefined : this.one(candidates);
  }

  #spoilt(given: Schema, known: Known): unknown {
    const schema = flat(given);
    if (this.chance(0.15)) return this.one(WRONG);
    if (schema.properties) return this.#spoiltObject(schema, known);
    if (schema.items && typesOf(schema).includes('array')) return this.#spoiltArray(schema, known);
    return this.one(this.#wrong(schema));
  }

  #spoiltObject(schema: Schema, known: Known): Record<string, unknown> {
    const good = this.#object(schema, known);
    const members = Object.entries(schema.properties ?? {}).filter(([, member]) => !flat(member).readOnly);
    const way = this.random();
    if (way < 0.15) return {};
    if (way < 0.35 && schema.required?.length) {
      const { [this.one(schema.required)]: _left, ...rest } = good;
      return rest;
    }
    if (way < 0.5) return { ...good, [this.one(['nothing', 'Name', 'ID', '__proto__', 'price '])]: 1 };
    const [name, member] = this.one(members);
    const value = this.invalid(member, known);
    return value === undefined ? good : { ...good, [name]: value };
  }

  #spoiltArray(schema: Schema, known: Known): unknown[] {
    const good = this.#array(schema, known);
    const { maxItems, minItems, uniqueItems, items = {} } = schema;
    const item = this.valid(items, known);
    if (uniqueItems && this.chance(0.3)) return [item, item];
    if (maxItems !== undefined && this.chance(0.2)) return Array.from({ length: maxItems + 1 }, () => item);
    if (minItems && this.chance(0.2)) return [];
    return [...good.slice(0, Math.max((maxItems ?? 5) - 1, 0)), this.invalid(items, known) ?? null];
  }

  #wrong(schema: Schema): readonly unknown[] {
    const { minimum, maximum, minLength, maxLength, multipleOf } = schema;
    return [
      ...WRONG,
      ...WRONG_TEXTS,
      ...(minimum === undefined ? [] : [minimum - (multipleOf ?? 1), minimum - 1]),
      ...(maximum === undefined ? [] : [maximum + (multipleOf ?? 1), maximum + 1]),
      ...(multipleOf === undefined ? [] : [(minimum ?? 0) + multipleOf / 10]),
      ...(minLength ? ['x'.repeat(minLength - 1)] : []),
      ...(maxLength === undefined || maxLength > 100_000
        ? []
        : ['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1)]),
    ];
  }
}
