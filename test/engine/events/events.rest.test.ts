import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionCredentials } from '../../../src/engine/access/connection-credentials.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { judge } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { purgeAll, waitForLog } from '../../support/clients/events.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { openStream, type Stream } from '../../support/clients/sse.js';

const EVENTS = '/api/v1/events';

interface Told {
  readonly cursor: string;
  readonly type: string;
  readonly entity_id: number;
}

describeOnEachEngine('events over REST', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const read = async (after: string | number, key?: string, more = '') => {
    const { body } = await store.call('GET', `${EVENTS}?after=${after}${more}`, { ...(key && { key }) });
    return body as { data: (Told & Record<string, unknown>)[]; next: string };
  };

  describe('listEvents as a page', () => {
    it('lists the changes, with the state of each row at that time, and the actor', async () => {
      const after = await waitForLog(store);
      const user = await createUser(store, { name: 'Ada' });
      const order = await placeOrder(store, { user_id: user.id });
      await store.call('PATCH', `/api/orders/${order.id}`, { body: { status: 'paid' } });
      await waitForLog(store);
      const { data, next } = await read(after);
      expect(data.map(({ type }) => type)).toEqual([
        'user.created',
        'product.created',
        'order.created',
        'order.status_changed',
      ]);
      expect(data.map(({ cursor }) => Number(cursor))).toEqual([1, 2, 3, 4].map((n) => after + n));
      expect(next).toBe(String(after + 4));
      expect(data[0]).toEqual({
        cursor: String(after + 1),
        type: 'user.created',
        entity: 'user',
        entity_id: user.id,
        version: 1,
        occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor: { kind: 'client', user_id: null },
        data: user,
      });
      expect(data[2]?.['data']).toEqual(order);
      expect(data[3]).toMatchObject({ version: 2, data: { ...order, status: 'paid' } });
      expect(await read(next)).toEqual({ data: [], next });
    });

    it('shows the rows in the form of version 2 under /api/v2', async () => {
      const after = await waitForLog(store);
      const order = await placeOrder(store);
      await waitForLog(store);
      const address = `/api/v2/events?after=${after}`;
      const { body } = await store.call('GET', address);
      const v1 = await read(after);
      expect(body.next).toBe(v1.next);
      expect(body.data).toEqual(v1.data.map((event) => ({ ...event, data: expect.anything() })));
      for (const { entity, entity_id, data } of body.data) {
        expect(data).toEqual((await store.call('GET', `/api/v2/${entity}s/${entity_id}`)).body);
      }
      expect(body.data.at(-1)).toMatchObject({ type: 'order.created', entity_id: order.id });
      const xml = await store.call('GET', `${address}&format=xml`);
      expect(xml.text).toContain('<currency>USD</currency>');
    });

    it('has the requested length, and the pages together have all events', async () => {
      const after = await waitForLog(store);
      for (let n = 0; n < 5; n++) await create(store);
      await waitForLog(store);
      const lengths: number[] = [];
      const cursors: number[] = [];
      let cursor = String(after);
      for (
        let page = await read(cursor, undefined, '&limit=2');
        ;
        page = await read(cursor, undefined, '&limit=2')
      ) {
        lengths.push(page.data.length);
        cursors.push(...page.data.map((event) => Number(event.cursor)));
        if (page.next === cursor) break;
        cursor = page.next;
      }
      expect(lengths).toEqual([2, 2, 1, 0]);
      expect(cursors).toEqual([1, 2, 3, 4, 5].map((n) => after + n));
    });

    it('has only events of the requested types, and its cursor passes over the other events', async () => {
      const after = await waitForLog(store);
      const { id } = await create(store);
      await store.call('DELETE', `/api/products/${id}`);
      await create(store);
      const last = await waitForLog(store);
      const { data, next } = await read(after, undefined, '&type=product.deleted,order.created');
      expect(data).toMatchObject([{ type: 'product.deleted', entity_id: id }]);
      expect(next).toBe(String(last));
    });

    it('shows only events about rows that the caller may read', async () => {
      const after = await waitForLog(store);
      const user = await createUser(store);
      const [mine] = [await placeOrder(store, { user_id: user.id }), await placeOrder(store)];
      await waitForLog(store);
      const heard = async (scopes: string[], userId: number | null = null) => {
        const key = await createKey(store, ['events:read', ...scopes], userId);
        return (await read(after, key)).data.map(({ type, entity_id }) => `${type} ${entity_id}`);
      };
      const all = (await read(after)).data.map(({ type, entity_id }) => `${type} ${entity_id}`);
      const of = (name: string) => all.filter((each) => each.startsWith(name));
      expect(all).toHaveLength(6);
      expect(await heard([])).toEqual(of('product'));
      expect(await heard(['orders:read'])).toEqual(all.filter((each) => !each.startsWith('user')));
      expect(await heard(['users:read'])).toEqual(all.filter((each) => !each.startsWith('order')));
      expect(await heard([], user.id)).toEqual([
        `user.created ${user.id}`,
        of('product')[0],
        `order.created ${mine?.id}`,
        of('product')[1],
      ]);
    });

    it('names a user as the actor only for callers who may read users', async () => {
      const user = await createUser(store);
      const after = await waitForLog(store);
      const key = await createKey(store, ['products:write'], user.id);
      await store.call('POST', '/api/products', { key, body: { name: 'Chai', price: 1 } });
      await waitForLog(store);
      const actor = async (reader: string) => (await read(after, reader)).data[0]?.['actor'];
      expect(await actor(await createKey(store, ['events:read', 'users:read']))).toEqual({
        kind: 'user',
        user_id: user.id,
      });
      expect(await actor(await createKey(store, ['events:read']))).toEqual({ kind: 'user', user_id: null });
      expect(await actor(await createKey(store, ['events:read'], user.id))).toMatchObject({
        user_id: user.id,
      });
    });

    it('shows no personal data of a user who was deleted', async () => {
      const after = await waitForLog(store);
      const user = await createUser(store);
      await store.call('DELETE', `/api/users/${user.id}`);
      await waitForLog(store);
      const { data } = await read(after);
      expect(data.map(({ type, data: shown }) => [type, shown])).toEqual([
        ['user.created', null],
        ['user.deleted', null],
      ]);
    });

    it('has the header Cache-Control: private, and HEAD has the same media type without a body', async () => {
      const { headers } = await store.call('GET', EVENTS);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization, X-API-Key');
      for (const accept of ['application/json', 'application/xml', 'text/event-stream']) {
        const head = await store.call('HEAD', EVENTS, { headers: { accept } });
        const type = (head.headers.get('content-type') ?? '').split(';', 1)[0];
        expect([head.status, type, head.text]).toEqual([200, accept, '']);
      }
    });

    it.each(['x', '-1', '01', '99999999999999999', '9007199254740991'])(
      'refuses %s as the cursor to start after',
      async (after) => {
        expect((await store.call('GET', `${EVENTS}?after=${after}`)).status).toBe(400);
      },
    );

    it('starts with the oldest event that is kept', async () => {
      const fresh = await startApp(engine);
      expect((await fresh.call('GET', EVENTS)).body).toEqual({ data: [], next: '0' });
      await create(fresh);
      await purgeAll(fresh);
      const { id } = await create(fresh);
      await waitForLog(fresh);
      expect((await fresh.call('GET', EVENTS)).body).toMatchObject({
        data: [{ cursor: '2', entity_id: id }],
        next: '2',
      });
      const gone = await fresh.call('GET', `${EVENTS}?after=0`);
      expect([gone.status, gone.body.code]).toEqual([410, 'CURSOR_EXPIRED']);
      await fresh.close();
    });
  });

  describe('listEvents as a stream', () => {
    const streams: Stream[] = [];
    afterEach(async () => {
      for (const stream of streams.splice(0)) stream.leave();
      await vi.waitUntil(() => store.app.get(PubSub, { strict: false }).isIdle);
      await vi.waitUntil(() => store.app.get(ConnectionCredentials, { strict: false }).count === 0);
    });
    const follow = async (query = '', options = {}) => {
      const stream = await openStream(store, EVENTS + query, options);
      streams.push(stream);
      return stream;
    };

    it('sends each new event as a page shows it, with its cursor as the id', async () => {
      await waitForLog(store);
      const stream = await follow('?type=product.created');
      expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const start = (await stream.next())?.id as string;
      await createUser(store);
      const { id } = await create(store);
      const event = await stream.event();
      expect(event).toMatchObject({ event: 'message', data: { type: 'product.created', entity_id: id } });
      expect(event?.id).toBe(event?.data.cursor);
      const page = await read(start, undefined, '&type=product.created');
      expect(page.data.at(-1)).toEqual(event?.data);
      const headers = new Headers(stream.headers);
      headers.set('content-type', 'application/json');
      judge('GET', EVENTS, {
        status: 200,
        headers,
        text: JSON.stringify({ data: [event?.data], next: event?.id }),
      });
    });

    it('sends events in version 2 as a page of version 2 shows them', async () => {
      const after = await waitForLog(store);
      const { id } = await create(store);
      const stream = await openStream(store, `/api/v2/events?after=${after}`);
      streams.push(stream);
      await stream.next();
      const event = await stream.event();
      const { body } = await store.call('GET', `/api/v2/events?after=${after}`);
      expect(event?.data).toEqual(body.data[0]);
      expect(event?.data).toMatchObject({ data: { id, price: { currency: 'USD' } } });
    });

    it('continues after the later of two cursors: the parameter `after` and the header Last-Event-ID', async () => {
      const after = await waitForLog(store);
      for (let n = 0; n < 3; n++) await create(store);
      await waitForLog(store);
      for (const [query, last, expected] of [
        [`?after=${after}`, undefined, 1],
        ['', after + 1, 2],
        [`?after=${after}`, '', 1],
        [`?after=${after}`, after + 2, 3],
        [`?after=${after + 2}`, after, 3],
      ] as const) {
        const stream = await follow(
          query,
          last === undefined ? {} : { headers: { 'last-event-id': String(last) } },
        );
        expect((await stream.next())?.id).toBe(String(after + expected - 1));
        expect((await stream.event())?.id).toBe(String(after + expected));
      }
    });

    it('starts with the next new event if Last-Event-ID is empty and `after` is not given', async () => {
      await create(store);
      const now = await waitForLog(store);
      const stream = await follow('', { headers: { 'last-event-id': '' } });
      expect([stream.status, (await stream.next())?.id]).toEqual([200, String(now)]);
    });

    it('is refused before it starts', async () => {
      for (const [options, query, status] of [
        [{ key: 'wrong' }, '', 401],
        [{ key: await createKey(store, ['orders:read']) }, '', 403],
        [{}, '?after=9007199254740991', 400],
        [{}, '?nothing=1', 400],
        [{ headers: { 'last-event-id': 'x' } }, '', 400],
      ] as const) {
        const stream = await follow(query, options);
        expect([stream.status, stream.headers.get('content-type')]).toEqual([
          status,
          'application/problem+json; charset=utf-8',
        ]);
      }
    });

    it('sends only events that its reader may read, and ends when the credential ends', async () => {
      const key = await createKey(store, ['events:read']);
      const stream = await follow('', { key });
      await stream.next();
      const { user_id } = await placeOrder(store);
      expect(user_id).not.toBeNull();
      expect((await stream.event())?.data.type).toBe('product.created');
      await store.call('DELETE', `/api/api-keys/${key.split('_')[1]}`);
      expect(await stream.event()).toMatchObject({
        event: 'problem',
        id: null,
        data: { status: 401, code: 'UNAUTHENTICATED', instance: EVENTS },
      });
      expect(await stream.event()).toBeNull();
    });

    it('ends when the service stops', async () => {
      const stopping = await startApp(engine);
      const stream = await openStream(stopping, EVENTS);
      expect(await stream.next()).toMatchObject({
        id: '0',
        retry: expect.stringMatching(/^[12]\d{3}$/) as string,
      });
      await stopping.close();
      expect(await stream.next()).toBeNull();
    });
  });
});
