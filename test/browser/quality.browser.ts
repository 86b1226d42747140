import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

const MOST_BYTES = 60_000;
const PATHS = [
  '/',
  '/sign-in',
  '/board',
  '/imports',
  '/imports?id=1',
  '/docs/guides/credentials',
  '/api/v2/products',
  '/api/v2/products/1',
  '/api/v2/orders',
  '/api/v2/users/1',
  '/api/v2/api-keys',
  '/api/v2/clients',
  '/api/v2/events',
  '/api/v2/products/999',
  '/api/v2/products?limit=wrong',
];

describeInBrowser('the pages', () => {
  let browsing: Browsing;
  let axe: string;
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // A visitor who is not signed in may send 120 requests a minute, and these visitors send more.
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    const price = { amount: 1250, currency: 'USD' };
    await browsing.call('POST', '/api/v2/products', { name: 'Lighthouse mug', price });
    await browsing.call('POST', '/api/v2/users', { name: 'Ada Lovelace', email: 'ada@example.com' });
    await browsing.call('POST', '/api/v2/orders', { user_id: 1, items: [{ product_id: 1, quantity: 2 }] });
    await browsing.call('POST', '/api/v2/api-keys', { name: 'Till' });
    await browsing.call('POST', '/api/v2/imports', { kind: 'products', format: 'csv' });
    await browsing.call('POST', '/api/v2/imports/1/parts', {
      number: 1,
      text: 'name,price\nTea,x\n',
      last: true,
    });
  });
  afterAll(() => browsing.close());

  describe.each(PATHS)('%s', (path) => {
    let page: Page;
    const files: Promise<Buffer>[] = [];
    beforeAll(async () => {
      ({ page } = await browsing.visitSignedIn('/health/live'));
      page.on('response', (answer) => {
        if (/\.(js|css)$/.test(answer.url())) files.push(answer.body());
      });
      await page.goto(browsing.url + path);
      await page.locator('main:not([aria-busy])').waitFor();
      await page.waitForLoadState('networkidle');
    });
    afterAll(() => page.context().close());

    it('loads at most 60 kB of scripts and styles, compressed', async () => {
      const bytes = (await Promise.all(files)).map((file) => gzipSync(file).length);
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_BYTES);
    });

    it.each(['light', 'dark'] as const)('has no serious fault of accessibility, %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })');
      await page.evaluate(axe);
      const { passes, violations } = await page.evaluate<AxeResults>('axe.run()');
      expect(passes.length).toBeGreaterThan(10);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    });

    it('cannot be shown inside another page', async () => {
      const { headers } = await fetch(browsing.url + path, {
        headers: { accept: 'text/html' },
      });
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    });
  });
});
