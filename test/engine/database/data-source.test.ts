import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { dataSourceOptions } from '../../../src/engine/database/data-source.js';
import { DatabaseSettingsError } from '../../../src/engine/database/settings-error.js';
import { Database } from '../../../src/engine/database/database.js';
import { sql } from '../../../src/engine/database/sql.js';
import { ask } from '../../../testkit/databases.js';
import { PgBouncer } from '../../../testkit/pgbouncer.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import {
  describeOnPostgres,
  freshDatabase,
  migratedDatabase,
  onPostgres,
  type FreshDatabase,
} from '../../support/fixtures/database.js';
import { aProductV2, placeOrder } from '../../support/fixtures/fixtures.js';
import { onPgBouncer } from '../../support/fixtures/pgbouncer.js';
import { needing } from '../../support/needs.js';

const SERVER = process.env['TEST_POSTGRES_URL'] ?? '';
/** Other forms of values in the answers of PostgreSQL. */
const FORMS = [
  `DateStyle = 'SQL, DMY'`,
  `TimeZone = 'Asia/Kathmandu'`,
  'client_encoding = LATIN1',
  `IntervalStyle = 'sql_standard'`,
  `bytea_output = 'escape'`,
  'extra_float_digits = -15',
];
const NAME = '€ 😀';
const READ_AGAIN = {
  status: 201,
  names: [NAME],
  isRecent: true,
  isSameTime: true,
  expiresAt: '2999-12-31T00:00:00.000Z',
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-test-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const openInMemory = () => Database.open({ url: 'sqlite::memory:' });

describe('a data source', () => {
  it('creates the folder of a SQLite file', async () => {
    const file = join(folder, 'a', 'b', 'store.sqlite');
    const database = await Database.open({ url: `sqlite:${file}` });
    expect(await database.reads.one(sql`SELECT 1 AS n`)).toEqual({ n: 1 });
    await database.close();
    expect(existsSync(file)).toBe(true);
  });

  it('gives each sqlite::memory: database its own temporary file, and removes the file at the close', async () => {
    const databases = [await openInMemory(), await openInMemory()];
    const files = databases.map(({ dataSource }) => String(dataSource.options.database));
    expect(new Set(files).size).toBe(2);
    expect(files.map((file) => existsSync(file))).toEqual([true, true]);
    for (const database of databases) await database.close();
    expect(files.map((file) => existsSync(dirname(file)))).toEqual([false, false]);
  });

  it.each([
    'mysql://localhost/store',
    'store.sqlite',
    '',
    'sqlite:',
    'sqlite:folder/',
    'postgres:/',
    'postgres://a b',
  ])('explains the fault of the URL «%s»', (url) => {
    expect(() => dataSourceOptions({ url })).toThrow(DatabaseSettingsError);
    expect(() => dataSourceOptions({ url })).toThrow(/sqlite:\.\/data\/store\.sqlite/);
  });

  it('shows no password in a message', () => {
    expect(() => dataSourceOptions({ url: 'postgres+x://me:sec@ret@host/db' })).toThrow(
      /postgres\+x:\/\/me@host/,
    );
    expect(() => dataSourceOptions({ url: 'postgres+x://me:secret@host/db' })).toThrow(
      /postgres\+x:\/\/me@host/,
    );
  });

  it(
    'explains that a folder cannot be created, even in /proc, where the system reports the parent folder as missing',
    needing('Linux', process.platform === 'linux', 'run the tests there'),
    async () => {
      await expect(Database.open({ url: 'sqlite:/proc/nope/store.sqlite' })).rejects.toThrow(
        /cannot be created/,
      );
    },
  );

  it('explains that a file is not a database, and that a folder cannot be made', async () => {
    const file = join(folder, 'text');
    await writeFile(
      file,
      'This is not an SQLite file, but a text that is long enough to look like a header. '.repeat(20),
    );
    await expect(Database.open({ url: `sqlite:${file}` })).rejects.toThrow(
      /cannot be opened .*not a database.*name another file/,
    );
    await expect(Database.open({ url: `sqlite:${file}/store.sqlite` })).rejects.toThrow(
      /folder .*text.* cannot be created/,
    );
    await mkdir(join(folder, 'directory'));
    await expect(Database.open({ url: `sqlite:${folder}/directory` })).rejects.toThrow(DatabaseSettingsError);
  });

  it('reports ECONNREFUSED when no server listens', async () => {
    await expect(Database.open({ url: 'postgres://me:secret@127.0.0.1:1/store' })).rejects.toThrow(
      /ECONNREFUSED/,
    );
  });
});

describeOnPostgres('a data source', () => {
  it('reports a missing database at once, without waiting for it', async () => {
    const fresh = await freshDatabase('postgres');
    await fresh.drop();
    const opening = Database.open({ url: fresh.url });
    await expect(opening).rejects.toThrow(DatabaseSettingsError);
    await expect(opening).rejects.toThrow(/PostgreSQL refused .* does not exist/);
  });

  it('refuses a database whose encoding cannot hold every text, and says what to do', async () => {
    const fresh = await freshDatabase('postgres');
    const name = new URL(fresh.url).pathname.slice(1);
    await ask(SERVER, `DROP DATABASE ${name}`);
    await ask(
      SERVER,
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    onTestFinished(() => fresh.drop());
    const opening = Database.open({ url: fresh.url });
    await expect(opening).rejects.toThrow(DatabaseSettingsError);
    await expect(opening).rejects.toThrow(
      /encoding LATIN1.*ENCODING 'UTF8' TEMPLATE template0.*STORE_DATABASE_URL/,
    );
  });

  it('refuses a database in which backslashes of SQL have another meaning', async () => {
    const fresh = await freshDatabase('postgres');
    onTestFinished(() => fresh.drop());
    await alterDatabase(fresh, 'standard_conforming_strings = off');
    const opening = Database.open({ url: fresh.url });
    await expect(opening).rejects.toThrow(DatabaseSettingsError);
    await expect(opening).rejects.toThrow(/ALTER DATABASE … SET standard_conforming_strings = on/);
  });

  it('reads the same values whatever forms of values the database has', async () => {
    const fresh = await migratedDatabase('postgres');
    for (const setting of FORMS) await alterDatabase(fresh, setting);
    const store = await startApp('postgres', { STORE_DATABASE_URL: fresh.url });
    onTestFinished(async () => {
      await store.close();
      await fresh.drop();
    });
    expect(await readAgain(store)).toEqual(READ_AGAIN);
  });
});

describe('a data source behind PgBouncer', { ...onPostgres, ...onPgBouncer }, () => {
  it('reads the same values whatever forms of values the database has', async () => {
    const fresh = await migratedDatabase('postgres');
    for (const setting of FORMS) await alterDatabase(fresh, setting);
    const pooler = await PgBouncer.create(fresh.url, { pool_mode: 'transaction' });
    const addresses = { STORE_DATABASE_URL: pooler.url, STORE_DATABASE_DIRECT_URL: fresh.url };
    const store = await startApp('postgres', addresses);
    onTestFinished(async () => {
      await store.close();
      await pooler.remove();
      await fresh.drop();
    });
    expect(await readAgain(store)).toEqual(READ_AGAIN);
  });
});

async function alterDatabase({ url }: FreshDatabase, setting: string): Promise<void> {
  await ask(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
}

/** What a store has stored, as it reads it again. */
async function readAgain(store: TestApp): Promise<unknown> {
  const product = await store.call('POST', '/api/v2/products', { body: aProductV2({ name: NAME }) });
  const found = await store.call('GET', `/api/v2/products?q=${encodeURIComponent(NAME)}`);
  const order = await placeOrder(store);
  const [listed] = (await store.call('GET', '/api/v2/orders')).body.data;
  const expires_at = '2999-12-31T00:00:00Z';
  const key = await store.call('POST', '/api/v2/api-keys', {
    body: { name: 'till', scopes: ['orders:read'], expires_at },
  });
  return {
    status: product.status,
    names: found.body.data.map(({ name }: { name: string }) => name),
    isRecent: Math.abs(Date.now() - Date.parse(product.body.created_at)) < 3_600_000,
    isSameTime: listed.created_at === order.created_at,
    expiresAt: key.body.expires_at,
  };
}
