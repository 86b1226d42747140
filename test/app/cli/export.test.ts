import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spawnCommand, runCommand, type Finished } from '../../support/clients/cli.js';
import {
  describeOnEachEngine,
  migratedDatabase,
  type FreshDatabase,
} from '../../support/fixtures/database.js';

const MAIN = [process.execPath, fileURLToPath(new URL('../../../dist/app/cli/main.js', import.meta.url))];

describeOnEachEngine('store export', (engine) => {
  const databases: FreshDatabase[] = [];
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-export-'));
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A new store, and a function that runs commands on it. */
  async function aStore(): Promise<(args: readonly string[], input?: string) => Promise<Finished>> {
    const database = await migratedDatabase(engine);
    databases.push(database);
    const settings = { STORE_DATABASE_URL: database.url };
    return async (args, input = '') => {
      const finished = await runCommand(args, { settings, input, folder });
      expect(finished).toMatchObject({ code: 0 });
      return finished;
    };
  }

  const NAMES = [
    '=SUM(A1)',
    "'quoted'",
    '-5',
    '+1',
    '@here',
    'Crème, "brûlée"',
    'two\nlines',
    '\tTab'.trim(),
  ];

  it('writes CSV and NDJSON files from which import makes an equal store', async () => {
    const first = await aStore();
    await first(['seed', '--products', '1200', '--users', '30', '--orders', '60']);
    const rough = NAMES.map((name, index) => ({
      id: `r${index}`,
      name,
      description: name,
      price: index,
      stock: index,
    }));
    await first(
      ['import', 'products', '-', '--format', 'ndjson'],
      rough.map((row) => JSON.stringify(row)).join('\n'),
    );
    await first(['import', 'orders', '-', '--format', 'ndjson'], JSON.stringify(orderOfNobody()));
    await first(['export', 'products', 'products.csv']);
    await first(['export', 'users', 'users.ndjson']);
    await first(['export', 'orders', 'orders.csv', '--items', 'items.csv']);
    const second = await aStore();
    await second(['import', 'products', 'products.csv', '--strict']);
    await second(['import', 'users', 'users.ndjson', '--strict']);
    await second(['import', 'orders', 'orders.csv', '--items', 'items.csv', '--strict']);
    for (const kind of ['products', 'users', 'orders']) {
      const args = ['export', kind, '--format', 'ndjson'];
      expect((await second(args)).stdout).toBe((await first(args)).stdout);
    }
    expect(await readdir(folder)).toEqual(['items.csv', 'orders.csv', 'products.csv', 'users.ndjson']);
  });

  it('protects texts that a spreadsheet would read as formulas, and leaves numbers unchanged', async () => {
    const run = await aStore();
    const rows = NAMES.map((name, index) => ({ id: index, name, price: 0.5 }));
    await run(
      ['import', 'products', '-', '--format', 'ndjson'],
      rows.map((row) => JSON.stringify(row)).join('\n'),
    );
    const { stdout } = await run(['export', 'products', '-']);
    expect(stdout).toContain("1,'=SUM(A1),,0.50,true,");
    expect(stdout).toContain("2,''quoted',,0.50,true,");
    expect(stdout).toContain('"Crème, ""brûlée"""');
  });

  it('ends without an error when its reader closes the pipe', async () => {
    const run = await aStore();
    await run(['seed', '--products', '20000', '--users', '0', '--orders', '0']);
    const settings = { STORE_DATABASE_URL: databases[0]?.url ?? '' };
    const child = spawnCommand(['export', 'products', '-'], { settings });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('replaces a file only with --force, and keeps a link to the file', async () => {
    const run = await aStore();
    await run(['seed', '--products', '10', '--users', '0', '--orders', '0']);
    await writeFile(join(folder, 'products.csv'), 'old');
    await symlink(join(folder, 'products.csv'), join(folder, 'latest.csv'));
    const settings = { STORE_DATABASE_URL: databases[0]?.url ?? '' };
    for (const args of [
      ['products', 'products.csv'],
      ['products', 'latest.csv'],
      ['orders', 'orders.csv', '--items', 'products.csv'],
    ]) {
      expect(await runCommand(['export', ...args], { settings, folder })).toMatchObject({
        code: 2,
        stderr: `${args.at(-1)} already exists. Name another file, or add --force.\n`,
      });
    }
    expect(await readFile(join(folder, 'products.csv'), 'utf8')).toBe('old');
    await run(['export', 'products', 'latest.csv', '--force']);
    expect((await readFile(join(folder, 'products.csv'), 'utf8')).split('\n')).toHaveLength(12);
    expect((await lstat(join(folder, 'latest.csv'))).isSymbolicLink()).toBe(true);
    // An export of users has their names and addresses, so other users of the machine may not read any export.
    expect((await lstat(join(folder, 'products.csv'))).mode & 0o777).toBe(0o600);
    const missing = await runCommand(['export', 'products', join(folder, 'none', 'x.csv')], { settings });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(/x\.csv could not be written: ENOENT/);
  });

  it('writes directly into pipes and devices, and does not replace them', async () => {
    const run = await aStore();
    await run(['seed', '--products', '3000', '--users', '0', '--orders', '0']);
    const pipe = join(folder, 'products.csv');
    await promisify(execFile)('mkfifo', [pipe]);
    const [read] = await Promise.all([readFile(pipe, 'utf8'), run(['export', 'products', pipe])]);
    expect(read.split('\n')).toHaveLength(3002);
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    const device = join(folder, 'full.csv');
    await symlink('/dev/full', device);
    const settings = { STORE_DATABASE_URL: databases[0]?.url ?? '' };
    const full = await runCommand(['export', 'products', device], { settings });
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') as string });
    expect((await lstat('/dev/full')).isCharacterDevice()).toBe(true);
    const substituted = await promisify(execFile)(
      'bash',
      ['-c', 'exec 3> >(wc -l); "$0" "$1" export products /dev/fd/3 --format csv; exec 3>&-; wait', ...MAIN],
      { env: { ...process.env, ...settings } },
    );
    expect(substituted.stdout.trim()).toBe('3001');
  });

  it('reports in a sentence that the standard output is full', async () => {
    const run = await aStore();
    await run(['migrate']);
    const { stderr, code } = await promisify(execFile)(
      'bash',
      ['-c', '"$0" "$1" export products - > /dev/full', ...MAIN],
      { env: { ...process.env, STORE_DATABASE_URL: databases[0]?.url } },
    ).then(
      ({ stderr: said }) => ({ code: 0, stderr: said }),
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The standard output could not be written: ENOSPC.*\n$/) as string,
    });
  });

  it.runIf(engine === 'sqlite')('does not create a database if there is none to export', async () => {
    const missing = join(folder, 'missing.sqlite');
    const { code, stderr } = await runCommand(['export', 'products'], {
      settings: { STORE_DATABASE_URL: `sqlite:${missing}` },
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`There is no database at ${missing}.`) as string,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(engine === 'sqlite')('does not write to the database that it reads', async () => {
    const run = await aStore();
    await run(['migrate']);
    const file = (databases[0]?.url ?? '').slice('sqlite:'.length);
    await symlink(file, join(folder, 'link.csv'));
    const settings = { STORE_DATABASE_URL: databases[0]?.url ?? '' };
    for (const args of [
      ['products', file, '--format', 'csv', '--force'],
      ['products', 'link.csv', '--force'],
      ['products', `${file}-wal`, '--format', 'csv', '--force'],
      ['orders', 'orders.csv', '--items', file, '--force'],
    ]) {
      const { code, stderr } = await runCommand(['export', ...args], { settings, folder });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('is the database itself') as string,
      });
    }
    expect((await run(['migrate'])).stderr).toBe('The database is up to date.\n');
  });

  it.each([
    ['orders in CSV without a file for their items', ['orders', 'o.csv'], '--items'],
    ['orders and items to the same output', ['orders', '-', '--items', '/dev/stdout'], 'a different file'],
    ['a file for items of products', ['products', 'p.csv', '--items', 'i.csv'], '--items is only for orders'],
    ['a file of an unknown format', ['products', 'p.xlsx'], '--format'],
  ])('ends with 2 for %s', async (_what, args, words) => {
    const { code, stderr } = await runCommand(['export', ...args], { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) as string });
  });
});

/** An order whose user was anonymised and whose product was deleted. */
function orderOfNobody() {
  return {
    id: 'last',
    user_id: null,
    status: 'refunded',
    created_at: '2001-02-03T04:05:06.789Z',
    items: [{ product_id: null, name: 'Gone', quantity: 3, unit_price: 1.25, total: 3.7 }],
  };
}
