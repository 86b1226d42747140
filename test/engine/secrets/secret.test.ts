import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/engine/config/config.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { Database } from '../../../src/engine/database/database.js';
import { MasterKey } from '../../../src/engine/secrets/master-key.js';
import { describeOnEachEngine, describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';

const [FIRST, SECOND] = ['the-first-secret-0123456789-0123456789', 'the-other-secret-0123456789-0123456789'];

async function withDatabase(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await Database.open({ url, ...(await importedFeatures()) });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

describe('a sealed text', () => {
  const secret = new MasterKey(FIRST);
  const sealed = secret.seal('a purpose', Buffer.from('text'), 'a row');

  it('is opened with the same secret for the same purpose and row', () => {
    expect(new MasterKey(FIRST).open('a purpose', sealed, 'a row').toString()).toBe('text');
    expect(sealed).not.toBe(secret.seal('a purpose', Buffer.from('text'), 'a row'));
    expect(Buffer.from(sealed, 'base64url').includes('text')).toBe(false);
  });

  it.each([
    ['another secret', () => new MasterKey(SECOND).open('a purpose', sealed, 'a row')],
    ['another purpose', () => secret.open('another', sealed, 'a row')],
    ['another row', () => secret.open('a purpose', sealed, 'another')],
    [
      'a changed text',
      () => secret.open('a purpose', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, 'a row'),
    ],
    ['a short tag', () => secret.open('a purpose', sealed.slice(0, 20), 'a row')],
  ])('is not opened with %s', (_what, open) => {
    expect(open).toThrow(/authenticat|tag/i);
  });
});

describeOnEachEngine('the configured secret', (engine) => {
  it('must be the secret with which the database was written', async () => {
    const fresh = await freshDatabase(engine);
    const of = (secret: string, { unitOfWork }: Database) => MasterKey.of({ secret }, fresh, unitOfWork);
    try {
      await withDatabase(fresh.url, async (database) => {
        await of(FIRST, database);
        await of(FIRST, database);
        await expect(of(SECOND, database)).rejects.toThrow(ConfigError);
        await expect(of(SECOND, database)).rejects.toThrow('STORE_SECRET is not the secret of this database');
        const settings = JSON.stringify(await database.dataSource.query('SELECT * FROM settings'));
        expect(settings).toContain('secret_check');
        expect(settings).not.toContain(FIRST);
      });
    } finally {
      await fresh.drop();
    }
  });
});

describeOnPostgres('a missing secret', () => {
  it('stops the start, with PostgreSQL', async () => {
    const fresh = await freshDatabase('postgres');
    try {
      await withDatabase(fresh.url, async ({ unitOfWork }) => {
        const found = MasterKey.of({ secret: null }, fresh, unitOfWork);
        await expect(found).rejects.toThrow('STORE_SECRET must be set with PostgreSQL');
      });
    } finally {
      await fresh.drop();
    }
  });
});

function same(left: MasterKey, right: MasterKey): boolean {
  return left.key('x').equals(right.key('x'));
}

async function inFolder(
  work: (file: string, of: () => Promise<MasterKey>, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'store-secret-'));
  const url = `sqlite:${join(folder, 'store.sqlite')}`;
  try {
    await withDatabase(url, ({ unitOfWork }) =>
      work(
        join(folder, 'store.sqlite.secret'),
        () => MasterKey.of({ secret: null }, { url }, unitOfWork),
        folder,
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the file of the secret', () => {
  it('is created beside the database, readable only by its owner', () =>
    inFolder(async (file, of, folder) => {
      const [first, second] = await Promise.all([of(), of()]);
      expect(same(first, second)).toBe(true);
      expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
      expect((await readFile(file, 'utf8')).trim()).toMatch(/^[\w-]{43}$/);
      expect((await readdir(folder)).filter((name) => name.includes('secret'))).toEqual([
        'store.sqlite.secret',
      ]);
    }));

  it('is used if it exists', () =>
    inFolder(async (file, of) => {
      await writeFile(file, `${FIRST}\n`);
      expect(same(await of(), new MasterKey(FIRST))).toBe(true);
    }));

  it('is not created again if it is lost, and is refused if its secret is wrong or too short', () =>
    inFolder(async (file, of) => {
      await of();
      await rm(file);
      await expect(of()).rejects.toThrow(
        /store\.sqlite\.secret with the secret of this database does not exist/,
      );
      await writeFile(file, SECOND);
      await expect(of()).rejects.toThrow(/does not have the secret of this database/);
      await writeFile(file, 'short');
      await expect(of()).rejects.toThrow(/does not have a secret/);
    }));

  it('stops the start if it cannot be read', () =>
    inFolder(async (file, of) => {
      await mkdir(file);
      await expect(of()).rejects.toThrow(/store\.sqlite\.secret cannot be read .*or set STORE_SECRET/);
    }));
});
