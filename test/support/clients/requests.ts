import type { TestApp } from './app.js';
import {
  anOrder,
  aProduct,
  aProductV2,
  aUser,
  create,
  createUser,
  placeOrder,
} from '../fixtures/fixtures.js';
import { createKey } from './keys.js';
import { aClient, createClient } from './oauth.js';

/** A valid body for each operation that takes one. */
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
  changeProductsV2: () => ({ items: [{ op: 'create', ...aProductV2() }] }),
  createProductV2: () => aProductV2(),
  replaceProductV2: () => aProductV2(),
  updateProductV2: () => aProductV2(),
  createUserV2: () => aUser(),
  replaceUserV2: () => aUser(),
  updateUserV2: () => aUser(),
  createOrderV2: (store) => anOrder(store),
  updateOrderV2: () => ({ status: 'paid' }),
  setProductStockV2: () => ({ quantity: 4 }),
  createApiKeyV2: () => ({ name: 'Till', scopes: ['orders:read'] }),
  rotateApiKeyV2: () => ({}),
  createClientV2: () => aClient(),
  rotateClientSecretV2: () => ({}),
  createIdentityV2: anIdentity,
};

let subjects = 0;
async function anIdentity(store: TestApp): Promise<{ issuer: string; subject: string; user_id: number }> {
  const { id } = await createUser(store);
  return { issuer: 'https://login.example', subject: `subject ${(subjects += 1)}`, user_id: id };
}

/** Creates a row for an operation, chosen by the path of the operation. */
export const ROWS: readonly [RegExp, (store: TestApp) => Promise<{ id: number }>][] = [
  [/^\/api\/v\d\/products/, create],
  [/\/orders$/, async (store) => ({ id: (await placeOrder(store)).user_id as number })],
  [/^(\/api\/v\d)?\/users/, createUser],
  [/^\/api\/v\d\/orders/, placeOrder],
  [/^\/api\/v\d\/clients/, createClient],
  [/^\/api\/v\d\/api-keys/, async (store) => ({ id: Number((await createKey(store, [])).split('_')[1]) })],
  [
    /^\/api\/v\d\/identities/,
    async (store) =>
      (await store.call('POST', '/api/identities', { body: await anIdentity(store) })).body as { id: number },
  ],
];
