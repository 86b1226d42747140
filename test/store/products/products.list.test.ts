import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';

const NAMES = [
  'Chai',
  'chang',
  'Aniseed',
  'Éclair',
  'ECLAIR',
  '50% off_it\\',
  'Zebra',
  'apple',
  'Öl',
  'chai latte',
  'ΟΔΟΣΑ',
  'Straße',
];

describeOnEachEngine('listProducts', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
    for (const [n, name] of NAMES.entries())
      await create(store, { name, price: (n % 4) + 0.5, in_stock: n % 3 !== 0 });
  });
  afterAll(() => store.close());

  const list = (query: string) => store.call('GET', `/api/products${query}`, { key: null });
  const names = async (query: string): Promise<string[]> =>
    ((await list(query)).body as { name: string }[]).map(({ name }) => name);

  it('returns a plain array of the products by id, with the total', async () => {
    const { status, body, headers } = await list('');
    expect(status).toBe(200);
    expect(body).toHaveLength(NAMES.length);
    expect(body[0]).toEqual({ id: 1, name: 'Chai', price: 0.5, in_stock: false });
    expect(headers.get('x-total-count')).toBe(String(NAMES.length));
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it('links to the first, previous, next and last page, and keeps the other parameters', async () => {
    const { headers } = await store.call('GET', '/api/v1/products?page=2&min_price=0&limit=3&sort=-price');
    expect(headers.get('link')).toBe(
      [
        '</api/v1/products?min_price=0&sort=-price&page=1&limit=3>; rel="first"',
        '</api/v1/products?min_price=0&sort=-price&page=1&limit=3>; rel="prev"',
        '</api/v1/products?min_price=0&sort=-price&page=3&limit=3>; rel="next"',
        '</api/v1/products?min_price=0&sort=-price&page=4&limit=3>; rel="last"',
      ].join(', '),
    );
  });

  it('returns every product once if the client follows the links to the next page', async () => {
    const seen: number[] = [];
    let next: string | undefined = '/api/products?limit=3';
    while (next !== undefined) {
      const { body, headers } = await store.call('GET', next);
      seen.push(...(body as { id: number }[]).map(({ id }) => id));
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(NAMES.map((_, n) => n + 1));
  });

  it('is empty after the last page', async () => {
    const { status, body, headers } = await list('?page=2147483647&limit=100');
    expect(status).toBe(200);
    expect(body).toEqual([]);
    expect(headers.get('x-total-count')).toBe(String(NAMES.length));
  });

  it('searches names without regard to case and accents, and reads wildcards literally', async () => {
    expect(await names('?q=eclair')).toEqual(['Éclair', 'ECLAIR']);
    expect(await names('?q=CHA')).toEqual(['Chai', 'chang', 'chai latte']);
    expect(await names('?q=%25')).toEqual(['50% off_it\\']);
    expect(await names('?q=_')).toEqual(['50% off_it\\']);
    expect(await names('?q=%5C')).toEqual(['50% off_it\\']);
    expect(await names('?q=%C3%B6l')).toEqual(['Öl']);
    expect(await names(`?q=${encodeURIComponent('οδος')}`)).toEqual(['ΟΔΟΣΑ']);
    for (const q of ['STRASSE', 'straße', 'STRAẞE']) {
      expect(await names(`?q=${encodeURIComponent(q)}`)).toEqual(['Straße']);
    }
    expect(await names(`?q=${encodeURIComponent('\u0301')}`)).toEqual([]);
    expect(await names('?q=chai+latte')).toEqual(['chai latte']);
  });

  it('filters by stock and price together', async () => {
    const { body, headers } = await list('?in_stock=true&min_price=1.5&max_price=2.5');
    expect(body.length).toBeGreaterThan(0);
    expect(headers.get('x-total-count')).toBe(String(body.length));
    for (const product of body) {
      expect(product.in_stock).toBe(true);
      expect(product.price).toBeGreaterThanOrEqual(1.5);
      expect(product.price).toBeLessThanOrEqual(2.5);
    }
  });

  it('sorts texts by code point, and rows with equal values by id', async () => {
    expect(await names('?sort=name')).toEqual(NAMES.toSorted());
    expect(await names('?sort=-name')).toEqual(NAMES.toSorted().toReversed());
    const { body } = await list('?sort=-price,name');
    const expected = body.toSorted(
      (a: { price: number; name: string }, b: { price: number; name: string }) =>
        b.price - a.price || (a.name < b.name ? -1 : 1),
    );
    expect(body).toEqual(expected);
    const ids = (await list('?sort=price')).body.filter(({ price }: { price: number }) => price === 0.5);
    expect(ids.map(({ id }: { id: number }) => id)).toEqual(
      NAMES.flatMap((_, n) => (n % 4 === 0 ? [n + 1] : [])),
    );
  });

  it('uses the first of two contradictory sort keys', async () => {
    expect(await names('?sort=name,-name')).toEqual(await names('?sort=name'));
    expect(await names('?sort=-id,name,id')).toEqual(NAMES.toReversed());
  });

  it('shows only the requested fields', async () => {
    expect((await list('?fields=name,id&limit=1')).body).toEqual([{ id: 1, name: 'Chai' }]);
  });

  it('accepts a list as repeated parameters, with commas, and in both forms together', async () => {
    for (const fields of [
      'fields=name&fields=id&limit=1',
      'fields=name%2Cid&limit=1',
      'fields=name&limit=1&fields=id',
    ])
      expect((await list(`?${fields}`)).body).toEqual([{ id: 1, name: 'Chai' }]);
    expect(Object.keys((await list('?fields=name,id&fields=price&limit=1')).body[0])).toEqual([
      'id',
      'name',
      'price',
    ]);
    expect(await names('?sort=price&sort=-name')).toEqual(await names('?sort=price,-name'));
  });

  it.each([
    ['page=0', 'page', 'TOO_SMALL'],
    ['page=2147483648', 'page', 'TOO_LARGE'],
    ['page=1.5', 'page', 'WRONG_TYPE'],
    ['page=1e1', 'page', 'WRONG_TYPE'],
    ['page=%2B1', 'page', 'WRONG_TYPE'],
    ['page=01', 'page', 'WRONG_TYPE'],
    ['page=', 'page', 'WRONG_TYPE'],
    ['limit=101', 'limit', 'TOO_LARGE'],
    ['limit=-1', 'limit', 'TOO_SMALL'],
    ['page=1&page=1', 'page', 'REPEATED_PARAMETER'],
    ['offset=1', 'offset', 'UNKNOWN_PARAMETER'],
    ['__proto__=1', '__proto__', 'UNKNOWN_PARAMETER'],
    ['in_stock=1', 'in_stock', 'WRONG_TYPE'],
    ['min_price=1.001', 'min_price', 'NOT_A_MULTIPLE'],
    ['q=', 'q', 'TOO_SHORT'],
    ['q=%20', 'q', 'PATTERN'],
    ['sort=colour', 'sort', 'NOT_ALLOWED'],
    ['sort=name,name', 'sort', 'NOT_UNIQUE'],
    ['sort=name&sort=name', 'sort', 'NOT_UNIQUE'],
    ['fields=id&fields=', 'fields', 'NOT_ALLOWED'],
    ['page=1&page=2&page=3', 'page', 'REPEATED_PARAMETER'],
    ['fields=secret', 'fields', 'NOT_ALLOWED'],
  ])('refuses ?%s', async (query, parameter, code) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ parameter, code })]);
  });

  it('reports all wrong parameters at once', async () => {
    const { body } = await list('?page=0&limit=x&offset=3');
    expect(body.errors.map(({ parameter }: { parameter: string }) => parameter).toSorted()).toEqual([
      'limit',
      'offset',
      'page',
    ]);
  });

  it('refuses a page beyond the first 100,000 rows of a sorted list, and names the last allowed page', async () => {
    expect((await list('?sort=name&page=1000&limit=100')).status).toBe(200);
    const { status, body } = await list('?sort=name&page=1001&limit=100');
    expect(status).toBe(400);
    const fault = {
      parameter: 'page',
      code: 'TOO_LARGE',
      detail: expect.stringMatching(/at most 1000 .*cursors/),
    };
    expect(body.errors).toEqual([fault]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const get = await list('?limit=3');
    const head = await store.call('HEAD', '/api/products?limit=3', { key: null });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['link', 'x-total-count', 'content-length', 'content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});
