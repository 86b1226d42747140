import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeInBrowser,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';
import { faultOf, fieldIn, open, press, unexpected } from '../support/clients/page-forms.js';

const CRAB = '🦀';

const usd = (amount: number) => ({ amount, currency: 'USD' });

/** The name that the form shows for the row whose id is in a field. */
const nameOf = (page: Page, label: string) =>
  fieldIn(page, label).locator('xpath=ancestor::*[@data-field][1]').locator('output').innerText();

describeInBrowser('the entries of a form', () => {
  let browsing: Browsing;
  let mug: number;
  let ada: number;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    mug = await create('/api/v2/products', { name: 'Lighthouse mug', price: usd(1250) });
    for (const name of ['Lighthouse mug, large', 'Rope', 'ROPE'])
      await create('/api/v2/products', { name, price: usd(700) });
    ada = await create('/api/v2/users', { name: 'Ada Lindqvist', email: 'ada@example.com' });
    await create('/api/v2/users', { name: 'Ada Lindqvist-Berg', email: 'berg@example.com' });
  });
  afterAll(() => browsing.close());

  const create = async (path: string, body: unknown): Promise<number> =>
    ((await (await browsing.call('POST', path, body)).json()) as { id: number }).id;
  const read = async (path: string) => (await browsing.call('GET', path)).json();
  const visit = async (path: string) => {
    const visited = await browsing.visitSignedIn(path);
    await visited.page.getByText('Signed in:').waitFor();
    return visited;
  };
  describe('that refer to a row', () => {
    it('may be its exact name or address: the form replaces it by the id when the visitor leaves the field', async () => {
      const { page, faults } = await visit('/api/v2/orders');
      await open(page, 'Place an order');
      await fieldIn(page, 'User').fill(' ADA@example.com ');
      await fieldIn(page, 'Product').fill('lighthouse MUG');
      await expect.poll(() => fieldIn(page, 'User').inputValue()).toBe(String(ada));
      expect(await nameOf(page, 'User')).toBe('Ada Lindqvist · ada@example.com');
      await fieldIn(page, 'Quantity').fill('2');
      await expect.poll(() => fieldIn(page, 'Product').inputValue()).toBe(String(mug));
      expect(await nameOf(page, 'Product')).toBe('Lighthouse mug');
      expect(faults).toEqual([]);
    });

    it('may be its exact name, even if the visitor sends the form without leaving the field', async () => {
      const { page, faults } = await visit('/api/v2/orders');
      await open(page, 'Place an order');
      await fieldIn(page, 'Quantity').fill('2');
      await fieldIn(page, 'Product').fill('Lighthouse mug');
      await fieldIn(page, 'User').fill('Ada Lindqvist');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
      const order = await read(new URL(page.url()).pathname);
      expect(order).toMatchObject({ user_id: ada, items: [{ product_id: mug, quantity: 2 }] });
      expect(faults).toEqual([]);
    });

    it('may not be a part of a name, or the name of two rows: the fault says what to do', async () => {
      const { page, faults } = await visit('/api/v2/orders');
      await open(page, 'Place an order');
      await fieldIn(page, 'User').fill('Ada');
      await fieldIn(page, 'Product').fill('Rope');
      await fieldIn(page, 'Quantity').fill('2');
      await press(page, 'Place an order');
      await expect.poll(() => faultOf(page, 'User')).toBe('Choose one of the suggestions, or enter the id.');
      expect(await faultOf(page, 'Product')).toBe('Choose one of the suggestions, or enter the id.');
      expect([await fieldIn(page, 'User').inputValue(), await fieldIn(page, 'Product').inputValue()]).toEqual(
        ['Ada', 'Rope'],
      );
      expect(faults).toEqual([]);
    });

    it('must be the id if the visitor may not read the rows', async () => {
      const { key } = (await (
        await browsing.call('POST', '/api/v2/api-keys', {
          name: 'Till',
          scopes: ['orders:read', 'orders:write'],
        })
      ).json()) as { key: string };
      const { page, faults } = await browsing.visit('/api/v2/orders');
      await signInWithKey(page, key);
      await open(page, 'Place an order');
      expect(await page.locator('.action-form[open] [data-field=user_id]').innerText()).toContain(
        'The user who orders. Enter the id.',
      );
      await fieldIn(page, 'User').fill('Ada Lindqvist');
      await press(page, 'Place an order');
      await expect.poll(() => faultOf(page, 'User')).toBe('Enter the id of the row. It is a number.');
      expect(unexpected(faults, 403)).toEqual([]);
    });

    it('may be typed as an id that does not exist: no request fails meanwhile', async () => {
      const { page, faults } = await visit('/api/v2/orders');
      await open(page, 'Place an order');
      await fieldIn(page, 'User').pressSequentially('999999', { delay: 300 });
      await fieldIn(page, 'User').fill(String(ada));
      await page.waitForTimeout(500);
      expect(faults).toEqual([]);
      await page.keyboard.press('Tab');
      await expect.poll(() => nameOf(page, 'User')).toBe('Ada Lindqvist · ada@example.com');
      await fieldIn(page, 'User').fill('999999');
      await page.keyboard.press('Tab');
      await expect.poll(() => nameOf(page, 'User')).toBe('There is no row with this id.');
    });
  });

  it('for an amount of money have no thousands separator: the fault shows a valid amount', async () => {
    const { page, faults } = await visit('/api/v2/products');
    await open(page, 'Create a product');
    await fieldIn(page, 'Name').fill('Lamp');
    await fieldIn(page, 'Price').fill('1,250.00');
    await press(page, 'Create a product');
    await expect
      .poll(() => faultOf(page, 'Price'))
      .toBe('Enter an amount such as 18.50, without a thousands separator.');
    expect(faults).toEqual([]);
  });

  it('stay after “Take theirs” in the fields that nobody else changed', async () => {
    const id = await create('/api/v2/products', { name: 'Lamp', description: 'A lamp.', price: usd(1000) });
    const path = `/api/v2/products/${id}`;
    const { page, faults } = await visit(path);
    await open(page, 'Change this product');
    await fieldIn(page, 'Description').fill('A lamp for storms.');
    await fieldIn(page, 'Price').fill('20');
    await browsing.call('PATCH', path, { name: 'Lantern', price: usd(1500) });
    await press(page, 'Save');
    await press(page, 'Take theirs');
    await expect.poll(() => fieldIn(page, 'Price').inputValue()).toBe('15.00');
    expect(await fieldIn(page, 'Name').inputValue()).toBe('Lantern');
    expect(await fieldIn(page, 'Description').inputValue()).toBe('A lamp for storms.');
    await page.getByRole('status').filter({ hasText: 'Your other entries are still here.' }).waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PATCH'),
      press(page, 'Save'),
    ]);
    expect(request.postDataJSON()).toEqual({ description: 'A lamp for storms.' });
    await page.getByRole('heading', { name: 'Lantern' }).waitFor();
    expect(unexpected(faults, 412)).toEqual([]);
  });

  it('are not cut if they are too long, and are counted as the service counts them', async () => {
    const { page, faults } = await visit('/api/v2/products');
    await open(page, 'Create a product');
    await fieldIn(page, 'Price').fill('7');
    await fieldIn(page, 'Name').focus();
    await page.keyboard.insertText('x'.repeat(250));
    expect(await fieldIn(page, 'Name').inputValue()).toBe('x'.repeat(250));
    await press(page, 'Create a product');
    await expect.poll(() => faultOf(page, 'Name')).toBe('At most 200 characters; you entered 250.');
    expect(await fieldIn(page, 'Name').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(CRAB.repeat(150));
    await press(page, 'Create a product');
    await page.getByRole('heading', { name: CRAB.repeat(150) }).waitFor();
    expect(await read(new URL(page.url()).pathname)).toMatchObject({ name: CRAB.repeat(150) });
    expect(faults).toEqual([]);
  });

  it('stay when the visitor follows a link to a place of the same page', async () => {
    const { page, faults } = await visit('/api/v2/products');
    await open(page, 'Create a product');
    await fieldIn(page, 'Name').fill('Half a name');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('link', { name: 'Skip to the answer' }).press('Enter');
    await page.waitForURL('**/products#main');
    await page.goBack();
    await page.waitForURL('**/products');
    expect(await fieldIn(page, 'Name').inputValue()).toBe('Half a name');
    expect(requested).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('may be empty in a field that may be null: a stock that is not counted', async () => {
    const stock = `/api/v2/products/${mug}/stock`;
    await browsing.call('PUT', stock, { quantity: 7 });
    const { page, faults } = await visit(stock);
    expect(await page.locator('h1').innerText()).toBe(`Counted stock of product ${mug}`);
    await open(page, 'Set the counted stock');
    await fieldIn(page, 'Quantity').fill('');
    await press(page, 'Save');
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(await read(stock)).toMatchObject({ quantity: null });
    expect(faults).toEqual([]);
  });

  it('may be a date up to the last second of the year 9999', async () => {
    const { page } = await visit('/api/v2/api-keys');
    await open(page, 'Make an API key');
    await fieldIn(page, 'Name').fill('Late');
    await fieldIn(page, 'products:read').check();
    const end = fieldIn(page, 'Valid until');
    expect(await end.getAttribute('max')).toBe('9999-12-31T23:59:59');
    await end.fill('9999-12-31T23:59:59');
    await press(page, 'Make an API key');
    await page.getByRole('region', { name: 'Shown only once' }).waitFor();
  });

  it('of several lines have a fault for each wrong line, with the number of the line', async () => {
    const { page, faults } = await visit('/api/v2/clients');
    await open(page, 'Make');
    await fieldIn(page, 'Name').fill('Reports');
    await fieldIn(page, 'authorization_code').check();
    const lines = ['https://a.example/b', 'https://a.example/b#c', `https://a.example/${'d'.repeat(3_000)}`];
    await fieldIn(page, 'Addresses to return to').fill(lines.join('\n'));
    await page.locator('.action-form[open] .actions button').last().click();
    await expect
      .poll(() => faultOf(page, 'Addresses to return to'))
      .toMatch(/^line 2 .+; line 3 must be at most \d+/);
    expect(unexpected(faults, 400)).toEqual([]);
  });

  it('of other forms stay after “Keep it”, and the table of changes shows yes or no, as the field does', async () => {
    const id = await create('/api/v2/products', { name: 'Anchor', price: usd(900) });
    const path = `/api/v2/products/${id}`;
    const { page, faults } = await visit(path);
    await open(page, 'Change this product');
    await fieldIn(page, 'Description').fill('Half a text');
    await open(page, 'Delete this product');
    await browsing.call('PATCH', path, { in_stock: false });
    await press(page, 'Delete this product');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this product' }).click();
    const row = page.locator('.told tr', { hasText: 'In stock' });
    await row.waitFor();
    expect((await row.innerText()).split('\t')).toEqual(['In stock', 'yes', 'no']);
    await press(page, 'Keep it');
    await page.getByRole('button', { name: 'Keep it' }).waitFor({ state: 'detached' });
    const description = page.locator('.action-form[open]').getByLabel('Description');
    await expect.poll(() => description.inputValue()).toBe('Half a text');
    expect(unexpected(faults, 412)).toEqual([]);
  });

  it('for a price may have blanks around the amount, as after pasting', async () => {
    const { page, faults } = await visit('/api/v2/products');
    await open(page, 'Create a product');
    await fieldIn(page, 'Name').fill('Buoy');
    await fieldIn(page, 'Price').fill(' 18.5 ');
    await press(page, 'Create a product');
    await page.getByRole('heading', { name: 'Buoy' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('for an e-mail address ask the device for its keyboard for e-mail addresses', async () => {
    const { page } = await visit('/api/v2/users');
    await open(page, 'Create a user');
    expect(await fieldIn(page, 'E-mail address').getAttribute('inputmode')).toBe('email');
  });

  it('may be missing: the form of a new secret says when the old secret then ends', async () => {
    const id = await create('/api/v2/api-keys', { name: 'Phone', scopes: [] });
    const { page } = await visit(`/api/v2/api-keys/${id}`);
    await open(page, 'Give this API key a new secret');
    expect(await page.locator('.action-form[open] [data-field=overlap_seconds]').innerText()).toContain(
      'If empty, a day (86,400 seconds). If 0, it ends immediately.',
    );
  });
});
