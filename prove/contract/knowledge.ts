import type { Operation, Schema } from '../../testkit/contract/document.ts';
import type { RowKind } from './rows.ts';
import type { Known } from './values.ts';
import type { Owner, World } from './world.ts';

/*
 * The few facts about the store that are in no schema, but that a valid request needs: which members are unique, and
 * which values follow others. See rows.ts for existing rows. The facts are found by the names of members and addresses,
 * so that most new operations need nothing here.
 */

/** The kind of row that the parameter of a path names. */
const KINDS: readonly (readonly [RegExp, RowKind])[] = [
  [/\/products\/\{id\}/, 'product'],
  [/\/users\/\{id\}/, 'user'],
  [/\/orders\/\{id\}/, 'order'],
  [/\/api-keys\/\{id\}/, 'apiKey'],
  [/\/clients\/\{id\}/, 'client'],
  [/\/identities\/\{id\}/, 'identity'],
];

/** Null when a path names no row. */
export function kindOf({ id, path }: Operation): RowKind | null {
  if (!/\{(?!code)\w+\}/.test(path)) return null;
  const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1];
  if (kind === undefined) throw new Error(`Nobody knows what the path of ${id}, ${path}, names: see KINDS.`);
  return kind;
}

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

export interface About {
  readonly kind: RowKind | null;
  /** The user who sends the request, if it is about its own rows. */
  readonly owner: Owner | null;
}

/** Marks a value that cannot be made up. */
export const OMIT = Symbol('left out');

/** The rows are read first, because the returned function must answer at once. */
export async function knownOf(world: World, about: About): Promise<Known> {
  const [product, user] = [await world.row('product', false), await world.row('user', false)];
  const { values } = world;
  const members: Readonly<Record<string, (schema: Schema) => unknown>> = {
    product_id: () => product.id,
    productId: () => String(product.id),
    user_id: () => about.owner?.id ?? user.id,
    userId: () => String(about.owner?.id ?? user.id),
    email: (schema) => world.uniqueText(schema, '@proof.example'),
    // A user with a key sets no password without the current one, which has to match.
    password: (schema) => (about.owner ? OMIT : world.uniqueText(schema)),
    subject: (schema) => world.uniqueText(schema),
    currency: () => 'USD',
    scopes: (schema) => (about.owner ? [] : values.valid(schema)),
    status: () =>
      about.kind === 'order' ? (about.owner ? 'cancelled' : values.one(['paid', 'cancelled'])) : undefined,
    expires_at: () => '2099-01-01T00:00:00Z',
    after: () => '0',
    cursor: () => OMIT,
  };
  return (name, schema) => (Object.hasOwn(members, name) ? members[name]?.(schema) : undefined);
}

/** Bodies whose members have to fit each other. */
export async function wholeBody(world: World, { path, method }: Operation): Promise<object | null> {
  if (method === 'POST' && path.endsWith('/clients')) return { name: 'App', ...world.values.one(CLIENTS) };
  if (!path.endsWith('/products/batch')) return null;
  const [changed, deleted] = [await world.row('product', true), await world.row('product', true)];
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

/**
 * Whether the operation makes a credential. Such an operation is called with an API key, because a credential cannot
 * grant one that ends later, and tokens end soon.
 */
export function givesKeys({ method, path }: Operation): boolean {
  return method === 'POST' && /\/(api-keys|clients)(\/|$)/.test(path);
}

/** Whether the description names a reason to refuse a valid request with 400. */
export function isRefusedInWords(
  { description }: Pick<Operation, 'description'>,
  query: Readonly<Record<string, unknown>>,
  owner: Owner | null,
): boolean {
  const { page = 1, limit = 20, ...others } = query;
  const words = description.replaceAll(/\s+/g, ' ');
  if (!words.includes('`page` × `limit`')) return false;
  // For a user who finds only its own rows, the list is always filtered.
  const isFiltered =
    owner !== null || Object.keys(others).some((name) => name !== 'format' && name !== 'fields');
  return (isFiltered || !words.includes('With a filter')) && Number(page) * Number(limit) > 100_000;
}

/** The body without `atomic: false`, because without atomicity one wrong item would not make the whole batch fail. */
export function allOrNothing(body: unknown): unknown {
  const { atomic, ...rest } = (body ?? {}) as { atomic?: unknown };
  return atomic === false ? rest : body;
}
