import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';

const ROWS = 200_000;
const SCANS = 20;

describe('listProducts with a filter, on a large table in sqlite', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
    await store.app.get(Database, { strict: false }).unitOfWork.run(() =>
      run(sql`
        WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${ROWS})
        INSERT INTO products
          (name, name_search, price_minor, is_sellable, in_stock, version, created_at, updated_at)
        SELECT 'Product ' || n, 'product ' || n, n, true, true, 1, ${new Date()}, ${new Date()} FROM many`),
    );
  });
  afterAll(() => store.close());

  it('does not make other requests wait until all scans have ended', async () => {
    const answered: string[] = [];
    const ask = async (name: string, path: string) => {
      const { status } = await store.call('GET', path, { key: null });
      answered.push(`${name} ${status}`);
    };
    await Promise.all([
      ...Array.from({ length: SCANS }, (_, n) => ask('scan', `/api/products?q=zzzz${n}`)),
      ask('product', `/api/products/${ROWS}`),
      ask('liveness', '/health/live'),
    ]);
    expect(answered.toSorted()).toEqual([
      'liveness 200',
      'product 200',
      ...Array.from({ length: SCANS }, () => 'scan 200'),
    ]);
    const last = answered.lastIndexOf('scan 200');
    expect(answered.indexOf('product 200')).toBeLessThan(last);
    expect(answered.indexOf('liveness 200')).toBeLessThan(last);
  });
});

describeOnEachEngine('listProducts with a filter', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine, { STORE_CURRENCY: 'JPY' });
  });
  afterAll(() => store.close());

  it('shows a product that was just created', async () => {
    for (let n = 1; n <= 20; n += 1) {
      const { id } = await create(store, { name: `Fresh ${n}` });
      const { body, headers } = await store.call('GET', '/api/products?q=fresh&sort=-id&limit=1');
      expect(body[0].id).toBe(id);
      expect(headers.get('x-total-count')).toBe(String(n));
    }
  });

  it('reports at once all faults that the contract cannot describe, each with its name in REST or GraphQL', async () => {
    const faults = [{ code: 'TOO_LARGE' }, { code: 'NOT_A_MULTIPLE' }, { code: 'NOT_A_MULTIPLE' }];
    const named = (names: readonly object[]) =>
      names.map((name, n) => ({ ...name, ...faults[n], detail: expect.any(String) }));

    const rest = await store.call('GET', '/api/products?page=1001&limit=100&min_price=1.5&max_price=2.5');
    expect(rest.status).toBe(400);
    expect(rest.body.errors).toEqual(
      named([{ parameter: 'page' }, { parameter: 'min_price' }, { parameter: 'max_price' }]),
    );

    const { errors } = await resultOf(
      store,
      '{ products(page: 1001, limit: 100, minPrice: 1.5, maxPrice: 2.5) { id } }',
    );
    expect(errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      pointer: '#/page',
      errors: named([{ pointer: '#/page' }, { pointer: '#/minPrice' }, { pointer: '#/maxPrice' }]),
    });
  });
});
