import type { Operation, Schema } from './document.ts';
import type { RowKind } from './rows.ts';
import type { Known } from './values.ts';
import type { Owner, World } from './world.ts';

/*
 * The few things about the store that no schema says and that a good request needs: what is unique, what comes after
 * what; see rows.ts for what exists. By the names of members and addresses, so that most new operations need nothing here.
 */

/** What the parameter of a path names. */
const KINDS: readonly (readonly [RegExp, RowKind])[] = [
  [/\/products\/\{id\}/, 'product'],
  [/\/users\/\{id\}/, 'user'],
  [/\/orders\/\{id\}/, 'order'],
  [/\/api-keys\/\{id\}/, 'apiKey'],
  [/\/clients\/\{id\}/, 'client'],
  [/\/identities\/\{id\}/, 'identity'],
];

/** Null where a path names no row. */
export function kindOf({ id, path }: Operation): RowKind | null {
  if (!/\{(?!code)\w+\}/.test(path)) return null;
  const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1];
  if (kind === undefined) throw new Error(`Nobody knows what the path of ${id}, ${path}, names: see KINDS.`);
  return kind;
}

/** Values of the parameters of paths that are no ids. */
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
  /** Who asks, where it is a user about its own. */
  readonly owner: Owner | null;
}

/** What cannot be made up. */
export const OMIT = Symbol('left out');

/** Asynchronous facts first, since members are named one after the other. */
export async function knownOf(world: World, about: About): Promise<Known> {
  const [product, user] = [await world.row('product', false), await world.row('user', false)];
  const { values } = world;
  const members: Readonly<Record<string, (schema: Schema) => unknown>> = {
    product_id: () => product.id,
    productId: () => String(product.id),
    user_id: () => about.owner?.id ?? user.id,
    userId: () => String(about.owner?.id ?? user.id),
    email: (schema) => world.uniqueText(schema, '@proof.example'),
    // A user that shows a key sets no password without the present one, which has to fit.
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

/** Bodies whose members have to fit together. */
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

/** A credential gives nothing beyond its own end, and tokens end soon. */
export function givesKeys({ method, path }: Operation): boolean {
  return method === 'POST' && /\/(api-keys|clients)(\/|$)/.test(path);
}

/** Words of a description by which a valid request may be refused with 400. */
export function isRefusedInWords(
  { description }: Pick<Operation, 'description'>,
  query: Readonly<Record<string, unknown>>,
  owner: Owner | null,
): boolean {
  const { page = 1, limit = 20, ...others } = query;
  const words = description.replaceAll(/\s+/g, ' ');
  if (!words.includes('`page` × `limit`')) return false;
  // A user that finds its own only has a filter by that.
  const isFiltered =
    owner !== null || Object.keys(others).some((name) => name !== 'format' && name !== 'fields');
  return (isFiltered || !words.includes('With a filter')) && Number(page) * Number(limit) > 100_000;
}

/** Where each item of a batch stands for itself (`atomic: false`), one that is wrong does not spoil the whole. */
export function allOrNothing(body: unknown): unknown {
  const { atomic, ...rest } = (body ?? {}) as { atomic?: unknown };
  return atomic === false ? rest : body;
}
