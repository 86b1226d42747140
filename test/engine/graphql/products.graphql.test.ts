import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS, type Field } from '../../../src/generated/fields.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';
import { ask, resultOf, type GraphqlCall } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { statementsOf } from '../../support/fixtures/statements.js';

const ALL = `id version name price priceMoney { amount currency } inStock stock description createdAt updatedAt
  change cursor`;

describeOnEachEngine('products over GraphQL', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const graphql = (query: string, variables?: Record<string, unknown>, call?: GraphqlCall) =>
    resultOf(store, query, variables, call);
  const createProduct = async (args: string): Promise<{ id: string }> => {
    const { data, errors } = await graphql(`mutation { createProduct(${args}) { id } }`);
    expect(errors).toBeUndefined();
    return data.createProduct;
  };

  describe('Query', () => {
    it('product: returns every field', async () => {
      const { id } = await createProduct('name: " Chai ", price: 18.5, inStock: false, description: "Tea"');
      await graphql(`mutation { setProductStock(id: ${id}, quantity: 3) { id } }`);
      const { data, errors, extensions } = await graphql(`query ($id: ID!) { product(id: $id) { ${ALL} } }`, {
        id,
      });
      expect(errors).toBeUndefined();
      expect(data.product).toEqual({
        id,
        version: 1,
        name: 'Chai',
        price: 18.5,
        priceMoney: { amount: 1850, currency: 'USD' },
        inStock: false,
        stock: 3,
        description: 'Tea',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        change: null,
        cursor: null,
      });
      expect(extensions.cost).toEqual({ requested: expect.any(Number), limit: 5000 });
      // A field that is a list of other rows has tests of its own.
      const named = new Set(
        Object.values(FIELDS)
          .filter(({ type, list }) => type === 'Product' && list === null)
          .map(({ field }) => field),
      );
      expect(new Set(Object.keys(data.product))).toEqual(named);
    });

    it('product: is null without an error for an unknown id', async () => {
      expect(await graphql('{ product(id: "987654") { id } }')).toMatchObject({
        data: { product: null },
      });
      expect((await graphql('{ product(id: 987654) { id } }')).errors).toBeUndefined();
    });

    it('product: refuses a value that cannot be an id', async () => {
      for (const id of ['abc', '0', '-1', '1.5', ' 1', '9007199254740992']) {
        const { data, errors } = await graphql(
          `
            query ($id: ID!) {
              product(id: $id) {
                id
              }
            }
          `,
          { id },
        );
        expect(data).toEqual({ product: null });
        expect(errors).toHaveLength(1);
        expect(errors[0].extensions).toMatchObject({
          code: 'VALIDATION_FAILED',
          status: 400,
          pointer: '#/id',
        });
      }
    });

    it('products: shows, filters and sorts like REST', async () => {
      for (const name of ['Alpha', 'Béta', 'beta']) await create(store, { name, price: 77 });
      const rest = await store.call('GET', '/api/products?q=BETA&min_price=77&sort=-name');
      const { data } = await graphql(
        'query ($sort: [ProductSort!]) { products(q: "BETA", minPrice: 77, sort: $sort) { id name } }',
        { sort: ['NAME_DESC'] },
      );
      expect(data.products).toEqual(
        rest.body.map(({ id, name }: { id: number; name: string }) => ({ id: String(id), name })),
      );
      expect(data.products).toHaveLength(2);
      const page = await graphql('{ products(page: 2, limit: 1) { id } }');
      expect(page.data.products).toHaveLength(1);
    });

    it('products: reads the stock of all rows with one statement', async () => {
      for (let n = 1; n <= 3; n++) {
        const { id } = await createProduct(`name: "Counted", price: ${n}`);
        await graphql(`mutation { setProductStock(id: ${id}, quantity: ${n}) { id } }`);
      }
      const statements = await statementsOf(store, async () => {
        const { data } = await graphql('{ products(q: "counted", sort: PRICE_ASC) { stock } }');
        expect(data.products).toEqual([{ stock: 1 }, { stock: 2 }, { stock: 3 }]);
      });
      expect(statements.filter((text) => text.includes('product_stocks'))).toHaveLength(1);
      const forOne = await statementsOf(store, () =>
        graphql('{ products(q: "counted", sort: PRICE_ASC, limit: 1) { stock } }'),
      );
      expect(statements).toHaveLength(forOne.length);
    });

    it('products: refuses arguments out of bounds, with a pointer to each', async () => {
      const { errors } = await graphql('{ products(page: 0, limit: 101, q: " ") { id } }');
      expect(
        errors[0].extensions.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
      ).toEqual(['#/limit', '#/page', '#/q']);
    });
  });

  describe('Mutation', () => {
    it('replaceProduct: removes the description if none is given', async () => {
      const { id } = await createProduct('name: "a", price: 1, description: "Old"');
      const { data } = await graphql(
        `mutation { replaceProduct(id: ${id}, name: "b", price: 2, inStock: true) { name price description } }`,
      );
      expect(data.replaceProduct).toEqual({ name: 'b', price: 2, description: null });
    });

    it('updateProduct: changes only the given members, and null removes only optional members', async () => {
      const { id } = await createProduct('name: "a", price: 1, description: "Old"');
      const kept = await graphql(
        `mutation { updateProduct(id: ${id}, price: 2) { name price description } }`,
      );
      expect(kept.data.updateProduct).toEqual({ name: 'a', price: 2, description: 'Old' });
      const removed = await graphql(
        `mutation { updateProduct(id: ${id}, description: null) { description } }`,
      );
      expect(removed.data.updateProduct).toEqual({ description: null });
      const { errors } = await graphql(`mutation { updateProduct(id: ${id}, name: null) { id } }`);
      expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', pointer: '#/name' });
    });

    it('deleteProduct: returns the product without its stock, and null the next time', async () => {
      const { id } = await createProduct('name: "Gone", price: 1');
      await graphql(`mutation { setProductStock(id: ${id}, quantity: 3) { id } }`);
      const mutation = `mutation { deleteProduct(id: ${id}) { id name stock } }`;
      expect((await graphql(mutation)).data.deleteProduct).toEqual({ id, name: 'Gone', stock: null });
      expect(await graphql(mutation)).toMatchObject({ data: { deleteProduct: null } });
      expect((await graphql(mutation)).errors).toBeUndefined();
    });

    it('setProductStock: decides whether the product is in stock', async () => {
      const { id } = await createProduct('name: "a", price: 1');
      const set = async (quantity: number | null) =>
        (
          await graphql(
            'mutation ($id: ID!, $q: Int) { setProductStock(id: $id, quantity: $q) { stock inStock } }',
            { id, q: quantity },
          )
        ).data.setProductStock;
      expect(await set(0)).toEqual({ stock: 0, inStock: false });
      expect(await set(4)).toEqual({ stock: 4, inStock: true });
      expect(await set(null)).toEqual({ stock: null, inStock: true });
    });

    it('setProductStock: returns the new stock, even for several changes in one request', async () => {
      const { id } = await createProduct('name: "a", price: 1');
      const mutation = `mutation { a: setProductStock(id: ${id}, quantity: 7) { stock } b: setProductStock(id: ${id}, quantity: 9) { stock } }`;
      // The second time, the stock changes from 9 to 7 again.
      for (let n = 0; n < 2; n++) {
        expect((await graphql(mutation)).data).toEqual({ a: { stock: 7 }, b: { stock: 9 } });
      }
    });

    it('reports all faults of the arguments at once', async () => {
      const { data, errors } = await graphql('mutation { createProduct(name: "", price: 1.001) { id } }');
      expect(data).toEqual({ createProduct: null });
      expect(errors[0].path).toEqual(['createProduct']);
      expect(errors[0].extensions.errors).toEqual([
        expect.objectContaining({ pointer: '#/name', code: 'TOO_SHORT' }),
        expect.objectContaining({ pointer: '#/price', code: 'NOT_A_MULTIPLE' }),
      ]);
    });

    it('runs each field separately: a failed field does not undo another field', async () => {
      const { data, errors } = await graphql(
        'mutation { a: createProduct(name: "kept", price: 1) { name } b: createProduct(name: "", price: 1) { name } }',
      );
      expect(data).toEqual({ a: { name: 'kept' }, b: null });
      expect(errors).toHaveLength(1);
      expect((await graphql('{ products(q: "kept") { name } }')).data.products).toEqual([{ name: 'kept' }]);
    });
  });

  describe('access', () => {
    const ARGS: Record<string, string> = {
      createProduct: 'name: "", price: 1',
      replaceProduct: 'id: 1, name: "", price: 1, inStock: true',
      updateProduct: 'id: 1, name: ""',
      deleteProduct: 'id: 0',
      setProductStock: 'id: 0',
    };
    const mutations = Object.values(FIELDS).filter(({ type, field }) => type === 'Mutation' && field in ARGS);

    // The arguments are also wrong, but a caller without the right does not learn this.
    it.each(mutations.map(({ field, access }) => [field, scopesIn(access)] as const))(
      '%s is refused without a credential and without the scope %j',
      async (field, scopes) => {
        const mutation = `mutation { alias: ${field}(${ARGS[field]}) { id } }`;
        const anonymous = await graphql(mutation, undefined, { key: null });
        expect(anonymous.data).toEqual({ alias: null });
        expect(anonymous.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
        const powerless = await graphql(mutation, undefined, {
          key: await createKey(store, ['products:read']),
        });
        expect(powerless.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
        expect(powerless.errors[0].path).toEqual(['alias']);
        const allowed = await graphql(mutation, undefined, {
          key: await createKey(store, scopes),
        });
        expect(allowed.errors[0].extensions.code).toBe('VALIDATION_FAILED');
      },
    );

    it('to read products needs no credential', async () => {
      expect(
        (await graphql('{ products { id } product(id: 1) { id } }', undefined, { key: null })).errors,
      ).toBeUndefined();
    });

    it('with a wrong key is refused with 401 before the operation is parsed', async () => {
      const { status } = await ask(store, { query: '{' }, { key: 'wrong' });
      expect(status).toBe(401);
    });
  });
});

function scopesIn(access: Field['access']): readonly string[] {
  return access === null || access === 'public' ? [] : access.scopes;
}
