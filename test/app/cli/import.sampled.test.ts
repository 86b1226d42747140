import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { sql } from '../../../src/engine/database/sql.js';
import { spawnCommand, runCommand, type Finished } from '../../support/clients/cli.js';
import { startApp } from '../../support/clients/app.js';
import {
  describeOnEachEngine,
  migratedDatabase,
  type FreshDatabase,
} from '../../support/fixtures/database.js';
import { firstOfEach, oneOfEach, onlyLong, sampled } from '../../support/sampled.js';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));
const fixture = (name: string): string => join(FIXTURES, name);

interface Row {
  readonly [member: string]: unknown;
}

describeOnEachEngine('store import', (engine) => {
  let database: FreshDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await migratedDatabase(engine);
    folder = await mkdtemp(join(tmpdir(), 'store-import-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const refusedFile = (): string => join(folder, 'refused.csv');
  const run = (args: readonly string[], input = ''): Promise<Finished> =>
    runCommand(args, { settings: { STORE_DATABASE_URL: database.url }, input, folder });
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
  const faultsOfHeader = async (text: string, ...options: string[]): Promise<string[]> => {
    const file = join(folder, 'header.csv');
    await writeFile(file, `${text}\n`);
    const { code, stderr } = await run(['import', 'products', file, ...options]);
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

  it('imports the valid rows of a file with faults, and lists every fault of the other rows', async () => {
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
    // The list of refused rows can have names and addresses of people, so other users of the machine may not read it.
    expect((await stat(refusedFile())).mode & 0o777).toBe(0o600);
    const faults = await refused();
    expect(faults.map(({ line, column, value }) => [line, column, value])).toEqual([
      ['6', 'title', ''],
      ['6', 'gone', '2'],
      ['6', 'left', 'many'],
      ['6', 'since', '30.02.1997'],
      ['6', 'net', '-1'],
      ['7', 'net', '1,005'],
      ['9', '', ''],
      ['8', 'id', 'A-1'],
    ]);
    expect(faults[6]?.['reason']).toBe('has 3 columns, but the header has 7');
    expect(faults[7]?.['reason']).toBe('is already in line 2, with other values');
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(['fault']));
  });

  it('keeps dates, statuses and prices, and rounds the total of each line half-up', async () => {
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
      ['purchases.csv', '4', 'is not a user of the source market: import the users first'],
    ]);
  });

  it('creates missing e-mail addresses, and refuses the address of another user of the file or of the store', async () => {
    await importOwn('users', [{ id: '1', name: 'Borge', email: 'BORGE@example.com' }]);
    await importFrom('users', 'people.csv', 'people.yaml');
    expect((await exported('users')).map(({ email }) => email)).toEqual([
      'BORGE@example.com',
      'anne@market.example',
      'CLEO@EXAMPLE.COM',
    ]);
    expect((await refused()).map(({ line, reason }) => [line, reason])).toEqual([
      ['6', expect.stringContaining('control characters') as string],
      ['6', 'must be an e-mail address such as ada@example.com'],
      ['3', 'is already the address of another user, 1'],
      ['5', 'is already the address in line 4'],
    ]);
  });

  it('refuses addresses with invisible characters', async () => {
    const emails = [
      'so\u00adft@example.com',
      '\u202eada@example.com',
      'ada@exam\u200bple.com',
      'bob@example.com',
    ];
    const rows = emails.map((email, at) => ({ id: `${at}`, name: 'Ada', email }));
    const { stderr } = await importOwn('users', rows, '--refused', refusedFile());
    expect(stderr).toContain('users: 4 read, 1 created, 0 updated, 0 unchanged, 3 refused');
    expect(new Set((await refused()).map(({ column, reason }) => `${column} ${reason}`))).toEqual(
      new Set(['email must be an e-mail address such as ada@example.com']),
    );
    expect((await exported('users')).map(({ email }) => email)).toEqual(['bob@example.com']);
  });

  it('imports the first valid row with an id, even if earlier rows with the same id were refused', async () => {
    await importOwn('users', [{ id: 'z', name: 'Zoe', email: 'zoe@example.com' }]);
    const products = await importOwn('products', [
      { id: 'a', name: '', price: 1 },
      { id: 'a', name: 'Good', price: 1 },
      { id: 'a', name: 'Late', price: 2 },
      { id: 'a', name: 'Later', price: 3 },
      { id: 'a', name: 'Good', price: 1 },
    ]);
    expect(products.stderr).toMatch(/5 read, 1 created.*, 3 refused, 1 repeated an earlier row/);
    expect(await exported('products')).toMatchObject([{ name: 'Good' }]);
    expect(products.stderr).toContain('line 3: id "a" is already in line 2, with other values');
    expect(products.stderr).toContain('and 1 row whose id or address is taken, as reported above');
    const users = [
      { id: 'x', name: 'Taken by the store', email: 'zoe@example.com' },
      { id: 'x', name: 'Xenia', email: 'xenia@example.com' },
      { id: 'y', name: 'Address of a refused row', email: 'ZOE@example.com' },
      { id: 'v', name: 'Address of a good row', email: 'xenia@example.com' },
    ];
    const { stderr } = await importOwn('users', users, '--refused', refusedFile());
    expect(stderr).toMatch(/4 read, 1 created.*, 3 refused,/);
    expect((await exported('users')).map(({ name }) => name)).toEqual(['Zoe', 'Xenia']);
    expect((await refused()).map(({ line, reason }) => [line, reason])).toEqual([
      ['1', 'is already the address of another user, 1'],
      ['3', 'is already the address of another user, 1'],
      ['4', 'is already the address in line 2'],
    ]);
    expect((await importOwn('users', users.slice(1, 2))).stderr).toContain('1 unchanged');
  });

  it('lists the faults in a file of orders that has a row for each item, and counts the affected rows', async () => {
    await importOwn('products', [{ id: 'tea', name: 'Tea', price: 4 }]);
    const rows = [
      'no,who,what,count,price',
      ...Array.from({ length: 120 }, () => 'long,,tea,1,4'),
      'good,,tea,1,4',
      'good,,tea,2,4',
      'broken,,tea,0,4',
      'broken,,tea,1,4',
      ...Array.from({ length: 20 }, (_, index) => `lost${index},,mug,1,4`),
      ...Array.from({ length: 3 }, () => 'unknown,nobody,tea,1,4'),
    ];
    const file = join(folder, 'all.csv');
    await writeFile(file, rows.join('\n'));
    const map = join(folder, 'all.yaml');
    await writeFile(
      map,
      `source: store
fields:
  id: no
  user_id: { column: who, required: false }
items:
  fields: { order_id: no, product_id: what, quantity: count, unit_price: price }
`,
    );
    const command = ['import', 'orders', file, '--items', file, '--map', map];
    const counts =
      'orders: 147 read (147 lines), 1 created, 0 updated, 0 unchanged, 145 refused, 1 repeated an earlier row';
    expect((await run([...command, '--dry-run'])).stderr).toContain(counts);
    const { code, stderr } = await run(command);
    expect({ code, stderr: stderr.replace(/, in .* s\./, '') }).toEqual({
      code: 0,
      stderr: [
        counts,
        `  ${file}, line 124: count "0" must be at least 1`,
        `  ${file}, line 2: items "" must have from 1 to 100 lines, but has 120`,
        `  ${file}, line 126: product_id "mug" is not a product of the source store: import the products first`,
        `  ${file}, line 146: user_id "nobody" is not a user of the source store: import the users first`,
        '  and 122 rows that repeat a refused row',
        '  and 1 row with a line that is refused',
        '  and 19 rows that refer to the missing rows above',
        `All 4 faults are listed in ${file}.refused.csv, with the rows that are refused because of them.`,
        '',
      ].join('\n'),
    });
    expect(await exported('orders')).toMatchObject([
      { total: 12, items: [{ quantity: 1 }, { quantity: 2 }] },
    ]);
    const list = parse<Record<string, string>>(await readFile(`${file}.refused.csv`), { columns: true });
    expect(list.filter(({ kind }) => kind === 'fault')).toHaveLength(4);
    expect(list.filter(({ kind }) => kind === 'consequence')).toHaveLength(142);
  });

  it('lists every line without the id of an order, and accepts each id of at most 200 characters', async () => {
    const long = '🍵'.repeat(200);
    const line = { product_id: null, name: 'Tea', quantity: 1, unit_price: 1 };
    const items = join(folder, 'lines.ndjson');
    const ids = ['', '  ', `${long}x`, long];
    await writeFile(items, ids.map((id) => JSON.stringify({ order_id: id, ...line })).join('\n'));
    const { stderr } = await importOwn(
      'orders',
      [{ id: long }],
      '--items',
      items,
      '--refused',
      refusedFile(),
    );
    expect(stderr).toContain('orders: 1 read (4 lines), 1 created, 0 updated, 0 unchanged, 3 refused');
    expect((await refused()).map(({ line: at, column, reason }) => [at, column, reason])).toEqual([
      ['1', 'order_id', 'must not be empty'],
      ['2', 'order_id', 'must not be empty'],
      ['3', 'order_id', 'must be at most 200 characters long'],
    ]);
  });

  it('escapes the control characters of a file in its messages', async () => {
    const file = join(folder, 'obeyed.csv');
    const evil = '\u001b[2J\u001b]0;gone\u0007\u009b31m\u202e\u2028\r';
    await writeFile(file, `id,name,price\n1,Good,"${evil}"\n2,Good,"1\nline 9: fine"\n`);
    const { stdout, stderr } = await run(['import', 'products', file]);
    expect(stdout).toBe('');
    // oxlint-disable-next-line no-control-regex -- the test is about control characters
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
    expect(stderr).toContain(
      'line 2: price "\\u001b[2J\\u001b]0;gone\\u0007\\u009b31m\\u202e\\u2028\\u000d" must be a number',
    );
    expect(stderr).toContain('line 3: price "1\\u000aline 9: fine" must be');
    await writeFile(file, `id,name,"${evil}"\n1,Good,1\n`);
    const header = await run(['import', 'products', file]);
    expect(header.code).toBe(2);
    // oxlint-disable-next-line no-control-regex -- the test is about control characters
    expect(header.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  });

  it.each(['', '-', 'folder/'])('writes nothing if --refused is «%s», which names no file', async (name) => {
    const { code, stderr } = await importOwn('products', [{ name: 'Tea', price: 1 }], '--refused', name);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/Name a(nother)? file by/) as string,
    });
    expect(await exported('products')).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes the unfinished list of refused rows of a killed run, but not the list of a running import', async () => {
    const gone = spawnCommand(['--version']);
    await once(gone, 'close');
    const parts = [String(gone.pid), String(process.pid)].map((pid) => `stdin.refused.csv.${pid}.part`);
    for (const part of parts) await writeFile(join(folder, part), 'x');
    await writeFile(join(folder, 'other.refused.csv.1.part'), 'x');
    expect(await importOwn('products', [{ id: 1 }])).toMatchObject({ code: 0 });
    expect((await readdir(folder)).toSorted()).toEqual([
      'other.refused.csv.1.part',
      'stdin.refused.csv',
      parts[1],
    ]);
  });

  it('accepts all rows even while another import of the same file runs', onlyLong, async () => {
    await run(['migrate']);
    const file = join(folder, 'users.ndjson');
    const rows = Array.from({ length: 6_000 }, (_, index) =>
      JSON.stringify({ id: `u${index}`, name: `User ${index}`, email: `u${index}@example.com` }),
    );
    await writeFile(file, rows.join('\n'));
    const runs = await Promise.all(
      ['a', 'b', 'c'].map((name) => run(['import', 'users', file, '--refused', join(folder, `${name}.csv`)])),
    );
    const counts = runs.map(({ code, stderr }) => {
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stderr).toMatch(/6,000 read.* 0 updated.* 0 refused/);
      return Number(/([\d,]+) created/.exec(stderr)?.[1]?.replaceAll(',', ''));
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6_000);
    expect(await exported('users')).toHaveLength(6_000);
  });

  it('makes no change when it runs again', async () => {
    await importMarket();
    const before = [await exported('products'), await exported('users'), await exported('orders')];
    expect(await importMarket()).toEqual([
      expect.stringContaining('0 created, 0 updated, 5 unchanged'),
      expect.stringContaining('0 created, 0 updated, 3 unchanged'),
      expect.stringContaining('0 created, 0 updated, 2 unchanged'),
    ]);
    expect([await exported('products'), await exported('users'), await exported('orders')]).toEqual(before);
  });

  it('updates the rows that changed in the file, and keeps the members that the file does not have', async () => {
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

  it('keeps the stored values of the members that a file in the own format of the store does not have', async () => {
    const file = join(folder, 'few.csv');
    const fromFile = async (kind: string, text: string): Promise<string> => {
      await writeFile(file, text);
      return (await run(['import', kind, file])).stderr;
    };
    const [created, whole] = [
      '2020-01-02T00:00:00.000Z',
      'id,name,price,description,in_stock,stock,created_at',
    ];
    await fromFile(
      'products',
      `${whole}\nt,Tea,4,Green,false,7,${created}\nm,Mug,9,Blue,true,3,${created}\n`,
    );
    const few = 'id,name,price\nt,Tea,5\nm,Mug,9\nh,Hat,30\n';
    const told = await fromFile('products', few);
    expect(told).toContain('1 created, 2 updated');
    expect(told).toContain('has no description, in_stock, stock, created_at, updated_at: existing rows keep');
    const tea = { price: 5, description: 'Green', in_stock: false, stock: 7, created_at: created };
    const mug = { price: 9, description: 'Blue', in_stock: true, stock: 3, created_at: created };
    const hat = { price: 30, description: null, in_stock: true, stock: null };
    expect(await exported('products')).toMatchObject([tea, mug, hat]);
    expect(await fromFile('products', few)).toContain('0 created, 0 updated, 3 unchanged');
    // In NDJSON, each row can have different members. Null means that the row has no value.
    const rows = [
      { id: 't', name: 'Tea', price: 6, stock: null },
      { id: 'm', name: 'Mug', price: 8, description: null },
    ];
    expect((await importOwn('products', rows)).stderr).toContain('2 updated');
    expect(await exported('products')).toMatchObject([
      { ...tea, price: 6, stock: null },
      { ...mug, price: 8, description: null },
      hat,
    ]);
    expect((await importOwn('products', rows)).stderr).toContain('0 updated, 2 unchanged');
    // An empty cell of CSV also means that the row has no value.
    expect(await fromFile('products', 'id,name,price,description,stock\nt,Tea,6,,\nm,Mug,8,,\n')).toContain(
      '2 updated',
    );
    expect(await exported('products')).toMatchObject([
      { ...tea, price: 6, description: null, stock: null },
      { ...mug, price: 8, description: null, stock: null },
      hat,
    ]);
    // Earlier releases stored the fingerprint of the row with null for each member that the file did not have. An
    // import of the text `all` stores the same fingerprint.
    const all =
      'id,name,price,description,in_stock,stock,created_at,updated_at\nt,Tea,6,,,,,\nm,Mug,8,,,,,\n';
    const less = 'id,name,price\nt,Tea,6\nm,Mug,8\n';
    const changes = [];
    for (const text of [all, less, less, all])
      changes.push(/\d+ updated, \d+ unchanged/.exec(await fromFile('products', text))?.[0]);
    expect(changes).toEqual([
      '2 updated, 0 unchanged',
      '0 updated, 2 unchanged',
      '0 updated, 2 unchanged',
      '2 updated, 0 unchanged',
    ]);
  });

  it('keeps the stored user, status and dates if a row of the file does not have them', async () => {
    const created = '2020-01-02T00:00:00.000Z';
    const ann = { id: 'u', name: 'Ann', email: 'ann@example.com', created_at: created };
    await importOwn('users', [ann]);
    expect((await importOwn('users', [{ ...ann, name: 'Anna', created_at: undefined }])).stderr).toContain(
      '1 updated',
    );
    expect(await exported('users')).toMatchObject([{ name: 'Anna', created_at: created }]);
    const line = { product_id: null, name: 'Tea', quantity: 1, unit_price: 4 };
    await importOwn('orders', [
      { id: 'o', user_id: 'u', status: 'paid', created_at: created, items: [line] },
    ]);
    const items = [{ name: 'Tea', quantity: 2, unit_price: 4 }];
    expect((await importOwn('orders', [{ id: 'o', items }])).stderr).toContain('1 updated');
    const kept = { status: 'paid', created_at: created, total: 8, items: [{ quantity: 2, total: 8 }] };
    expect(await exported('orders')).toMatchObject([{ ...kept, user_id: 1 }]);
    expect((await importOwn('orders', [{ id: 'o', items }])).stderr).toContain('1 unchanged');
    expect((await importOwn('orders', [{ id: 'o', user_id: null, items }])).stderr).toContain('1 updated');
    expect(await exported('orders')).toMatchObject([{ ...kept, user_id: null }]);
    const nameless = [{ quantity: 2, unit_price: 4 }];
    const { stderr } = await importOwn('orders', [{ id: 'p', items: nameless }]);
    expect(stderr).toContain('items[0].product_id "" must be given if the line has no name');
  });

  it.runIf(engine === 'sqlite')(
    'uses a temporary empty store for a dry run if there is no database, and creates no database',
    async () => {
      const file = database.url.slice('sqlite:'.length);
      await rm(file);
      const { code, stderr } = await importFrom('products', 'goods.csv', 'goods.yaml', '--dry-run');
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining(
          `There is no database at ${file}: the dry run uses an empty store.`,
        ) as string,
      });
      expect(stderr).toMatch(/9 read, 5 created, 0 updated, 0 unchanged, 4 refused.*nothing was written/);
      expect(existsSync(file)).toBe(false);
    },
  );

  it('creates ids for rows without an id, and recognises the rows again', async () => {
    const file = join(folder, 'plain.csv');
    await writeFile(file, 'name;price\nTea;4\nMug;9.50\nTea;4\n');
    const first = await run(['import', 'products', file]);
    expect(first.stderr).toMatch(/3 read, 3 created/);
    expect(first.stderr).toContain('plain.csv has no description, in_stock, stock, created_at, updated_at:');
    expect((await run(['import', 'products', file])).stderr).toMatch(/0 created, 0 updated, 3 unchanged/);
    await writeFile(file, 'name\tprice\nTea\t5\nMug\t9.50\nTea\t4\nHat\t30\n');
    expect((await run(['import', 'products', file])).stderr).toMatch(/1 created, 1 updated, 2 unchanged/);
    expect(await exported('products')).toMatchObject([
      { id: 1, name: 'Tea', price: 5 },
      { id: 2, name: 'Mug' },
      { id: 3, name: 'Tea', price: 4 },
      { id: 4, name: 'Hat' },
    ]);
    const people = [
      { name: 'Ann', email: 'ann@example.com' },
      { name: 'Bob', email: 'ANN@example.com' },
    ];
    const { stderr } = await importOwn('users', people);
    expect(stderr).toContain('line 2: email "ANN@example.com" is already the address in line 1');
    expect((await importOwn('users', [{ ...people[0], name: 'Anna' }])).stderr).toContain('1 updated');
    const lost = await importOwn('orders', [{ user_id: null, items: [] }]);
    expect(lost.stderr).toContain('line 1: id "" must not be absent');
  });

  const exports = [
    ['v1', 'csv'],
    ['v1', 'ndjson'],
    ['v2', 'csv'],
    ['v2', 'ndjson'],
  ] as const;
  const some = engine === 'sqlite' ? oneOfEach : firstOfEach;
  it.each(some(exports, ([version]) => version))(
    'imports an export of the HTTP interface without a mapping: %s as %s',
    async (version, format) => {
      await run(['seed', '--products', '40', '--users', '9', '--orders', '30']);
      await importOwn('products', [{ id: 'odd', name: "'=1+1", description: '-5', price: 0.5 }]);
      const app = await startApp(engine, { STORE_DATABASE_URL: database.url });
      const other = await migratedDatabase(engine);
      const elsewhere = (args: readonly string[]): Promise<Finished> =>
        runCommand(args, { settings: { STORE_DATABASE_URL: other.url }, folder });
      try {
        for (const kind of ['products', 'users', 'orders']) {
          const { text } = await app.call('GET', `/api/${version}/${kind}/export?format=${format}`);
          const file = join(folder, `${kind}.${format}`);
          await writeFile(file, text);
          const { code, stderr } = await elsewhere(['import', kind, file, '--strict']);
          expect({ code, stderr }).toMatchObject({ code: 0 });
          const lacks = [
            ...(version === 'v1' && kind === 'products' ? ['description'] : []),
            ...(kind === 'products' ? ['stock'] : []),
            ...(version === 'v1' && kind !== 'orders' ? ['created_at'] : []),
            ...(version === 'v1' ? ['updated_at'] : []),
          ];
          expect(/ has no (.*):/.exec(stderr)?.[1] ?? '').toBe(lacks.join(', '));
          const rows = (text_: string): Row[] =>
            text_
              .split('\n')
              .filter((line) => line !== '')
              .map((line) => {
                const row = JSON.parse(line) as Record<string, unknown>;
                // An import cannot distinguish a product that is sold out from a product that is not for sale. So the
                // export after the import may have another `in_stock`.
                for (const name of [...lacks, ...(kind === 'products' ? ['in_stock'] : [])]) delete row[name];
                return row;
              });
          const again = await elsewhere(['export', kind, '-', '--format', 'ndjson']);
          const before = await run(['export', kind, '-', '--format', 'ndjson']);
          expect(rows(again.stdout)).toEqual(rows(before.stdout));
        }
      } finally {
        await app.close();
        await other.drop();
      }
    },
  );

  it('accepts only amounts in the currency of the store', async () => {
    const file = join(folder, 'euros.csv');
    await writeFile(file, 'name,price.amount,price.currency\nTea,400,EUR\nMug,9.5,USD\nHat,950,USD\n');
    const { stderr } = await run(['import', 'products', file]);
    expect(stderr).toMatch(/1 created.* 2 refused/);
    expect(stderr).toContain('line 2: price.currency "EUR" must be USD, the currency of this store');
    expect(stderr).toContain('line 3: price.amount "9.5" must be a whole number of minor units');
    expect(await exported('products')).toMatchObject([{ name: 'Hat', price: 9.5 }]);
  });

  it.each<[string, string | Buffer, number, RegExp]>([
    [
      'a byte order mark and Windows line ends',
      '\uFEFFid,name,price\r\n1,"a\r\nb",1\r\n2,Tea,x\r\n',
      0,
      /1 created.*\n.*\n.*line 4: price "x"/,
    ],
    ['nothing', '', 2, /odd\.csv is empty: it needs a header with names/],
    ['only a header', 'id,name,price\n', 0, /0 read, 0 created/],
    ['UTF-16', Buffer.from('\uFEFFid,name,price\n', 'utf16le'), 2, /is UTF-16\. .*iconv -f utf-16 -t utf-8/],
    [
      'another encoding',
      Buffer.from('id,name,price\n1,Tea,1\n2,Gumb\xe4r,1\n', 'latin1'),
      2,
      /see line 3\. .*iconv -f windows-1252/,
    ],
    [
      'an incomplete character at its end',
      Buffer.from('id,name,price\n1,Tea,1\n2,Gumb\xc3', 'latin1'),
      2,
      /see line 3\. /,
    ],
    ['a duplicate column', 'id,name,price,name\n', 2, /has column «name» more than once\./],
    ['a missing column', 'id,name\n1,Tea\n', 2, /has no column «price». Its columns are id, name\./],
    [
      'two faults in a row',
      'name,price\nc"d",2\ne,3\n',
      0,
      /2 read, 1 created.* 1 refused.*\n.*\n.*line 2: it is not CSV \(/,
    ],
    ['an extra cell', 'id,name,price\n1,Tea,1,2\n', 0, /line 2: it has 4 columns, but the header has 3/],
    [
      'a line of 10 MB',
      `id,name,price\n1,${'x'.repeat(10_000_000)},1\n`,
      2,
      /line 2: the row that begins there has more than 4 MiB/,
    ],
  ])('imports a file with %s, or reports its fault in a sentence', async (_what, text, status, words) => {
    const file = join(folder, 'odd.csv');
    await writeFile(file, text);
    const { code, stderr } = await run(['import', 'products', file]);
    expect({ code, stderr }).toEqual({ code: status, stderr: expect.stringMatching(words) as string });
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes no row in a dry run, and prints the report of an import', async () => {
    await run(['migrate']);
    const dry = await importFrom('products', 'goods.csv', 'goods.yaml', '--dry-run');
    expect(dry.stderr).toMatch(/9 read, 5 created, 0 updated, 0 unchanged, 4 refused.*nothing was written/);
    expect(await refused()).toHaveLength(8);
    expect(await exported('products')).toEqual([]);
  });

  it('writes no row with --strict when any row is refused', async () => {
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

  it('names the faults of a mapping or a file before it writes, and ends with 2', async () => {
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
      ['import', 'orders', '-', '--items', '-', '--format', 'csv'],
      ['import', 'goods', fixture('goods.csv')],
    ]) {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
    expect(await exported('products')).toEqual([]);
    expect(existsSync(`${latin}.refused.csv`)).toBe(false);
  });

  it('names the input that it cannot read: a folder, a missing file, an empty device', async () => {
    await run(['migrate']);
    const told = async (file: string): Promise<string> => {
      const { code, stderr } = await run(['import', 'products', file, '--format', 'csv']);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await told(folder)).toBe(`${folder} is a folder, not a file.\n`);
    expect(await told(join(folder, 'none.csv'))).toBe(`There is no file ${join(folder, 'none.csv')}.\n`);
    expect(await told('/dev/null')).toBe('/dev/null is empty: it needs a header with names.\n');
  });

  it('refuses a mapping with too many levels', async () => {
    await run(['migrate']);
    const map = join(folder, 'deep.yaml');
    await writeFile(map, `source: x\nfields: ${'['.repeat(5_000)}`);
    const { code, stderr } = await run(['import', 'products', fixture('goods.csv'), '--map', map]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${map}, line 2: it has more than 50 levels.\n` });
  });

  it('reads /dev/stdin like -, and lists its refused rows in the current folder', async () => {
    await run(['migrate']);
    const child = spawnCommand(['import', 'products', '/dev/stdin', '--format', 'csv'], {
      settings: { STORE_DATABASE_URL: database.url },
      folder,
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin?.end('id,name,price\n1,Tea,4\n2,Mug,x\n');
    await once(child, 'close');
    expect(stderr).toContain('products: 2 read, 1 created, 0 updated, 0 unchanged, 1 refused');
    expect(await readdir(folder)).toEqual(['stdin.refused.csv']);
  });

  it('takes the names of the members of NDJSON from the first row that is an object', async () => {
    const rows = ['not JSON', JSON.stringify({ name: 'Tea', price: 4, description: 'Green', stock: 3 })];
    const { stderr } = await run(['import', 'products', '-', '--format', 'ndjson'], rows.join('\n'));
    expect(stderr).toContain('- has no in_stock, created_at, updated_at:');
    const none = await run(['import', 'products', '-', '--format', 'ndjson'], 'not JSON\n');
    expect(none.stderr).not.toContain('existing rows keep');
  });

  it('reports one row in the singular, and several rows in the plural', async () => {
    const line = { name: 'Tea', quantity: 1, unit_price: 1 };
    const order = (id: string, user: string) => ({
      id,
      user_id: user,
      items: [{ product_id: null, ...line }],
    });
    const one = await importOwn('orders', [order('a', 'none'), order('a', 'none'), order('b', 'none')]);
    expect(one.stderr).toContain('\n  and 1 row that repeats a refused row\n');
    expect(one.stderr).toContain('\n  and 1 row that refers to a missing row above\n');
    const twice = [order('a', 'none'), order('a', 'none'), order('a', 'none')];
    const more = await importOwn('orders', [...twice, order('b', 'none'), order('c', 'none')]);
    expect(more.stderr).toContain('\n  and 2 rows that repeat a refused row\n');
    expect(more.stderr).toContain('\n  and 2 rows that refer to the missing rows above\n');
  });

  it('stops at a CSV row that does not end, and reports where it begins', async () => {
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

  it('names each repeated column of the header once', async () => {
    expect(await faultsOfHeader('name,price,name,price,name')).toContain(
      'has columns «name», «price» more than once.',
    );
  });

  it('lists the missing columns, and suggests the delimiter', async () => {
    expect(await faultsOfHeader('a,b,c,d,e')).toEqual([
      'has no columns «name», «price». Its columns are a, b, c, d, e.',
      expect.stringMatching(
        /^has columns «a», «b», «c» and 2 more\. The store's own format has only id, name, /,
      ),
      'Give the columns these names, or use a mapping (--map).',
    ]);
    const map = join(folder, 'map.yaml');
    await writeFile(map, 'source: x\nfields: { id: id, name: name, price: price }\n');
    expect((await faultsOfHeader('id;name;price', '--map', map)).at(-1)).toBe(
      'The delimiter seems to be ";". Use a mapping (--map) with «delimiter: ";"».',
    );
    expect((await faultsOfHeader('id\tname\tprice', '--map', map)).at(-1)).toContain('delimiter: "\\t"');
  });

  it('never overwrites or deletes the file at --refused if it is not a list of refused rows', async () => {
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
    const tooLong = join(folder, 'x'.repeat(300));
    const sqlite = engine === 'sqlite' ? [database.url.slice('sqlite:'.length)] : [];
    await run(['migrate']);
    for (const refusedList of [file, alias, map, notes, folder, none, tooLong, ...sqlite]) {
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

  it('replaces the list of refused rows of an earlier run, and deletes it when a later run refuses no row', async () => {
    await importFrom('products', 'goods.csv', 'goods.yaml');
    expect(await refused()).toHaveLength(8);
    await importFrom('products', 'goods.csv', 'goods.yaml');
    expect(await refused()).toHaveLength(8);
    const good = [{ id: 'g', name: 'Good', price: 1 }];
    expect(await importOwn('products', good, '--refused', refusedFile())).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
  });

  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  it.each(engine === 'sqlite' ? sampled(signals, 1) : [signals[0]])(
    'stops at %s, and reports how to continue',
    async (signal, status) => {
      await run(['migrate']);
      const file = join(folder, 'many.ndjson');
      const rows = Array.from({ length: 60_000 }, (_, index) =>
        JSON.stringify({ id: `p${index}`, name: `Product ${index}`, price: 1 }),
      );
      await writeFile(file, [...rows, '{}'].join('\n'));
      const opened = await Database.open({ url: database.url, ...(await importedFeatures()) });
      const count = async () =>
        Number((await opened.reads.one<{ n: number }>(sql`SELECT count(*) AS n FROM products`))?.n);
      const child = spawnCommand(['import', 'products', file], {
        settings: { STORE_DATABASE_URL: database.url },
      });
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      await expect.poll(count, { timeout: 90_000, interval: 5 }).toBeGreaterThan(500);
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([status, null]);
      expect(await count()).toBeLessThan(60_000);
      await opened.close();
      expect(stderr).toMatch(/^Stopped after [\d,]+ products\. The same command continues from there\.$/m);
      expect(await readdir(folder)).toEqual(['many.ndjson']);
    },
  );

  it('continues after a kill, with the same result', onlyLong, async () => {
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
    const child = spawnCommand(['import', 'products', file], {
      settings: { STORE_DATABASE_URL: database.url },
    });
    await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
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
