import { OPENAPI_YAML } from '../../../src/engine/contract/documents.js';
import { readOpenApi, type Operation } from '../../../testkit/contract/document.js';
import { bodyOf, referencesByName } from '../../../testkit/contract/relations.js';
import { GoodRequests, withMember } from '../../../testkit/contract/good-requests.js';
import { flat, isValid } from '../../../testkit/contract/schemas.js';
import type { TestApp } from './app.js';

const OPERATIONS = new Map(readOpenApi(OPENAPI_YAML).map((operation) => [operation.id, operation]));
const known = new WeakMap<TestApp, GoodRequests>();

/** The operation with its relations to rows and to other operations. */
export function relatedOperation(id: string): Operation {
  return OPERATIONS.get(id) as Operation;
}

/** The entities of which an operation can create a row. */
export const MADE: ReadonlySet<string> = new Set(
  [...OPERATIONS.values()].flatMap(({ makes }) => makes?.entity ?? []),
);

/** Good requests to a store, made of the examples of the contract. The administrator creates their rows. */
export function requestsTo(store: TestApp): GoodRequests {
  const found =
    known.get(store) ??
    new GoodRequests([...OPERATIONS.values()], async (method, path, body) => {
      const answer = await store.call(method, path, { body });
      if (answer.status >= 300) throw new Error(`${method} ${path} is refused: ${answer.text}`);
      return answer.body;
    });
  known.set(store, found);
  return found;
}

/** A good body for an operation; undefined if it takes none. */
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

/** The path of an operation with the id of a new row, and with the examples of its other parameters. */
export async function goodPath(store: TestApp, id: string): Promise<string> {
  const { path, entity, parameters } = relatedOperation(id);
  // A HEAD has no `shows` of its own, so this reads that of its GET.
  const { shows } = relatedOperation(id.replace(/^HEAD /, ''));
  if (entity === null) {
    const { example } = parameters.find(({ in: place }) => place === 'path') ?? {};
    return path.replace(/\{\w+\}/, String(example));
  }
  const requests = requestsTo(store);
  const row = await requests.make(entity);
  const isList =
    shows !== null && shows !== entity && OPERATIONS.values().some(({ makes }) => makes?.entity === shows);
  if (isList) {
    // Creates a row that refers to this row, so that the list is not empty.
    const references = [...referencesByName(bodyOf(requests.makerOf(shows)))];
    const member = references.find(([, reference]) => reference.entity === entity)?.[0];
    if (member !== undefined) await requests.make(shows, { [member]: row.id });
  }
  return path.replace(/\{\w+\}/, String(row.id));
}

/** The path of an operation with the id of no row. */
export function pathToNothing(id: string): string {
  const { path, entity } = relatedOperation(id);
  return path.replace(/\{\w+\}/, entity === null ? 'no-such-kind' : '987654');
}

/** The body with the id of no row, in the member for which a missing row is answered with 404. */
export function referringToNothing(id: string, body: object): object {
  const references = [...referencesByName(bodyOf(relatedOperation(id)))];
  const name = references.find(([, { code }]) => code === 'NOT_FOUND')?.[0];
  return name === undefined ? body : (withMember(body, name, 987_654) as object);
}

/** The members of a good body of the operation that is tied to a field of the SDL, by the names of the SDL. */
export async function goodArguments(store: TestApp, field: string): Promise<Record<string, unknown>> {
  const operation = [...OPERATIONS.values()].find(({ id, tie }) => (tie ?? `Mutation.${id}`) === field);
  const body = operation && (await requestsTo(store).body(operation));
  return inCamelCase(body ?? {}) as Record<string, unknown>;
}

/** An operation with a good mutation, whose result is in `field`. */
export async function goodMutation(store: TestApp, name: string): Promise<string> {
  const args = await goodArguments(store, name);
  if (Object.keys(args).length === 0) throw new Error(`There is no test operation for ${name}`);
  return `mutation { field: ${name.replace('Mutation.', '')}(${literalOf(args).slice(1, -1)}) { __typename } }`;
}

function inCamelCase(value: unknown): unknown {
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
