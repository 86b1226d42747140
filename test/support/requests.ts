import type { TestApp } from './app.js';
import { anOrder, aProduct, aUser, create, createUser, placeOrder } from './fixtures.js';
import { createKey } from './keys.js';
import { aClient, createClient } from './oauth.js';

/** A good body for each operation that takes one. */
export const BODIES: Record<string, (store: TestApp) => unknown> = {
  createProduct: () => aProduct(),
  changeProducts: () => ({ items: [{ op: 'create', ...aProduct() }] }),
  replaceProduct: () => aProduct({ in_stock: true }),
  updateProduct: () => aProduct(),
  setProductStock: () => ({ quantity: 4 }),
  createUser: () => aUser(),
  replaceUser: () => aUser(),
  updateUser: () => aUser(),
  createOrder: (store) => anOrder(store),
  updateOrder: () => ({ status: 'paid' }),
  createApiKey: () => ({ name: 'Till', scopes: ['orders:read'] }),
  rotateApiKey: () => ({}),
  createClient: () => aClient(),
  rotateClientSecret: () => ({}),
  createIdentity: anIdentity,
};

let subjects = 0;
async function anIdentity(store: TestApp): Promise<{ issuer: string; subject: string; user_id: number }> {
  const { id } = await createUser(store);
  return { issuer: 'https://login.example', subject: `subject ${(subjects += 1)}`, user_id: id };
}

/** Makes something for an operation to be about, by the address of the operation. */
export const ROWS: readonly [RegExp, (store: TestApp) => Promise<{ id: number }>][] = [
  [/^\/api\/v1\/products/, create],
  [/\/orders$/, async (store) => ({ id: (await placeOrder(store)).user_id as number })],
  [/^(\/api\/v1)?\/users/, createUser],
  [/^\/api\/v1\/orders/, placeOrder],
  [/^\/api\/v1\/clients/, createClient],
  [/^\/api\/v1\/api-keys/, async (store) => ({ id: Number((await createKey(store, [])).split('_')[1]) })],
  [
    /^\/api\/v1\/identities/,
    async (store) =>
      (await store.call('POST', '/api/identities', { body: await anIdentity(store) })).body as { id: number },
  ],
];
