import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../support/clients/cli.js';
import { serve } from '../../../testkit/process.js';
import { onlyLong } from '../../support/sampled.js';

const KEY = 'an-administrator-key-for-tests-only-0123456789';

describe('store backup', () => {
  let folder: string;
  const settings = () => ({
    STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    STORE_ADMIN_KEY: KEY,
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-backup-'));
    await runCommand(['seed', '--products', '3000', '--users', '10', '--orders', '20'], {
      settings: settings(),
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('copies each row that was acknowledged before its start, while the service continues to write', async () => {
    const service = await serve(settings());
    const create = async () => {
      const answer = await fetch(`${service.url}/api/products`, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: '{"name":"Written meanwhile","price":1}',
      });
      return ((await answer.json()) as { id: number }).id;
    };
    const last = await create();
    const state = { isWriting: true, written: 0 };
    const writing = (async () => {
      while (state.isWriting) state.written += Math.sign(await create());
    })();
    const file = join(folder, 'copy.sqlite');
    const backup = await runCommand(['backup', file], { settings: settings() });
    state.isWriting = false;
    await writing;
    expect(state.written).toBeGreaterThan(0);
    await service.stop('SIGINT');
    expect(backup).toMatchObject({ code: 0 });

    const copy = new BetterSqlite3(file);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.prepare('SELECT count(*) FROM products WHERE id <= ?').pluck().get(last)).toBe(last);
    expect(copy.prepare('SELECT sum(n) FROM products_blocks').pluck().get()).toBe(
      copy.prepare('SELECT count(*) FROM products').pluck().get(),
    );
    copy.close();
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    const restored = await runCommand(['migrate'], { settings: { STORE_DATABASE_URL: `sqlite:${file}` } });
    expect(restored.stderr).toBe('The database is up to date.\n');
  });

  it('replaces a file only with --force', async () => {
    const file = join(folder, 'precious.txt');
    await writeFile(file, 'precious');
    const refused = await runCommand(['backup', file], { settings: settings() });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') as string });
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await runCommand(['backup', file, '--force'], { settings: settings() })).toMatchObject({
      code: 0,
    });
    expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('refuses the standard output, devices, and links that lead nowhere, even with --force', async () => {
    const [link, device] = [join(folder, 'nowhere.sqlite'), join(folder, 'device.sqlite')];
    await symlink(join(folder, 'no such file'), link);
    // The path is a link to the device. A faulty command would replace the link, and not the device of the machine.
    await symlink('/dev/null', device);
    for (const name of ['-', device, link]) {
      const refused = await runCommand(['backup', '--force', name], { settings: settings(), folder });
      expect([name, refused.code, refused.stderr]).toEqual([
        name,
        2,
        expect.stringMatching(/cannot write to the standard output|is not a regular file/),
      ]);
    }
    expect(await readlink(device)).toBe('/dev/null');
    expect(await readlink(link)).toBe(join(folder, 'no such file'));
    expect(await readdir(folder)).not.toContain('-');
  });

  it('with --force, replaces a link, and leaves the file to which the link leads as it is', async () => {
    const [file, link] = [join(folder, 'linked.txt'), join(folder, 'link.sqlite')];
    await writeFile(file, 'precious');
    await symlink(file, link);
    expect(await runCommand(['backup', link], { settings: settings() })).toMatchObject({ code: 2 });
    expect(await readlink(link)).toBe(file);
    expect(await runCommand(['backup', link, '--force'], { settings: settings() })).toMatchObject({
      code: 0,
    });
    expect((await lstat(link)).isFile()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  it('makes a copy that only its owner can read, like the store', onlyLong, async () => {
    const file = join(folder, 'private.sqlite');
    await runCommand(['backup', file], { settings: settings() });
    const service = await serve(settings());
    const files = (await readdir(folder)).filter((name) => /^(store|private)\.sqlite/.test(name));
    const modes = await Promise.all(
      files.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777] as const),
    );
    await service.stop('SIGINT');
    expect(Object.fromEntries(modes)).toEqual({
      'private.sqlite': 0o600,
      'store.sqlite': 0o600,
      'store.sqlite-shm': 0o600,
      'store.sqlite-wal': 0o600,
      'store.sqlite.secret': 0o600,
    });
  });

  it('removes what a killed backup of the same name has left', async () => {
    const gone = spawn(process.execPath, ['--version']);
    await once(gone, 'close');
    const file = join(folder, 'again.sqlite');
    for (const end of ['part', 'part-journal']) await writeFile(`${file}.${gone.pid}.${end}`, '');
    // No process of Linux has such an id, so this is a file of the user.
    await writeFile(`${file}.20261128.part`, '');
    expect(await runCommand(['backup', file], { settings: settings() })).toMatchObject({ code: 0 });
    const left = (await readdir(folder)).filter((name) => name.startsWith('again'));
    expect(left.toSorted()).toEqual(['again.sqlite', 'again.sqlite.20261128.part']);
  });

  it('names the database if it cannot be read', async () => {
    const [source, file] = [join(folder, 'text.txt'), join(folder, 'of-text.sqlite')];
    await writeFile(source, 'This is no database.\n'.repeat(100));
    const STORE_DATABASE_URL = `sqlite:${source}`;
    expect(await runCommand(['backup', file], { settings: { STORE_DATABASE_URL } })).toEqual({
      code: 1,
      stdout: '',
      stderr: `The database ${source} could not be copied to ${file}: file is not a database.\n`,
    });
  });

  it('does not create a database if the database to copy does not exist', async () => {
    const missing = join(folder, 'missing.sqlite');
    const { code, stderr } = await runCommand(['backup', join(folder, 'x')], {
      settings: { STORE_DATABASE_URL: `sqlite:${missing}` },
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no database at ${missing}. Set STORE_DATABASE_URL to the URL of your database.\n`,
    });
    expect(existsSync(missing)).toBe(false);
  });

  it('prints the command to use for PostgreSQL, without the password', async () => {
    const { code, stderr } = await runCommand(['backup', "o'clock.dump"], {
      settings: { STORE_DATABASE_URL: 'postgres://store:secret@127.0.0.1:5432/store' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `pg_dump --format=custom --file='o'\\''clock.dump' 'postgres://store@127.0.0.1:5432/store'`,
    );
  });
});
