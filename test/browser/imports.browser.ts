import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../testkit/free-port.js';
import { serve } from '../../testkit/process.js';
import {
  ADMIN_KEY,
  describeInBrowser,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';
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

const ATTACK = '<img src=x onerror=alert(1)>';
const UNLIMITED = { STORE_RATE_LIMIT: 'off' };
const CATALOGUE = 'Title,Cost,Colour\nStorm lantern,19.90,red\nTea,x,green\nMug,12.50,blue\n';

const stateOf = (page: Page) => page.locator('#state').textContent();
const idOf = (page: Page) => Number(new URL(page.url()).searchParams.get('id'));
const unexpected = (faults: readonly string[], ...words: readonly string[]) =>
  faults.filter((fault) => !words.some((each) => fault.includes(each)));
const rowsOf = (count: number, name = 'p'): string =>
  `id,name,price\n${Array.from({ length: count }, (_, index) => `${name}${index},Product ${index},${index % 90}.50`).join('\n')}\n`;

describeInBrowser('the page of imports', () => {
  let browsing: Browsing;
  let folder: string;
  beforeAll(async () => {
    browsing = await startBrowsing(UNLIMITED);
    folder = await mkdtemp(join(tmpdir(), 'store-imports-page-'));
  });
  afterAll(async () => {
    await browsing.close();
    await rm(folder, { recursive: true });
  });

  const visit = (options?: Parameters<Browsing['visit']>[1]) => visitImports(browsing, options);
  const read = async <T>(path: string): Promise<T> => (await (await browsing.call('GET', path)).json()) as T;
  const products = async (): Promise<string[]> => {
    const { data } = await read<{ data: { name: string }[] }>('/api/v2/products?limit=100');
    return data.map(({ name }) => name);
  };

  it('needs a credential, and leads back after the sign-in', async () => {
    const { page, faults } = await browsing.visit('/imports?id=1');
    await page.getByText('An import needs a credential.').waitFor();
    expect(await page.locator('#new').isVisible()).toBe(false);
    await page.locator('#ask').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/imports?id=1');
    expect(unexpected(faults, 'status of 404')).toEqual([]);
  });

  it('says that a credential may not import, or offers only the kinds that it may import', async () => {
    const made = async (scopes: string[]) => {
      const answer = await browsing.call('POST', '/api/v2/api-keys', { name: 'Some', scopes });
      return ((await answer.json()) as { key: string }).key;
    };
    const first = await browsing.visit('/imports');
    await signInWithKey(first.page, await made(['orders:read']));
    await first.page.getByText('Your credential may not import.').waitFor();
    const second = await browsing.visit('/imports');
    await signInWithKey(second.page, await made(['products:write']));
    await second.page.locator('#new').waitFor();
    await choose(second.page, CATALOGUE);
    expect(await second.page.locator('#kind option').allInnerTexts()).toEqual(['products']);
  });

  it('is in the navigation and on the overview', async () => {
    const { page } = await browsing.visit('/api/v2/products');
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page.getByRole('heading', { name: 'Import a file' }).waitFor();
    await page.getByRole('link', { name: 'Store service' }).click();
    await page.getByRole('link', { name: `${browsing.url}/imports` }).click();
    await page.waitForURL('**/imports');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Import a file');
  });

  it('recognises columns, checks a file, imports the good rows, and then the corrected rows', async () => {
    const { page, faults } = await visit({ viewport: { width: 1280, height: 900 } });
    await choose(page, CATALOGUE);
    await page.getByText('catalogue.csv: CSV, 69 bytes, 3 columns').waitFor();
    expect(await page.locator('#kind').inputValue()).toBe('products');
    expect(await valueOf(page, 'name').inputValue()).toBe('column:Title');
    expect(await valueOf(page, 'price').inputValue()).toBe('column:Cost');
    expect(await page.locator('#members .sample').allInnerTexts()).toEqual(expect.arrayContaining(['19.90']));
    expect(await page.locator('#others').innerText()).toBe('Columns that are not used: Colour.');

    // The page shows the faults before it sends anything, and keeps all choices.
    await valueOf(page, 'price').selectOption('');
    await page.getByText('Still missing: “price”.').waitFor();
    await picture(page, 'imports-missing');
    await page.getByRole('button', { name: 'Check the file' }).click();
    expect(page.url()).toBe(`${browsing.url}/imports`);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Value of price');
    await valueOf(page, 'price').selectOption('column:Cost');
    await valueOf(page, 'description').selectOption('column:Colour');
    expect(await page.locator('#others').innerText()).toBe('');
    await picture(page, 'imports-columns');

    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('Checked; nothing was written. 1 row is refused.').first().waitFor();
    expect(await countOf(page, 'would be created')).toBe('2');
    const cells = page.locator('#faults td');
    await cells.first().waitFor();
    expect(await cells.allInnerTexts()).toEqual([
      '3',
      'Cost',
      'x',
      'must be a number such as 18.50, without separators of thousands',
    ]);
    expect(await products()).toEqual([]);
    await picture(page, 'imports-checked');

    await page.getByRole('button', { name: 'Import the good rows' }).click();
    await page.getByText('Done. 1 row is refused.').first().waitFor();
    expect(await products()).toEqual(['Storm lantern', 'Mug']);
    const { name, text } = await save(page, () =>
      page.getByRole('button', { name: 'Download the refused rows' }).click(),
    );
    expect(name).toBe('catalogue.refused.csv');
    expect(text).toMatch(/^refused_because,Title,Cost,Colour\n".*",Tea,x,green\n$/);

    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(page, text.replace(',x,', ',4.5,'), name);
    // The choices of the first file are still set.
    await expect.poll(() => valueOf(page, 'description').inputValue()).toBe('column:Colour');
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await page.getByText('Done. No row is refused.').first().waitFor();
    expect(await products()).toEqual(['Storm lantern', 'Mug', 'Tea']);
    expect(faults).toEqual([]);
  });

  it('reads NDJSON and lists in JSON', async () => {
    const { page, faults } = await visit();
    const rows = [
      { name: 'From "JSON", [1}', price: { amount: 100, currency: 'USD' } },
      { name: 'Second\\', price: { amount: 250, currency: 'USD' } },
    ];
    for (const [name, text] of [
      ['list.json', JSON.stringify(rows, null, 2)],
      ['answer.json', JSON.stringify({ data: rows, page: { next: null } })],
      ['rows.ndjson', rows.map((row) => JSON.stringify(row)).join('\n')],
    ] as const) {
      await choose(page, text, name);
      await valueOf(page, 'price').waitFor();
      await page.getByRole('button', { name: 'Import without a check' }).click();
      await isDone(page);
      expect(await countOf(page, 'read')).toBe('2');
      await page.getByRole('link', { name: 'Import another file' }).click();
    }
    expect(await products()).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
    expect((await products()).filter((name) => name.startsWith('Second'))).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it.each([
    [
      'a second list',
      '[{"name":"List A","price":1}]\n[{"name":"List B","price":1}]',
      '[{"name":"List B","price":1}]',
    ],
    ['other text', '[{"name":"List A","price":1}] and more', 'and more'],
    ['other text far away', `[{"name":"List A","price":1}]${' '.repeat(400_000)}far away`, 'far away'],
    [
      'a second object',
      '{"data":[{"name":"List A","price":1}],"page":{}}\n{"data":[]}',
      ',"page":{}} {"data":[]}',
    ],
    ['a second list in its object', '{"data":[{"name":"List A","price":1}],"data":[{}]}', ',"data":[{}]}'],
  ])('refuses a list in JSON that is followed by %s', async (_what, text, rest) => {
    const { page, faults } = await visit();
    await choose(page, text, 'lists.json');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page
      .getByText(`The list in the file ends after row 1, but other text follows: “${rest}”.`)
      .waitFor();
    expect(await stateOf(page)).toBe('uploading');
    // The corrected file can be chosen at once.
    await page.locator('#again-file').setInputFiles(csv('[{"name":"List A","price":1}]\n', 'lists.json'));
    await page.getByText('Checked; nothing was written. No row is refused.').first().waitFor();
    expect(await countOf(page, 'read')).toBe('1');
    expect(faults).toEqual([]);
  });

  it('already shows the state of an import when it shows a fault of the file', async () => {
    const { page, faults } = await visit();
    // The page reads the import before it sends the file, and reads it again to follow it. The second answer is late.
    let reads = 0;
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/\/api\/v2\/imports\/\d+$/, async (route) => {
      reads += 1;
      if (reads === 2) await late;
      await route.continue();
    });
    await choose(page, '[{"name":"Tea","price":1}] and more', 'list.json');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('The list in the file ends after row 1').waitFor();
    expect(await stateOf(page)).toBe('uploading');
    answer();
    expect(faults).toEqual([]);
  });

  it('imports a file of lines that belong to orders', async () => {
    const { page, faults } = await visit();
    await choose(page, 'id,name,email\nu1,Ada,ada@example.com\n', 'users.csv');
    await expect.poll(() => page.locator('#kind').inputValue()).toBe('users');
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await isDone(page);
    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(page, 'id,name,price\np1,Chair,10\np2,Table,40\n', 'products.csv');
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await isDone(page);
    await page.getByRole('link', { name: 'Import another file' }).click();
    const lines =
      'order;customer;product;quantity;price;placed\n7;u1;p1;2;9,50;7/4/2026\n7;u1;p2;1;40;7/4/2026\n';
    await choose(page, lines, 'order-lines.csv');
    await expect.poll(() => page.locator('#kind').inputValue()).toBe('orders');
    expect(await page.locator('#lines').inputValue()).toBe('lines');
    expect(await valueOf(page, 'id').inputValue()).toBe('column:order');
    expect(await valueOf(page, 'product_id of the line').inputValue()).toBe('column:product');
    expect(await valueOf(page, 'unit_price of the line').inputValue()).toBe('column:price');
    await valueOf(page, 'created_at').selectOption('column:placed');
    await page.getByText('“9,50” must be a number such as 18.50').waitFor();
    await page.getByText('Delimiter, decimal mark').click();
    await page.getByLabel('Decimal mark').selectOption(',');
    await page.getByLabel('Pattern of dates').fill('M/D/YYYY');
    const firsts = await page.locator('#members .sample').allInnerTexts();
    expect(firsts).toEqual(expect.arrayContaining(['9.50', '2026-07-04 00:00 UTC']));
    await picture(page, 'imports-lines');
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await isDone(page);
    expect(await countOf(page, 'created')).toBe('1');
    const { data } = await read<{ data: object[] }>('/api/v2/orders');
    expect(data).toMatchObject([
      {
        created_at: '2026-07-04T00:00:00.000Z',
        total: { amount: 5900 },
        items: [{ quantity: 2 }, { quantity: 1 }],
      },
    ]);
    expect(faults).toEqual([]);
  });

  it('shows each fault beside its field, also a fault that the service reports, and keeps the entries', async () => {
    const { page, faults } = await visit();
    await choose(page, CATALOGUE);
    await page.getByText('Delimiter, decimal mark').click();
    await page.getByLabel('Source').fill('My Shop');
    await page.getByLabel('Pattern of dates').fill('M/D');
    await page.locator('#date-fault', { hasText: 'must have YYYY, MM and DD' }).waitFor();
    await page.getByRole('button', { name: 'Check the file' }).click();
    expect(await page.locator(':focus').getAttribute('id')).toBe('date');
    await page.getByLabel('Pattern of dates').fill('M/D/YYYY');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.locator('#source-fault', { hasText: 'must be a name of small letters' }).waitFor();
    expect(await page.getByLabel('Source').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Source').inputValue()).toBe('My Shop');
    await page.getByLabel('Source').fill('shop');
    await page.route('**/api/v2/imports', (route) => route.abort());
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('The service cannot be reached. Your choices are still here.').waitFor();
    await page.unroute('**/api/v2/imports');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await isDone(page);
    // The page finds the entries of this tab again.
    await page.goto(`${browsing.url}/imports`);
    expect(await page.locator('#source').inputValue()).toBe('shop');
    expect(unexpected(faults, 'status of 400', 'ERR_FAILED')).toEqual([]);
  });

  it.each<[string, string | Buffer, string, string?]>([
    ['nothing', '', 'The file is empty.'],
    ['bytes that are not text', Buffer.from([1, 2, 0, 3]), 'This is not a text file.'],
    ['another encoding', Buffer.from('name,price\nCaf\u00e9,1\n', 'latin1'), 'The file is not UTF-8.'],
    ['UTF-16', Buffer.from('\ufeffname,price\n', 'utf16le'), 'The file is UTF-16.'],
    ['a first row without an end', `"${'x'.repeat(400_000)}`, 'The first row of the file is too long.'],
    [
      'a first line of NDJSON without an end',
      `{"name":"${'x'.repeat(400_000)}"}`,
      'The first line of the file is too long.',
      'long.ndjson',
    ],
  ])('refuses a file with %s, and does not offer to send it', async (_what, text, words, name) => {
    const { page, faults } = await visit();
    await choose(page, text, name);
    await page.locator('#file-fault', { hasText: words }).waitFor();
    expect(await page.locator('#send-step').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  it('refuses a file of 2 GiB because of its size', async () => {
    const path = join(folder, 'huge.csv');
    await writeFile(path, 'name,price\n');
    await truncate(path, 2 ** 31);
    const { page, faults } = await visit();
    await page.locator('#file').setInputFiles(path);
    await page.locator('#file-fault', { hasText: 'The file has 2 GiB; at most 64 MiB' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows HTML in file names, headers, values and reasons as text', async () => {
    const { page, faults } = await visit();
    await choose(
      page,
      `name,price,${ATTACK}\n${ATTACK},${ATTACK},${ATTACK}\n`,
      `${ATTACK.replace('/', '')}.csv`,
    );
    await valueOf(page, 'description').selectOption(`column:${ATTACK}`);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.locator('#faults td', { hasText: ATTACK }).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('says that a column occurs more than once, and lists only some of many columns', async () => {
    const { page, faults } = await visit();
    await choose(page, 'name,price,price\nTea,1,2\n');
    await page.getByText('The file has the column “price” more than once.').waitFor();
    const many = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
    await choose(page, `${many.join(',')},name,price\n`);
    await page.getByText('c19 and 9,980 more. Only 200 columns can be chosen here.').waitFor();
    expect(await valueOf(page, 'price').locator('optgroup option').count()).toBe(201);
    expect(await page.locator('#missing').innerText()).toBe('');
    expect(faults).toEqual([]);
  });

  it('sends a large file in parts, goes on after lost connections, and shows the progress', async () => {
    const { page, faults } = await visit();
    await page.evaluate(`{
      const { arrayBuffer } = Blob.prototype;
      window.largest = 0;
      Blob.prototype.arrayBuffer = function () { window.largest = Math.max(window.largest, this.size); return arrayBuffer.call(this); };
      for (const name of ['text', 'stream', 'bytes']) Blob.prototype[name] = () => { throw new Error('reads the whole file'); };
    }`);
    const path = join(folder, 'large.csv');
    const file = await open(path, 'w');
    await file.writeFile('id,name,price\n');
    for (let block = 0; block < 400; block += 1) {
      const rows = Array.from(
        { length: 1_000 },
        (_, index) => `r${block * 1_000 + index},Ünique product ${index},${index % 90}.50`,
      );
      await file.writeFile(`${rows.join('\n')}\n`);
    }
    await file.close();
    await page.locator('#file').setInputFiles(path);
    let [asked, lost] = [0, 0];
    await page.route('**/parts', async (route) => {
      asked += 1;
      if (asked % 10 !== 0) return route.continue();
      lost += 1;
      // Every second time, the service gets the part, and only its answer is lost.
      if (lost % 2 === 0) await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('The service cannot be reached. The upload continues automatically').waitFor();
    await page
      .getByText(/Checking: [\d,]+ of 400,000 rows\./)
      .first()
      .waitFor({ timeout: 200_000 });
    // The page read its list of imports when this import began.
    const words = await page.evaluate<string[]>(
      `['#state', '#list .state'].map((each) => document.querySelector(each).textContent)`,
    );
    expect(words).toEqual(['running', 'running']);
    await picture(page, 'imports-running');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => stateOf(page)).toBe('cancelled');
    expect(await page.locator('#progress').getAttribute('max')).toBe('1');
    const { bytes } = await read<{ bytes: number }>(`/api/v2/imports/${idOf(page)}`);
    expect(bytes).toBe((await readFile(path)).length);
    expect(lost).toBeGreaterThan(2);
    // The page never read more than 256 KiB of the file at once.
    expect(await page.evaluate<number>('largest')).toBeLessThanOrEqual(262_144);
    expect(unexpected(faults, 'ERR_FAILED')).toEqual([]);
  }, 300_000);

  it('sends a file whose last character begins at the end of a part', async () => {
    const { page, faults } = await visit();
    // A part has at most 160,000 bytes. The last character of this file has its first byte at the end of the first
    // part, and its second byte after this part.
    let text = 'id,price,name\n';
    let rows = 1;
    for (; text.length < 159_900; rows++) text += `edge${rows},1.00,Edge ${rows}\n`;
    text += 'last,1.00,';
    text += `${'x'.repeat(160_000 - text.length - 1)}é`;
    expect(Buffer.byteLength(text)).toBe(160_001);
    await choose(page, text, 'edge.csv');
    await valueOf(page, 'price').waitFor();
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await isDone(page);
    expect((await countOf(page, 'read')).replaceAll(/\D/g, '')).toBe(`${rows}`);
    expect(faults).toEqual([]);
  });

  it('removes the message about a lost part when the service has the file', async () => {
    const { page } = await visit();
    await choose(page, rowsOf(3, 'patient'));
    let tries = 0;
    await page.route('**/parts', (route) => ((tries += 1) === 1 ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('The upload continues automatically').waitFor();
    await page.getByText('Checked; nothing was written.').first().waitFor();
    await expect.poll(() => page.locator('#job-fault').innerText()).toBe('');
  });

  it('goes on in another tab with the same file, and refuses another file', async () => {
    const text = rowsOf(30_000, 'resumed');
    const first = await visit();
    await choose(first.page, text);
    let parts = 0;
    await first.page.route('**/parts', (route) => ((parts += 1) > 2 ? route.abort() : route.continue()));
    await first.page.getByRole('button', { name: 'Check the file' }).click();
    await first.page.getByText('The service cannot be reached').waitFor();
    const address = first.page.url();
    await first.leave();

    const { page, faults } = await browsing.visitSignedIn(
      new URL(address).pathname + new URL(address).search,
    );
    await page.getByLabel('Choose the same file again').waitFor();
    await picture(page, 'imports-resume');
    await page.locator('#again-file').setInputFiles(csv('name,price\nTea,1\n'));
    const refusal = page.getByText('This is not the file that the import began with.');
    await refusal.waitFor();
    // The page reads the state again and again. The reason stays until the visitor tries again.
    const reads = new URL(address).searchParams.get('id');
    for (let n = 0; n < 2; n += 1)
      await (await page.waitForResponse((answer) => answer.url().endsWith(`/imports/${reads}`))).finished();
    expect(await refusal.isVisible()).toBe(true);
    await page.locator('#again-file').setInputFiles(csv(text));
    await page.getByText('Checked; nothing was written. No row is refused.').first().waitFor();
    expect(await countOf(page, 'would be created')).toBe('30,000');
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });

  it('imports only the new file if the visitor continues with a larger file', async () => {
    const first = await visit();
    await choose(first.page, rowsOf(20_000, 'begun'));
    let parts = 0;
    await first.page.route('**/parts', (route) => ((parts += 1) > 2 ? route.abort() : route.continue()));
    await first.page.getByRole('button', { name: 'Check the file' }).click();
    await first.page.getByText('The service cannot be reached').waitFor();
    const id = idOf(first.page);
    await first.leave();

    const { page, faults } = await browsing.visitSignedIn(`/imports?id=${id}`);
    const text = rowsOf(30_000, 'other-');
    await page.locator('#again-file').setInputFiles(csv(text));
    await page.getByText('Checked; nothing was written. No row is refused.').first().waitFor();
    expect(await countOf(page, 'would be created')).toBe('30,000');
    expect(await read(`/api/v2/imports/${id}`)).toMatchObject({ bytes: text.length, read: 30_000 });
    expect(faults).toEqual([]);
  });

  it('leads to the sign-in if the session has ended, and keeps the choices', async () => {
    const { page, faults } = await visit();
    await choose(page, CATALOGUE);
    await valueOf(page, 'description').selectOption('column:Colour');
    await page.evaluate(`sessionStorage.removeItem('store:session')`);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('Your session has ended. Your choices are kept').waitFor();
    const link = page.locator('#ask').getByRole('link', { name: 'Sign in' });
    expect(await link.evaluate((each) => each.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/imports');
    await choose(page, CATALOGUE);
    await expect.poll(() => valueOf(page, 'description').inputValue()).toBe('column:Colour');
    expect(unexpected(faults, 'status of 401')).toEqual([]);
  });

  it('shows the same import in two tabs, and its end in both after one of them cancels it', async () => {
    const one = await visit();
    await choose(one.page, rowsOf(20_000), 'two-tabs.csv');
    await one.page.getByRole('button', { name: 'Import without a check' }).click();
    await one.page.waitForURL('**/imports?id=*');
    const other = await browsing.visitSignedIn(`/imports?id=${idOf(one.page)}`);
    await other.page.getByRole('button', { name: 'Cancel' }).click();
    for (const { page } of [one, other]) await expect.poll(() => stateOf(page)).toBe('cancelled');
    await one.page
      .getByRole('link', { name: /^Import \d+: products$/ })
      .first()
      .click();
    await expect.poll(() => stateOf(one.page)).toBe('cancelled');
    expect([...unexpected(one.faults, 'status of 409'), ...other.faults]).toEqual([]);
  });

  it('shows the reason why a whole file failed', async () => {
    const { page, faults } = await visit();
    await choose(page, `name,price\nTea,x\n"Mug,1\n`);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('is never closed').waitFor();
    expect(await stateOf(page)).toBe('failed');
    await page.getByText('failed at line 3. Nothing was written.').first().waitFor();
    await page.getByText('send it as a new import').waitFor();
    await page.getByRole('cell', { name: 'price' }).waitFor();
    expect(await page.getByRole('button', { name: 'Download the refused rows' }).isVisible()).toBe(true);
    await picture(page, 'imports-failed');
    expect(faults).toEqual([]);
  });

  it('lists older imports page by page; the button also works with the keyboard', async () => {
    const made: number[] = [];
    for (let count = 0; count < 45; count += 1) {
      const answer = await browsing.call('POST', '/api/v2/imports', { kind: 'products', format: 'csv' });
      made.push(((await answer.json()) as { id: number }).id);
    }
    const { page, faults } = await visit();
    const newest = made.toReversed();
    const shows = (id: number) => page.locator(`#list a[href="/imports?id=${id}"]`).waitFor();
    await shows(newest[0] as number);
    expect(await page.locator('#list li').count()).toBe(20);
    await page.getByRole('button', { name: 'Older imports' }).focus();
    await page.keyboard.press('Enter');
    await shows(newest[20] as number);
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('jobs-title');
    await page.getByRole('button', { name: 'Older imports' }).click();
    await shows(newest[40] as number);
    await page.getByRole('button', { name: 'Newer imports' }).click();
    await shows(newest[20] as number);
    await page.getByRole('button', { name: 'Newer imports' }).click();
    await shows(newest[0] as number);
    for (const id of made) await browsing.call('DELETE', `/api/v2/imports/${id}`);
    expect(faults).toEqual([]);
  });

  it('goes on after the service was killed', async () => {
    const port = await freePort();
    const settings = {
      ...UNLIMITED,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_DATABASE_URL: `sqlite:${join(folder, 'killed.sqlite')}`,
      PORT: String(port),
    };
    let service = await serve(settings);
    const { page } = await browsing.visit('/');
    await page.goto(`${service.url}/imports`);
    await signInWithKey(page);
    // The page reads the state once a second, and must see the import while it runs.
    await choose(page, rowsOf(90_000));
    await page.getByRole('button', { name: 'Import without a check' }).click();
    await page
      .getByText(/Importing: [\d,]+ of 90,000 rows\./)
      .first()
      .waitFor();
    service.process.kill('SIGKILL');
    await page.getByText('The service cannot be reached. The import goes on').waitFor();
    service = await serve(settings);
    await page.getByText('Done. No row is refused.').first().waitFor({ timeout: 200_000 });
    expect(await countOf(page, 'created')).toBe('90,000');
    expect(await page.locator('#job-fault').innerText()).toBe('');
    await service.stop('SIGINT');
  }, 300_000);

  it('can be used with the keyboard alone', async () => {
    const { page } = await visit();
    await choose(page, CATALOGUE);
    await valueOf(page, 'name').waitFor();
    // The list of earlier imports is read after the page is shown.
    await page.locator('#list li, #none:visible').first().waitFor();
    await page.locator('#file').focus();
    const stops = page.locator(
      '#kind, #given summary, .answer:visible, #members :is(select, summary):visible, #more summary, #save, #check, #import, #list a, #jobs .actions button:visible, #jobs .aside a',
    );
    const count = await stops.count();
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('Tab');
      expect(await stops.nth(index).evaluate((stop) => stop.matches(':focus'))).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    }
    await page.locator('#check').focus();
    await page.keyboard.press('Enter');
    await isDone(page);
    expect(await page.locator('#said').getAttribute('role')).toBe('status');
    expect(await page.locator('#said').innerText()).toContain('Checked; nothing was written.');
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
    ['light', 320],
  ] as const)(
    'fits on the screen, and has no serious fault of accessibility, %s at %d points',
    async (colorScheme, width) => {
      const { page, faults } = await visit({ colorScheme, viewport: { width, height: 900 } });
      const check = (name: string) => looksGood(page, `imports-${name}-${width}-${colorScheme}`);
      await check('empty');
      await choose(page, `${CATALOGUE}${'long'.repeat(300)},y,${'word'.repeat(300)}\n`);
      await page.getByText('Delimiter, decimal mark').click();
      await check('form');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.locator('#faults td').first().waitFor();
      await check('report');
      expect(faults).toEqual([]);
    },
  );

  it('without JavaScript, says how to import a file with a command', async () => {
    const { page, faults } = await browsing.visit('/imports', { javaScriptEnabled: false });
    const words = await page.locator('noscript .ask').innerText();
    expect(words).toContain('curl');
    expect(words).toContain('npm run store -- import products FILE --dry-run');
    expect(await page.locator('#new').isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });
});
