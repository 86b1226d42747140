import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preferredReturn } from '../../../src/engine/contract/preference.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, aUser, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

describeOnEachEngine('the Prefer header', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const MINIMAL = { prefer: 'return=minimal' };

  it('with return=minimal leaves out the body of 201, and keeps its Location', async () => {
    const answer = await store.call('POST', '/api/products', { body: aProduct(), headers: MINIMAL });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(answer.headers.get('preference-applied')).toBe('return=minimal');
    expect(answer.headers.get('content-length')).toBe('0');
    const read = await store.call('GET', answer.headers.get('location') as string);
    expect(read.body.name).toBe('Chai');
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  it('with return=minimal gives 204 with the new tag for a change', async () => {
    const { id } = await create(store);
    const user = await createUser(store);
    const order = await placeOrder(store);
    for (const [method, path, body] of [
      ['PUT', `/api/products/${id}`, aProduct({ in_stock: false })],
      ['PATCH', `/api/products/${id}`, { price: 3 }],
      ['PUT', `/api/products/${id}/stock`, { quantity: 3 }],
      ['PATCH', `/api/users/${user.id}`, { name: 'Other' }],
      ['PUT', `/api/users/${user.id}`, aUser()],
      ['PATCH', `/api/orders/${order.id}`, { status: 'paid' }],
    ] as const) {
      const answer = await store.call(method, path, { body, headers: MINIMAL });
      expect([method, path, answer.status, answer.text]).toEqual([method, path, 204, '']);
      expect(answer.headers.get('content-length')).toBeNull();
      const read = await store.call('GET', path);
      expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
    }
  });

  it('with return=representation is confirmed too, and a request without Prefer gets no confirmation', async () => {
    const { id } = await create(store);
    const change = (headers: Record<string, string>) =>
      store.call('PATCH', `/api/products/${id}`, { body: { price: 3 }, headers });
    const asked = await change({ prefer: 'respond-async, return=representation; x=1' });
    expect(asked.headers.get('preference-applied')).toBe('return=representation');
    expect(asked.body.price).toBe(3);
    const bare = await change({});
    expect([bare.status, bare.headers.get('preference-applied')]).toEqual([200, null]);
  });

  it('of a repeated request applies, and not the Prefer header of the first request', async () => {
    const headers = { 'idempotency-key': 'prefers' };
    const body = aProduct();
    const first = await store.call('POST', '/api/products', { body, headers });
    const again = await store.call('POST', '/api/products', { body, headers: { ...headers, ...MINIMAL } });
    expect([again.status, again.text]).toEqual([201, '']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('does not remove the body of a refusal', async () => {
    const answer = await store.call('POST', '/api/products', { body: {}, headers: MINIMAL });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.headers.get('preference-applied')).toBeNull();
  });
});

describe('preferredReturn', () => {
  it.each([
    ['return=minimal', 'minimal'],
    ['Return="Minimal"', 'minimal'],
    ['wait=10, return = representation', 'representation'],
    ['return=minimal, return=representation', 'minimal'],
    ['return=everything, return=minimal', null],
    ['return', null],
    ['noreturn=minimal', null],
    ['', null],
  ])('reads «%s» as %s', (header, wanted) => {
    expect(preferredReturn(header)).toBe(wanted);
  });
});
