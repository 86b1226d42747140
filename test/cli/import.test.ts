import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Database } from '../../src/database/database.js';
import { importedFeatures } from '../../src/database/features.js';
import { sql } from '../../src/database/sql.js';
import { spawnStore, store, type Finished } from '../support/cli.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../support/database.js';

// Each step of these is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));
const fixture = (name: string): string => join(FIXTURES, name);

interface Row {
  readonly [member: string]: unknown;
}

describeOnEachEngine('store import', (engine) => {
  let database: FreshDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await freshDatabase(engine);
    folder = await mkdtemp(join(tmpdir(), 'store-import-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const refusedFile = (): string => join(folder, 'refused.csv');
  const run = (args: readonly string[], input = ''): Promise<Finished> =>
    store(args, { settings: { STORE_DATABASE_URL: database.url }, input, folder });
  const importFrom = (kind: string, file: string, map: string, ...more: string[]): Promise<Finished> =>
    run(['import', kind, fixture(file), '--map', fixture(map), '--refused', refusedFile(), ...more]);
  const importOwn = (kind: string, rows: readonly object[], ...more: string[]): Promise<Finished> =>
    run(
      ['import', kind, '-', '--format', 'ndjson', ...more],
      rows.map((row) => JSON.stringify(row)).join('\n'),
    );
  const exported = async (kind: string): Promise<Row[]> => {
    const { code, stdout, stderr } = await run(['export', kind, '-', '--format', 'ndjson']);
    if (code !== 0) throw new Error(stderr);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  };
  const refused = async (): Promise<Record<string, string>[]> =>
    parse(await readFile(refusedFile()), { columns: true });
  const faultsOfHeader = async (text: string): Promise<string[]> => {
    const file = join(folder, 'header.csv');
    await writeFile(file, `${text}\n`);
    const { code, stderr } = await run(['import', 'products', file]);
    expect(code).toBe(2);
    return stderr.replaceAll(`${file} `, '').trimEnd().split('\n');
  };
  const importMarket = async (): Promise<string[]> => {
    const items = ['--items', fixture('purchase-lines.csv')];
    return [
      (await importFrom('products', 'goods.csv', 'goods.yaml')).stderr,
      (await importFrom('users', 'people.csv', 'people.yaml')).stderr,
      (await importFrom('orders', 'purchases.csv', 'purchases.yaml', ...items)).stderr,
    ].map((text) => text.split(', in ')[0] ?? '');
  };

  it('brings in what is good of a rough file, and lists every fault of every other row', async () => {
    const { code, stderr } = await importFrom('products', 'goods.csv', 'goods.yaml');
    expect(code).toBe(0);
    expect(stderr).toMatch(/products: 9 read, 5 created, 0 updated, 0 unchanged, 4 refused/);
    expect(await exported('products')).toMatchObject([
      { name: 'Chai', description: '10 boxes; 20 bags', price: 18, in_stock: true, stock: 39 },
      { name: `Chef "Anton's" mix, hot`, description: null, price: 21.35, in_stock: false, stock: 0 },
      { name: 'Gumbär Nuß-Nougat', price: 43.9, stock: null },
      { name: 'Trimmed', description: '=SUM(A1)', created_at: '1997-02-01T00:00:00.000Z' },
      { name: "'s-Hertogenbosch cheese", price: 12 },
    ]);
    const faults = await refused();
    expect(faults.map(({ line, column, value }) => [line, column, value])).toEqual([
      ['6', 'title', ''],
      ['6', 'gone', '2'],
      ['6', 'left', 'many'],
      ['6', 'since', '30.02.1997'],
      ['6', 'net', "'-1"],
      ['7', 'net', '1,005'],
      ['8', 'id', 'A-1'],
      ['9', '', ''],
    ]);
    expect(faults[6]?.['reason']).toBe('was in line 2 already');
    expect(faults[7]?.['reason']).toBe('has 3 columns, but the header has 7');
  });

  it('keeps dates, statuses and prices, and rounds each line half-up', async () => {
    expect(await importMarket()).toEqual([
      expect.stringContaining('9 read, 5 created'),
      expect.stringContaining('5 read, 3 created'),
      expect.stringContaining('6 read (10 lines), 2 created, 0 updated, 0 unchanged, 5 refused'),
    ]);
    const [first, second] = await exported('orders');
    expect(first).toMatchObject({
      status: 'shipped',
      created_at: '1996-07-04T13:05:06.789Z',
      total: 420.08,
      items: [
        { name: 'Chai', quantity: 12, unit_price: 14, total: 168 },
        { quantity: 10, unit_price: 9.8, total: 83.3 },
        { quantity: 5, unit_price: 34.8, total: 168.78 },
      ],
    });
    // 0.15 × 0.9 = 0.135, 1.05 × 0.95 = 0.9975, 10.01 × 0.5 = 5.005
    expect(second).toMatchObject({ status: 'paid', total: 6.15 });
    expect(second).toMatchObject({ items: [{ total: 0.14 }, { total: 1 }, { total: 5.01 }] });
    const reasons = (await refused()).map(({ file, line, reason }) => [
      file?.split('/').at(-1),
      line,
      reason,
    ]);
    expect(reasons).toEqual([
      ['purchase-lines.csv', '8', 'must be at least 1'],
      ['purchases.csv', '5', 'must have from 1 to 100 lines, but has 0'],
      ['purchases.csv', '6', 'has a line that is refused'],
      ['purchases.csv', '7', 'must not be absent'],
      ['purchase-lines.csv', '10', expect.stringContaining('is an order that') as string],
      ['purchases.csv', '4', 'is no user of the source market: import the users first'],
    ]);
  });

  it('makes up addresses, and refuses one that somebody has, in the file or in the store', async () => {
    await importOwn('users', [{ id: '1', name: 'Borge', email: 'BORGE@example.com' }]);
    await importFrom('users', 'people.csv', 'people.yaml');
    expect((await exported('users')).map(({ email }) => email)).toEqual([
      'BORGE@example.com',
      'anne@market.example',
      'CLEO@EXAMPLE.COM',
    ]);
    expect((await refused()).map(({ line, reason }) => [line, reason])).toEqual([
      ['5', 'is that of line 4 already'],
      ['7', expect.stringContaining('control characters') as string],
      ['7', 'must be an e-mail address such as ada@example.com'],
      ['3', 'is the address of another user, 1, already'],
    ]);
  });

  it('changes nothing when it is run again', async () => {
    await importMarket();
    const before = [await exported('products'), await exported('users'), await exported('orders')];
    expect(await importMarket()).toEqual([
      expect.stringContaining('0 created, 0 updated, 5 unchanged'),
      expect.stringContaining('0 created, 0 updated, 3 unchanged'),
      expect.stringContaining('0 created, 0 updated, 2 unchanged'),
    ]);
    expect([await exported('products'), await exported('users'), await exported('orders')]).toEqual(before);
  });

  it('updates what changed in the file, and leaves alone what changed here', async () => {
    const chai = { id: 'x', name: 'Chai', price: 18, stock: 5 };
    const tofu = { id: 'y', name: 'Tofu', price: 23.25 };
    await importOwn('products', [chai, tofu]);
    const again = await importOwn('products', [{ ...chai, price: 19, stock: 0 }, tofu]);
    expect(again.stderr).toContain('0 created, 1 updated, 1 unchanged');
    expect(await exported('products')).toMatchObject([
      { id: 1, name: 'Chai', price: 19, in_stock: true, stock: 0 },
      { id: 2, name: 'Tofu' },
    ]);
    await importOwn('users', [{ id: 'u', name: 'Ann', email: 'ann@example.com' }]);
    const order = {
      id: 'o',
      user_id: 'u',
      status: 'pending',
      items: [{ product_id: 'x', quantity: 2, unit_price: 5 }],
    };
    await importOwn('orders', [order]);
    const items = [{ product_id: 'y', quantity: 3, unit_price: 1.5 }];
    expect((await importOwn('orders', [{ ...order, status: 'paid', items }])).stderr).toContain('1 updated');
    expect(await exported('orders')).toMatchObject([
      { id: 1, status: 'paid', total: 4.5, items: [{ product_id: 2, name: 'Tofu', quantity: 3 }] },
    ]);
  });

  it.runIf(engine === 'sqlite')('does not make a database for a dry run', async () => {
    expect(await importFrom('products', 'goods.csv', 'goods.yaml', '--dry-run')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no database at') as string,
    });
    expect(existsSync(database.url.slice('sqlite:'.length))).toBe(false);
  });

  it('writes nothing in a dry run, and says the same', async () => {
    await run(['migrate']);
    const dry = await importFrom('products', 'goods.csv', 'goods.yaml', '--dry-run');
    expect(dry.stderr).toMatch(/9 read, 5 created, 0 updated, 0 unchanged, 4 refused.*nothing was written/);
    expect(await refused()).toHaveLength(8);
    expect(await exported('products')).toEqual([]);
  });

  it('writes nothing at all when it is strict and a row is refused, whatever for', async () => {
    const rough = await importFrom('products', 'goods.csv', 'goods.yaml', '--strict');
    expect(rough).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was written') as string,
    });
    expect(await exported('products')).toEqual([]);
    const users = [
      { id: '1', name: 'A', email: 'a@example.com' },
      { id: '2', name: 'B', email: 'b@example.com' },
    ];
    expect(await importOwn('users', users, '--strict')).toMatchObject({ code: 0 });
    const clash = [
      { id: '3', name: 'C', email: 'c@example.com' },
      { ...users[0], name: 'Other', email: 'B@example.com' },
    ];
    expect(await importOwn('users', clash, '--strict')).toMatchObject({ code: 1 });
    expect(await exported('users')).toHaveLength(2);
  });

  it('names what is wrong with a mapping or a file before it writes, and ends with 2', async () => {
    await run(['migrate']);
    const map = join(folder, 'map.yaml');
    await writeFile(map, 'source: x\nfields:\n  id: code\n  name: titel\n  price: net\n  color: y\n');
    const wrong = await run(['import', 'products', fixture('goods.csv'), '--map', map]);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(`${map}, line 6: fields.color is not known here`);
    await writeFile(map, 'source: x\ndelimiter: ";"\nfields:\n  id: code\n  name: titel\n  price: net\n');
    const column = await run(['import', 'products', fixture('goods.csv'), '--map', map]);
    expect(column).toMatchObject({ code: 2 });
    expect(column.stderr).toContain(`has no column «titel» (${map}, line 5, fields.name).`);
    const latin = join(folder, 'latin.csv');
    await writeFile(latin, Buffer.from('id,name,price\n1,Gumb\xe4r,1\n', 'latin1'));
    const bytes = await run(['import', 'products', latin]);
    expect(bytes).toMatchObject({ code: 2, stderr: expect.stringContaining('is not UTF-8') as string });
    for (const args of [
      ['import', 'products', join(folder, 'none.csv')],
      ['import', 'products', '-'],
      ['import', 'orders', fixture('purchases.csv')],
      ['import', 'goods', fixture('goods.csv')],
    ]) {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    expect(await exported('products')).toEqual([]);
    expect(existsSync(`${latin}.refused.csv`)).toBe(false);
  });

  it('stops at a CSV row that does not end, and says where it begins', async () => {
    await run(['migrate']);
    const good = Array.from({ length: 40 }, (_, index) => `${index},Name,1\n`).join('');
    const open = join(folder, 'open.csv');
    await writeFile(open, `id,name,price\n1,"two\nlines",1\n2,Tw"o,1\n3,"Never closed,1\n${good}`);
    const { code, stderr } = await run(['import', 'products', open]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${open}, line 5: a quote (") in the row that begins there is never closed.\n`,
    });
    const large = join(folder, 'large.csv');
    await writeFile(large, `id,name,price\n1,Good,1\n2,${'x'.repeat(5_000_000)},1\n${good}`);
    expect(await run(['import', 'products', large])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^.*large\.csv, line 3: the row that begins there has more than 4 MiB.*\n$/,
      ) as string,
    });
    expect(await exported('products')).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual(['large.csv', 'open.csv']);
  });

  it('says in short which columns are missing, and what the delimiter seems to be', async () => {
    expect(await faultsOfHeader('a,b,c,d,e')).toEqual([
      'has no columns «id», «name», «price». Its columns are a, b, c, d, e.',
      expect.stringMatching(/^has columns «a», «b», «c» and 2 more, which our own form does not know/),
      'Say by --map which columns of the file are ours.',
    ]);
    expect((await faultsOfHeader('id;name;price')).at(-1)).toBe(
      'The delimiter seems to be ";": a mapping (--map) with the line delimiter: ";" reads it.',
    );
    expect((await faultsOfHeader('id\tname\tprice')).at(-1)).toContain('delimiter: "\\t"');
  });

  it('never overwrites or deletes by --refused what is no list of refused rows', async () => {
    const file = join(folder, 'goods.csv');
    const alias = join(folder, 'alias.csv');
    await copyFile(fixture('goods.csv'), file);
    await symlink(file, alias);
    const map = join(folder, 'goods.yaml');
    await copyFile(fixture('goods.yaml'), map);
    const notes = join(folder, 'notes.txt');
    await writeFile(notes, 'precious');
    const before = await readFile(file, 'utf8');
    const none = join(folder, 'none', 'x.csv');
    const sqlite = engine === 'sqlite' ? [database.url.slice('sqlite:'.length)] : [];
    await run(['migrate']);
    for (const refusedList of [file, alias, map, notes, folder, none, ...sqlite]) {
      const { code, stderr } = await run([
        'import',
        'products',
        file,
        '--map',
        map,
        '--refused',
        refusedList,
      ]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(refusedList) as string });
      expect(stderr).toContain('--refused');
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readFile(notes, 'utf8')).toBe('precious');
    await writeFile(`${file}.refused.csv`, 'precious');
    expect(await run(['import', 'products', file, '--map', map])).toMatchObject({ code: 2 });
    expect(await readFile(`${file}.refused.csv`, 'utf8')).toBe('precious');
    expect(await exported('products')).toEqual([]);
  });

  it('replaces the list of an earlier run, and takes it away when nothing is refused any more', async () => {
    await importFrom('products', 'goods.csv', 'goods.yaml');
    expect(await refused()).toHaveLength(8);
    await importFrom('products', 'goods.csv', 'goods.yaml');
    expect(await refused()).toHaveLength(8);
    const good = [{ id: 'g', name: 'Good', price: 1 }];
    expect(await importOwn('products', good, '--refused', refusedFile())).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('says at %s how to go on', async (signal, status) => {
    await run(['migrate']);
    const file = join(folder, 'many.ndjson');
    const rows = Array.from({ length: 60_000 }, (_, index) =>
      JSON.stringify({ id: `p${index}`, name: `Product ${index}`, price: 1 }),
    );
    await writeFile(file, [...rows, '{}'].join('\n'));
    const opened = await Database.open({ url: database.url, ...(await importedFeatures()) });
    const count = async () =>
      Number((await opened.reads.one<{ n: number }>(sql`SELECT count(*) AS n FROM products`))?.n);
    const child = spawnStore(['import', 'products', file], {
      settings: { STORE_DATABASE_URL: database.url },
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await expect.poll(count, { timeout: 30_000, interval: 5 }).toBeGreaterThan(500);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([status, null]);
    expect(await count()).toBeLessThan(60_000);
    await opened.close();
    expect(stderr).toMatch(/^Stopped when [\d,]+ products .* the same command goes on from there\.$/m);
    expect(await readdir(folder)).toEqual(['many.ndjson']);
  });

  it('goes on where it was killed, to the same state', async () => {
    const file = join(folder, 'many.ndjson');
    const rows = Array.from({ length: 12_000 }, (_, index) => ({
      id: `p${index}`,
      name: `Product ${index}`,
      price: (index % 1000) / 100,
      stock: index % 7,
      created_at: '2020-01-01',
    }));
    await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
    const opened = await Database.open({ url: database.url, ...(await importedFeatures()) });
    const count = async () =>
      Number((await opened.reads.one<{ n: number }>(sql`SELECT count(*) AS n FROM products`))?.n);
    const child = spawnStore(['import', 'products', file], {
      settings: { STORE_DATABASE_URL: database.url },
    });
    await expect.poll(count, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'close');
    const before = await count();
    await opened.close();
    expect(before).toBeLessThan(12_000);
    const again = await run(['import', 'products', file]);
    expect(again.stderr).toContain(
      `12,000 read, ${(12_000 - before).toLocaleString('en')} created, 0 updated`,
    );
    const after = await exported('products');
    expect(after.map(({ id: _id, updated_at: _at, ...row }) => row)).toEqual(
      rows.map(({ id: _id, created_at: _at, ...row }) => ({
        ...row,
        description: null,
        in_stock: true,
        created_at: '2020-01-01T00:00:00.000Z',
      })),
    );
  });
});
