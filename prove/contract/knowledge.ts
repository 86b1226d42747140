import type { Operation, Schema } from '../../testkit/contract/document.ts';
import { bodyOf, referencesByName } from '../../testkit/contract/relations.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { OMIT, type Known } from './values.ts';
import type { Owner, World } from './world.ts';

/*
 * A valid request needs a few facts about the store that are in no contract, such as the currency of the store. The
 * facts are found by the names of members and addresses, so that most new operations need nothing here. The contract
 * says which members are unique, and which refer to rows (`x-unique`, `x-refers`).
 */

/** Values of path parameters that are not ids. */
export const NAMED: Readonly<Record<string, { readonly there: string; readonly missing: string }>> = {
  code: { there: 'not-found', missing: 'no-such-kind' },
};

const CLIENTS = [
  { grant_types: ['client_credentials'] },
  { grant_types: ['client_credentials'], may_introspect: true },
  { grant_types: ['authorization_code', 'refresh_token'], redirect_uris: ['https://a.example/b'] },
  { grant_types: ['authorization_code'], redirect_uris: ['com.example.app:/back'], confidential: false },
];

const IMPORTS = [
  { kind: 'products', format: 'csv' },
  { kind: 'products', format: 'ndjson', rehearsal: true, source: 'proof' },
  { kind: 'products', format: 'csv', mapping: 'source: proof\nfields: { id: nr, name: title, price: cost }' },
];

const PARTS = [
  { number: 1, text: 'name,price\nTea,4.50\n' },
  { number: 2, text: 'Assam,x\n', last: false },
];

export interface About {
  /**
   * The operation of openapi.yaml that is called, or the result of `operationTiedTo` for a GraphQL field; null if there
   * is none.
   */
  readonly operation: Operation | null;
  /** The user who sends the request, if the request is about the user's own rows. */
  readonly owner: Owner | null;
  /** Whether the names and the ids have the form of GraphQL. */
  readonly isGraphql?: boolean;
}

/**
 * Returns a function that knows the values of members that depend on the store. The rows are made first, because the
 * function is synchronous.
 */
export async function knownOf(world: World, { operation, owner, isGraphql = false }: About): Promise<Known> {
  const { values } = world;
  const place = /^body\.(.+)/.exec(operation?.owner ?? '')?.[1];
  const members: Record<string, (schema: Schema) => unknown> = {
    // A user with a key must send the current password to set a new one. So the proof leaves the member out.
    password: (schema) => (owner ? OMIT : world.uniqueText(schema)),
    currency: () => 'USD',
    scopes: (schema) => (owner ? [] : values.valid(schema)),
    expires_at: () => '2099-01-01T00:00:00Z',
    after: () => '0',
    cursor: () => OMIT,
  };
  if (operation?.entity === 'Order')
    members['status'] = () => (owner ? 'cancelled' : values.one(['paid', 'cancelled']));
  const body = operation ? bodyOf(operation) : undefined;
  for (const name of Object.values(operation?.uniques ?? {}).flatMap((names) => names.slice(-1))) {
    const schema = flat(body ?? {}).properties?.[name] ?? {};
    members[name] = () => world.uniqueText(schema);
  }
  for (const [name, { entity }] of referencesByName(body)) {
    const id = owner && name === place ? owner.id : (await world.rows.row(entity, false)).id;
    members[isGraphql ? camelCase(name) : name] = () => (isGraphql ? String(id) : id);
  }
  if (isGraphql) {
    // Parameters of the path are arguments too. The prover itself gives the value of `id`, which names the row that the
    // field is about.
    for (const [name, entity] of Object.entries(operation?.pathRows ?? {})) {
      if (name === 'id') continue;
      const { id } = await world.rows.row(entity, false);
      members[camelCase(name)] = () => String(id);
    }
  }
  return (name, schema) => (Object.hasOwn(members, name) ? members[name]?.(schema) : undefined);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** A body whose members have to fit each other; null if the operation needs no such body. */
export async function wholeBody(world: World, { path, method }: Operation): Promise<object | null> {
  if (method === 'POST' && path.endsWith('/clients')) return { name: 'App', ...world.values.one(CLIENTS) };
  // The proof still uses tokens that the earlier keys have signed. So these keys stay valid for at least a day.
  if (method === 'POST' && path.endsWith('/signing-keys'))
    return { overlap_seconds: world.values.one([86_400, 90_000, 604_800]) };
  if (method === 'POST' && path.endsWith('/imports')) return world.values.one(IMPORTS);
  if (method === 'POST' && path.endsWith('/parts')) return world.values.one(PARTS);
  if (!path.endsWith('/products/batch')) return null;
  const [changed, deleted] = [await world.rows.row('Product', true), await world.rows.row('Product', true)];
  const price = (amount: number): unknown =>
    path.includes('/v2/') ? { amount, currency: 'USD' } : amount / 100;
  const items = [
    { op: 'update', id: changed.id, price: price(1) },
    { op: 'create', name: 'Chai', price: price(1850) },
    { op: 'delete', id: deleted.id },
  ];
  return {
    items: items.slice(0, 1 + world.values.below(3)),
    ...(world.values.chance(0.5) && { atomic: false }),
  };
}

/** Whether the rows belong to the credential that made them, and not to a user. */
export function isOfItsMaker({ path }: Operation): boolean {
  return path.includes('/imports');
}

/**
 * Whether the operation makes a credential. The proof calls such an operation with an API key and not with a token. A
 * token ends soon, and no credential can make another credential that ends later than itself.
 */
export function givesKeys({ method, path }: Operation): boolean {
  return method === 'POST' && /\/(api-keys|clients)(\/|$)/.test(path);
}

/**
 * Whether the request asks for a page that the list does not reach (`x-reach`), though all its values satisfy the
 * schemas.
 */
export function isBeyondReach(
  operation: Pick<Operation, 'reach'> | undefined,
  query: Readonly<Record<string, unknown>>,
  owner: Owner | null,
): boolean {
  const { page = 1, limit = 20, ...others } = query;
  // If the caller is a user, the list has only the rows of this user, so it is always a filtered list.
  const isFiltered =
    owner !== null || Object.keys(others).some((name) => name !== 'format' && name !== 'fields');
  const { all, filtered } = operation?.reach ?? {};
  const rows = all ?? (isFiltered ? filtered : undefined);
  return rows !== undefined && Number(page) * Number(limit) > rows;
}

/** The body without `atomic: false`, because without atomicity one wrong item would not make the whole batch fail. */
export function allOrNothing(body: unknown): unknown {
  const { atomic, ...rest } = (body ?? {}) as { atomic?: unknown };
  return atomic === false ? rest : body;
}
