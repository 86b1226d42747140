import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  ADMIN_KEY,
  describeInBrowser,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';

const NARROW = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };
const ATTACK = '</bdi></td><script>document.title="stolen"</script><img src=x onerror=alert(1)>';

const column = (page: Page, name: string) =>
  page.locator(`[data-answer] > table > tbody > tr > td[data-name=${name}]`).allTextContents();
/** The number of points by which the content of an element is wider than the element. */
const overflowOf = (page: Page, selector: string) =>
  page.evaluate<number>(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${selector}'))`,
  );
const width = (page: Page) =>
  page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');

describeInBrowser('the HTML pages of the API', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    // A visitor who is not signed in may send 120 requests a minute, and these visitors send more.
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    const names = ['Chai', 'Chang', 'Aniseed Syrup', ATTACK];
    for (let index = 0; index < 25; index++) {
      await browsing.call('POST', '/api/v1/products', {
        name: names[index] ?? `Tea number ${index}`,
        price: index + 0.5,
        in_stock: index % 5 !== 4,
      });
    }
    await browsing.call('POST', '/api/v1/users', {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'correct horse battery staple',
    });
    for (const product_id of [1, 2, 3]) {
      await browsing.call('POST', '/api/v1/orders', {
        user_id: 1,
        items: [
          { product_id, quantity: 2 },
          { product_id: 4, quantity: 1 },
        ],
      });
    }
  });
  afterAll(() => browsing.close());

  it('sort, filter and page a list, and open its items', async () => {
    const { page, faults } = await browsing.visit('/api/v1/products');
    await page.getByRole('heading', { name: 'Products' }).waitFor();
    await picture(page, 'browse-list');
    expect(await column(page, 'id')).toHaveLength(20);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/products?page=2&limit=20');
    expect(await column(page, 'id')).toEqual(['21', '22', '23', '24', '25']);
    await page.getByRole('link', { name: 'price' }).click();
    await page.waitForURL('**/products?limit=20&sort=price');
    await page.getByRole('link', { name: 'price' }).click();
    await page.waitForURL('**/products?limit=20&sort=-price');
    expect((await column(page, 'price')).slice(0, 2)).toEqual(['24.50 USD', '23.50 USD']);
    expect(await page.getByRole('columnheader', { name: 'price' }).getAttribute('aria-sort')).toBe(
      'descending',
    );

    await page.getByLabel('Search', { exact: true }).fill('CHA');
    await page.getByLabel('Min price').fill('1');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/products?limit=20&sort=-price&q=CHA&min_price=1');
    expect(await column(page, 'name')).toEqual(['Chang']);
    await picture(page, 'browse-filtered');
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.waitForURL('**/api/v1/products');
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.waitForURL('**/api/v1/products/1');
    expect(await page.locator('dd[data-name=name]').innerText()).toBe('Chai');
    await picture(page, 'browse-item');
    await page
      .getByRole('navigation', { name: 'Where this is' })
      .getByRole('link', { name: 'products' })
      .click();
    await page.waitForURL('**/api/v1/products');
    expect(faults).toEqual([]);
  });

  it('have their header in the same place, with a table and without one', async () => {
    const { page } = await browsing.visit('/api/v2/products');
    await page.setViewportSize({ width: 1600, height: 900 });
    const home = page.getByRole('link', { name: 'Store service' }).first();
    const { x } = (await home.boundingBox()) ?? { x: null };
    // The links above the table give the same facts. So the part with `next`, `previous` and `total` is closed at
    // first.
    await page.getByText('next, previous, total').waitFor();
    expect(await page.locator('dd[data-name=total]').isVisible()).toBe(false);
    for (const path of ['/api/v2/products/1', '/board']) {
      await page.goto(browsing.url + path);
      expect(await home.boundingBox()).toMatchObject({ x });
    }
  });

  it('show a list in columns, and lay out only the rows in the window', async () => {
    for (const wide of [1160, 1600]) {
      const { page, faults } = await browsing.visit('/api/v1/products?limit=25', {
        viewport: { width: wide, height: 450 },
      });
      expect(await overflowOf(page, '[data-answer]')).toBe(0);
      // Before the first frame, the browser decides which rows it lays out.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      const shown = await page.evaluate<boolean[]>(`
        [...document.querySelectorAll('[data-answer] > table > tbody > tr')].map((row) =>
          row.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))`);
      expect([shown.length, shown[0], shown.at(-1)]).toEqual([25, true, false]);
      // Chromium lays out a row before it tells the edges of its cells.
      const edges = await page.evaluate<number[][]>(`
        [...document.querySelectorAll('[data-answer] > table tr')].map((row) =>
          [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)))`);
      expect(new Set(edges[0]).size).toBe(5);
      for (const ofRow of edges) expect(ofRow).toEqual(edges[0]);
      await page.locator('[data-answer] > table > tbody > tr').last().scrollIntoViewIfNeeded();
      expect((await column(page, 'id')).at(-1)).toBe('25');
      expect(faults).toEqual([]);
    }
  });

  it('keep an amount of money in one line, beside long texts', async () => {
    const description = 'Tea with spices, which is cooked with milk. '.repeat(5).trim();
    const made = await browsing.call('POST', '/api/v2/products', {
      name: 'Masala tea '.repeat(10).trim(),
      description,
      price: { amount: 1_234_550, currency: 'USD' },
    });
    const { id } = (await made.json()) as { id: number };
    onTestFinished(async () => void (await browsing.call('DELETE', `/api/v2/products/${id}`)));
    for (const wide of [1160, 1280, 390]) {
      const { page } = await browsing.visit('/api/v2/products?sort=-id&limit=5', {
        viewport: { width: wide, height: 800 },
      });
      const heights = await page
        .locator('td[data-name=price] > data')
        .evaluateAll((all) => all.map((each) => each.getClientRects().length));
      expect(heights).toEqual([1, 1, 1, 1, 1]);
      expect(await overflowOf(page, '[data-answer]')).toBe(0);
      expect(await overflowOf(page, 'td[data-name=price]')).toBe(0);
    }
  });

  it('show a long list inside an answer only after the visitor opens it', async () => {
    const { page } = await browsing.visitSignedIn('/api/v2/orders/summary', {
      viewport: { width: 390, height: 844 },
    });
    const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
    await page.locator('dd[data-name=statuses] tbody > tr').first().waitFor();
    expect(await height()).toBeLessThan(1_500);
    await page.getByText('30 days').click();
    expect(await page.locator('dd[data-name=days] tbody > tr').last().isVisible()).toBe(true);
    expect(await page.locator('dd[data-name=minutes] tbody > tr').count()).toBe(60);
    expect(await page.locator('dd[data-name=minutes] tbody > tr').first().isVisible()).toBe(false);
  });

  it('show the lines of an order inside its row', async () => {
    const { page } = await browsing.visit('/api/v1/orders', { viewport: { width: 1160, height: 600 } });
    await signInWithKey(page, ADMIN_KEY);
    const cell = page.locator('[data-answer] > table > tbody > tr').first().locator('td[data-name=items]');
    await cell.locator('summary').click();
    expect(await cell.locator('table > tbody > tr').count()).toBe(2);
    expect(await overflowOf(page, '[data-answer] > table > tbody > tr > td[data-name=items]')).toBe(0);
  });

  it('work without a script', async () => {
    const { page, faults } = await browsing.visit('/api/v1/products', { javaScriptEnabled: false });
    await page.getByText('Filter and sort').click();
    await page.getByLabel('Search', { exact: true }).fill('chang');
    await page.getByRole('checkbox', { name: 'name' }).check();
    await page.getByRole('checkbox', { name: 'price' }).check();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/products?q=chang&fields=name%2Cprice');
    expect(await column(page, 'name')).toEqual(['Chang']);
    expect(await page.getByRole('columnheader').count()).toBe(2);
    await page.goto(`${browsing.url}/api/v1/orders`);
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page
      .locator('noscript')
      .getByRole('link', { name: 'sign in with e-mail address and password' })
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('ask for a credential, keep it for the tab, send it with requests, and forget it after “Sign out”', async () => {
    const { page, faults } = await browsing.visit('/api/v1/orders');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await picture(page, 'browse-refused');
    await signInWithKey(page);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(page.url()).toBe(`${browsing.url}/api/v1/orders`);
    expect(await column(page, 'total')).toHaveLength(3);
    await picture(page, 'browse-orders');

    await page.getByRole('link', { name: '2', exact: true }).click();
    await page.getByRole('heading', { name: 'Order 2' }).waitFor();
    expect(page.url()).toBe(`${browsing.url}/api/v1/orders/2`);
    await picture(page, 'browse-order');
    await page.locator('dd[data-name=user_id] a').click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'orders', exact: true }).last().click();
    await page.waitForURL('**/users/1/orders');
    await page.getByRole('heading', { name: 'orders of' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('link', { name: 'JSON' }).click();
    await page.locator('pre.raw').filter({ hasText: '{"user":{"id":1,"name":"Ada Lovelace"' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();

    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])',
    );
    expect(JSON.parse(kept)).toEqual([
      { 'store:session': expect.stringContaining(ADMIN_KEY) as string },
      {},
      '',
    ]);
    expect(await page.content()).not.toContain(ADMIN_KEY);
    await page.getByText('Signed in: STORE_ADMIN_KEY').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(faults).toEqual([]);
  });

  it('are shown again after a reload with the stored credential, and request their data once', async () => {
    const { page, faults } = await browsing.visit('/api/v1/orders');
    await signInWithKey(page);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/orders') && request.headers()['x-api-key'])
        asked.push(request.url());
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(asked).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('download a file of the whole list, with the credential', async () => {
    const { page, faults } = await browsing.visit('/api/v2/orders?status=pending');
    await signInWithKey(page);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All as NDJSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('orders.ndjson');
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2, 3]);
    await page.getByText('Saved.').waitFor();
    expect(faults).toEqual([]);
  });

  it('show entered values as text, even if they contain HTML', async () => {
    const { page, faults } = await browsing.visit('/api/v1/products/4');
    expect(await page.locator('dd[data-name=name] bdi').textContent()).toBe(ATTACK);
    await page.goto(`${browsing.url}/api/v1/products?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('"><script>alert(1)</script>');
    await page.goto(`${browsing.url}/api/v1/products?sort=${encodeURIComponent('"><img src=x>')}&page=x'`);
    await page.getByRole('heading', { name: '400' }).waitFor();
    await picture(page, 'browse-faults');
    expect(await page.getByLabel('sort').inputValue()).toBe('"><img src=x>');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('stolen');
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  it('keep the values of a refused form, show the fault of each field, and accept corrections', async () => {
    const { page } = await browsing.visit('/api/v1/products?min_price=cheap&q=cha&fields=name,colour');
    const field = page.getByLabel('Min price');
    expect(await field.inputValue()).toBe('cheap');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('Min price must be a number', { exact: true }).waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('cha');
    await field.fill('1');
    await page.getByRole('checkbox', { name: 'colour' }).uncheck();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL('**/products?q=cha&min_price=1&fields=name');
    expect(await column(page, 'name')).toEqual(['Chang']);
  });

  it('link from a problem to the page about its type', async () => {
    const { page } = await browsing.visit('/api/v1/products/999');
    await page.getByRole('link', { name: 'About this kind of problem' }).click();
    await page.waitForURL('**/problems/not-found');
    expect(await page.locator('dd[data-name=code]').innerText()).toBe('NOT_FOUND');
  });

  it.each([390, 1280])('cut nothing off in a window that is %d points wide', async (points) => {
    const viewport = { width: points, height: 844 };
    const { page } = await browsing.visit('/', { viewport });
    let isSignedIn = false;
    for (const path of ['products', 'orders', 'users', 'api-keys', 'events?limit=5']) {
      for (const version of ['v1', 'v2']) {
        await page.goto(`${browsing.url}/api/${version}/${path}`);
        if (!isSignedIn && (await page.getByRole('heading', { name: 'Sign in' }).count()) > 0) {
          await signInWithKey(page);
          isSignedIn = true;
        }
        // A page that is read with the credential shows its data some time after it was loaded.
        await page.locator('body[data-status="200"] [data-answer]').first().waitFor();
        const [content, box] = await page.evaluate<[number, number]>(
          '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector("[data-answer]"))',
        );
        expect([version, path, content]).toEqual([version, path, box]);
        expect(await page.getByRole('row').count()).toBeGreaterThan(0);
      }
    }
  });

  it('copy the curl command that reads the same data', async () => {
    const { page } = await browsing.visit('/api/v1/products?sort=-price&limit=5', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl '${browsing.url}/api/v1/products?sort=-price&limit=5'`,
    );
  });

  it('can be used with the keyboard alone', async () => {
    const { page, faults } = await browsing.visit('/api/v1/products');
    const focused = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focused.textContent()).toBe('Skip to the answer');
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().top >= 0')).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('main:focus').waitFor();
    // A key that is pressed while the browser still moves to the answer is lost. Then the answer keeps the focus.
    await expect
      .poll(async () => {
        if ((await page.locator('main:focus').count()) > 0) await page.keyboard.press('Tab');
        return page.locator('summary:focus').count();
      })
      .toBe(1);
    for (let presses = 0; presses < 40 && (await focused.textContent()) !== 'name↕'; presses++) {
      await page.keyboard.press('Tab');
      // On a busy machine, the style of the new focus may come a moment after the key.
      await expect
        .poll(() => page.evaluate('getComputedStyle(document.activeElement).outlineStyle'))
        .toBe('solid');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/products?sort=name');
    await page.keyboard.press('Tab');
    for (let presses = 0; presses < 60 && (await focused.textContent()) !== '3'; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/products/3');
    expect(faults).toEqual([]);
  });

  describe.each([
    ['list', '/api/v1/products'],
    ['filtered', '/api/v1/products?q=tea&in_stock=true&sort=-price'],
    ['item', '/api/v1/products/4'],
    ['orders', '/api/v1/users/1/orders'],
    ['order', '/api/v1/orders/1'],
    ['events', '/api/v1/events?limit=5'],
    ['version-2', '/api/v2/products?limit=3'],
    ['missing', '/api/v1/products/999'],
    [
      'nowhere',
      '/a/very/long/address/that/leads/nowhere/and/has/no/place/to/break-abcdefghijklmnopqrstuvwxyz',
    ],
  ])('%s', (name, path) => {
    it('fit on a screen of 320 points, light and dark', async () => {
      const { page } = await browsing.visit(path, NARROW);
      if ((await page.getByRole('heading', { name: 'Sign in' }).count()) > 0) {
        await signInWithKey(page);
        await page.locator('body[data-status="200"]').waitFor();
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `browse-narrow-${name}-${colorScheme}`);
        const [content, window] = await width(page);
        expect(content).toBeLessThanOrEqual(window);
      }
    });
  });
});
