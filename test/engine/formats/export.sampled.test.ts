import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql, Text } from '../../../src/engine/database/sql.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { schemaNamed } from '../../support/fixtures/schema.js';
import { valueIn } from '../../../testkit/contract/formats.js';
import { onlyLong } from '../../support/sampled.js';

/** These are so many rows that the buffers of sockets and streams cannot hold them. */
const ROWS = 60_000;
const BATCHES = ROWS / 1_000;

interface Row {
  readonly id: number;
}

/** Waits for the first call, and then until there was no call for a while. Returns the number of calls. */
const quiet = async (scans: { mock: { calls: unknown[] } }) => {
  let before;
  do {
    before = scans.mock.calls.length;
    await later(300);
  } while (scans.mock.calls.length > before || before === 0);
  return before;
};

describeOnEachEngine('an export', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
    const { unitOfWork } = store.app.get(Database, { strict: false });
    const name = new Text(`'=' || n || substr('${'x'.repeat(190)}', 1, 190)`);
    await unitOfWork.run(() =>
      run(sql`
        WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${ROWS})
        INSERT INTO products
          (name, name_search, price_minor, is_sellable, in_stock, version, created_at, updated_at)
        SELECT ${name}, 'x', n, true, n % 2 = 0, 1, ${new Date()}, ${new Date()} FROM many`),
    );
  });
  afterAll(() => store.close());
  afterEach(() => vi.restoreAllMocks());

  const rowsOf = async (path: string, key = ADMIN_KEY): Promise<readonly Row[]> => {
    const { status, headers, text } = await store.call('GET', path, { key });
    expect(status).toBe(200);
    const type = (headers.get('content-type') as string).split(';', 1)[0] as string;
    const one = /\/(\w+)s\/export/.exec(path)?.[1] ?? '';
    const schema = `${one[0]?.toUpperCase()}${one.slice(1)}Export${path.startsWith('/api/v2') ? 'V2' : ''}`;
    return valueIn(type, text, schemaNamed(schema)) as Row[];
  };

  it('has every row once, in the order of ids, in the same form as in the list', onlyLong, async () => {
    const [csv, ndjson] = [
      await rowsOf('/api/v1/products/export'),
      await rowsOf('/api/v1/products/export?format=ndjson'),
    ];
    expect(csv).toHaveLength(ROWS);
    expect(csv).toEqual(ndjson);
    expect(csv.map(({ id }) => id)).toEqual(csv.map(({ id }) => id).toSorted((a, b) => a - b));
    const { body } = await store.call('GET', '/api/v1/products?limit=100&page=15');
    expect(csv.slice(1_400, 1_500)).toEqual(body);
  });

  it('accepts the filters of the list', async () => {
    const some = '/api/v1/products/export?format=ndjson&in_stock=true&min_price=599.96';
    expect(await rowsOf(some)).toMatchObject([{ price: 599.96 }, { price: 599.98 }, { price: 600 }]);
    expect(await rowsOf('/api/v1/products/export?q=nothing-of-the-kind')).toEqual([]);
    const refused = await store.call('GET', '/api/v1/products/export?min_price=x&page=1');
    expect(refused.status).toBe(400);
  });

  it('has only the rows that the list shows to the caller', async () => {
    const [one, other] = [await createUser(store), await createUser(store)];
    const order = await placeOrder(store, { user_id: one.id });
    await placeOrder(store, { user_id: other.id });
    const own = await createKey(store, [], one.id);
    for (const path of ['/api/v1/orders/export', '/api/v1/orders/export?format=ndjson'])
      expect(await rowsOf(path, own)).toEqual([order]);
    expect(await rowsOf(`/api/v1/orders/export?user_id=${other.id}`, own)).toEqual([]);
    const { body } = await store.call('GET', '/api/v1/orders?limit=100');
    expect(await rowsOf('/api/v1/orders/export')).toEqual(body);
    const users = await store.call('GET', '/api/v1/users?limit=100');
    expect(await rowsOf('/api/v1/users/export')).toEqual(users.body);
    expect((await store.call('GET', '/api/v1/users/export', { key: own })).status).toBe(403);
    expect((await store.call('GET', '/api/v1/orders/export', { key: null })).status).toBe(401);
  });

  it('has the form of the lists of version 2 under /api/v2', async () => {
    const user = await createUser(store);
    await placeOrder(store, { user_id: user.id });
    const first = await store.call('GET', '/api/v2/products?limit=100');
    for (const path of [
      '/api/v2/products/export?max_price=1',
      '/api/v2/products/export?max_price=1&format=ndjson',
    ])
      expect(await rowsOf(path)).toEqual(first.body.data);
    for (const kind of ['orders', 'users']) {
      const { body } = await store.call('GET', `/api/v2/${kind}?limit=100`);
      expect(body.data.length).toBeGreaterThan(0);
      for (const format of ['csv', 'ndjson'])
        expect(await rowsOf(`/api/v2/${kind}/export?format=${format}`)).toEqual(body.data);
    }
    const { headers, text } = await store.call('GET', '/api/v2/products/export?max_price=0.01');
    expect(text.split('\r\n')[0]).toBe(
      'id,name,description,price.amount,price.currency,in_stock,created_at,updated_at',
    );
    expect(headers.get('content-disposition')).toBe('attachment; filename="products.csv"');
    const own = await createKey(store, [], user.id);
    expect(await rowsOf('/api/v2/orders/export', own)).toHaveLength(1);
    expect((await store.call('GET', '/api/v2/users/export', { key: own })).status).toBe(403);
  });

  it('has only the orders of the requested period', async () => {
    await placeOrder(store);
    const all = await rowsOf('/api/v1/orders/export');
    expect(await rowsOf('/api/v1/orders/export?created_after=2099-01-01T00:00:00Z')).toEqual([]);
    expect(await rowsOf('/api/v1/orders/export?created_before=2000-01-01T00:00:00Z')).toEqual([]);
    const within = 'created_after=2000-01-01T00:00:00Z&created_before=2099-01-01T00:00:00Z';
    expect(await rowsOf(`/api/v1/orders/export?${within}`)).toEqual(all);
  });

  it('answers HEAD with the name of the file and without a length, and reads only the first batch', async () => {
    const scans = vi.spyOn(store.app.get(Database, { strict: false }).scans, 'run');
    const { status, headers } = await store.call('HEAD', '/api/v1/products/export?format=ndjson');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="products.ndjson"');
    expect(headers.get('content-length')).toBeNull();
    // One read finds the end of the first batch, and a second read gets the rows of the batch.
    expect(scans.mock.calls.length).toBeLessThanOrEqual(2);
  });

  const opened = (path: string, key = ADMIN_KEY): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(store.url + path, { headers: { 'x-api-key': key } }, resolve).on('error', reject);
    });

  it('reads no faster than the client, and stops when the client has left', async () => {
    const scans = vi.spyOn(store.app.get(Database, { strict: false }).scans, 'run');
    const response = await opened('/api/v1/products/export');
    response.pause();
    const waiting = await quiet(scans);
    expect(waiting).toBeLessThan(BATCHES);
    response.destroy();
    expect(await quiet(scans)).toBeLessThanOrEqual(waiting + 1);
  });

  it('is cut off when the credential has ended', async () => {
    const key = await createKey(store, ['products:write']);
    const response = await opened('/api/v1/products/export', key);
    response.pause();
    await store.call('DELETE', `/api/v1/api-keys/${key.split('_')[1]}`);
    response.resume();
    const broken = await new Promise((resolve) => {
      response.once('aborted', () => resolve(true)).once('end', () => resolve(false));
    });
    expect(broken).toBe(true);
  });

  it('stops when the client has left, even when no row matches', async () => {
    const { scans: all } = store.app.get(Database, { strict: false });
    const scan = all.run.bind(all);
    // The scans are slow, so that the client leaves in time.
    const scans = vi.spyOn(all, 'run').mockImplementation(async (asker, statement) => {
      await later(20);
      return scan(asker, statement);
    });
    const leaving = get(`${store.url}/api/v1/products/export?q=nothing-of-the-kind`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    leaving.on('error', () => undefined);
    await vi.waitFor(() => expect(scans.mock.calls.length).toBeGreaterThan(2));
    leaving.destroy();
    // An export that reads all rows makes two scans for each batch.
    expect(await quiet(scans)).toBeLessThan(BATCHES);
  });

  const exportFailingAtScan = (scanNumber: number, coding: string): Promise<Response> => {
    const { scans } = store.app.get(Database, { strict: false });
    const scan = scans.run.bind(scans);
    let count = 0;
    vi.spyOn(scans, 'run').mockImplementation((asker, statement) => {
      count += 1;
      return count === scanNumber ? Promise.reject(new Error('the disk is gone')) : scan(asker, statement);
    });
    return fetch(`${store.url}/api/v1/products/export`, { headers: { 'accept-encoding': coding } });
  };

  it.each(['identity', 'gzip', 'zstd'])(
    'is cut off when it fails in the middle, with the coding %s',
    async (coding) => {
      const response = await exportFailingAtScan(5, coding);
      expect([response.status, response.headers.get('content-encoding') ?? 'identity']).toEqual([
        200,
        coding,
      ]);
      await expect(response.text()).rejects.toThrow('terminated');
    },
  );

  it('is answered with problem details when it fails before its first byte was sent', async () => {
    // The coding `br` returns its first bytes only after more input than the first four scans give. So the fifth scan
    // fails before the first byte.
    const response = await exportFailingAtScan(5, 'br');
    expect([response.status, response.headers.get('content-encoding')]).toEqual([500, null]);
    expect(await response.json()).toMatchObject({ status: 500, code: 'INTERNAL' });
  });

  it('is answered with an error and without a file name when its first read of the database fails', async () => {
    const { scans } = store.app.get(Database, { strict: false });
    vi.spyOn(scans, 'run').mockRejectedValue(new Error('the disk is gone'));
    const { status, headers, body } = await store.call('GET', '/api/v1/products/export');
    expect([status, body.code]).toEqual([500, 'INTERNAL']);
    expect(headers.get('content-disposition')).toBeNull();
  });
});
