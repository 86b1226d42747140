import type { TestApp } from './app.js';

export interface ProductBody {
  id: number;
  name: string;
  price: number;
  in_stock: boolean;
}

/** The body of a request that creates a product. */
export function aProduct(overrides: Partial<Omit<ProductBody, 'id'>> = {}) {
  return { name: 'Chai', price: 18, ...overrides };
}

/** The same for version 2. */
export function aProductV2(overrides: Record<string, unknown> = {}) {
  return { name: 'Chai', price: { amount: 1800, currency: 'USD' }, in_stock: true, ...overrides };
}

/** A product that is really there. */
export async function create(
  store: TestApp,
  overrides: Partial<Omit<ProductBody, 'id'>> = {},
): Promise<ProductBody> {
  const { body } = await store.call('POST', '/api/products', { body: aProduct(overrides) });
  return body as ProductBody;
}

/** The id of a product of which there are so many pieces. */
export async function countedProduct(store: TestApp, quantity: number): Promise<number> {
  const { id } = await create(store);
  await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity } });
  return id;
}

export interface UserBody {
  id: number;
  name: string;
  email: string;
}

let people = 0;

/** The body of a request that creates a user; nobody else has the e-mail address. */
export function aUser(overrides: Partial<Omit<UserBody, 'id'>> = {}) {
  people += 1;
  return { name: 'Ada Lovelace', email: `ada.${people}@example.com`, ...overrides };
}

/** A user who is really there. */
export async function createUser(
  store: TestApp,
  overrides: Partial<Omit<UserBody, 'id'>> = {},
): Promise<UserBody> {
  const { body } = await store.call('POST', '/api/users', { body: aUser(overrides) });
  return (body as { user: UserBody }).user;
}

export interface OrderBody {
  id: number;
  user_id: number | null;
  status: string;
  total: number;
  created_at: string;
  items: { product_id: number; name: string; unit_price: number; quantity: number; total: number }[];
}

/** The body of a request that places an order, by default of one piece of a product of its own. */
export async function anOrder(
  store: TestApp,
  overrides: { user_id?: number; items?: { product_id: number; quantity: number }[] } = {},
) {
  return {
    user_id: overrides.user_id ?? (await createUser(store)).id,
    items: overrides.items ?? [{ product_id: (await create(store)).id, quantity: 1 }],
  };
}

/** An order that was really placed. */
export async function placeOrder(
  store: TestApp,
  overrides: Parameters<typeof anOrder>[1] = {},
): Promise<OrderBody> {
  const { body } = await store.call('POST', '/api/orders', { body: await anOrder(store, overrides) });
  return body as OrderBody;
}
