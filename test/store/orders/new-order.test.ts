import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Broadcast } from '../../../src/engine/events/broadcast.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { anOrder, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, type Live, type Subscribed } from '../../support/clients/live.js';

describeOnEachEngine('newOrder', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());
  // The subscriptions of clients that have left must end.
  afterEach(async () => {
    const pubSub = store.app.get(PubSub, { strict: false });
    await vi.waitUntil(() => pubSub.countSubscribers('newOrder') === 0);
  });

  it('sends an order that is placed over REST, with the selected fields', async () => {
    const live = connect(store);
    const events = await live.subscribe(
      'newOrder',
      '{ id total status createdAt user { name } items { name quantity } }',
    );
    const { id: productId } = await create(store, { name: 'Chai', price: 18 });
    const { id: userId } = await createUser(store, { name: 'Ada' });
    const placed = await placeOrder(store, {
      user_id: userId,
      items: [{ product_id: productId, quantity: 3 }],
    });
    expect(await events.next()).toEqual({
      data: {
        newOrder: {
          id: String(placed.id),
          total: 54,
          status: 'pending',
          createdAt: placed.created_at,
          user: { name: 'Ada' },
          items: [{ name: 'Chai', quantity: 3 }],
        },
      },
      extensions: { cursor: expect.stringMatching(/^\d+$/) },
    });
    live.close();
  });

  it('sends every order once to all subscribers, and on SQLite by ascending id', async () => {
    const subscribers: { live: Live; events: Subscribed }[] = [];
    while (subscribers.length < 5) {
      const live = connect(store);
      subscribers.push({ live, events: await live.subscribe('newOrder', '{ id }') });
    }
    const body = await anOrder(store);
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => store.call('POST', '/api/orders', { body })),
    );
    const ids = placed.map(({ body: order }) => String(order.id)).toSorted((a, b) => Number(a) - Number(b));
    for (const { events } of subscribers) {
      const seen: string[] = [];
      for (const _ of ids) {
        const { data } = (await events.next()) as { data: { newOrder: { id: string } } };
        seen.push(data.newOrder.id);
      }
      // On PostgreSQL, concurrent acts may be committed in another order than the order of their ids.
      expect(engine === 'sqlite' ? seen : seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids);
    }
    // An event that is sent twice would come in this time.
    await sleep(200);
    expect(subscribers.map(({ events }) => events.waiting)).toEqual(subscribers.map(() => 0));
    for (const { live } of subscribers) live.close();
  });

  it('sends only stored orders: a subscriber can read each of them, and refused orders are not sent', async () => {
    const live = connect(store);
    const events = await live.subscribe('newOrder', '{ id }');
    const { id: gone } = await create(store, { in_stock: false });
    const refused = await store.call('POST', '/api/orders', {
      body: await anOrder(store, { items: [{ product_id: gone, quantity: 1 }] }),
    });
    expect(refused.status).toBe(409);
    const mutation = `mutation ($userId: ID!, $items: [OrderItemInput!]!) {
      createOrder(userId: $userId, items: $items) { id }
    }`;
    const { id: productId } = await create(store);
    const { data } = await store.graphql(mutation, {
      userId: String((await createUser(store)).id),
      items: [{ productId: String(productId), quantity: 1 }],
    });
    const event = (await events.next()) as { data: { newOrder: { id: string } } };
    expect(event.data.newOrder.id).toBe(data.createOrder.id);
    const read = await store.call('GET', `/api/orders/${event.data.newOrder.id}`);
    expect(read.status).toBe(200);
    expect(events.waiting).toBe(0);
    live.close();
  });

  it('reaches only subscribers that may see the order, and does no work for the others', async () => {
    const [mine, other] = [(await createUser(store)).id, (await createUser(store)).id];
    const lives: Live[] = [];
    const subscribed: Subscribed[] = [];
    for (const userId of [mine, other]) {
      const live = connect(store, await createKey(store, [], userId));
      lives.push(live);
      subscribed.push(await live.subscribe('newOrder', '{ id }'));
    }
    const [events, others] = subscribed as [Subscribed, Subscribed];
    const reached = vi.spyOn(Broadcast.prototype, 'push');
    const first = await placeOrder(store, { user_id: mine });
    expect((await events.next()).data).toEqual({ newOrder: { id: String(first.id) } });
    // The order is of a third user, so neither subscriber may see it.
    await placeOrder(store);
    const second = await placeOrder(store, { user_id: mine });
    expect((await events.next()).data).toEqual({ newOrder: { id: String(second.id) } });
    expect(reached).toHaveBeenCalledTimes(2);
    expect(others.waiting).toBe(0);
    for (const live of lives) live.close();
    reached.mockRestore();
  });

  it('is refused without the scope orders:read', async () => {
    for (const key of [null, await createKey(store, ['products:read'])]) {
      const live = connect(store, key);
      const result = await live.run({ query: 'subscription { newOrder { id } }' });
      const code = key === null ? 'UNAUTHENTICATED' : 'FORBIDDEN';
      expect(JSON.stringify(result)).toContain(code);
      live.close();
    }
  });

  it('shows those fields of an order that the subscriber may read, and null for the others', async () => {
    const live = connect(store, await createKey(store, ['orders:read']));
    const events = await live.subscribe('newOrder', '{ id user { email } }');
    const { id } = await placeOrder(store);
    const event = (await events.next()) as { data: unknown; errors: { path: unknown }[] };
    expect(event.data).toEqual({ newOrder: { id: String(id), user: null } });
    expect(event.errors).toMatchObject([
      { path: ['newOrder', 'user'], extensions: { code: 'FORBIDDEN', status: 403 } },
    ]);
    live.close();
  });
});
