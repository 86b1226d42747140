import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEXT_STATUSES } from '../../../src/store/orders/order-status.js';
import { ITEM_MEMBERS, MEMBERS } from '../../../src/store/transfer/members.js';
import { startApp, type TestApp } from '../../support/clients/app.js';

describe('the page of imports', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_IMPORT_MAX_BYTES: '2097152' });
  });
  afterAll(() => store.close());

  const imports = (init: RequestInit = {}) => fetch(`${store.url}/imports?id=1`, init);

  it('contains the members that the importer knows, and the maximum size of a file', async () => {
    const html = await (await imports()).text();
    expect(html).toContain('data-most-bytes="2097152"');
    expect(html).toContain('at most 2 MiB');
    expect(html).not.toContain('{{');
    const [, text = ''] = /data-members="([^"]*)"/.exec(html) ?? [];
    const facts = JSON.parse(text.replaceAll('&quot;', '"')) as Record<
      string,
      { members: { name: string; required: boolean; inEachRow: unknown; values?: string[] }[]; own: string[] }
    >;
    for (const [kind, members] of Object.entries({ ...MEMBERS, items: ITEM_MEMBERS }))
      expect(facts[kind]?.members.map(({ name }) => name)).toEqual(Object.keys(members));
    const required = Object.entries(facts).map(([kind, { members }]) => [
      kind,
      members.filter((each) => each.required).map(({ name }) => name),
    ]);
    expect(Object.fromEntries(required)).toEqual({
      products: ['name', 'price'],
      users: ['name', 'email'],
      orders: ['id', 'user_id'],
      items: ['order_id', 'product_id', 'quantity', 'unit_price'],
    });
    expect(facts['products']?.own).toContain('price.amount');
    const orders = facts['orders']?.members ?? [];
    expect(orders.find(({ name }) => name === 'user_id')?.inEachRow).toBe('mapped');
    expect(orders.find(({ name }) => name === 'status')?.values).toEqual(Object.keys(NEXT_STATUSES));
  });

  it('runs only our own scripts and styles, and accepts only requests that read it as HTML', async () => {
    const answer = await imports();
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    );
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    expect((await imports({ method: 'POST' })).status).toBe(405);
    expect((await imports({ headers: { accept: 'application/json' } })).status).toBe(406);
  });
});
