import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFaults } from '../support/clients/axe.js';
import {
  describeInBrowser,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';

const LIST = '/api/v2/products';
const PAGES = [LIST, '/board', '/imports'];
const height = async (page: Page): Promise<number> =>
  (await page.locator('header').boundingBox())?.height ?? Infinity;

describeInBrowser('the header of the pages', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
  });
  afterAll(() => browsing.close());

  it.each([320, 390, 768, 960, 1280, 1600])(
    'has at most two rows in a window of %i points',
    async (width) => {
      const { page, faults } = await browsing.visitSignedIn(LIST, { viewport: { width, height: 800 } });
      for (const path of PAGES) {
        await page.goto(browsing.url + path);
        await page.locator('#who').getByText('STORE_ADMIN_KEY').waitFor();
        // Two rows of text have 2 × 32 points, and the header has 2 × 15 points around them.
        expect([path, await height(page)]).toEqual([path, expect.toSatisfy((most: number) => most < 110)]);
        expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(width < 960);
      }
      await page.locator('#who').evaluate((who) => (who.textContent = `${'long.'.repeat(40)}@example.com`));
      expect(await height(page)).toBeLessThan(110);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(faults).toEqual([]);
    },
  );

  it('opens its menu by the keyboard, even without a script', async () => {
    for (const javaScriptEnabled of [false, true]) {
      const { page, faults } = await browsing.visit(LIST, {
        javaScriptEnabled,
        viewport: { width: 390, height: 844 },
      });
      const links = page.locator('#menu a');
      expect(await links.first().isVisible()).toBe(false);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await links.filter({ visible: true }).allInnerTexts()).toEqual([
        'Order board',
        'Import a file',
        'Products',
        'Orders',
        'REST reference',
        'GraphiQL',
        'Users',
        'API keys',
        'Identities',
        'Clients',
        'Signing keys',
        'Imports',
        'Events',
      ]);
      await page.keyboard.press('Escape');
      expect(await links.first().isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/board');
      expect(faults).toEqual([]);
    }
  });

  it('closes its menu when a visitor follows a link in it, although the script keeps the header on the page', async () => {
    const { page } = await browsing.visitSignedIn(LIST, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Identities' }).click();
    await page.getByRole('heading', { name: 'Identities' }).waitFor();
    expect(await page.locator('#menu').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await page.locator('#menu [aria-current]').allInnerTexts()).toEqual(['Identities']);
  });

  it('has only the lists that a signed-in visitor may read, also after a link is opened', async () => {
    const made = await browsing.call('POST', '/api/v2/api-keys', {
      name: 'Packing',
      scopes: ['orders:read'],
    });
    const { page, faults } = await browsing.visit(LIST);
    const lists = (): Promise<string[]> =>
      page
        .locator('nav[aria-label="Lists"] a, nav[aria-label="Administration"] a')
        .filter({ visible: true })
        .allInnerTexts();
    expect(await lists()).toContain('Signing keys');
    await signInWithKey(page, ((await made.json()) as { key: string }).key);
    await expect.poll(lists).toEqual(['Products', 'Orders']);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await lists()).toEqual(['Products', 'Orders']);
    await page.goto(`${browsing.url}/board`);
    await expect.poll(lists).toEqual(['Products', 'Orders']);
    expect(faults).toEqual([]);
  });

  it('has no serious fault of accessibility when its menu is open on a phone', async () => {
    for (const path of [LIST, '/docs']) {
      const { page } = await browsing.visitSignedIn(path, { viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'Menu' }).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `header-${path.split('/').at(-1)}-${colorScheme}`);
        expect(await seriousFaults(page, '{ include: "header" }')).toEqual([]);
      }
    }
  });
});
