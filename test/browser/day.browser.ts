import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../testkit/free-port.js';
import { PASSWORD } from '../support/clients/basic.js';
import {
  describeInBrowser,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';
import {
  confirm,
  confirmPlainly,
  fieldIn,
  open,
  openIt,
  press,
  secretOn,
  statusOf,
  unexpected,
} from '../support/clients/page-forms.js';

const EMAIL = 'ada@example.com';
const CATALOGUE = 'Title,Cost\nStorm lantern,19.90\nTea,free\nMug,12.50\n';
const ORDERS = 40;

const catalogue = (text: string, name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const isLive = (page: Page) => page.locator('#main[data-state="live"]').waitFor();
const rowOf = (page: Page, id: number) => page.locator(`#list > li[data-id="${id}"]`);
async function withPassword(page: Page): Promise<void> {
  const back = page.url();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await press(page, 'Sign in');
  await page.waitForURL(back);
  await page.getByText('Signed in: Ada Lovelace').waitFor();
}

describeInBrowser('the day of a shopkeeper', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'off', PORT: String(await freePort()) });
    await browsing.call('POST', '/api/v2/users', { name: 'Ada Lovelace', email: EMAIL, password: PASSWORD });
  });
  afterAll(() => browsing.close());

  const read = async <T>(path: string): Promise<T> => (await (await browsing.call('GET', path)).json()) as T;
  const place = async (): Promise<number> => {
    const body = { user_id: 1, items: [{ product_id: 1, quantity: 1 }] };
    const { id } = (await (await browsing.call('POST', '/api/v2/orders', body)).json()) as { id: number };
    return id;
  };

  it('goes from sign-in to sign-out', async () => {
    // The shopkeeper is a user of the store. A user cannot give a key the right to write products, so the shop has a
    // key of its own.
    const own = await browsing.visit('/api/v2/orders');
    await withPassword(own.page);
    const shop = await browsing.visit('/imports');
    await signInWithKey(shop.page);
    const till = await browsing.visit('/board');
    await signInWithKey(till.page);
    await isLive(till.page);

    // The shopkeeper imports a catalogue with a fault, and corrects the fault.
    const { page } = shop;
    await page.locator('#file').setInputFiles(catalogue(CATALOGUE, 'catalogue.csv'));
    await press(page, 'Check the file');
    await page.getByText('Checked; nothing was written. 1 row is refused.').first().waitFor();
    await press(page, 'Import the good rows');
    await page.getByText('Done. 1 row is refused.').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Download the refused rows'),
    ]);
    const refused = await readFile(await download.path(), 'utf8');
    expect(refused).toContain('Tea,free');
    await page.getByRole('link', { name: 'Import another file' }).click();
    const mended = catalogue(refused.replace('Tea,free', 'Tea,4.50'), download.suggestedFilename());
    await page.locator('#file').setInputFiles(mended);
    await press(page, 'Import without a check');
    await page.getByText('Done. No row is refused.').first().waitFor();
    const { data } = await read<{ data: object[] }>('/api/v2/products');
    expect(data).toMatchObject([
      { name: 'Storm lantern', price: { amount: 1990 } },
      { name: 'Mug', price: { amount: 1250 } },
      { name: 'Tea', price: { amount: 450 } },
    ]);

    // The shopkeeper changes a price while somebody else does the same.
    await page.goto(`${browsing.url}/api/v2/products/1`);
    await page.getByRole('heading', { name: 'Storm lantern' }).waitFor();
    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('22');
    await browsing.call('PATCH', '/api/v2/products/1', { price: { amount: 2100, currency: 'USD' } });
    await press(page, 'Save');
    await page.getByText('Somebody changed this row').waitFor();
    expect((await page.locator('.told tbody tr').allInnerTexts()).map((row) => row.split('\t'))).toEqual([
      ['Price', '21.00', '22.00'],
    ]);
    await press(page, 'Save mine');
    await page.getByText('22.00 USD').waitFor();
    expect(await read('/api/v2/products/1')).toMatchObject({ price: { amount: 2200 } });

    // The shopkeeper places an order as a user, and changes its status with the key of the shop.
    await open(own.page, 'Place an order');
    await fieldIn(own.page, 'User').fill('1');
    await fieldIn(own.page, 'Product').fill('1');
    await fieldIn(own.page, 'Quantity').fill('2');
    await press(own.page, 'Place an order');
    await own.page.getByRole('heading', { name: 'Order 1' }).waitFor();
    await rowOf(till.page, 1).waitFor();
    await page.goto(`${browsing.url}/board`);
    await isLive(page);
    await rowOf(page, 1).getByRole('button', { name: 'paid' }).click();
    await rowOf(till.page, 1).locator('.status[data-status="paid"]').waitFor();

    // The shopkeeper makes a key for the till, and revokes it.
    await page.goto(`${browsing.url}/api/v2/api-keys`);
    await open(page, 'Make an API key');
    await fieldIn(page, 'Name').fill('Till');
    await page.getByRole('checkbox', { name: 'orders:read' }).check();
    await press(page, 'Make an API key');
    const key = await secretOn(page, 'key');
    expect(await statusOf(browsing.url, key)).toBe(200);
    await openIt(page, 'Till');
    await confirm(page, 'Revoke this API key');
    expect(await statusOf(browsing.url, key)).toBe(401);

    // The shopkeeper signs out everywhere. The sign-in of another browser ends too.
    const phone = await browsing.visit('/api/v2/orders');
    await withPassword(phone.page);
    await own.page.getByText('Signed in: Ada Lovelace').click();
    await press(own.page, 'Sign out everywhere');
    await own.page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await expect
      .poll(async () => {
        await phone.page.goto(`${browsing.url}/api/v2/orders`);
        return phone.page.locator('#sign-in').isVisible();
      })
      .toBe(true);
    await page.getByText('Signed in: STORE_ADMIN_KEY').click();
    await press(page, 'Sign out');
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await page.evaluate('sessionStorage.getItem("store:session")')).toBeNull();
    expect(unexpected(own.faults, 401)).toEqual([]);
    expect(unexpected(shop.faults, 401, 412)).toEqual([]);
    expect(till.faults).toEqual([]);
    expect(unexpected(phone.faults, 401)).toEqual([]);
  });

  it('shows every new order on the board', async () => {
    await browsing.call('POST', '/api/v2/products', {
      name: 'Chair',
      price: { amount: 100, currency: 'USD' },
    });
    const { page, faults } = await browsing.visitSignedIn('/board');
    await isLive(page);
    const placed: number[] = [];
    for (let count = 0; count < ORDERS; count += 1) placed.push(await place());
    const shown = () =>
      page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('#list > li')].map(({ dataset }) => Number(dataset.id))",
      );
    await expect.poll(async () => (await shown()).slice(0, ORDERS)).toEqual(placed.toReversed());
    expect(faults).toEqual([]);
  });

  it('without JavaScript, includes the tasks of a user, and the pages say how to do other tasks', async () => {
    const made = await browsing.call('POST', '/api/v2/products', {
      name: 'Plain soap',
      price: { amount: 300, currency: 'USD' },
    });
    const { id } = (await made.json()) as { id: number };
    const order = { user_id: 1, items: [{ product_id: id, quantity: 1 }] };
    await browsing.call('POST', '/api/v2/orders', order);
    // The credentials are those that the visitor enters into the dialog of the browser.
    const { page, faults } = await browsing.visit('/', {
      javaScriptEnabled: false,
      acceptDownloads: true,
      httpCredentials: { username: EMAIL, password: PASSWORD },
    });
    const said = async (address: string, words: string) => {
      await page.goto(browsing.url + address);
      expect(await page.locator('noscript .ask').first().innerText()).toContain(words);
    };
    await said('/sign-in', 'JavaScript');
    await said('/imports', 'npm run store -- import');
    await said('/board', 'the board shows orders only after you have signed in');
    // A password gives no right to change products.
    await said(`/api/v2/products/${id}`, 'JavaScript');
    expect(await page.locator('.action-form:visible').count()).toBe(0);
    // The catalogue can be read, filtered and opened.
    await page.goto(`${browsing.url}/api/v2/products`);
    await page.locator('.filters summary').click();
    await page.locator('.filters').getByLabel('Search', { exact: true }).fill('soap');
    await page.locator('.filters').getByRole('button').first().click();
    await page.getByRole('cell', { name: 'Plain soap' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: String(id), exact: true }).click();
    await page.getByRole('heading', { name: 'Plain soap' }).waitFor();
    // Orders need a credential. The page leads to the sign-in, and the sign-in leads back.
    await page.goto(`${browsing.url}/api/v2/orders`);
    expect(await page.locator('#curl').innerText()).toContain(`-H 'X-API-Key: …'`);
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page.getByRole('link', { name: 'sign in with e-mail address and password' }).click();
    await page.waitForURL('**/api/v2/orders');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    // The browser sends the password by itself, to all pages and files.
    await page.locator('.filters summary').click();
    await page.locator('.filters').getByLabel('status').selectOption('pending');
    await page.locator('.filters').getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/api/v2/orders?status=pending');
    await page.locator('[data-answer] td a').first().click();
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    await page.goto(`${browsing.url}/api/v2/users/1`);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.goto(`${browsing.url}/board`);
    await page.locator('noscript').getByRole('link', { name: 'list of orders' }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All as CSV' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).split('\n').length).toBeGreaterThan(2);
    // The user enters an order with two lines, removes the wrong line, and cancels the placed order.
    await page.goto(`${browsing.url}/api/v2/orders`);
    await open(page, 'Place an order');
    await fieldIn(page, 'User').fill('1');
    await fieldIn(page, 'Product').nth(0).fill(String(id));
    await fieldIn(page, 'Quantity').nth(0).fill('2');
    await fieldIn(page, 'Product').nth(2).fill('999999');
    await fieldIn(page, 'Quantity').nth(2).fill('1');
    await press(page, 'Place an order');
    const wrong = page.locator('[aria-invalid="true"]');
    await wrong.waitFor();
    expect(await wrong.inputValue()).toBe('999999');
    await picture(page, 'form-without-script');
    await fieldIn(page, 'Product').nth(1).fill('');
    await fieldIn(page, 'Quantity').nth(1).fill('');
    await press(page, 'Place an order');
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    const { pathname } = new URL(page.url());
    expect(await read(pathname)).toMatchObject({
      items: [{ product_id: id, quantity: 2 }],
      status: 'pending',
    });
    await open(page, 'Move this order to another status');
    await fieldIn(page, 'Status').selectOption('cancelled');
    await press(page, 'Save');
    await page.waitForURL(`**${pathname}`);
    expect(await read(pathname)).toMatchObject({ status: 'cancelled' });
    // The user changes the name, although somebody else changed it meanwhile.
    await page.goto(`${browsing.url}/api/v2/users/1`);
    await open(page, 'Change this user');
    await fieldIn(page, 'Name').fill('Ada King');
    await browsing.call('PATCH', '/api/v2/users/1', { name: 'Ada Byron' });
    await press(page, 'Save');
    await page.getByText('Somebody changed this row while you were here').waitFor();
    expect(await page.locator('.told tbody tr').innerText()).toBe('Name\tAda Byron\tAda King');
    await picture(page, 'form-race-without-script');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Ada King' }).waitFor();
    // The user makes a key, and revokes it.
    await page.goto(`${browsing.url}/api/v2/api-keys`);
    await open(page, 'Make an API key');
    await fieldIn(page, 'Name').fill('Phone');
    await page.locator('.action-form[open] input[name=user_id]').fill('1');
    await press(page, 'Make an API key');
    const key = await secretOn(page, 'key');
    expect(await statusOf(browsing.url, key)).toBe(200);
    await openIt(page, 'Phone');
    await confirmPlainly(page, 'Revoke this API key', 'Phone');
    await expect.poll(() => statusOf(browsing.url, key)).toBe(401);
    // Other data of the store cannot be read.
    await page.goto(`${browsing.url}/api/v2/clients`);
    await page.getByRole('heading', { name: '403' }).waitFor();
    // The browser forgets the password.
    await page.goto(`${browsing.url}/sign-in`);
    await page.getByRole('link', { name: 'sign out' }).click();
    await page.getByRole('heading', { name: 'The sign-in of the browser has ended' }).waitFor();
    await page.goto(`${browsing.url}/api/v2/orders`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
    expect(unexpected(faults, 400, 401, 403, 404, 412)).toEqual([]);
  }, 120_000);
});
