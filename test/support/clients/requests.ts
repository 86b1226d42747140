import {
  buildSchema,
  getNamedType,
  isLeafType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { operationsIn, type Operation } from '../../../testkit/contract/document.js';
import { bodyOf, referencesByName } from '../../../testkit/contract/relations.js';
import {
  filledPath,
  GoodRequests,
  withMember,
  type PathValues,
} from '../../../testkit/contract/good-requests.js';
import { flat, isValid } from '../../../testkit/contract/schemas.js';
import type { TestApp } from './app.js';
import { DOCUMENT } from '../fixtures/schema.js';

/** All operations, with their relations to rows and to other operations. */
export const RELATED_OPERATIONS = operationsIn(DOCUMENT);
const OPERATIONS = new Map(RELATED_OPERATIONS.map((operation) => [operation.id, operation]));
const SCHEMA = buildSchema(SCHEMA_GRAPHQL);
const known = new WeakMap<TestApp, GoodRequests>();

/** The operation with its relations to rows and to other operations. */
export function relatedOperation(id: string): Operation {
  return OPERATIONS.get(id) as Operation;
}

/** The entities whose rows an operation can create. */
export const MADE: ReadonlySet<string> = new Set(
  RELATED_OPERATIONS.flatMap(({ makes }) => makes?.entity ?? []),
);

/** Good requests to a store, made of the examples of the contract. The administrator creates their rows. */
export function requestsTo(store: TestApp): GoodRequests {
  const found =
    known.get(store) ??
    new GoodRequests(RELATED_OPERATIONS, async (method, path, body) => {
      const answer = await store.call(method, path, { body });
      if (answer.status >= 300) throw new Error(`${method} ${path} is refused: ${answer.text}`);
      return answer.body;
    });
  known.set(store, found);
  return found;
}

/** A good body for an operation; undefined if the operation has no body. */
export function goodBody(store: TestApp, id: string): Promise<object | undefined> {
  return requestsTo(store).body(relatedOperation(id));
}

/** A good body that differs from this one. */
export function anotherBody(id: string, body: object): object {
  const schema = bodyOf(relatedOperation(id)) ?? {};
  const members = Object.entries(flat(schema).properties ?? {}).filter(([, each]) => !flat(each).readOnly);
  const bodies = members.flatMap(([name, member]) =>
    [true, false, 1, 'Another', ...(flat(member).enum ?? [])].map((value) => ({ ...body, [name]: value })),
  );
  const found = bodies.find((each) => isValid(schema, each) && JSON.stringify(each) !== JSON.stringify(body));
  if (found === undefined) throw new Error(`${id} has only one good body.`);
  return found;
}

/** The values of the parameters in the path of an operation: ids of new rows, and the examples of other parameters. */
export async function goodPathValues(store: TestApp, id: string): Promise<PathValues> {
  const operation = relatedOperation(id);
  const requests = requestsTo(store);
  const values = await requests.pathValues(operation);
  const { entity } = operation;
  // A HEAD operation has no `shows`, so the `shows` of its GET operation is read.
  const { shows } = relatedOperation(id.replace(/^HEAD /, ''));
  const isList =
    shows !== null && shows !== entity && RELATED_OPERATIONS.some(({ makes }) => makes?.entity === shows);
  if (isList && entity !== null) {
    // Creates a row that refers to this row, so that the list is not empty.
    const references = [...referencesByName(bodyOf(requests.makerOf(shows)))];
    const member = references.find(([, reference]) => reference.entity === entity)?.[0];
    if (member !== undefined) await requests.make(shows, { [member]: Object.values(values)[0] });
    // A list of a relation gets its rows by requests such as `PUT /groups/{id}/members/{member_id}`.
    const placing = RELATED_OPERATIONS.find(
      ({ method, path }) => method === 'PUT' && path.startsWith(`${operation.path}/{`),
    );
    if (placing)
      await store.call('PUT', filledPath(placing.path, await requests.pathValues(placing, values)));
  }
  return values;
}

/** The path of an operation with the values of `goodPathValues`. */
export async function goodPath(store: TestApp, id: string): Promise<string> {
  return filledPath(relatedOperation(id).path, await goodPathValues(store, id));
}

/** The path of an operation with ids of rows that do not exist. */
export function pathToNothing(id: string): string {
  const { path, pathRows } = relatedOperation(id);
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name in pathRows ? '987654' : 'no-such-kind',
  );
}

/**
 * The body, with the id of a missing row in the member for which the service then answers 404. A body without such a
 * member stays as it is.
 */
export function referringToNothing(id: string, body: object): object {
  const schema = bodyOf(relatedOperation(id));
  const name = [...referencesByName(schema)].find(([, { code }]) => code === 'NOT_FOUND')?.[0];
  return name === undefined ? body : (withMember(body, schema, name, 987_654) as object);
}

/**
 * Values for the arguments of a field of the SDL. They are the values for the path and the body of the tied operation.
 * An argument `id` without such a value gets the id of a new row.
 */
export async function goodArguments(store: TestApp, name: string): Promise<Record<string, unknown>> {
  const { args, type } = fieldOf(name);
  const operation = RELATED_OPERATIONS.find(({ id, tie }) => (tie ?? `Mutation.${id}`) === name);
  const given = operation && {
    ...(await goodPathValues(store, operation.id)),
    ...(await requestsTo(store).body(operation)),
  };
  const values = inCamelCase(given ?? {}) as Record<string, unknown>;
  const declared = new Set(args.map((argument) => argument.name));
  const good = Object.fromEntries(Object.entries(values).filter(([argument]) => declared.has(argument)));
  for (const { name: argument } of args.filter(isRequiredArgument)) {
    if (argument === 'id') good['id'] ??= (await requestsTo(store).make(getNamedType(type).name)).id;
    if (!(argument in good))
      throw new Error(
        `There is no test value for the argument ${argument} of ${name}, because no operation of openapi.yaml with this ` +
          'member is tied to the field. Tie one (`x-graphql`), or write a value here, in test/support/clients/requests.ts.',
      );
  }
  return good;
}

/**
 * A GraphQL operation with good arguments. The alias of its field is `field`.
 *
 * @param others replaces arguments
 */
export async function goodDocument(store: TestApp, name: string, others: object = {}): Promise<string> {
  const [type = '', field = ''] = name.split('.');
  const values = { ...(await goodArguments(store, name)), ...others };
  const { args, type: result } = fieldOf(name);
  if (type === 'Subscription' && args.some((argument) => argument.name === 'after')) values['after'] = '0';
  const given = Object.keys(values).length === 0 ? '' : `(${literalOf(values).slice(1, -1)})`;
  const selection = isLeafType(getNamedType(result)) ? '' : ' { __typename }';
  return `${type.toLowerCase()} { field: ${field}${given}${selection} }`;
}

function fieldOf(name: string): GraphQLField<unknown, unknown> {
  const [type = '', field = ''] = name.split('.');
  const found = (SCHEMA.getType(type) as GraphQLObjectType | undefined)?.getFields()[field];
  if (found === undefined) throw new Error(`schema.graphql has no field ${name}.`);
  return found;
}

/** The same members, with their names in GraphQL. */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
      inCamelCase(each),
    ]),
  );
}

/** A value as it is written in GraphQL, where names have no quotes. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${name}: ${literalOf(each)}`)
    .join(', ')}}`;
}
