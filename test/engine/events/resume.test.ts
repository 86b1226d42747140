import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { purgeAll, waitForLog } from '../../support/clients/events.js';
import { anOrder, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, open, type Raw } from '../../support/clients/live.js';

const NEW = 'subscription ($after: ID) { newOrder(after: $after) { id cursor } }';
const STATUS = 'subscription ($after: ID) { orderStatusChanged(after: $after) { id status cursor } }';

const ask = ({ say }: Raw, query: string, variables = {}) =>
  say({ type: 'subscribe', id: '1', payload: { query, variables } });

describeOnEachEngine('a subscription', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const latest = async () => (await store.graphql('{ latestCursor }')).data.latestCursor as string;
  const place = async (count: number) => {
    const body = await anOrder(store);
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      ids.push(String((await store.call('POST', '/api/orders', { body })).body.id));
    }
    return ids;
  };
  const resuming = async (resume: unknown): Promise<Raw> => {
    const raw = await open(store);
    raw.say({ type: 'connection_init', payload: { 'x-api-key': 'KEY', resume } });
    return raw;
  };
  const resumed = async (resume: unknown): Promise<Raw> => {
    const raw = await open(store);
    const key = await createKey(store, ['orders:read']);
    raw.say({ type: 'connection_init', payload: { 'x-api-key': key, resume } });
    await raw.hear();
    return raw;
  };
  it.each(['newOrders', 'products', 'toString', 'Subscription.newOrder'])(
    'does not resume for the name %s, which is not a subscription',
    async (name) => {
      const raw = await resuming(JSON.parse(`{"${name}": "41"}`));
      const { code, reason } = await raw.closed;
      expect(code).toBe(4400);
      expect(reason).toMatch(/^resume\..{1,20} is not a subscription\. Known: (?:\w+, )*newOrder, /);
    },
  );

  it('resumes after a cursor, first with past events, then with new events', async () => {
    await waitForLog(store);
    const after = await latest();
    const before = await place(3);
    const live = connect(store);
    const events = live.send({ query: NEW, variables: { after } });
    const heard = [await events.next(), await events.next(), await events.next()];
    const [late] = await place(1);
    heard.push(await events.next());
    expect(heard.map(({ data }) => data.newOrder.id)).toEqual([...before, late]);
    for (const { data, extensions } of heard) expect(extensions).toEqual({ cursor: data.newOrder.cursor });
    const again = live.send({ query: NEW, variables: { after: heard[1].extensions.cursor } });
    expect(await again.next()).toEqual(heard[2]);
    expect(await again.next()).toEqual(heard[3]);
    live.close();
  });

  it('resumes from the first event', async () => {
    const fresh = await startApp(engine);
    expect((await fresh.graphql('{ latestCursor }')).data.latestCursor).toBe('0');
    const { id } = await placeOrder(fresh);
    const live = connect(fresh);
    const event = await live.send({ query: NEW, variables: { after: '0' } }).next();
    expect(event.data.newOrder.id).toBe(String(id));
    live.close();
    await fresh.close();
  });

  it('resumes from the cursor of connection_ack', async () => {
    await waitForLog(store);
    const raw = await open(store);
    raw.say({ type: 'connection_init' });
    const { payload } = await raw.hear();
    expect(payload).toEqual({ cursor: expect.stringMatching(/^\d+$/) });
    raw.socket.terminate();
    const [id] = await place(1);
    const back = await resumed({ newOrder: payload.cursor });
    ask(back, NEW);
    expect(await back.hear()).toMatchObject({ payload: { data: { newOrder: { id } } } });
    back.socket.terminate();
  });

  it('resumes from the later of two cursors: one in connection_init, the other in the argument', async () => {
    await waitForLog(store);
    const cursors = [];
    const ids = [];
    for (let n = 0; n < 2; n++) {
      cursors.push(await latest());
      ids.push(...(await place(1)));
      await waitForLog(store);
    }
    for (const [resume, after, expected] of [
      [0, 1, 1],
      [1, 0, 1],
      [0, null, 0],
      [null, 0, 0],
    ] as const) {
      const raw = await resumed(resume === null ? { productChanged: '0' } : { newOrder: cursors[resume] });
      ask(raw, NEW, { after: after === null ? null : cursors[after] });
      expect(await raw.hear()).toMatchObject({ payload: { data: { newOrder: { id: ids[expected] } } } });
      raw.socket.terminate();
    }
  });

  it('resumes with orders as they were at the time of the event', async () => {
    await waitForLog(store);
    const after = await latest();
    const { id } = await placeOrder(store);
    await placeOrder(store);
    for (const status of ['paid', 'shipped', 'delivered']) {
      await store.call('PATCH', `/api/orders/${id}`, { body: { status } });
    }
    const live = connect(store);
    const events = live.send({ query: STATUS, variables: { after } });
    const one = live.send({
      query: `subscription { orderStatusChanged(after: ${after}, orderId: ${id + 1}) { id } }`,
    });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await events.next()).data.orderStatusChanged.status);
    expect(statuses).toEqual(['paid', 'shipped', 'delivered']);
    await store.call('PATCH', `/api/orders/${id + 1}`, { body: { status: 'cancelled' } });
    expect((await one.next()).data.orderStatusChanged.id).toBe(String(id + 1));
    expect((await store.graphql(`{ order(id: ${id}) { cursor } }`)).data.order.cursor).toBeNull();
    live.close();
  });

  it('resumes with products, even without a credential', async () => {
    await waitForLog(store);
    const after = await latest();
    const { id } = await create(store, { name: 'Chai' });
    await create(store);
    await store.call('PATCH', `/api/products/${id}`, { body: { name: 'Chang' } });
    await store.call('DELETE', `/api/products/${id}`);
    const live = connect(store, null);
    const query = `subscription { productChanged(after: ${after}, productId: ${id}) { id name change cursor } }`;
    const events = live.send({ query });
    const changes = [];
    for (let n = 0; n < 3; n++) {
      const { cursor, ...product } = (await events.next()).data.productChanged;
      expect(Number(cursor)).toBeGreaterThan(Number(after));
      changes.push(product);
    }
    expect(changes).toEqual([
      { id: String(id), name: 'Chai', change: 'created' },
      { id: String(id), name: 'Chang', change: 'updated' },
      { id: String(id), name: 'Chang', change: 'deleted' },
    ]);
    live.close();
  });

  it('resumes without the orders of other users', async () => {
    await waitForLog(store);
    const after = await latest();
    const user = await createUser(store);
    await placeOrder(store);
    const { id } = await placeOrder(store, { user_id: user.id });
    await placeOrder(store);
    const live = connect(store, await createKey(store, [], user.id));
    const events = live.send({ query: NEW, variables: { after } });
    expect((await events.next()).data.newOrder.id).toBe(String(id));
    const mine = await placeOrder(store, { user_id: user.id });
    expect((await events.next()).data.newOrder.id).toBe(String(mine.id));
    expect(events.waiting).toBe(0);
    live.close();
  });

  it.each([
    ['that is later than all events', '9007199254740991', 'CURSOR_INVALID'],
    ['that is not a cursor', 'x', 'VALIDATION_FAILED'],
    ['that is negative', '-1', 'VALIDATION_FAILED'],
  ])('does not resume after a cursor %s', async (_what, after, code) => {
    const live = connect(store);
    const end = await live.send({ query: NEW, variables: { after } }).ended;
    expect(end).toMatchObject({ errors: [{ extensions: { code, status: 400 } }] });
    live.close();
  });

  it.each([
    ['41'],
    [['41']],
    [{ newOrder: 'x' }],
    [{ newOrder: '-1' }],
    [{ newOrder: {} }],
    [{ newOrder: '1.5' }],
  ])('does not resume with %j in connection_init', async (resume) => {
    const raw = await resuming(resume);
    expect(await raw.closed).toMatchObject({ code: 4400, reason: expect.stringContaining('resume') });
  });

  it('does not resume after a cursor whose next events were purged', async () => {
    const purging = await startApp(engine);
    await placeOrder(purging);
    const last = await waitForLog(purging);
    await purgeAll(purging);
    const live = connect(purging);
    const end = await live.send({ query: NEW, variables: { after: String(last - 1) } }).ended;
    expect(end).toMatchObject({ errors: [{ extensions: { code: 'CURSOR_EXPIRED', status: 410 } }] });
    const events = live.send({ query: NEW, variables: { after: String(last) } });
    const { id } = await placeOrder(purging);
    expect((await events.next()).data.newOrder.id).toBe(String(id));
    live.close();
    await purging.close();
  });
});
