import type { Operation, Parameter } from '../../testkit/contract/document.ts';
import { givesKeys, isOfItsMaker, isBeyondReach, knownOf, NAMED, wholeBody } from './knowledge.ts';
import { filledPath } from '../../testkit/contract/good-requests.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { OMIT, type Known } from './values.ts';
import type { Headers, Owner, World } from './world.ts';
import type { Sent } from './client.ts';
import type { Due } from './judge.ts';

export const JSON_PATCH = 'application/json-patch+json';
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  html: 'text/html',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** A request that the contract accepts. It is stored in parts, so that a twist can spoil one part. */
export interface Draft {
  readonly operation: Operation;
  readonly owner: Owner | null;
  readonly known: Known;
  /** One of the addresses of the operation. */
  readonly address: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly credential: Headers;
  readonly headers: Headers;
  readonly body: { readonly type: string; readonly value: unknown } | null;
  /**
   * Whether a description in the contract allows the service to refuse this request (400), even though the values are
   * valid by the schemas.
   */
  readonly isDoubtful: boolean;
}

export interface Attempt {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly due: Due;
}

export async function draftOf(world: World, operation: Operation, asOwner?: boolean): Promise<Draft> {
  const isFresh = !SAFE.has(operation.method);
  const { credential, owner } = await callerOf(world, operation, asOwner, isFresh);
  const known = await knownOf(world, { operation, owner });
  const path: Record<string, string> = {};
  for (const { name, in: place } of operation.parameters) {
    if (place === 'path')
      path[name] = NAMED[name]?.there ?? String(await idOf(world, operation, { name, owner, isFresh, path }));
  }
  const query = queryOf(world, operation, known);
  return {
    operation,
    owner,
    known,
    address: world.values.one(operation.paths),
    path,
    query: Object.entries(query).flatMap(([name, value]) => pairsOf(name, value, world)),
    credential,
    headers: {},
    body: operation.body ? await bodyOf(world, operation, { known, owner, path }) : null,
    isDoubtful: isBeyondReach(operation, query, owner),
  };
}

/** The caller: anonymous, the administrator, a client with the required scopes, or a user who reaches its own rows. */
async function callerOf(
  world: World,
  operation: Operation,
  asOwner: boolean | undefined,
  isFresh: boolean,
): Promise<{ credential: Headers; owner: Owner | null }> {
  const { ways, owner: place } = operation;
  const { values } = world;
  if (ways === null) return { credential: values.chance(0.7) ? {} : world.admin, owner: null };
  // The administrator made the row. Any other caller can reach only the rows that it made itself.
  if (isOfItsMaker(operation)) return { credential: world.admin, owner: null };
  const way = values.one(givesKeys(operation) ? ways.filter(({ scheme }) => scheme === 'apiKey') : ways);
  const isOwn = place !== null && (asOwner ?? (way.scopes.length === 0 || place === 'row.id'));
  if (isOwn) {
    const owner = await world.owner(isFresh && place === 'path.id');
    const isBasic = ways.some(({ scheme }) => scheme === 'basic') && values.chance(0.5);
    return { credential: isBasic ? owner.basic : owner.key, owner };
  }
  const other = way.scopes.length === 0 ? (ways.find(({ scopes }) => scopes.length > 0) ?? way) : way;
  return { credential: await world.credential(other.scheme, other.scopes), owner: null };
}

interface Named {
  /** The name of the parameter. */
  readonly name: string;
  readonly owner: Owner | null;
  readonly isFresh: boolean;
  /** The values of the earlier parameters of the path. */
  readonly path: Draft['path'];
}

/** The id of a row, for a parameter of the path. Only the row of the first parameter belongs to the owner. */
async function idOf(
  { rows }: World,
  { id, path: address, pathRows, owner: place }: Operation,
  { name, owner, isFresh, path }: Named,
): Promise<number> {
  const entity = pathRows[name];
  if (entity === undefined)
    throw new Error(`No GET shows the row that {${name}} names in ${address}, the path of ${id}.`);
  if (owner && place === `path.${name}`) return owner.id;
  if (owner && Object.keys(path).length === 0) return (await rows.rowOf(entity, owner)).id;
  return rows.below(entity, path, isFresh);
}

function queryOf({ values }: World, { parameters }: Operation, known: Known): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query' || !(required || values.chance(0.25))) continue;
    const value = known(name, schema) ?? values.valid(schema, known);
    if (value !== OMIT) query[name] = value;
  }
  return query;
}

async function bodyOf(
  world: World,
  operation: Operation,
  { known, owner, path }: Pick<Draft, 'known' | 'owner' | 'path'>,
): Promise<NonNullable<Draft['body']>> {
  const { values } = world;
  const media = [...(operation.body?.media ?? [])];
  const [type, schema] = values.one(media);
  const [, plain] = media[0] as (typeof media)[0];
  const whole =
    (await wholeBody(world, operation)) ?? values.valid(type === JSON_PATCH ? plain : schema, known);
  if (type === JSON_PATCH) return { type, value: patchTo(whole as object) };
  // Only a user may omit the member that names the owner.
  const whose = owner ? undefined : /^body\.(.+)/.exec(operation.owner ?? '')?.[1];
  if (whose !== undefined) Object.assign(whole as object, { [whose]: known(whose, {}) });
  const readOnly = Object.entries(flat(plain).properties ?? {}).filter(([, member]) => flat(member).readOnly);
  if (readOnly.length === 0 || !values.chance(0.2)) return { type, value: whole };
  const names = readOnly.map(([name]) => name).filter((name) => name !== 'id');
  const sentBack = names.length === 0 ? {} : await shownBy(world, operation, path, names);
  return { type, value: { ...(whole as object), id: Number(path['id']), ...sentBack } };
}

/** The values that the row has in these read-only members. They may be sent back as they were read. */
async function shownBy(
  { client, admin }: World,
  { path: address }: Operation,
  path: Draft['path'],
  names: readonly string[],
): Promise<object> {
  const { text } = await client.send({ method: 'GET', target: filledPath(address, path), headers: admin });
  const shown = JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, shown[name]]));
}

/** A JSON Patch that replaces these members, without the passwords and `revoke_keys`: a patch cannot set them. */
function patchTo(members: object): unknown {
  return Object.entries(members)
    .filter(([name]) => !/password|^revoke_keys$/.test(name))
    .map(([name, value]: [string, unknown]) => ({ op: 'replace', path: `/${name}`, value }));
}

/** A list is sent as repeated parameters, or as one parameter with commas. */
function pairsOf(name: string, value: unknown, { values }: World): [string, string][] {
  if (!Array.isArray(value) || values.chance(0.5)) return [[name, textOf(value)]];
  return value.map((item) => [name, String(item)]);
}

/** The value as text in a query. */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

export function targetOf({
  address: template,
  path,
  query,
}: Pick<Draft, 'address' | 'path' | 'query'>): string {
  const address = filledPath(template, path);
  const text = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return text === '' ? address : `${address}?${text}`;
}

/** Whether the address is short enough for the service. */
export function isShort(draft: Draft): boolean {
  return targetOf(draft).length <= 8000;
}

/** @param body the text of the body, if it differs from the body of the draft */
export function sentOf(draft: Draft, body?: string): Sent {
  const text = body ?? (draft.body ? JSON.stringify(draft.body.value) : undefined);
  return {
    method: draft.operation.method,
    target: targetOf(draft),
    headers: {
      ...draft.credential,
      ...(draft.body && { 'content-type': draft.body.type }),
      ...draft.headers,
    },
    ...(text !== undefined && { body: text }),
  };
}

export function parametersIn(operation: Operation, place: Parameter['in']): readonly Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === place);
}

export function hasHeader(operation: Operation, name: string): boolean {
  return parametersIn(operation, 'header').some((parameter) => parameter.name === name);
}

/** The media type of the `format` in the query. */
export function wishedType({ query }: Draft): string | undefined {
  const wish = query.find(([name]) => name === 'format')?.[1];
  return wish === undefined ? undefined : MEDIA_TYPES[wish];
}
