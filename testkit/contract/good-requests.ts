import { exampleOf } from './examples.ts';
import type { Operation, Schema } from './model.ts';
import { bodyOf, referenceOf, referencesByName } from './relations.ts';
import { flat, isValid } from './schemas.ts';

/** The values for the parameters of a path. */
export type PathValues = Readonly<Record<string, string | number | undefined>>;

/** A parameter in a path. */
const PARAMETER = /\{(\w+)\}/g;

/** Sends a request that must succeed, and returns the body of the answer. */
export type Send = (method: string, path: string, body: unknown) => Promise<unknown>;

/** A new row, and the body of the answer that showed it. */
export interface Made {
  readonly id: number;
  readonly shown: Readonly<Record<string, unknown>>;
}

/**
 * In a batch, this member of an item holds the condition for that item. Good requests leave it out, because only a
 * client that has read the row knows the value.
 */
const CONDITION = 'if_match';

/**
 * Makes valid requests from the examples in the contract. If an id in an example refers to a row (`x-refers`), it is
 * replaced by the id of a row that exists. If a value must be unique (`x-unique`), it is replaced by a new value.
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

  /**
   * Makes a row by an operation with this body.
   *
   * @param given values for parameters of the path
   */
  async makeBy(maker: Operation, body: unknown, given: PathValues = {}): Promise<Made> {
    const { method, makes } = maker;
    const path = filledPath(maker.path, await this.pathValues(maker, given));
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
   * Makes a row that refers to the row with this id. As long as the new row exists, the service refuses to delete the
   * row with this id. The error has this code. The contract names the code in `keeps` of `x-refers`.
   */
  async makeReferrer(code: string, id: number): Promise<void> {
    for (const maker of this.#operations) {
      const [name] = [...referencesByName(bodyOf(maker))].find(([, { keeps }]) => keeps === code) ?? [];
      if (name === undefined || maker.makes === null) continue;
      const body = withMember(await this.body(maker), bodyOf(maker), name, id);
      if (body === undefined) throw new Error(`An example of the body of ${maker.id} must have ${name}.`);
      await this.makeBy(maker, body);
      return;
    }
    throw new Error(
      `The service can refuse a deletion with the code ${code}, but no operation makes a row that causes this. Write ` +
        `\`keeps: ${code}\` in the \`x-refers\` of a member. If no reference causes the refusal, add a request to the list ` +
        'CONFLICTS in test/engine/http/statuses.long.test.ts, and to the list of the same name in prove/contract/conflicts.ts.',
    );
  }

  /**
   * A value for each parameter in the path of an operation: the id of a row, or the example in the contract.
   *
   * @param given the values of some parameters. A row may have to be made for another parameter. Then the request that
   *   makes this row has the same values in its path
   */
  async pathValues({ path, parameters, pathRows }: Operation, given: PathValues = {}): Promise<PathValues> {
    const values: Record<string, string | number | undefined> = { ...given };
    for (const [, name = ''] of path.matchAll(PARAMETER)) {
      const entity = pathRows[name];
      values[name] ??= entity
        ? await this.idIn(entity, values)
        : (parameters.find((each) => each.in === 'path' && each.name === name)?.example as
            string | undefined);
    }
    return values;
  }

  /**
   * The id of a row. If the path of the operation that makes it has parameters (`/categories/{id}/products`), the row
   * is made at the path with these values.
   */
  async idIn(entity: string, values: PathValues): Promise<number> {
    const maker = this.#operations.find(({ makes, method }) => method === 'POST' && makes?.entity === entity);
    if (!maker?.path.includes('{')) return this.#referred(entity);
    return (await this.makeBy(maker, await this.body(maker), values)).id;
  }

  /**
   * A valid body; undefined for an operation without a body.
   *
   * @param given replaces members of the body
   */
  async body(operation: Operation, given: object = {}): Promise<object | undefined> {
    const schema = bodyOf(operation);
    if (schema === undefined) return undefined;
    const first = { ...(exampleOf(schema) as object), ...given };
    requireNoRowOfItself(operation, first, given);
    const example = await this.#filled(schema, first, given);
    const members = { ...(example as Record<string, unknown>) };
    for (const names of Object.values(operation.uniques)) {
      const name = names.findLast((each) => each in members && !(each in given));
      const member = flat(schema).properties?.[name ?? ''];
      if (name !== undefined && member) members[name] = this.another(member, members[name]);
    }
    return members;
  }

  /** A value that is similar to the given value. Two calls with the same given value return different values. */
  another(schema: Schema, value: unknown): unknown {
    this.#next += 1;
    if (typeof value === 'number') return value + this.#next;
    const candidates = [`${this.#next}.${String(value)}`, `${String(value)}.${this.#next}`];
    const found = candidates.find((candidate) => isValid(schema, candidate));
    if (found === undefined)
      throw new Error(`No value that is similar to ${JSON.stringify(value)} satisfies its schema.`);
    return found;
  }

  async #filled(given: Schema, value: unknown, fixed: object = {}): Promise<unknown> {
    const reference = referenceOf(given);
    if (reference) return value === null ? null : this.#referred(reference.entity);
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

/** A row that needs another row of its kind could never be made, because the other row would need a third row. */
function requireNoRowOfItself(operation: Operation, example: Record<string, unknown>, given: object): void {
  for (const [name, { entity }] of referencesByName(bodyOf(operation))) {
    if (entity === operation.makes?.entity && !(name in given) && (example[name] ?? null) !== null)
      throw new Error(
        `In the example of the body of ${operation.id}, ${name} refers to another ${entity}. Write null there.`,
      );
  }
}

/**
 * The path with these values of its parameters.
 *
 * @throws Error when a parameter has no value
 */
export function filledPath(path: string, values: PathValues): string {
  return path.replaceAll(PARAMETER, (parameter, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no value for ${parameter} in ${path}.`);
    return encodeURIComponent(String(value));
  });
}

/**
 * A copy of a body in which the member with this name has the value `other`. If the schema has the member at its top
 * level, the copy has it there, even if the body does not have it. Otherwise, the member is searched for at any depth
 * of the body. If it is not found, the result is undefined.
 */
export function withMember(
  body: unknown,
  schema: Schema | undefined,
  name: string,
  other: unknown,
): object | undefined {
  if (Object.hasOwn(flat(schema ?? {}).properties ?? {}, name)) return { ...(body as object), [name]: other };
  return withInnerMember(body, name, other);
}

function withInnerMember(value: unknown, name: string, other: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && name in value) return { ...value, [name]: other };
  for (const [key, inner] of Object.entries(value)) {
    const changed = withInnerMember(inner, name, other);
    if (changed === undefined) continue;
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
  }
  return undefined;
}
