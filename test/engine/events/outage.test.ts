import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { sql } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnPostgres, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { waitForLog } from '../../support/clients/events.js';
import { anOrder, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { connect, type Live, type Subscribed } from '../../support/clients/live.js';
import { openStream } from '../../support/clients/sse.js';
import { CLIENTS } from '../../support/clients/stock-clients.js';

const SESSIONS = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'store events'`;

describeOnPostgres('events during a fault', () => {
  let database: FreshDatabase;
  let store: TestApp;
  let hand: Client;
  let live: Live;
  let events: Subscribed;
  beforeAll(async () => {
    database = await freshDatabase('postgres');
    store = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    hand = new Client({ connectionString: database.url });
    hand.on('error', () => {});
    await hand.connect();
  });
  afterAll(async () => {
    live.close();
    await hand.end();
    await store.close();
    await database.drop();
  });

  const countSessions = async () => (await hand.query(`SELECT 1 ${SESSIONS}`)).rows.length;
  const heardNext = async () => Number((await events.next()).data.newOrder.id);

  it('arrive even if no notification is sent', async () => {
    live = connect(store);
    events = await live.subscribe('newOrder', '{ id }');
    const placed = await placeOrder(store);
    expect(await heardNext()).toBe(placed.id);
    await waitForLog(store);
    const copied = `type, kind, entity_id, entity_version, data, actor, occurred_at`;
    // A process that ends between its commit and its notification leaves this state.
    await hand.query(
      `INSERT INTO event_outbox (${copied}) SELECT ${copied} FROM events WHERE kind = 'order'`,
    );
    expect(await heardNext()).toBe(placed.id);
    // A lost notification of the leader leaves this state.
    await hand.query(`
      WITH head AS (UPDATE event_log_head SET position = position + 1 RETURNING position)
      INSERT INTO events (position, ${copied})
      SELECT head.position, ${copied} FROM head, events WHERE kind = 'order' LIMIT 1`);
    expect(await heardNext()).toBe(placed.id);
  });

  it('arrive after the connection of the leader was terminated', async () => {
    const body = await anOrder(store);
    const ended = await hand.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`);
    expect(ended.rows).toHaveLength(1);
    const placed = await store.call('POST', '/api/orders', { body });
    expect(await heardNext()).toBe(placed.body.id);
  });

  it('arrive after the database was unavailable', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const other = new URL(database.url);
    other.pathname = '/postgres';
    const server = new Client({ connectionString: other.href });
    await server.connect();
    const body = await anOrder(store);
    const cursor = String(await waitForLog(store));
    await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
    const refused = await store.call('POST', '/api/orders', { body });
    expect(refused.status).toBe(503);
    // A client that reconnects now, as `EventSource` does, gets no new cursor. A new cursor would be later than the
    // events that the client has missed.
    const query = { query: 'subscription { newOrder { id } }' };
    const stream = await openStream(store, '/graphql/stream', {
      body: query,
      headers: { 'last-event-id': '0' },
    });
    expect(await stream.next()).toMatchObject({ event: null, id: null });
    // The stream ends without `complete`, because standard clients do not reconnect after `complete`.
    expect(await stream.next()).toMatchObject({ event: null, comment: true });
    expect(await stream.next()).toBeNull();
    const failures: unknown[] = [];
    const followers = Object.values(CLIENTS).map((follow) => {
      const heard: string[] = [];
      const end = follow(
        store.port,
        cursor,
        ({ id }) => heard.push(id),
        (error) => failures.push(error),
      );
      return { heard, end };
    });
    const begun = connect(store, null).send({ query: 'subscription { productChanged(after: "0") { id } }' });
    expect(await begun.ended).toMatchObject({
      closing: { code: 1013, reason: 'Unavailable: connect again and continue after your last cursor' },
    });
    await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    await server.end();
    const placed = await store.call('POST', '/api/orders', { body });
    expect(placed.status).toBe(201);
    expect(await heardNext()).toBe(placed.body.id);
    for (const { heard } of followers) {
      await expect.poll(() => heard, { timeout: 60_000 }).toEqual([String(placed.body.id)]);
    }
    expect(failures).toEqual([]);
    for (const { end } of followers) end();
    hand = new Client({ connectionString: database.url });
    hand.on('error', () => {});
    await hand.connect();
  });

  it('do not name a user who is deleted while an event about the user is moved to the log', async () => {
    await waitForLog(store);
    const log = store.app.get(EventLog, { strict: false });
    const begin = await log.latest();
    // The leader of the service has to wait for this transaction.
    await hand.query('BEGIN');
    await hand.query('SELECT position FROM event_log_head FOR UPDATE');
    const { id } = await createUser(store, { name: 'Moved Meanwhile', email: 'moved.meanwhile@example.com' });
    expect((await hand.query('SELECT sequence_events(100) AS n')).rows).toEqual([{ n: 1 }]);
    const deleting = store.call('DELETE', `/api/users/${id}`);
    const { reads } = store.app.get(Database, { strict: false });
    const waiting = () =>
      reads.all(sql`
        SELECT 1 AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE event%'`);
    await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
    await hand.query('COMMIT');
    expect((await deleting).status).toBe(204);
    await waitForLog(store);
    expect(await log.after(begin, 10)).toMatchObject([
      { type: 'user.created', snapshot: { id, name: '', email: '' } },
      { type: 'user.deleted', snapshot: { id, name: '', email: '' } },
    ]);
  });

  it('need one connection for each instance, and it is closed when the instance stops', async () => {
    const second = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    await expect.poll(countSessions, { timeout: 60_000 }).toBe(2);
    await second.close();
    expect(await countSessions()).toBe(1);
  });
});
