import { exampleOf } from './examples.ts';
import type { Operation, Schema } from './model.ts';
import { bodyOf, referenceOf } from './relations.ts';
import { flat, isValid } from './schemas.ts';

/** Sends a request that must succeed, and returns the body of the answer. */
export type Send = (method: string, path: string, body: unknown) => Promise<unknown>;

/** A new row, and the body of the answer that showed it. */
export interface Made {
  readonly id: number;
  readonly shown: Readonly<Record<string, unknown>>;
}

/**
 * The member with the condition of one item of a batch. It is left out, because only a client that has read
 * the row knows its value.
 */
const CONDITION = 'if_match';

/**
 * Makes valid requests from the examples in the contract. Each id in an example that refers to a row (`x-refers`) is
 * replaced by the id of a new row, and each value that must be unique (`x-unique`) by a new value.
 */
export class GoodRequests {
  readonly #operations: readonly Operation[];
  readonly #send: Send;
  readonly #referred: (entity: string) => Promise<number>;
  #next = 0;

  /** @param referred gives the id of a row to refer to. If it is absent, a new row is made for each reference. */
  constructor(operations: readonly Operation[], send: Send, referred?: (entity: string) => Promise<number>) {
    this.#operations = operations;
    this.#send = send;
    this.#referred = referred ?? (async (entity) => (await this.make(entity)).id);
  }

  /**
   * Makes a row.
   *
   * @param given replaces members of the body
   */
  async make(entity: string, given: object = {}): Promise<Made> {
    const maker = this.makerOf(entity);
    return this.makeBy(maker, await this.body(maker, given));
  }

  /** Makes a row by an operation with this body. */
  async makeBy({ method, path, makes }: Operation, body: unknown): Promise<Made> {
    const shown = (await this.#send(method, path, body)) as Made['shown'];
    const id = makes?.id.reduce<unknown>((at, name) => (at as Made['shown'])[name], shown);
    return { id: Number(id), shown };
  }

  makerOf(entity: string): Operation {
    const maker = this.#operations.find(({ makes, method }) => method === 'POST' && makes?.entity === entity);
    if (maker === undefined)
      throw new Error(`openapi.yaml has no operation that creates a row of ${entity}.`);
    return maker;
  }

  /**
   * A valid body; undefined for an operation without one.
   *
   * @param given replaces members of the body
   */
  async body(operation: Operation, given: object = {}): Promise<object | undefined> {
    const schema = bodyOf(operation);
    if (schema === undefined) return undefined;
    const example = await this.#filled(schema, { ...(exampleOf(schema) as object), ...given }, given);
    const members = { ...(example as Record<string, unknown>) };
    for (const names of Object.values(operation.uniques)) {
      const name = names.findLast((each) => each in members && !(each in given));
      const member = flat(schema).properties?.[name ?? ''];
      if (name !== undefined && member) members[name] = this.another(member, members[name]);
    }
    return members;
  }

  /** A value that no other call returns. It is similar to the given one. */
  another(schema: Schema, value: unknown): unknown {
    this.#next += 1;
    if (typeof value === 'number') return value + this.#next;
    const candidates = [`${this.#next}.${String(value)}`, `${String(value)}.${this.#next}`];
    const found = candidates.find((candidate) => isValid(schema, candidate));
    if (found === undefined)
      throw new Error(`There is no rule for another value than ${JSON.stringify(value)}.`);
    return found;
  }

  async #filled(given: Schema, value: unknown, fixed: object = {}): Promise<unknown> {
    const reference = referenceOf(given);
    if (reference) return this.#referred(reference.entity);
    const schema = flat(given);
    const choice = (schema.oneOf ?? schema.anyOf)?.find((each) => isValid(each, value));
    if (choice) return this.#filled(choice, value);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await this.#filled(schema.items ?? {}, item));
      return items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const members: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      const member = schema.properties?.[name] ?? {};
      if (name in fixed) members[name] = each;
      else if (name !== CONDITION && flat(member).readOnly !== true)
        members[name] = await this.#filled(member, each);
    }
    return members;
  }
}

/**
 * A copy of `value` in which the first member with this name, at any depth, has the value `other`; undefined if there
 * is no such member.
 */
export function withMember(value: unknown, name: string, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && name in value) return { ...value, [name]: other };
  for (const [key, inner] of Object.entries(value)) {
    const changed = withMember(inner, name, other);
    if (changed === undefined) continue;
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
  }
  return undefined;
}
