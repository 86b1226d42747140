import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PgBouncer } from '../../../testkit/pgbouncer.js';
import { freePort } from '../../../testkit/free-port.js';
import { Database } from '../../../src/engine/database/database.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { requireSessions } from '../../../src/engine/database/pooler.js';
import { all, raw, sql } from '../../../src/engine/database/sql.js';
import { DatabaseSettingsError } from '../../../src/engine/database/settings-error.js';
import { waitForLog } from '../../support/clients/events.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { connect } from '../../support/clients/live.js';
import { proxyInFrontOf } from '../../support/faults/proxy.js';
import { anOrder, create } from '../../support/fixtures/fixtures.js';
import { freshDatabase, onPostgres, type FreshDatabase } from '../../support/fixtures/database.js';
import { onPgBouncer } from '../../support/fixtures/pgbouncer.js';

const poolers: PgBouncer[] = [];
afterAll(async () => {
  await Promise.all(poolers.map((pooler) => pooler.remove()));
});

async function pooled(behind: string, settings: Record<string, string>): Promise<PgBouncer> {
  const pooler = await PgBouncer.create(behind, settings);
  poolers.push(pooler);
  return pooler;
}

/** With these settings, PgBouncer ignores the time limits that the service sends at the start of a connection. */
const IGNORING = {
  ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
};

const slow = () => raw('SELECT pg_sleep(60)', []);

/** The message of the error that stops the start. */
async function refusalOf(url: string, directUrl: string | null): Promise<string> {
  const opened = Database.open({ url, directUrl });
  const error = await opened.then(
    async (wrong) => {
      await wrong.close();
      return null;
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DatabaseSettingsError);
  return (error as Error).message;
}

describe('behind PgBouncer in transaction mode', { ...onPostgres, ...onPgBouncer }, () => {
  let database: FreshDatabase;
  let pooler: PgBouncer;
  const stores: TestApp[] = [];

  beforeAll(async () => {
    database = await freshDatabase('postgres');
    pooler = await pooled(database.url, { pool_mode: 'transaction', default_pool_size: '4' });
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterAll(() => database.drop());

  const start = async (): Promise<TestApp> => {
    const store = await startApp('postgres', {
      STORE_DATABASE_URL: pooler.url,
      STORE_DATABASE_DIRECT_URL: database.url,
    });
    stores.push(store);
    return store;
  };

  it('two instances create, change, find and delete products', async () => {
    const [here, there] = [await start(), await start()];
    const { id } = await create(here, { name: 'Pooled chai', price: 18 });
    const path = `/api/products/${id}`;
    expect((await there.call('GET', path)).body).toMatchObject({ name: 'Pooled chai', price: 18 });
    expect((await there.call('PATCH', path, { body: { price: 17 } })).status).toBe(200);
    expect((await here.call('GET', path)).body).toMatchObject({ price: 17 });
    const found = await here.call('GET', '/api/products?q=pooled&sort=price');
    expect(found.body).toMatchObject([{ id, price: 17 }]);
    const page = await there.call('GET', '/api/products?page=1&limit=5');
    expect(page.body).toMatchObject([{ id }]);
    expect((await there.call('DELETE', path)).status).toBe(204);
    expect((await here.call('GET', path)).status).toBe(404);
  });

  it('many requests at once share few sessions, and each gets its own answer', async () => {
    const store = await start();
    const made = await Promise.all(Array.from({ length: 40 }, (_, n) => create(store, { name: `Tea ${n}` })));
    const names = await Promise.all(
      made.map(async ({ id }) => (await store.call('GET', `/api/products/${id}`)).body.name as string),
    );
    expect(names).toEqual(made.map((_, n) => `Tea ${n}`));
  });

  it('subscribers of both instances get each order once, in sequence, even after the pooler was killed', async () => {
    const [here, there] = [await start(), await start()];
    const lives = [here, there].map((store) => connect(store));
    const subscribed = await Promise.all(lives.map((live) => live.subscribe('newOrder', '{ id }')));
    const body = await anOrder(here);
    const placed: number[] = [];
    const place = async (store: TestApp) =>
      placed.push((await store.call('POST', '/api/orders', { body })).body.id as number);
    for (const store of [here, there, here]) await place(store);

    await pooler.kill();
    expect((await here.call('POST', '/api/orders', { body })).status).toBe(503);
    await pooler.start();
    for (const store of [here, there]) {
      await expect.poll(async () => (await store.call('GET', '/health/ready')).status).toBe(200);
    }
    for (const store of [there, here, there]) await place(store);

    for (const events of subscribed) {
      const heard: number[] = [];
      while (heard.length < placed.length) heard.push(Number((await events.next()).data.newOrder.id));
      expect(heard).toEqual(placed);
    }
    await waitForLog(here);
    expect(subscribed.map(({ waiting }) => waiting)).toEqual([0, 0]);
    lives.forEach((live) => live.close());
  });

  it('a statement has its limit of time, and leaves no setting and no prepared statement in the session', async () => {
    const limited = new URL(pooler.url);
    limited.searchParams.set('statement_timeout', '300');
    const opened = await Database.open({ url: limited.href, directUrl: database.url });
    try {
      await expect(opened.reads.all(slow())).rejects.toThrow(DatabaseUnavailable);
      await expect(opened.unitOfWork.run(() => all(slow()))).rejects.toThrow(DatabaseUnavailable);
      await opened.reads.all(sql`SELECT ${1}::int`);
    } finally {
      await opened.close();
    }
    const plain = await Database.open({ url: pooler.url, directUrl: database.url });
    try {
      const rows = await plain.unitOfWork.run(() =>
        all(sql`SELECT (SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout') AS limit_ms,
          (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`),
      );
      expect(rows).toEqual([{ limit_ms: '0', prepared: 0 }]);
    } finally {
      await plain.close();
    }
  });
});

describe('a wrong address of a pooler', { ...onPostgres, ...onPgBouncer }, () => {
  let database: FreshDatabase;
  let other: FreshDatabase;
  let pooler: PgBouncer;
  let ignoring: PgBouncer;

  beforeAll(async () => {
    [database, other] = [await freshDatabase('postgres'), await freshDatabase('postgres')];
    [pooler, ignoring] = [
      await pooled(database.url, { pool_mode: 'transaction' }),
      await pooled(database.url, { pool_mode: 'transaction', ...IGNORING }),
    ];
  });
  afterAll(async () => {
    await database.drop();
    await other.drop();
  });

  it('stops the start when the pooler refuses the settings of a session', async () => {
    expect(await refusalOf(pooler.url, null)).toMatch(
      /connection pooler.*Set STORE_DATABASE_DIRECT_URL.*unsupported startup parameter/,
    );
  });

  it('stops the start when the pooler accepts the settings, but does not apply them', async () => {
    expect(await refusalOf(ignoring.url, null)).toMatch(/connection pooler.*Set STORE_DATABASE_DIRECT_URL/);
  });

  it('stops the start when the direct address is a pooler too', async () => {
    expect(await refusalOf(pooler.url, ignoring.url)).toMatch(
      /^STORE_DATABASE_DIRECT_URL .* connection pooler in transaction mode/,
    );
  });

  it('stops the start when the two addresses lead to different databases', async () => {
    expect(await refusalOf(pooler.url, other.url)).toMatch(/are not the same database/);
  });

  it('stops the start when the pooler is in statement mode', async () => {
    const byStatement = await pooled(database.url, { pool_mode: 'statement' });
    expect(await refusalOf(byStatement.url, database.url)).toMatch(
      /statement mode.*pool_mode = transaction\)\.$/,
    );
    expect(await refusalOf(pooler.url, byStatement.url)).toMatch(
      /^STORE_DATABASE_DIRECT_URL .* connection pooler in statement mode/,
    );
  });

  it('stops the start when the only address is a pooler in statement mode, and the advice is right', async () => {
    for (const settings of [{}, IGNORING]) {
      const only = await pooled(database.url, { pool_mode: 'statement', ...settings });
      const refusal = await refusalOf(only.url, null);
      expect(refusal).toMatch(/statement mode.*pool_mode = transaction.*Also set STORE_DATABASE_DIRECT_URL/);
      expect(refusal).not.toContain('as it is');
    }
  });

  it('stops the start when the direct server refuses the connection', async () => {
    const wrong = new URL(database.url);
    wrong.pathname = '/no_such_database';
    expect(await refusalOf(pooler.url, wrong.href)).toMatch(/^STORE_DATABASE_DIRECT_URL .*no_such_database/);
  });

  it('is distinguished from a server that does not answer at the moment', async () => {
    const nobody = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
    const opening = Database.open({ url: pooler.url, directUrl: nobody });
    await expect(opening).rejects.toThrow(DatabaseUnavailable);
    await expect(opening).rejects.toThrow(/^STORE_DATABASE_DIRECT_URL .*ECONNREFUSED/);
  });

  it('is not reported for a pooler in session mode, even with a single session', async () => {
    for (const default_pool_size of ['5', '1']) {
      const settings = { pool_mode: 'session', default_pool_size, ...IGNORING };
      const session = await pooled(database.url, settings);
      const opened = await Database.open({ url: session.url });
      expect(await opened.reads.value(sql`SELECT 1`)).toBe(1);
      await opened.close();
    }
  });

  it('is reported for a pooler in transaction mode, even with a single session', async () => {
    const single = await pooled(database.url, {
      pool_mode: 'transaction',
      default_pool_size: '1',
      ...IGNORING,
    });
    expect(await refusalOf(single.url, null)).toMatch(/connection pooler/);
  });
});

/** A proxy that holds back each question for the session for three seconds. @returns the URL through the proxy */
function lateProxy(url: string): Promise<string> {
  return proxyInFrontOf(url, (client, upstream) => {
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('data', (data) => {
      setTimeout(() => upstream.write(data), data.includes('pg_backend_pid') ? 3_000 : 0);
    });
    client.on('close', () => upstream.destroy());
    upstream.pipe(client);
  });
}

describe('a server that answers too late', onPostgres, () => {
  it('is not available, and does not count as an address without a pooler', async () => {
    const database = await freshDatabase('postgres');
    try {
      const checked = requireSessions(await lateProxy(database.url), 'STORE_DATABASE_READ_URL');
      await expect(checked).rejects.toThrow(DatabaseUnavailable);
      await expect(checked).rejects.toThrow(/^STORE_DATABASE_READ_URL «.*»: Query read timeout$/);
    } finally {
      await database.drop();
    }
  });
});
