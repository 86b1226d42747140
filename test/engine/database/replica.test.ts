import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, createOnServer, type FreshDatabase } from '../../../testkit/databases.js';
import { freePort } from '../../../testkit/free-port.js';
import { findPostgres, PostgresServer } from '../../../testkit/postgres-server.js';
import { Database } from '../../../src/engine/database/database.js';
import { raw } from '../../../src/engine/database/sql.js';
import { DatabaseSettingsError } from '../../../src/engine/database/settings-error.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { scrape, valueOf } from '../../support/clients/metrics.js';
import { anOrder, create } from '../../support/fixtures/fixtures.js';
import { onPostgres } from '../../support/fixtures/database.js';
import { needing } from '../../support/needs.js';

const onServers = needing(
  'the programs of a PostgreSQL server',
  findPostgres() !== null,
  'apt-get install postgresql (Debian)',
);

interface Found {
  readonly id: number;
}

const FOUND = [true, true, true, true];

async function served(store: TestApp, server: string): Promise<number> {
  return valueOf(await scrape(store), 'store_replica_reads_total', { server });
}

async function isUsed(store: TestApp): Promise<number> {
  return valueOf(await scrape(store), 'store_replica_used');
}

async function usedAgain(store: TestApp): Promise<void> {
  await expect.poll(() => isUsed(store), { timeout: 20_000 }).toBe(1);
}

/** Whether four answers have the product with this name: a sorted page, a search, a page in CSV, and a page. */
async function newest(store: TestApp, name: string): Promise<boolean[]> {
  const answers = await Promise.all([
    store.call('GET', '/api/v2/products?limit=100&sort=-id'),
    store.call('GET', `/api/products?q=${encodeURIComponent(name)}&sort=price`),
    store.call('GET', '/api/products?limit=100', { headers: { accept: 'text/csv' } }),
    store.call('GET', '/api/products?limit=100'),
  ]);
  return answers.map(({ text }) => text.includes(name));
}

describe('with a replica', { ...onPostgres, ...onServers }, () => {
  const ending = new AbortController();
  const undos: (() => unknown)[] = [];
  const proceeding = { signal: ending.signal, atEnd: (undo: () => unknown) => void undos.unshift(undo) };
  const stores: TestApp[] = [];
  const lines: string[] = [];
  let primary: PostgresServer;
  let replica: PostgresServer;
  let database: FreshDatabase;
  let readUrl: string;

  beforeAll(async () => {
    primary = await PostgresServer.create(proceeding);
    await primary.start();
    database = await createOnServer(primary.url);
    replica = await PostgresServer.createReplica(primary, proceeding);
    await replica.start();
    readUrl = onReplica(database.url);
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    lines.length = 0;
  });
  afterAll(async () => {
    ending.abort();
    for (const undo of undos) await undo();
  });

  const onReplica = (address: string): string => {
    const url = new URL(replica.url);
    url.pathname = new URL(address).pathname;
    return url.href;
  };
  const start = async (): Promise<TestApp> => {
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    const settings = { STORE_DATABASE_URL: database.url, STORE_DATABASE_READ_URL: readUrl };
    const store = await startApp('postgres', settings, () => {}, logger);
    stores.push(store);
    return store;
  };
  const onlyOnReplica = async (statement: string): Promise<void> => void (await ask(replica.url, statement));
  const state = () => ask<{ state: string }>(replica.url, 'SELECT pg_get_wal_replay_pause_state() AS state');
  const pause = async (): Promise<void> => {
    await onlyOnReplica('SELECT pg_wal_replay_pause()');
    await expect.poll(state).toEqual([{ state: 'paused' }]);
  };
  const wait = async (names: string): Promise<void> => {
    await ask(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await ask(primary.url, 'SELECT pg_reload_conf()');
  };
  const resume = () => onlyOnReplica('SELECT pg_wal_replay_resume()');
  it('lists, searches and lists in CSV come from the replica, and single rows from the primary server', async () => {
    const store = await start();
    const { id } = await create(store, { name: 'Copied chai' });
    await usedAgain(store);
    const before = await served(store, 'replica');
    await expect
      .poll(async () => [await newest(store, 'Copied chai'), await isUsed(store)])
      .toEqual([FOUND, 1]);
    expect(await served(store, 'replica')).toBeGreaterThanOrEqual(before + 4);
    const after = await served(store, 'replica');
    expect((await store.call('GET', `/api/products/${id}`)).status).toBe(200);
    expect(await served(store, 'replica')).toBe(after);
  });

  it('while a replica is behind, every instance shows the last change', async () => {
    const [here, there] = [await start(), await start()];
    await pause();
    try {
      await create(here, { name: 'Late assam' });
      expect(await newest(here, 'Late assam')).toEqual(FOUND);
      expect(await newest(there, 'Late assam')).toEqual(FOUND);
      expect(await Promise.all([isUsed(here), isUsed(there)])).toEqual([0, 0]);
    } finally {
      await resume();
    }
    const behind = lines.filter((line) => line.includes('is behind the database'));
    expect(behind).toHaveLength(2);
    await Promise.all([usedAgain(here), usedAgain(there)]);
    expect(await newest(there, 'Late assam')).toEqual(FOUND);
  });

  it('a replica is not used while commits wait for replicas, because the replica could show a change too early', async () => {
    const store = await start();
    await usedAgain(store);
    await wait('*');
    try {
      await expect
        .poll(async () => [await newest(store, 'No product'), await isUsed(store)])
        .toEqual([[false, false, false, false], 0]);
      const before = await served(store, 'replica');
      await newest(store, 'No product');
      expect(await served(store, 'replica')).toBe(before);
      expect(lines.filter((line) => line.includes('synchronous_standby_names'))).toHaveLength(1);
    } finally {
      await wait('');
    }
    await usedAgain(store);
  });

  it('each write is in the next list of the other instance, while the replica follows', async () => {
    const [here, there] = [await start(), await start()];
    const missing: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [here, there] : [there, here];
      const { id } = await create(writer, { name: `Followed ${n}` });
      const { body } = await reader.call('GET', '/api/products?sort=-id&limit=1');
      if ((body as Found[])[0]?.id !== id) missing.push(`Followed ${n}`);
    }
    expect(missing).toEqual([]);
    const fromReplica = await Promise.all([here, there].map((store) => served(store, 'replica')));
    expect(Math.min(...fromReplica)).toBeGreaterThan(0);
  });

  it('subscribers get each order once, in sequence, while the replica is paused, killed and restarted', async () => {
    const [here, there] = [await start(), await start()];
    const lives = [here, there].map((store) => connect(store));
    const subscribed = await Promise.all(lives.map((live) => live.subscribe('newOrder', '{ id }')));
    const body = await anOrder(here);
    const placed: number[] = [];
    const place = async (): Promise<void> => {
      for (const store of [here, there]) {
        placed.push((await store.call('POST', '/api/orders', { body })).body.id as number);
      }
    };
    await place();
    await pause();
    await place();
    await resume();
    await place();
    await replica.kill('SIGKILL');
    await place();
    const lists = await Promise.all([here, there].map((store) => store.call('GET', '/api/orders?limit=100')));
    expect(lists.map(({ status }) => status)).toEqual([200, 200]);
    await replica.start();
    await place();
    await Promise.all([usedAgain(here), usedAgain(there)]);
    await place();
    for (const events of subscribed) {
      const heard: number[] = [];
      while (heard.length < placed.length) heard.push(Number((await events.next()).data.newOrder.id));
      expect(heard).toEqual(placed);
      expect(events.waiting).toBe(0);
    }
    lives.forEach((live) => live.close());
  });

  it('a replica that hangs is not used, and the primary server answers the reads instead', async () => {
    const store = await start();
    await usedAgain(store);
    await newest(store, 'anything');
    const sessions = await ask<{ pid: number }>(
      replica.url,
      `SELECT pid FROM pg_stat_activity WHERE datname = '${new URL(database.url).pathname.slice(1)}'`,
    );
    expect(sessions.length).toBeGreaterThan(0);
    for (const { pid } of sessions) process.kill(pid, 'SIGSTOP');
    try {
      await create(store, { name: 'Hanging oolong' });
      expect(await newest(store, 'Hanging oolong')).toEqual(FOUND);
      expect(lines.filter((line) => line.includes('The replica'))).toMatchObject([
        expect.stringContaining('The primary server reads instead'),
      ]);
    } finally {
      for (const { pid } of sessions) process.kill(pid, 'SIGCONT');
    }
    await usedAgain(store);
  });

  it('a scan of a client that has left is cancelled on the replica', async () => {
    const opened = await Database.open({ url: database.url, readUrl });
    try {
      let isGone = false;
      const scan = opened.scans
        .of({ name: 'a test', isGone: () => isGone })
        .all(raw('SELECT pg_sleep(60)', []));
      scan.catch(() => undefined);
      const active = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()`;
      await expect.poll(() => ask(replica.url, active)).toHaveLength(1);
      isGone = true;
      await expect(scan).rejects.toThrow('The client closed the connection.');
      await expect.poll(() => ask(replica.url, active)).toEqual([]);
    } finally {
      await opened.close();
    }
  });

  it('the service starts even if the replica cannot be reached', async () => {
    const nobody = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
    const opened = await Database.open({ url: database.url, readUrl: nobody });
    expect(opened.replica?.isUsed).toBe(false);
    expect(await opened.replicaReads.all(raw('SELECT 1 AS n', []))).toEqual([{ n: 1 }]);
    await opened.close();
  });

  it.each<[string, () => string, RegExp]>([
    ['the primary server itself', () => database.url, /is not a replica/],
    ['a replica of another database', () => replica.url, /is not a replica of the database/],
    ['a database that does not exist', () => onReplica('postgres://x/nothing'), /nothing.* does not exist/],
  ])('the start fails with the address of %s', async (_what, wrong, reason) => {
    const opening = Database.open({ url: database.url, readUrl: wrong() });
    await expect(opening).rejects.toThrow(DatabaseSettingsError);
    await expect(opening).rejects.toThrow(/^STORE_DATABASE_READ_URL/);
    await expect(opening).rejects.toThrow(reason);
  });
});
