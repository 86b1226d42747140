import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Currency } from '../../src/engine/values/currency.js';
import { pageMaker } from '../../src/engine/browse/page.js';
import { html } from '../../src/engine/formats/html.js';
import { BODIES } from '../../src/generated/bodies.js';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

const NASTY = [
  ']]>',
  'yes',
  '012',
  '1e3',
  '=1+1',
  "'=1",
  ' leading',
  'trailing ',
  '\n\nlines',
  '\t',
  'a\rb',
  'a\r\nb',
  '&amp;',
  '&#13;',
  '&notin;',
  '<b>',
  '</bdi>',
  '</td></tr></table>',
  '<!--',
  '-->',
  '<script>alert(1)</script>',
  '<plaintext>',
  '<template>',
  '"\'`',
  '\u{1F600}',
  '\u202Eabc',
  '\u2066',
  '\u0080',
  '\uFEFF',
  '\u2028',
  '\f',
  '',
  'null',
  '{{content}}',
  '$&',
  '${a}',
];
const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 4 }).map((parts) => parts.join('')),
);
const number = fc.oneof(
  fc.constantFrom(0, -0.01, 2 ** 53, 1e21, 1e-7, 18.5, 19.999, 0.1),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer(),
);
const item = fc.record({
  product_id: fc.option(number),
  name: text,
  unit_price: number,
  quantity: fc.integer(),
  total: number,
});
const order = fc.record({
  id: number,
  user_id: fc.option(number),
  status: text,
  total: number,
  created_at: fc.oneof(text, fc.constant('2026-11-21T08:44:54.123Z')),
  items: fc.array(item, { maxLength: 3 }),
});
const ORDERS = BODIES.listOrders ?? { name: 'list' };
const ORDER = BODIES.getOrder ?? { name: 'order' };
const KEY = BODIES.getApiKey ?? { name: 'key' };

describeInBrowser('a value on a page', () => {
  let browsing: Browsing;
  let page: Page;
  beforeAll(async () => {
    browsing = await startBrowsing();
    ({ page } = await browsing.visit('/'));
    await page.evaluate(await readFile(new URL('../support/clients/read-page.mjs', import.meta.url), 'utf8'));
  });
  afterAll(() => browsing.close());

  const readBack = (texts: readonly string[]) =>
    page.evaluate<unknown[]>(`(${JSON.stringify(texts)}).map(readPage)`);
  const view = { url: '/api/v1/orders', operation: 'listOrders', origin: 'http://localhost' } as const;
  const site = { publicUrl: null, currency: new Currency('USD'), shell: null, version: 'v1' as const };

  it('is read by the parser of the browser as the value from which the page was made', async () => {
    const lists = fc.sample(fc.array(order, { maxLength: 4 }), { numRuns: 400, seed: 7 });
    const pages = lists.map((orders) => html.compile(ORDERS)(orders, { ...view, site, pages: pageMaker }));
    expect(await readBack(pages)).toEqual(plain(lists));
  });

  it('is read back unchanged: an order alone, an order in an envelope, and an API key with a list of texts', async () => {
    const [one] = fc.sample(order, { numRuns: 1, seed: 8 });
    const values = [
      one,
      { data: [one], page: { next: null, previous: 'x', total: 1 } },
      { id: 1, scopes: NASTY, name: '' },
    ];
    const pages = [ORDER, { name: 'list', members: { data: { name: 'data', items: ORDER } } }, KEY].map(
      (body, index) => html.compile(body)(values[index], { ...view, site, pages: pageMaker }),
    );
    expect(await readBack(pages)).toEqual(plain(values));
  });

  it('equals the JSON answer of the service', async () => {
    for (const name of NASTY)
      await browsing.call('POST', '/api/v1/products', { name: `.${name}.`, price: 0.01 });
    const paths = [
      '/api/v1/products?limit=100',
      '/api/v1/products/1',
      '/api/v1/products?fields=name',
      '/api/v1/events?limit=100',
      '/api/v1/products?page=9',
      '/api/v1/products?page=x',
    ];
    for (const path of paths) {
      const [shown, json] = await Promise.all(
        ['html', 'json'].map(async (format) => {
          const response = await fetch(`${browsing.url}${path}&format=${format}`.replace(/\/1&/, '/1?'), {
            headers: { 'x-api-key': 'an-administrator-key-for-the-browser-0123456789' },
          });
          return response.text();
        }),
      );
      const [value] = await readBack([shown as string]);
      expect([path, comparable(value)]).toEqual([path, comparable(JSON.parse(json as string))]);
    }
  });
});

/** The value as JSON would carry it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The value without its request id, because each refusal has a different id. */
function comparable(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'request_id' in value
    ? { ...value, request_id: '' }
    : value;
}
