import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { runCommand } from '../support/clients/cli.js';
import {
  choose,
  countOf,
  csv,
  isDone,
  looksGood,
  save,
  valueOf,
  visitImports,
} from '../support/clients/imports-page.js';
import { needing } from '../support/needs.js';

const NORTHWIND = resolve(process.env['TEST_NORTHWIND'] ?? 'northwind');
const onNorthwind = needing(
  'the Northwind sample database',
  existsSync(join(NORTHWIND, 'customers.csv')),
  'set TEST_NORTHWIND to a folder with its products.csv and customers.csv',
);
const MAPPINGS = resolve('examples/northwind');
const LAMPS = [
  'SKU,Title,Maker,Cost,Active',
  'A1,Desk Lamp,Acme,"19,90",ja',
  'A2,Torch,n/a,"4",nein',
  'A3,Lantern,Pilot,,ja',
].join('\n');

const northwind = (name: string) => readFile(join(NORTHWIND, name));
const part = (page: Page, words: string) => page.getByLabel(words, { exact: true });
const firsts = (page: Page) => page.locator('#members .sample').allInnerTexts();
const again = (page: Page) => page.getByRole('link', { name: 'Import another file' }).click();
const importNow = async (page: Page) => {
  await page.getByRole('button', { name: 'Import without a check' }).click();
  await isDone(page);
};
/** Imports small files of CSV, one after another. */
async function importAll(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await choose(page, text, name);
    await page.getByText(`${name}: CSV`).waitFor();
    await importNow(page);
    await again(page);
  }
}

const giveMapping = (page: Page, text: string | Buffer, name = 'map.yaml') =>
  page
    .locator('#mapping')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });

/** Chooses fixed values, texts of several columns, and words for the columns of LAMPS. */
async function mapLamps(page: Page): Promise<void> {
  await valueOf(page, 'description').selectOption('template');
  await part(page, 'Text with columns in braces, description').fill('{Title|lower} of {Maker|upper}');
  await page.getByText('A row without a value is accepted').first().click();
  await part(page, 'A row without a value, description').selectOption('default');
  await part(page, 'Value for such a row, description').fill('Of an unknown maker');
  await valueOf(page, 'stock').selectOption('value');
  await part(page, 'Fixed value, stock').fill('7');
  await valueOf(page, 'in_stock').selectOption('column:Active');
  await page.getByText('Delimiter, decimal mark').click();
  await page.getByLabel('Decimal mark').selectOption(',');
  await page.getByLabel('Words for “no value”').fill('n/a, -');
  await page.getByLabel('Source').fill('lamps');
}

describeInBrowser('the values on the page of imports', () => {
  let browsing: Browsing;
  let folder: string;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'off' });
    folder = await mkdtemp(join(tmpdir(), 'store-import-mappings-'));
  });
  afterAll(async () => {
    await browsing.close();
    await rm(folder, { recursive: true });
  });

  const visit = (options?: Parameters<Browsing['visit']>[1]) => visitImports(browsing, options);
  const read = async <T>(path: string): Promise<T> => (await (await browsing.call('GET', path)).json()) as T;
  const listed = async (path: string) => (await read<{ data: { id: number }[] }>(path)).data;

  it('come from columns, fixed values, templates, and words for yes and no; the command reads the saved mapping', async () => {
    const { page, faults } = await visit({ viewport: { width: 1280, height: 900 } });
    await choose(page, LAMPS, 'lamps.csv');
    await mapLamps(page);
    // For yes and for no, the page proposes words that it has found in the file.
    expect(await part(page, 'Words for yes, in_stock').inputValue()).toBe('ja');
    expect(await part(page, 'Words for no, in_stock').inputValue()).toBe('nein');
    expect(await firsts(page)).toEqual([
      'A1',
      'Desk Lamp',
      'desk lamp of ACME',
      '19.90',
      'true',
      '7',
      '',
      '',
    ]);
    await picture(page, 'imports-values');
    const mapping = await save(page, () => page.getByRole('button', { name: 'Save this mapping' }).click());
    expect(mapping.name).toBe('lamps.mapping.json');

    await importNow(page);
    expect(await countOf(page, 'refused')).toBe('1');
    const rows = (await listed('/api/v2/products')).slice(-2);
    expect(rows).toMatchObject([
      { name: 'Desk Lamp', description: 'desk lamp of ACME', price: { amount: 1990 }, in_stock: true },
      { name: 'Torch', description: 'Of an unknown maker', price: { amount: 400 }, in_stock: false },
    ]);
    expect(await read(`/api/v2/products/${rows[0]?.id}/stock`)).toMatchObject({ quantity: 7 });

    // The command reads the saved mapping.
    const [file, map] = [join(folder, 'lamps.csv'), join(folder, mapping.name)];
    await writeFile(file, LAMPS);
    await writeFile(map, mapping.text);
    const settings = { STORE_DATABASE_URL: `sqlite:${join(folder, 'command.sqlite')}` };
    const command = await runCommand(['import', 'products', file, '--map', map], { settings });
    expect(command.stderr).toContain('3 read, 2 created');

    // The page reads the saved mapping too. The same rows change nothing.
    await again(page);
    await choose(page, `${LAMPS}\n`, 'lamps.csv');
    expect(await part(page, 'Fixed value, stock').inputValue()).toBe('7');
    await page.getByText('Use a mapping file').click();
    await giveMapping(page, mapping.text, mapping.name);
    await page.getByText('lamps.mapping.json says how the members get their values.').waitFor();
    await importNow(page);
    expect(await countOf(page, 'unchanged')).toBe('2');
    expect(faults).toEqual([]);
  });

  it('come from words that the visitor gives for each status of an order', async () => {
    const { page, faults } = await visit();
    await importAll(page, {
      'desk.csv': 'sku,name,price\nd1,Desk,80\n',
      'users.csv': 'id,name,email\nu1,Ada,ada@example.com\n',
    });
    const lines = 'order,sku,qty,price,state\n1,d1,1,80,neu\n2,d1,2,80,bezahlt\n3,d1,1,80,\n4,d1,1,80,?\n';
    await choose(page, lines, 'lines.csv');
    await expect.poll(() => page.locator('#kind').inputValue()).toBe('orders');
    await page.getByText('Still missing: “user_id”.').waitFor();
    await valueOf(page, 'user_id').selectOption('value');
    await page.getByText('The fixed value needs a text.').first().waitFor();
    await page.getByRole('button', { name: 'Check the file' }).click();
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Fixed value, user_id');
    await part(page, 'Fixed value, user_id').fill('u1');
    await page.getByText('Words: pending / paid').click();
    await part(page, 'Words for pending, status').fill('neu, offen');
    await part(page, 'Words for paid, status').fill('bezahlt');
    const row = page.locator('#members tr[data-key="status"]');
    expect(await row.locator('.sample').innerText()).toBe('pending');
    await row.getByText('A row without a value').first().click();
    await part(page, 'A row without a value, status').selectOption('default');
    await part(page, 'Value for such a row, status').selectOption('delivered');
    await picture(page, 'imports-statuses');
    await importNow(page);
    expect(await countOf(page, 'created')).toBe('3');
    await page.locator('#faults td', { hasText: 'must be one of' }).first().waitFor();
    const orders = await listed('/api/v2/orders');
    expect(orders).toMatchObject(
      ['pending', 'paid', 'delivered'].map((status) => ({ status, user_id: expect.any(Number) })),
    );
    expect(faults).toEqual([]);
  });

  it('come from a list in NDJSON for the lines of an order', async () => {
    const { page, faults } = await visit();
    await importAll(page, {
      'pens.csv': 'id,name,price\nacme-pen,Pen,2\n',
      'buyers.csv': 'id,name,email\nb1,Grace,grace@example.com\n',
    });
    const order = {
      order: 'n1',
      buyer: 'b1',
      tags: [{ text: 'gift' }],
      lines: [{ maker: 'ACME', item: 'pen', qty: 3, each: '2.00' }],
    };
    await choose(page, `${JSON.stringify(order)}\n`, 'orders.ndjson');
    await expect.poll(() => page.locator('#kind').inputValue()).toBe('orders');
    // The page chooses the list in which it recognises the most members.
    const list = valueOf(page, 'items (the lines of the order)');
    expect(await list.inputValue()).toBe('column:lines');
    await list.selectOption('column:tags');
    await page.getByText('“quantity of the line”').first().waitFor();
    await list.selectOption('column:lines');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(
      'Value of items (the lines of the order)',
    );
    expect(await valueOf(page, 'quantity of the line').inputValue()).toBe('column:lines[].qty');
    await valueOf(page, 'unit_price of the line').selectOption('column:lines[].each');
    await valueOf(page, 'product_id of the line').selectOption('template');
    await part(page, 'Text with columns in braces, product_id of the line').fill('{maker|lower}-{item}');
    await importNow(page);
    expect(await countOf(page, 'created')).toBe('1');
    expect((await listed('/api/v2/orders')).at(-1)).toMatchObject({
      total: { amount: 600 },
      items: [{ quantity: 3, name: 'pen' }],
    });
    expect(faults).toEqual([]);
  });

  it('for members of an order never come from the list of its lines, even if the list has the name of a member', async () => {
    const { page, faults } = await visit();
    const order = { order: [{ sku: 'acme-pen', qty: 3, price: '2.00' }], buyer: 'b1' };
    await choose(page, `${JSON.stringify([order])}\n`, 'orders.json');
    await expect.poll(() => page.locator('#kind').inputValue()).toBe('orders');
    expect(await valueOf(page, 'items (the lines of the order)').inputValue()).toBe('column:order');
    expect(await valueOf(page, 'id').inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  it('come from a mapping file; the fault of a wrong mapping file is shown beside it', async () => {
    const { page, faults } = await visit();
    await choose(page, 'a;b\nMug;3\n', 'short.csv');
    await page.getByText('Use a mapping file').click();
    await giveMapping(page, Buffer.alloc(70_000, 'x'));
    await page.locator('#mapping-fault', { hasText: 'too much for a mapping' }).waitFor();
    await giveMapping(page, 'source: mugs\ndelimiter: ";"\nfields:\n  name: a\n  prise: b\n');
    await page.getByText('map.yaml says how').waitFor();
    expect(await page.locator('#choices').isVisible()).toBe(false);
    await page.getByText('Delimiter, decimal mark').click();
    expect(await page.locator('#more label[for]:visible').allInnerTexts()).toEqual(['Source']);
    await page.getByRole('button', { name: 'Check the file' }).click();
    const reason = page.locator('#mapping-fault');
    await reason.getByText('fields.prise is not known here').waitFor();
    expect(await reason.innerText()).toContain('line 5');
    expect(await part(page, 'Mapping file').getAttribute('aria-invalid')).toBe('true');
    await picture(page, 'imports-wrong-mapping');

    await giveMapping(page, 'source: mugs\ndelimiter: ";"\nfields:\n  name: a\n  price: b\n');
    await expect.poll(() => reason.innerText()).toBe('');
    await importNow(page);
    expect((await listed('/api/v2/products')).at(-1)).toMatchObject({ name: 'Mug', price: { amount: 300 } });

    // The mapping is kept for a file with the same columns, and can be removed.
    await page.goto(`${browsing.url}/imports`);
    await choose(page, 'a;b\nCup;4\n', 'next.csv');
    await page.getByText('map.yaml says how').waitFor();
    expect(await page.evaluate(`document.querySelector('#mapping').files[0].name`)).toBe('map.yaml');
    await page.getByRole('button', { name: 'Remove the mapping file' }).click();
    await page.locator('#choices').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe('mapping');
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  it('have each fault beside the wrong value', async () => {
    const { page, faults } = await visit();
    await choose(page, LAMPS, 'lamps.csv');
    const fault = (key: string) => page.locator(`#members tr[data-key="${key}"] .rule > .fault`);
    await valueOf(page, 'name').selectOption('template');
    // The text begins with the column that was chosen before.
    expect(await part(page, 'Text with columns in braces, name').inputValue()).toBe('{Title}');
    for (const [text, reason] of [
      ['{Title', 'The text has a { at character 1 without its }.'],
      ['Lamp {}', 'The text has {} at character 6 without the name of a column.'],
      ['Lamp', 'The text needs at least one column in braces.'],
      ['{Name}', 'The text names the column “Name”, which the file does not have.'],
      ['{Title|shout}', 'The text has the conversion «shout», which does not exist.'],
    ] as const) {
      await part(page, 'Text with columns in braces, name').fill(text);
      await expect.poll(() => fault('name').innerText()).toContain(reason);
    }
    await part(page, 'Text with columns in braces, name').fill('{Title}');
    await valueOf(page, 'stock').selectOption('value');
    await part(page, 'Fixed value, stock').fill('many');
    expect(await fault('stock').innerText()).toBe('The fixed value must be a whole number.');
    await valueOf(page, 'in_stock').selectOption('column:Active');
    await part(page, 'Words for no, in_stock').fill('');
    expect(await fault('in_stock').innerText()).toBe('Give words for yes and for no.');
    await part(page, 'Words for no, in_stock').fill('no, ja');
    expect(await fault('in_stock').innerText()).toBe('The word “ja” has two meanings.');
    expect(await page.getByRole('button', { name: 'Save this mapping' }).isVisible()).toBe(false);

    // The service refuses a mapping that is too long.
    const long = 'x'.repeat(9_000);
    await choose(page, `name,price,${long}\nTea,1,x\n`, 'long.csv');
    await page.getByText('long.csv: CSV').waitFor();
    await valueOf(page, 'description').selectOption(`column:${long}`);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.locator('#choices-fault', { hasText: '8000 characters' }).waitFor();
    expect(faults.filter((each) => !each.includes('status of 400'))).toEqual([]);
  });

  it('can be chosen with the keyboard alone', async () => {
    const { page, faults } = await visit();
    await choose(page, LAMPS, 'lamps.csv');
    await valueOf(page, 'description').focus();
    await page.keyboard.press('End');
    await page.getByLabel('Text with columns in braces, description').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('By ');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Maker');
    await page.keyboard.press('Tab');
    await page.keyboard.type('upper');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('!');
    const text = part(page, 'Text with columns in braces, description');
    expect(await text.inputValue()).toBe('By {Maker|upper}!');
    expect(await firsts(page)).toContain('By ACME!');
    expect(faults).toEqual([]);
  });

  it('can be chosen for a file that the visitor drops on the page', async () => {
    const { page, faults } = await visit();
    const drop = (selector: string, ...names: string[]) =>
      page.evaluate(`{
        const data = new DataTransfer();
        for (const name of ${JSON.stringify(names)})
          data.items.add(new File([${JSON.stringify(LAMPS)}], name, { type: 'text/csv' }));
        const options = { dataTransfer: data, bubbles: true, cancelable: true };
        const place = document.querySelector(${JSON.stringify(selector)});
        window.over = place.dispatchEvent(new DragEvent('dragover', options));
        window.isMarked = document.querySelector('#drop').classList.contains('over');
        window.dropped = place.dispatchEvent(new DragEvent('drop', options));
      }`);
    // The browser would open a file that is dropped outside of the field, so the page prevents this.
    await drop('h1', 'outside.csv');
    expect(await page.evaluate('[over, isMarked, dropped]')).toEqual([false, false, false]);
    expect(await page.locator('#send-step').isVisible()).toBe(false);
    await drop('#drop label', 'lamps.csv');
    expect(await page.evaluate('[over, isMarked, dropped]')).toEqual([false, true, false]);
    expect(await page.locator('#drop.over').count()).toBe(0);
    await page.getByText('lamps.csv: CSV').waitFor();
    expect(await page.evaluate(`document.querySelector('#file').files[0].name`)).toBe('lamps.csv');
    expect(await valueOf(page, 'name').inputValue()).toBe('column:Title');
    // If two files are dropped, the page takes neither, because a visitor could think that it took both.
    await drop('#drop label', 'lamps.csv', 'more.csv');
    await page.locator('#file-fault', { hasText: 'Only one file can be imported at a time.' }).waitFor();
    expect(await page.evaluate(`document.querySelector('#file').files.length`)).toBe(0);
    expect(await page.locator('#send-step').isVisible()).toBe(false);
    await drop('#drop label', 'lamps.csv');
    await page.getByText('lamps.csv: CSV').waitFor();
    expect(await page.locator('#file-fault').innerText()).toBe('');
    await page.getByText('Delimiter, decimal mark').click();
    await page.getByLabel('Decimal mark').selectOption(',');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await isDone(page);
    expect(await countOf(page, 'read')).toBe('3');
    expect(faults).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
    ['light', 320],
  ] as const)(
    'fit on the screen, and have no serious fault of accessibility, %s at %d points',
    async (colorScheme, width) => {
      const { page, faults } = await visit({ colorScheme, viewport: { width, height: 900 } });
      const check = (name: string) => looksGood(page, `imports-${name}-${width}-${colorScheme}`);
      await choose(page, LAMPS, 'lamps.csv');
      await mapLamps(page);
      await check('values');
      await page.getByText('Use a mapping file').click();
      await giveMapping(page, 'fields: 1', `${'long'.repeat(50)}.yaml`);
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('#mapping-fault', { hasText: 'fields' }).waitFor();
      await check('given');
      expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
    },
  );

  describe('for Northwind', onNorthwind, () => {
    it('come from choices on the page, and the mapping files of the command give the same values', async () => {
      const { page, faults } = await visit({ viewport: { width: 1280, height: 900 } });
      await page.locator('#file').setInputFiles(csv(await northwind('customers.csv'), 'customers.csv'));
      await expect.poll(() => page.locator('#kind').inputValue()).toBe('users');
      expect(await valueOf(page, 'id').inputValue()).toBe('column:customerID');
      await valueOf(page, 'name').selectOption('column:companyName');
      await valueOf(page, 'email').selectOption('template');
      await part(page, 'Text with columns in braces, email').fill('{customerID|lower}@northwind.example');
      await page.getByText('Delimiter, decimal mark').click();
      await page.getByLabel('Source').fill('northwind');
      await page.getByLabel('Words for “no value”').fill('NULL');
      expect(await firsts(page)).toEqual(['ALFKI', 'Alfreds Futterkiste', 'alfki@northwind.example', '', '']);
      await picture(page, 'imports-northwind');
      await importNow(page);
      expect(await countOf(page, 'created')).toBe('91');
      expect(await listed('/api/v2/users?q=alfki')).toMatchObject([
        { name: 'Alfreds Futterkiste', email: 'alfki@northwind.example' },
      ]);

      // The mapping file of the command makes the same rows.
      await again(page);
      await page.locator('#file').setInputFiles(csv(await northwind('customers.csv'), 'customers.csv'));
      await page.getByText('Use a mapping file').click();
      await giveMapping(page, await readFile(join(MAPPINGS, 'users.yaml')), 'users.yaml');
      await importNow(page);
      expect(await countOf(page, 'unchanged')).toBe('91');

      await again(page);
      await page.locator('#file').setInputFiles(csv(await northwind('products.csv'), 'products.csv'));
      await expect.poll(() => page.locator('#kind').inputValue()).toBe('products');
      await valueOf(page, 'description').selectOption('column:quantityPerUnit');
      await valueOf(page, 'in_stock').selectOption('column:discontinued');
      await part(page, 'Words for yes, in_stock').fill('0');
      await part(page, 'Words for no, in_stock').fill('1');
      await importNow(page);
      expect(await countOf(page, 'created')).toBe('77');
      await again(page);
      await page.locator('#file').setInputFiles(csv(await northwind('products.csv'), 'products.csv'));
      await page.getByText('Use a mapping file').click();
      await giveMapping(page, await readFile(join(MAPPINGS, 'products.yaml')), 'products.yaml');
      await importNow(page);
      expect(await countOf(page, 'unchanged')).toBe('77');
      expect(faults).toEqual([]);
    });
  });
});
