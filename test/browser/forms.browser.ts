import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { seriousFaults } from '../support/clients/axe.js';
import {
  ADMIN_KEY,
  describeInBrowser,
  enterKey,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';
import { faultOf, fieldIn, open, press, unexpected } from '../support/clients/page-forms.js';

const ATTACK = '<img src=x onerror=alert(1)>"\'</textarea>';

const stored = (page: Page) => page.evaluate<Record<string, string>>('({ ...sessionStorage })');

/** Signs in with a key on the page `/sign-in`, and waits for the page that follows. */
const signInAgain = async (page: Page, key: string, path: string): Promise<void> => {
  await enterKey(page, key);
  await page.waitForURL(`**${path}`);
  await page.getByText('Signed in:').waitFor();
};

describeInBrowser('the forms of the pages', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    // All visitors of the tests have one address, and together they send more requests than an address may send.
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    await browsing.call('POST', '/api/v2/users', { name: 'Ada Lovelace', email: 'ada@example.com' });
  });
  afterAll(() => browsing.close());

  let product: { id: number };
  beforeEach(async () => {
    const made = await browsing.call('POST', '/api/v2/products', {
      name: 'Lighthouse mug',
      description: 'A mug.',
      price: { amount: 1250, currency: 'USD' },
    });
    product = (await made.json()) as { id: number };
  });

  const read = async (path: string) => (await browsing.call('GET', path)).json();
  const visit = async (path: string, options?: Parameters<Browsing['visit']>[1]) => {
    const visited = await browsing.visitSignedIn(path, options);
    await visited.page.getByText('Signed in:').waitFor();
    return visited;
  };

  it('create a product: they know the limits, show each fault at its field, and keep the entries', async () => {
    const { page, faults } = await visit('/api/v2/products');
    await page.getByRole('heading', { name: 'Products', exact: true }).waitFor();
    await open(page, 'Create a product');
    await fieldIn(page, 'Price').fill('a lot');
    await fieldIn(page, 'Description').fill('For tea.');
    await picture(page, 'form-create');
    await page.getByRole('button', { name: 'Create a product' }).click();
    const name = fieldIn(page, 'Name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').getAttribute('id')).toBe(await name.getAttribute('id'));
    expect(await faultOf(page, 'Price')).not.toBe('');
    expect(await fieldIn(page, 'Price').getAttribute('aria-describedby')).toContain('price-fault');

    await name.fill('Storm lantern');
    await fieldIn(page, 'Price').fill('99999999');
    await page.getByRole('button', { name: 'Create a product' }).click();
    await expect.poll(() => faultOf(page, 'Price')).toBe('Enter an amount from 0 to 10,000,000.');
    await picture(page, 'form-faults');
    expect(await fieldIn(page, 'Description').inputValue()).toBe('For tea.');
    await fieldIn(page, 'Price').fill('19.9');
    await page.getByRole('button', { name: 'Create a product' }).click();
    await page.getByRole('heading', { name: 'Storm lantern' }).waitFor();
    const path = new URL(page.url()).pathname;
    expect(await read(path)).toMatchObject({
      name: 'Storm lantern',
      description: 'For tea.',
      price: { amount: 1990, currency: 'USD' },
    });
    expect(unexpected(faults, 400)).toEqual([]);
  });

  it('show a conflict at the field that it is about', async () => {
    const { page, faults } = await visit('/api/v2/users');
    await browsing.call('POST', '/api/v2/users', { name: 'Ada', email: 'ada.twice@example.com' });
    await open(page, 'Create a user');
    await fieldIn(page, 'Name').fill('Ada');
    await fieldIn(page, 'E-mail address').fill('ADA.twice@example.com');
    await page.getByRole('button', { name: 'Create a user' }).click();
    await expect.poll(() => faultOf(page, 'E-mail address')).toMatch(/^Another user has the e-mail address/);
    expect(await fieldIn(page, 'E-mail address').getAttribute('aria-invalid')).toBe('true');
    expect(unexpected(faults, 409)).toEqual([]);
  });

  it('show at the field “Present password” that the password is missing or wrong', async () => {
    const made = await browsing.call('POST', '/api/v2/users', {
      name: 'Grace',
      email: 'grace.password@example.com',
      password: 'correct horse battery',
    });
    const { id } = (await made.json()) as { id: number };
    const given = await browsing.call('POST', '/api/v2/api-keys', { name: 'Phone', user_id: id, scopes: [] });
    const { page, faults } = await browsing.visit(`/api/v2/users/${id}`);
    await signInWithKey(page, ((await given.json()) as { key: string }).key);
    await open(page, 'Change this user');
    await page
      .locator('.action-form[open]')
      .getByLabel(/^Password/)
      .fill('another horse battery');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => faultOf(page, 'Present password')).toBe('must be the present password');
    await fieldIn(page, 'Present password').fill('a wrong horse');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => faultOf(page, 'Present password')).toBe('is not the present password');
    await fieldIn(page, 'Present password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(unexpected(faults, 401, 403)).toEqual([]);
  });

  it('change a product: only the changed members are sent', async () => {
    const { page, faults } = await visit(`/api/v2/products/${product.id}`);
    await page.getByRole('heading', { name: 'Lighthouse mug' }).waitFor();
    await open(page, 'Change this product');
    expect(await fieldIn(page, 'Price').inputValue()).toBe('12.50');
    await fieldIn(page, 'Price').fill('13');
    await fieldIn(page, 'Description').fill('');
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ price: { amount: 1300, currency: 'USD' }, description: null });
    expect(request.headers()['if-match']).toMatch(/^"1-/);
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(await page.getByText('13.00 USD').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('show both versions of each field that somebody else changed after a 412, and save what the visitor chooses', async () => {
    const path = `/api/v2/products/${product.id}`;
    const { page, faults } = await visit(path);
    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('20');
    await browsing.call('PATCH', path, { name: 'Beacon mug', price: { amount: 1500, currency: 'USD' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody changed this row').waitFor();
    await picture(page, 'form-race');
    const rows = await page.locator('.told tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Name', 'Beacon mug', 'not changed'],
      ['Price', '15.00', '20.00'],
    ]);
    expect(await read(path)).toMatchObject({ price: { amount: 1500 } });
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByRole('heading', { name: 'Beacon mug' }).waitFor();
    expect(await read(path)).toMatchObject({ name: 'Beacon mug', price: { amount: 2000 } });

    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('30');
    await browsing.call('PATCH', path, { price: { amount: 1600, currency: 'USD' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => fieldIn(page, 'Price').inputValue()).toBe('16.00');
    expect(await read(path)).toMatchObject({ price: { amount: 1600 } });
    expect(unexpected(faults, 412)).toEqual([]);
  });

  it('show what somebody changed before a deletion, and delete only after a second question', async () => {
    const made = await browsing.call('POST', '/api/v2/products', {
      name: 'Rope',
      price: { amount: 700, currency: 'USD' },
    });
    const path = `/api/v2/products/${((await made.json()) as { id: number }).id}`;
    const { page, faults } = await visit(path);
    const remove = async (): Promise<void> => {
      await open(page, 'Delete this product');
      await page.locator('.action-form[open]').getByRole('button', { name: 'Delete this product' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete this product' }).click();
    };
    await browsing.call('PATCH', path, { name: 'Thick rope', price: { amount: 900, currency: 'USD' } });
    await remove();
    await page.getByText('Nothing is deleted yet').waitFor();
    const rows = await page.locator('.told tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Name', 'Rope', 'Thick rope'],
      ['Price', '7.00', '9.00'],
    ]);
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'Thick rope' }).waitFor();
    await browsing.call('PATCH', path, { name: 'Rope' });
    await remove();
    await page.getByRole('button', { name: 'Do it anyway' }).click();
    await page.getByRole('status').filter({ hasText: 'Deleted.' }).waitFor();
    expect((await browsing.call('GET', path)).status).toBe(404);
    expect(unexpected(faults, 412)).toEqual([]);
  });

  it('keep the entries when the present row cannot be read after a 412', async () => {
    const path = `/api/v2/products/${product.id}`;
    const { page } = await visit(path);
    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('21');
    await browsing.call('PATCH', path, { price: { amount: 1700, currency: 'USD' } });
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('the present values cannot be read').waitFor();
    expect(await fieldIn(page, 'Price').inputValue()).toBe('21');
    await page.unroute(`**${path}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => read(path)).toMatchObject({ price: { amount: 2100 } });
  });

  it('suggest products, show a fault at the field of its line, and place only one order on a double click', async () => {
    const before = (await read('/api/v2/orders')) as { page: { total: number } };
    const { page, faults } = await visit('/api/v2/orders');
    await open(page, 'Place an order');
    await fieldIn(page, 'User').fill('1');
    await page.locator('output', { hasText: 'Ada Lovelace' }).waitFor();
    await fieldIn(page, 'Product').fill('Lighthouse');
    await page.locator(`datalist option[value="${product.id}"]`).waitFor({ state: 'attached' });
    await fieldIn(page, 'Product').fill(String(product.id));
    await page.locator('output', { hasText: 'Lighthouse mug' }).waitFor();
    await fieldIn(page, 'Quantity').fill('2');
    await page.getByRole('button', { name: 'Add a line' }).click();
    await fieldIn(page, 'Product').nth(1).fill('999999');
    await fieldIn(page, 'Quantity').nth(1).fill('1');
    await picture(page, 'form-order');
    await page.getByRole('button', { name: 'Place an order' }).click();
    await expect.poll(() => fieldIn(page, 'Product').nth(1).getAttribute('aria-invalid')).toBe('true');
    expect(await fieldIn(page, 'Product').first().getAttribute('aria-invalid')).toBeNull();
    await page.getByRole('button', { name: 'Remove this line' }).nth(1).click();
    await page.getByRole('button', { name: 'Place an order' }).dblclick();
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    const after = (await read('/api/v2/orders')) as { page: { total: number } };
    expect(after.page.total).toBe(before.page.total + 1);
    expect(unexpected(faults, 400, 404)).toEqual([]);
  });

  it.for(['/api/v2/orders', '/api/v1/orders'])(
    'suggest users for an order on %s by name and by e-mail address, with the keyboard alone',
    async (path) => {
      const grace = await browsing.call('POST', '/api/v2/users', {
        name: 'Grace Hopper',
        email: `grace.${path.slice(5, 7)}@navy.example`,
      });
      const { id } = (await grace.json()) as { id: number };
      const { page, faults } = await visit(path);
      await page.locator('summary', { hasText: 'Place an order' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      const option = page.locator(`datalist option[value="${id}"]`);
      for (const text of ['hOPp', `${path.slice(5, 7)}@NAVY`]) {
        await page.keyboard.press('Control+A');
        await page.keyboard.type('zzz');
        await option.waitFor({ state: 'detached' });
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
        await option.waitFor({ state: 'attached' });
        expect(await option.getAttribute('label')).toContain('Grace Hopper');
      }
      expect(await seriousFaults(page)).toEqual([]);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(String(id));
      // A screen reader says the name, because an `output` is a live region.
      const name = page.locator('output', { hasText: 'Grace Hopper' });
      await name.waitFor();
      const user = fieldIn(page, 'User');
      expect(await name.getAttribute('for')).toBe(await user.getAttribute('id'));
      expect(faults).toEqual([]);
    },
  );

  it('place only one order if the answer is lost and the visitor sends the form again', async () => {
    const before = (await read('/api/v2/orders')) as { page: { total: number } };
    const { page } = await visit('/api/v2/orders');
    await open(page, 'Place an order');
    await fieldIn(page, 'User').fill('1');
    await fieldIn(page, 'Product').fill(String(product.id));
    await fieldIn(page, 'Quantity').fill('1');
    let isLost = false;
    await page.route('**/api/v2/orders', async (route) => {
      if (route.request().method() !== 'POST' || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Place an order' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Place an order' }).click();
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    const after = (await read('/api/v2/orders')) as { page: { total: number } };
    expect(after.page.total).toBe(before.page.total + 1);
  });

  it('ask before the deletion of a product, and say that its stock is deleted too', async () => {
    const path = `/api/v2/products/${product.id}`;
    const { page, faults } = await visit(path);
    await open(page, 'Delete this product');
    await page.getByRole('button', { name: 'Delete this product' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Deletes the product and its stock permanently').waitFor();
    await picture(page, 'form-delete');
    await page.keyboard.press('Escape');
    expect((await browsing.call('GET', path)).status).toBe(200);
    await page.getByRole('button', { name: 'Delete this product' }).click();
    await dialog.getByRole('button', { name: 'Delete this product' }).click();
    await page.waitForURL('**/api/v2/products');
    expect((await browsing.call('GET', path)).status).toBe(404);
    expect(faults).toEqual([]);
  });

  it('show a new key once, with a button that copies it, and give it a new secret', async () => {
    const { page, faults } = await visit('/api/v2/api-keys', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await open(page, 'Make an API key');
    await fieldIn(page, 'Name').fill('Till');
    await page.getByRole('checkbox', { name: 'orders:read' }).check();
    await fieldIn(page, 'Valid until').fill('2999-01-01T00:00');
    await page.getByRole('button', { name: 'Make an API key' }).click();
    const once = page.getByRole('region', { name: 'Shown only once' });
    await once.waitFor();
    await picture(page, 'form-once');
    await once.getByRole('button', { name: 'Copy' }).click();
    const key = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(key).toMatch(/^sk_\d+_/);
    const asked = await fetch(`${browsing.url}/api/v2/credential`, { headers: { 'x-api-key': key } });
    expect(await asked.json()).toMatchObject({ name: 'Till', scopes: ['orders:read'] });
    await once.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('heading', { name: 'Till' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await open(page, 'Give this API key a new secret');
    await page.getByRole('button', { name: 'Give this API key a new secret' }).click();
    await once.waitFor();
    expect(await once.locator('code').innerText()).not.toBe(key);
    await open(page, 'Revoke this API key');
    await page.getByRole('button', { name: 'Revoke this API key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke this API key' }).click();
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect((await fetch(asked.url, { headers: { 'x-api-key': key } })).status).toBe(401);
    expect(faults).toEqual([]);
  });

  it('are not sent while a required group of checkboxes has no choice', async () => {
    const { page, faults } = await visit('/api/v2/clients');
    await open(page, 'Make');
    await fieldIn(page, 'Name').fill('Till');
    const group = page.locator('.action-form[open] [data-field=grant_types]');
    await page.locator('.action-form[open] .actions button').last().click();
    expect(await group.locator(':scope > .fault').innerText()).toBe('Choose at least one.');
    expect(await group.locator('input').first().getAttribute('aria-invalid')).toBe('true');
    expect(faults).toEqual([]);
  });

  it('offer the search by name only to visitors who may read the rows', async () => {
    const { page } = await visit('/api/v2/orders');
    await open(page, 'Place an order');
    const hint = (field: string) =>
      page
        .locator(`.action-form[open] [data-field=${field}]`)
        .getByText('Type a name to find it.')
        .isVisible();
    expect([await hint('user_id'), await hint('product_id')]).toEqual([true, true]);
    const made = await browsing.call('POST', '/api/v2/api-keys', {
      name: 'Till',
      scopes: ['orders:read', 'orders:write'],
    });
    const { key } = (await made.json()) as { key: string };
    const other = await browsing.visit('/api/v2/orders');
    await signInWithKey(other.page, key);
    await open(other.page, 'Place an order');
    const shown = other.page.locator('.action-form[open] [data-find]:visible');
    await expect.poll(() => shown.count()).toBe(1);
    expect(await shown.locator('xpath=ancestor::*[@data-field][1]').getAttribute('data-field')).toBe(
      'product_id',
    );
  });

  it('keep HTML in a name and in a description as text, and show it as text', async () => {
    const { page, faults } = await visit(`/api/v2/products/${product.id}`);
    await open(page, 'Change this product');
    await fieldIn(page, 'Name').fill(ATTACK);
    await fieldIn(page, 'Description').fill(ATTACK);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: ATTACK }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: ATTACK }).waitFor();
    await open(page, 'Change this product');
    expect(await fieldIn(page, 'Name').inputValue()).toBe(ATTACK);
    expect(await fieldIn(page, 'Description').inputValue()).toBe(ATTACK);
    await browsing.call('PATCH', `/api/v2/products/${product.id}`, { name: `${ATTACK}2` });
    await fieldIn(page, 'Name').fill(`${ATTACK}3`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody changed this row').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(unexpected(faults, 412)).toEqual([]);
  });

  it('put a path parameter from a field into the address of the request, and refuse an empty value, blanks, "." and ".."', async () => {
    const { page, faults } = await browsing.visitSignedIn('/health/live');
    // No form of the store has a field for such a parameter. So the test adds one to the form for the stock of a
    // product.
    await page.route('**/stock', async (route) => {
      if (!route.request().headers()['accept']?.includes('text/html')) return route.continue();
      const answer = await route.fetch();
      const field = `<div class="field" data-field="product_id" data-control="reference" data-path>
        <label for="which">Which</label><input id="which" name="product_id" /><strong class="fault"></strong></div>`;
      const body = (await answer.text())
        .replace(/data-address="[^"]*\/stock"/, 'data-address="/api/v2/products/{product_id}/stock"')
        .replace(/(<form method="post"[\s\S]*?<div class="fields">)/, `$1${field}`);
      return route.fulfill({ response: answer, body });
    });
    await page.goto(`${browsing.url}/api/v2/products/${product.id}/stock`);
    await page.getByText('Signed in:').waitFor();
    await open(page, 'Set the counted stock');
    await fieldIn(page, 'Quantity').fill('5');
    for (const wrong of ['', ' ', '.', '..']) {
      await fieldIn(page, 'Which').fill(wrong);
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await faultOf(page, 'Which')).toBe('must be a text other than "." and ".."');
    }
    await fieldIn(page, 'Which').fill(String(product.id));
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PUT'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(new URL(request.url()).pathname).toBe(`/api/v2/products/${product.id}/stock`);
    expect(request.postDataJSON()).toEqual({ quantity: 5 });
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(await read(`/api/v2/products/${product.id}/stock`)).toMatchObject({ quantity: 5 });
    expect(faults).toEqual([]);
  });

  it('send another Idempotency-Key if the answer is lost and the visitor then changes a path parameter', async () => {
    const ids: number[] = [];
    for (const name of ['Phone', 'Till']) {
      const made = await browsing.call('POST', '/api/v2/api-keys', { name, scopes: [] });
      ids.push(((await made.json()) as { id: number }).id);
    }
    const [first, second] = ids;
    const { page } = await browsing.visitSignedIn('/health/live');
    // No form of the store sends an Idempotency-Key and also has a field for a path parameter. So the test adds such a
    // field to the form that gives an API key a new secret.
    await page.route(`**/api-keys/${first}`, async (route) => {
      if (!route.request().headers()['accept']?.includes('text/html')) return route.continue();
      const answer = await route.fetch();
      const field = `<div class="field" data-field="key_id" data-control="reference" data-path>
        <label for="which">Which</label><input id="which" name="key_id" /><strong class="fault"></strong></div>`;
      const body = (await answer.text()).replace(
        /(data-operation="rotateApiKeyV2"[\s\S]*?data-address=")[^"]*("[\s\S]*?<div class="fields">)/,
        `$1/api/v2/api-keys/{key_id}/rotate$2${field}`,
      );
      return route.fulfill({ response: answer, body });
    });
    const keys: (string | undefined)[] = [];
    await page.route('**/rotate', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.goto(`${browsing.url}/api/v2/api-keys/${first}`);
    await page.getByText('Signed in:').waitFor();
    await open(page, 'Give this API key a new secret');
    const rotate = async (id: number | undefined): Promise<void> => {
      await fieldIn(page, 'Which').fill(String(id));
      await page.getByRole('button', { name: 'Give this API key a new secret' }).click();
    };
    await rotate(first);
    await page.getByText('The service cannot be reached').waitFor();
    await rotate(second);
    await expect.poll(() => keys.length).toBe(2);
    expect(keys[1]).not.toBe(keys[0]);
    const secret = page.getByRole('region', { name: 'Shown only once' }).locator('code');
    expect(await secret.innerText()).toMatch(new RegExp(`^sk_${second}_`));
  });

  it('are shown only to callers with the rights', async () => {
    const { page } = await browsing.visit('/api/v2/products');
    expect(await page.locator('.action-form:visible').count()).toBe(0);
    const made = await browsing.call('POST', '/api/v2/api-keys', { name: 'Reader', scopes: ['orders:read'] });
    const { key } = (await made.json()) as { key: string };
    await signInWithKey(page, key);
    await page.getByText('Signed in: Reader').waitFor();
    expect(await page.locator('.action-form:visible').count()).toBe(0);
    await page.goto(`${browsing.url}/api/v2/orders`);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await page.locator('.action-form:visible').count()).toBe(0);
  });

  /** Makes a key with these scopes. A visitor can sign in with the key. */
  const makeKey = async (scopes: readonly string[]): Promise<{ id: number; key: string }> => {
    const made = await browsing.call('POST', '/api/v2/api-keys', { name: 'Brief', scopes });
    return (await made.json()) as { id: number; key: string };
  };

  /** Signs in with a key. `end` revokes this key. `again` revokes it, sends a form, and signs in with the next key. */
  const endingSession = async (path: string, scopes: readonly string[]) => {
    const { id, key } = await makeKey(scopes);
    const next = await makeKey(scopes);
    const { page } = await browsing.visit(path);
    await signInWithKey(page, key);
    await page.getByText('Signed in: Brief').waitFor();
    const end = () => browsing.call('DELETE', `/api/v2/api-keys/${id}`);
    const again = async (button: string): Promise<void> => {
      await end();
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await signInAgain(page, next.key, path);
    };
    return { page, end, again, next: next.key };
  };

  const ORDERING = ['orders:read', 'orders:write', 'users:read', 'products:write'];

  it('keep the entries when the session ends', async () => {
    const { page, again } = await endingSession('/api/v2/products', ['products:write']);
    await open(page, 'Create a product');
    await fieldIn(page, 'Name').fill('Rope');
    await fieldIn(page, 'Price').fill('7');
    await again('Create a product');
    await expect.poll(() => fieldIn(page, 'Name').inputValue()).toBe('Rope');
    expect(await fieldIn(page, 'Price').inputValue()).toBe('7.00');
  });

  it('keep the entries when a request for suggestions is refused because the session has ended', async () => {
    const { page, end, next } = await endingSession('/api/v2/orders', ORDERING);
    await open(page, 'Place an order');
    await fieldIn(page, 'Quantity').fill('3');
    await fieldIn(page, 'Product').fill(String(product.id));
    await end();
    await fieldIn(page, 'User').pressSequentially('Ad');
    await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor();
    await press(page, 'Place an order');
    await page.locator('.told').filter({ hasText: 'Your session has ended.' }).first().waitFor();
    expect(await faultOf(page, 'User')).toBe('');
    await fieldIn(page, 'User').fill('Ada');
    await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
    await signInAgain(page, next, '/api/v2/orders');
    await expect.poll(() => fieldIn(page, 'User').inputValue()).toBe('Ada');
    expect(await fieldIn(page, 'Quantity').inputValue()).toBe('3');
    expect(await fieldIn(page, 'Product').inputValue()).toBe(String(product.id));
  });

  /**
   * Types an entry of an order, and follows a link after the session has ended. Then the same holder signs in again.
   */
  const signedInAfterALink = async (): Promise<Page> => {
    const { page, end, next } = await endingSession('/api/v2/orders', ORDERING);
    await open(page, 'Place an order');
    await fieldIn(page, 'Quantity').fill('3');
    await end();
    await page.getByRole('link', { name: 'Users', exact: true }).first().click();
    await page.getByRole('heading', { name: '401' }).waitFor();
    await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
    await signInAgain(page, next, '/api/v2/users');
    return page;
  };

  it('keep the entries when the visitor follows a link after the session has ended', async () => {
    const page = await signedInAfterALink();
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await expect.poll(() => fieldIn(page, 'Quantity').inputValue()).toBe('3');
  });

  it('delete the kept entries of a visitor when somebody else signs in', async () => {
    const { page, end } = await endingSession('/api/v2/orders', ORDERING);
    await open(page, 'Place an order');
    await fieldIn(page, 'Quantity').fill('3');
    await end();
    await fieldIn(page, 'User').pressSequentially('Ad');
    await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor();
    expect(await stored(page)).toHaveProperty('store:draft');
    await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
    await signInAgain(page, ADMIN_KEY, '/api/v2/orders');
    await page.locator('summary', { hasText: 'Place an order' }).waitFor();
    expect(await page.locator('.action-form[open]').count()).toBe(0);
    await open(page, 'Place an order');
    expect(await fieldIn(page, 'Quantity').inputValue()).toBe('');
    expect(await stored(page)).not.toHaveProperty('store:draft');
  });

  it('keep no entries after “Sign out”', async () => {
    const page = await signedInAfterALink();
    expect(await stored(page)).toHaveProperty('store:draft');
    await page.getByText('Signed in: Brief').click();
    await press(page, 'Sign out');
    await page.locator('header').getByRole('link', { name: 'Sign in' }).waitFor();
    await expect.poll(() => stored(page)).toEqual({});
  });

  it('ask about a change that somebody made before the visitor signed in again', async () => {
    const path = `/api/v2/products/${product.id}`;
    const { page, again } = await endingSession(path, ['products:write']);
    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('22');
    await browsing.call('PATCH', path, { price: { amount: 2100, currency: 'USD' } });
    await again('Save');
    await expect.poll(() => fieldIn(page, 'Price').inputValue()).toBe('22.00');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody changed this row').waitFor();
    const rows = await page.locator('.told tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([['Price', '21.00', '22.00']]);
    expect(await read(path)).toMatchObject({ price: { amount: 2100 } });
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => read(path)).toMatchObject({ price: { amount: 2200 } });
  });

  it('ask no question after the sign-in if somebody changed only fields that the visitor did not change', async () => {
    const path = `/api/v2/products/${product.id}`;
    const { page, again } = await endingSession(path, ['products:write']);
    await open(page, 'Change this product');
    await fieldIn(page, 'Price').fill('22');
    await browsing.call('PATCH', path, { name: 'Beacon mug' });
    await again('Save');
    await expect.poll(() => fieldIn(page, 'Price').inputValue()).toBe('22.00');
    expect(await fieldIn(page, 'Name').inputValue()).toBe('Beacon mug');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(await read(path)).toMatchObject({ name: 'Beacon mug', price: { amount: 2200 } });
  });

  it('keep all entries except the passwords when the session ends', async () => {
    const { page, again } = await endingSession('/api/v2/users/1', ['users:read', 'users:write']);
    await open(page, 'Change this user');
    await fieldIn(page, 'Name').fill('Ada Byron');
    await page.locator('.action-form[open] [data-field=password] input').fill('a secret of Ada 123');
    await again('Save');
    await expect.poll(() => fieldIn(page, 'Name').inputValue()).toBe('Ada Byron');
    const password = page.locator('.action-form[open] [data-field=password]');
    expect(await password.locator('input').inputValue()).toBe('');
    expect(await password.locator('.fault').innerText()).toContain('Type this again.');
  });

  it('never keep a typed password in the storage of the tab', async () => {
    const { page } = await visit('/api/v2/users/1');
    await open(page, 'Change this user');
    await fieldIn(page, 'Name').fill('Ada Byron');
    await page.locator('.action-form[open] [data-field=password] input').fill('a secret of Ada 123');
    await page.route('**/api/v2/users/1', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 401, body: '{}' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(kept).toContain('Ada Byron');
    expect(kept).not.toContain('a secret of Ada');
  });

  it('keep the entries of a form when another form of the page is sent', async () => {
    const { page, faults } = await visit('/api/v2/users/1');
    await open(page, 'Change this user');
    await fieldIn(page, 'Name').fill('Ada King');
    await open(page, 'Sign this user out everywhere');
    await page.getByRole('button', { name: 'Sign this user out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign this user out everywhere' }).click();
    await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
    expect(await fieldIn(page, 'Name').inputValue()).toBe('Ada King');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => read('/api/v2/users/1')).toMatchObject({ name: 'Ada King' });
    expect(faults).toEqual([]);
    await browsing.call('PATCH', '/api/v2/users/1', { name: 'Ada Lovelace' });
  });

  it.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('fit on the screen and work by keyboard, %s at %d points', async (colorScheme, width) => {
    const { page, faults } = await visit('/api/v2/orders', { colorScheme, viewport: { width, height: 800 } });
    await page.locator('summary', { hasText: 'Place an order' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1');
    await page.keyboard.press('Tab');
    await page.keyboard.type(String(product.id));
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await picture(page, `form-order-${width}-${colorScheme}`);
    const [content, window] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    expect(content).toBeLessThanOrEqual(window);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Order \d+$/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('for products say without JavaScript that they need JavaScript', async () => {
    const { page, faults } = await browsing.visit('/api/v2/products', { javaScriptEnabled: false });
    await page.locator('.action-forms noscript .ask').waitFor();
    expect(await page.locator('.action-form:visible').count()).toBe(0);
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  });
});
