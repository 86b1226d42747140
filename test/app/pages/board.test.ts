import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { NEXT_STATUSES } from '../../../src/store/orders/order-status.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { awayFromMidnight } from '../../support/fixtures/midnight.js';

const DOCUMENT = readFileSync(new URL('../../../documents/board.graphql', import.meta.url), 'utf8');

const wordsOf = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the page of the order board', () => {
  let store: TestApp;
  let key: string;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'JPY', STORE_TRUSTED_DOCUMENTS: 'only' });
    const { id } = await createUser(store, { name: 'Ada' });
    await create(store, { name: 'Chai', price: 18 });
    await awayFromMidnight();
    await placeOrder(store, { user_id: id, items: [{ product_id: 1, quantity: 2 }] });
    key = await createKey(store, ['orders:read', 'orders:write']);
  });
  afterAll(() => store.close());

  const board = (init: RequestInit = {}) => fetch(`${store.url}/board`, init);

  it('has the facts that its script needs, and a link to the list of orders', async () => {
    const html = await (await board()).text();
    expect(html).toContain('data-currency="JPY" data-decimals="0"');
    const next = [...html.matchAll(/data-status="(\w+)" data-next="([^"]*)"/g)].map(([, status, to]) => [
      status,
      to,
    ]);
    expect(next).toEqual(Object.entries(NEXT_STATUSES).map(([status, to]) => [status, to.join(' ')]));
    expect(html).toContain('<a href="/api/v2/orders"');
    expect(html).not.toContain('{{');
  });

  it('contains no data without a credential that may read orders, and is revalidated', async () => {
    const one = await board();
    const page = await one.text();
    expect(page).not.toContain('Chai');
    expect(page).not.toContain('data-first');
    expect(one.headers.get('cache-control')).toBe('no-cache');
    const tag = one.headers.get('etag') ?? '';
    expect((await board({ headers: { 'if-none-match': tag } })).status).toBe(304);
    const products = await createKey(store, ['products:write']);
    for (const wrong of ['wrong', products]) {
      const other = await board({ headers: { 'x-api-key': wrong } });
      expect([other.status, await other.text()]).toEqual([200, page]);
    }
  });

  it('has the figures and the newest orders in its first HTML, for a request with a credential', async () => {
    const answer = await board({ headers: { 'x-api-key': key } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toContain('Authorization');
    const html = await answer.text();
    const text = wordsOf(html);
    expect(text).toContain('Orders of the store pending 1 ¥36 paid 0 ¥0');
    expect(text).toContain('Orders per minute 1 in the last hour');
    expect(text).toContain('Revenue per day ¥36 today');
    expect(html).toMatch(/y="0\.0"\s+height="100\.0"\s+class="now"/);
    expect(text).toMatch(/Order 1 User 1 2 × Chai \d+ \w+ \d{4}, \d\d:\d\d UTC ¥36 pending/);
    expect(text).toMatch(/Orders by status Status Orders Money pending 1 ¥36/);
  });

  it('runs only our own scripts and styles, and cannot be a frame of another page', async () => {
    const answer = await board();
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    );
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it('accepts only requests that read it as HTML', async () => {
    const answer = await board({ method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await board({ headers: { accept: 'application/json' } })).status).toBe(406);
  });

  const ask = async (operationName: string, variables: object) => {
    const answer = await fetch(`${store.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ query: DOCUMENT, operationName, variables }),
    });
    return answer.json();
  };

  it('uses operations that are trusted documents', async () => {
    const order = { id: '1', version: 1, status: 'pending', totalMoney: { amount: 36 } };
    expect(await ask('BoardOrders', { limit: 100, names: false })).toMatchObject({
      data: { orders: [order] },
    });
    expect(await ask('BoardOrders', { limit: 100, names: false, status: 'paid' })).toMatchObject({
      data: { orders: [] },
    });
    expect(await ask('BoardMove', { id: '1', status: 'paid', version: 1 })).toMatchObject({
      data: { updateOrderStatus: { status: 'paid', version: 2 } },
    });
    expect(await ask('BoardMove', { id: '1', status: 'shipped', version: 1 })).toMatchObject({
      errors: [{ extensions: { code: 'PRECONDITION_FAILED' } }],
    });
    expect(await ask('BoardOrder', { id: '1', names: false })).toMatchObject({
      data: { order: { status: 'paid' } },
    });
  });

  it('shows a user only the orders of this user, and escapes the names of products', async () => {
    const user = await createUserWithPassword(store);
    const own = async () => (await board({ headers: { authorization: basic(user.email) } })).text();
    expect(wordsOf(await own())).toContain('There are no orders yet.');
    const attack = '<img src=x onerror=alert(1)>';
    const { id } = await create(store, { name: attack, price: 5 });
    await placeOrder(store, { user_id: user.id, items: [{ product_id: id, quantity: 3 }] });
    const html = await own();
    expect(html).not.toContain(attack);
    const text = wordsOf(html);
    expect(text).toContain('Your orders pending 1 ¥15');
    expect(text).toContain('3 × &lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toContain('Chai');
    expect(text).toContain('Orders per minute 1 in the last hour');
  });

  it('contains no data if the figures of the store cannot be read, although the caller may read them', async () => {
    const broken = await startApp('sqlite');
    try {
      await placeOrder(broken);
      const { unitOfWork } = broken.app.get(Database, { strict: false });
      await unitOfWork.run(() => run(sql`DROP VIEW order_figures`));
      const headers = { 'x-api-key': await createKey(broken, ['orders:read']) };
      expect((await fetch(`${broken.url}/api/v2/orders`, { headers })).status).toBe(200);
      const text = await (await fetch(`${broken.url}/board`, { headers })).text();
      expect(wordsOf(text)).toContain('Orders of the store pending – –');
      expect(text).not.toContain('data-first');
    } finally {
      await broken.close();
    }
  });
});
