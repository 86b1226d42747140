import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';

describe('a currency without minor units', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'JPY' });
  });
  afterAll(() => store.close());

  it('accepts whole amounts', async () => {
    const { status, body } = await store.call('POST', '/api/products', {
      body: { name: 'Matcha', price: 1800 },
    });
    expect(status).toBe(201);
    expect(body.price).toBe(1800);
    const { data } = await store.graphql('{ products { price priceMoney { amount currency } } }');
    expect(data.products).toEqual([{ price: 1800, priceMoney: { amount: 1800, currency: 'JPY' } }]);
  });

  it('refuses decimals, over both interfaces and in filters', async () => {
    const post = await store.call('POST', '/api/products', { body: { name: 'Matcha', price: 18.5 } });
    expect(post.status).toBe(400);
    expect(post.body.errors).toEqual([
      expect.objectContaining({ pointer: '#/price', code: 'NOT_A_MULTIPLE' }),
    ]);
    const { errors } = await store.graphql('mutation { createProduct(name: "Matcha", price: 18.5) { id } }');
    expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/price' });
    const list = await store.call('GET', '/api/products?min_price=0.5&max_price=1.5');
    expect(list.body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'min_price',
      'max_price',
    ]);
  });
});
