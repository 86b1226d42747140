import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataSourceOptions } from '../../../src/engine/database/data-source.js';
import { DatabaseSettingsError } from '../../../src/engine/database/settings-error.js';
import { Database } from '../../../src/engine/database/database.js';
import { sql } from '../../../src/engine/database/sql.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { needing } from '../../support/needs.js';

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
});
