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

/** A product that is really there. */
export async function create(
  store: TestApp,
  overrides: Partial<Omit<ProductBody, 'id'>> = {},
): Promise<ProductBody> {
  const { body } = await store.call('POST', '/api/products', { body: aProduct(overrides) });
  return body as ProductBody;
}
