import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Credentials } from '../../../src/engine/access/credentials.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { connect, type Live, type Subscribed } from '../../support/clients/live.js';
import { UsersRepository } from '../../../src/store/users/users.repository.js';

const SELECTION = '{ id user { name } }';

const hear = (all: readonly Subscribed[]) => Promise.all(all.map((events) => events.next()));

/** The data of the next event. If the event has an error: a list of the data and the code of the error. */
async function seen(events: Subscribed | undefined): Promise<unknown> {
  const { data, errors } = await (events as Subscribed).next();
  return errors ? [data, errors[0].extensions.code] : data;
}

describeOnEachEngine('subscriptions', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const subscribers = () => store.app.get(PubSub, { strict: false }).countSubscribers('newOrder');
  const listen = async (key: string, queries: readonly string[]) => {
    const live = connect(store, key);
    const before = subscribers();
    const all = queries.map((query) => live.send({ query }));
    await expect.poll(subscribers).toBe(before + queries.length);
    return { live, all };
  };
  const end = async (...lives: Live[]) => {
    for (const live of lives) live.close();
    await expect.poll(subscribers).toBe(0);
  };

  it('with the same selection and the same rights are executed once for each event', async () => {
    const users = vi.spyOn(store.app.get(UsersRepository, { strict: false }), 'findMany');
    const credentials = vi.spyOn(store.app.get(Credentials, { strict: false }), 'principalOf');
    const scopes = ['orders:read', 'users:read'];
    const query = `subscription { newOrder ${SELECTION} }`;
    // The second caller has another key with the same rights. One of its operations has the same selection with other
    // spaces, and a start position.
    const { live, all } = await listen(await createKey(store, scopes), Array<string>(30).fill(query));
    const other = await listen(await createKey(store, scopes.toReversed()), [
      query,
      'subscription {\n  newOrder(after: 0) { id user { name } } }',
    ]);
    const { user_id } = await placeOrder(store);
    await placeOrder(store);
    const everybody = [...all, ...other.all];
    await hear(everybody);
    await hear(everybody);
    users.mockClear();
    credentials.mockClear();
    const { id } = await placeOrder(store, { user_id: user_id as number });
    const asked = credentials.mock.calls.length;
    const results = await hear(everybody);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toMatchObject({
      data: { newOrder: { id: String(id), user: { name: 'Ada Lovelace' } } },
    });
    expect(users).toHaveBeenCalledTimes(1);
    // Each credential is checked at most once a second, for all its subscribers together.
    expect(credentials.mock.calls.length - asked).toBeLessThan(10);
    users.mockRestore();
    credentials.mockRestore();
    await end(live, other.live);
  });

  it('with the same selection but other rights, variables or names are executed separately', async () => {
    const query = `subscription { newOrder ${SELECTION} }`;
    const admin = await listen(await createKey(store, ['admin']), [
      query,
      'subscription { newOrder { id } }',
      'subscription { other: newOrder { id } }',
    ]);
    const reader = await listen(await createKey(store, ['orders:read']), [query]);
    const user = await createUser(store, { name: 'Grace' });
    const own = await listen(await createKey(store, [], user.id), [query]);
    const variables = admin.live.send({
      query: 'subscription ($x: Boolean!) { newOrder { id status @include(if: $x) } }',
      variables: { x: true },
    });
    const without = admin.live.send({
      query: 'subscription ($x: Boolean!) { newOrder { id status @include(if: $x) } }',
      variables: { x: false },
    });
    const byDefault = (value: boolean) =>
      admin.live.send({
        query: `subscription ($x: Boolean! = ${value}) { newOrder { id status @include(if: $x) } }`,
      });
    const defaults = [byDefault(true), byDefault(false)];
    await expect.poll(subscribers).toBe(9);
    const order = await placeOrder(store, { user_id: user.id });
    const id = String(order.id);
    expect(await seen(admin.all[0])).toEqual({ newOrder: { id, user: { name: 'Grace' } } });
    expect(await seen(admin.all[1])).toEqual({ newOrder: { id } });
    expect(await seen(admin.all[2])).toEqual({ other: { id } });
    expect(await seen(reader.all[0])).toEqual([{ newOrder: { id, user: null } }, 'FORBIDDEN']);
    expect(await seen(own.all[0])).toEqual({ newOrder: { id, user: { name: 'Grace' } } });
    expect(await seen(variables)).toEqual({ newOrder: { id, status: 'pending' } });
    expect(await seen(without)).toEqual({ newOrder: { id } });
    expect(await seen(defaults[0])).toEqual({ newOrder: { id, status: 'pending' } });
    expect(await seen(defaults[1])).toEqual({ newOrder: { id } });
    await end(admin.live, reader.live, own.live);
  });
});
