import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { Graphiql } from '../support/clients/graphiql.js';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', ...PHONE },
};

/** The pages, each with a function that makes it show some data. */
const PAGES: Readonly<Record<string, [path: string, show: (page: Page) => Promise<void>]>> = {
  overview: ['/', async () => {}],
  // With data: board.browser.ts.
  board: ['/board', (page) => page.getByText('so it needs a credential').waitFor()],
  // With a file: imports.browser.ts.
  imports: ['/imports', (page) => page.getByText('needs a credential').waitFor()],
  guide: ['/docs/guides/limits', async () => {}],
  // Swagger UI draws only the operations that are visible.
  docs: ['/docs', (page) => page.locator('#operations-products-listProducts').waitFor()],
  graphiql: [
    '/graphql',
    async (page) => {
      const graphiql = new Graphiql(page);
      await graphiql.press('Execute query');
      await expect.poll(() => graphiql.result()).toContain('Chai');
    },
  ],
};

/** The pictures are saved to TEST_ARTIFACTS for people. The tests check what can be measured. */
describeInBrowser('the pages', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
    for (const name of ['Chai', 'Ginger beer', 'Green tea']) {
      await browsing.call('POST', '/api/v1/products', { name, price: 18.5 });
    }
  });
  afterAll(() => browsing.close());

  describe.each(Object.entries(PAGES))('%s', (name, [path, show]) => {
    it('fits on each screen, and uses the light or dark scheme of the visitor', async () => {
      const grounds: Record<string, string> = {};
      for (const [screen, options] of Object.entries(SCREENS)) {
        const { page, faults } = await browsing.visit(path, options);
        await show(page);
        await picture(page, `${name}-${screen}`);
        const [content, window] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        expect([screen, content]).toEqual([screen, Math.min(content, window)]);
        const pixel = await page.screenshot({ clip: { x: 2, y: 400, width: 1, height: 1 } });
        grounds[screen] = pixel.toString('base64');
        expect([screen, ...faults]).toEqual([screen]);
        await page.context().close();
      }
      expect(grounds['light']).not.toBe(grounds['dark']);
    });
  });
});
