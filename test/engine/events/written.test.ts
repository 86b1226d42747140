import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { one, sql } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { Order } from '../../../src/store/orders/order.entity.js';
import { Product } from '../../../src/store/products/product.entity.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { basic } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { aProduct, countedProduct, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

describeOnEachEngine('the log of events', (engine) => {
  let store: TestApp;
  let log: EventLog;
  let start: number;
  beforeAll(async () => {
    store = await startApp(engine);
    log = store.app.get(EventLog, { strict: false });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    start = await waitForLog(store);
  });

  /** The events since the start of the test. */
  const written = async () => {
    await waitForLog(store);
    return log.after(start, 1_000);
  };
  const typesWritten = async () => (await written()).map(({ type, entityId }) => `${type} ${entityId}`);

  it('has every change of a product, with the state of the product at that time', async () => {
    const { id } = await create(store, { name: 'Chai', price: 18 });
    await store.call('PATCH', `/api/products/${id}`, { body: { price: 19 } });
    await store.graphql('mutation ($id: ID!) { updateProduct(id: $id, name: "Chai tea") { id } }', {
      id: String(id),
    });
    await store.call('DELETE', `/api/products/${id}`);
    const events = await written();
    expect(events.map(({ type, kind, entityId, version }) => [type, kind, entityId, version])).toEqual([
      ['product.created', 'product', id, 1],
      ['product.updated', 'product', id, 2],
      ['product.updated', 'product', id, 3],
      ['product.deleted', 'product', id, 4],
    ]);
    expect(events.map(({ snapshot }) => snapshot)).toMatchObject([
      { name: 'Chai', priceMinor: 1800, version: 1 },
      { name: 'Chai', priceMinor: 1900, version: 2 },
      { name: 'Chai tea', priceMinor: 1900, version: 3 },
      { name: 'Chai tea', priceMinor: 1900, version: 4 },
    ]);
    const product = events[0]?.snapshot as Product;
    expect(product).toBeInstanceOf(Product);
    expect(product.createdAt).toBeInstanceOf(Date);
    expect(product.nameSearch).toBeUndefined();
    expect(events[0]?.occurredAt.getTime()).toBeGreaterThanOrEqual(product.createdAt.getTime());
  });

  it('has no event for a request that changes nothing, or only a password', async () => {
    const { id } = await create(store, { price: 18, in_stock: true });
    const user = await createUser(store);
    await store.call('PATCH', `/api/products/${id}`, { body: { price: 18, in_stock: true } });
    await store.call('PATCH', `/api/users/${user.id}`, { body: { name: user.name } });
    await store.call('PATCH', `/api/users/${user.id}`, { body: { password: 'not quite as common' } });
    expect(await typesWritten()).toEqual([`product.created ${id}`, `user.created ${user.id}`]);
  });

  it('has an event for a change of stock only if `inStock` of the product changes', async () => {
    const id = await countedProduct(store, 2);
    const set = (quantity: number | null) =>
      store.call('PUT', `/api/products/${id}/stock`, { body: { quantity } });
    await set(1);
    await set(0);
    await set(null);
    const events = (await written()).slice(1);
    expect(events.map(({ type, snapshot }) => [type, (snapshot as Product).inStock])).toEqual([
      ['product.updated', false],
      ['product.updated', true],
    ]);
  });

  it('has orders with their items, each change of their status, and the effect of a sale on the stock', async () => {
    const product_id = await countedProduct(store, 3);
    const user_id = (await createUser(store)).id;
    const placed = await placeOrder(store, { user_id, items: [{ product_id, quantity: 3 }] });
    await store.call('PATCH', `/api/orders/${placed.id}`, { body: { status: 'cancelled' } });
    const events = (await written()).slice(2);
    expect(events.map(({ type, entityId, version }) => [type, entityId, version])).toEqual([
      ['product.updated', product_id, 2],
      ['order.created', placed.id, 1],
      ['product.updated', product_id, 3],
      ['order.status_changed', placed.id, 2],
    ]);
    const order = events[1]?.snapshot as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order).toMatchObject({ userId: user_id, status: 'pending', totalMinor: 5400 });
    expect(order.items).toMatchObject([
      { productId: product_id, position: 1, quantity: 3, unitPriceMinor: 1800 },
    ]);
    expect(order.createdAt.toISOString()).toBe(placed.created_at);
    // Each event has the state at its time: the order is pending in its first event, and cancelled in its second event.
    expect(events[3]?.snapshot).toMatchObject({ status: 'cancelled' });
  });

  it('names the actor and the request, and has no secret', async () => {
    const password = 'correct horse battery';
    const { body } = await store.call('POST', '/api/users', {
      body: { name: 'Grace Hopper', email: `grace.${engine}@example.com`, password },
      headers: { 'x-request-id': 'making-grace' },
    });
    const { id, email } = body.user as { id: number; email: string };
    const headers = { authorization: basic(email, password) };
    await store.call('PATCH', `/api/users/${id}`, { body: { name: 'Grace' }, key: null, headers });
    const [made, renamed] = await written();
    expect(made).toMatchObject({
      actor: { kind: 'client', name: 'STORE_ADMIN_KEY', userId: null },
      requestId: 'making-grace',
    });
    expect(renamed?.actor).toEqual({ kind: 'user', name: null, userId: id });
    expect(renamed?.requestId).toMatch(/^[\w-]{36}$/);
    const rows = await store.app
      .get(Database, { strict: false })
      .reads.all(sql`SELECT * FROM events WHERE position > ${start}`);
    expect(JSON.stringify(rows)).not.toMatch(/argon2|password|correct horse/i);
  });

  it('gives no number to an event of a refused request or a failed act, even in the middle of a batch', async () => {
    const { unitOfWork } = store.app.get(Database, { strict: false });
    const { id } = await create(store);
    const product = (await written())[0]?.snapshot as Product;
    const acts = Array.from({ length: 60 }, (_, n) =>
      unitOfWork
        .run(function* (tx) {
          yield* log.write(tx, 'product.updated', Object.assign(new Product(), product, { version: n + 2 }));
          if (n % 3 === 1) throw new Error('changed its mind');
          if (n % 3 === 2) yield* one(sql`INSERT INTO products (id) VALUES (${id})`);
        })
        .then(
          () => n + 2,
          () => null,
        ),
    );
    const stored = (await Promise.all(acts)).filter((version) => version !== null);
    const events = (await written()).slice(1);
    expect(stored).toHaveLength(20);
    expect(events.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(stored);
    expect(events.map(({ position }) => position)).toEqual(stored.map((_, n) => start + 2 + n));
    const refused = await store.call('POST', '/api/products', { body: aProduct({ name: '' }) });
    expect(refused.status).toBe(400);
    await create(store);
    expect((await written()).at(-1)?.position).toBe(start + 22);
  });

  it('removes name and e-mail address of a deleted user from every event', async () => {
    const { reads } = store.app.get(Database, { strict: false });
    const kept = await createUser(store, { name: 'Kept Person', email: `kept.${engine}@example.com` });
    const gone = await createUser(store, { name: 'Gone Person', email: `gone.${engine}@example.com` });
    await store.call('PATCH', `/api/users/${gone.id}`, {
      body: { email: `gone.again.${engine}@example.com` },
    });
    const order = await placeOrder(store, { user_id: gone.id });
    await waitForLog(store);
    await store.call('DELETE', `/api/users/${gone.id}?anonymise=true`);
    const events = await written();
    expect(events.filter(({ entityId, kind }) => kind === 'user' && entityId === gone.id)).toMatchObject([
      { type: 'user.created', snapshot: { id: gone.id, name: '', email: '', version: 1 } },
      { type: 'user.updated', snapshot: { id: gone.id, name: '', email: '', version: 2 } },
      { type: 'user.anonymised', version: 3, snapshot: { id: gone.id, name: '', email: '' } },
    ]);
    expect(events.find(({ kind }) => kind === 'order')?.entityId).toBe(order.id);
    const rows = JSON.stringify(await reads.all(sql`SELECT * FROM events`));
    expect(rows).not.toMatch(/gone/i);
    expect(rows).toContain(kept.email);
    await store.call('DELETE', `/api/users/${kept.id}`);
    expect(JSON.stringify(await reads.all(sql`SELECT * FROM events`))).not.toMatch(/kept/i);
    expect((await written()).at(-1)).toMatchObject({ type: 'user.deleted', entityId: kept.id });
  });
});
