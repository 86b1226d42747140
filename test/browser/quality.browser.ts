import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GoodRequests, filledPath } from '../../testkit/contract/good-requests.js';
import { seriousFaults } from '../support/clients/axe.js';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { RELATED_OPERATIONS, relatedOperation } from '../support/clients/requests.js';
import { SHOWN_PAGES, type ShownPage } from '../support/fixtures/pages.js';

const MOST_BYTES = 60_000;
/** The pages that may have more bytes, because they contain Swagger UI or Monaco. */
const LARGE = new Set(['/docs', '/graphql']);
/** The rules that axe checks in each scheme. In the dark scheme, these are only the rules about colours. */
const AXE_OPTIONS = {
  light: '{}',
  dark: `{ runOnly: ['color-contrast', 'link-in-text-block'] }`,
};
const SCREENS = [
  ['wide', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const;
const NARROWEST = { width: 320, height: 700 };
const SCHEMES = ['light', 'dark'] as const;
/** The names and the values that a line break has cut, though they are single words of ordinary length. */
const BROKEN_WORDS = `[...document.querySelectorAll('[data-answer] :is(bdi, dt, th)')]
  .filter((each) => /^\\w{2,20}$/.test(each.textContent.trim()))
  .filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  })
  .map((each) => each.textContent)`;

/**
 * The colour at a point near the left edge of the window. The body of a short page ends above this point, but the
 * colour of the body fills the window.
 */
const GROUND = `(() => {
  for (let part = document.elementFromPoint(2, 600); part; part = part.parentElement) {
    const { backgroundColor } = getComputedStyle(part === document.documentElement ? document.body : part);
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
  }
  return 'none';
})()`;

/** The number of answers that are wider than their boxes. */
const SCROLLING = `[...document.querySelectorAll('[data-answer]')]
  .filter((each) => each.scrollWidth > each.clientWidth).length`;

/**
 * Visits each page once. The tests measure the size of the page, take pictures of it, and look for faults that every
 * page could have.
 */
describeInBrowser('the pages', () => {
  let browsing: Browsing;
  let requests: GoodRequests;
  beforeAll(async () => {
    // A visitor who is not signed in may send 120 requests a minute, and these visitors send more.
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    requests = new GoodRequests(RELATED_OPERATIONS, async (method, path, body) => {
      const answer = await browsing.call(method, path, body);
      if (!answer.ok) throw new Error(`${method} ${path} is refused: ${await answer.text()}`);
      return answer.status === 204 ? null : answer.json();
    });
    // These rows fill the lists.
    for (const entity of ['Order', 'ApiKey', 'Client', 'Identity']) await requests.make(entity);
  });
  afterAll(() => browsing.close());

  const pathOf = async ({ path }: ShownPage): Promise<string> => {
    if (typeof path === 'string') return path;
    const operation = relatedOperation(path.operation);
    return filledPath(operation.path, await requests.pathValues(operation));
  };

  describe.each(SHOWN_PAGES)('$name', (shown) => {
    let page: Page;
    let path: string;
    let faults: string[];
    let leave: () => Promise<void>;
    const files: Promise<Buffer>[] = [];
    const grounds: string[] = [];
    beforeAll(async () => {
      path = await pathOf(shown);
      ({ page, faults, leave } = await browsing.visitSignedIn('/health/live'));
      page.on('response', (answer) => {
        if (!/\.(js|css)$/.test(answer.url())) return;
        const file = answer.body();
        // If the test that waits for the files does not run, nothing else handles an error.
        file.catch(() => {});
        files.push(file);
      });
      await page.setViewportSize(SCREENS[0][1]);
      await page.goto(browsing.url + path);
      await page.locator('main:not([aria-busy]), #reference .opblock').first().waitFor();
      await page.waitForLoadState('networkidle');
    });
    afterAll(() => leave());

    it('loads less than 60 kB of compressed scripts and styles, unless it has Swagger UI or Monaco', async () => {
      const bytes = (await Promise.all(files)).map((file) => gzipSync(file).length);
      const most = LARGE.has(path) ? Infinity : MOST_BYTES;
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(most);
    });

    it('fits on the narrowest screen, and has another background in the dark scheme', async () => {
      for (const [screen, size] of SCREENS) {
        await page.setViewportSize(size);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `page-${shown.name}-${screen}-${colorScheme}`);
          grounds.push(await page.evaluate<string>(GROUND));
        }
      }
      expect(new Set(grounds).size).toBeGreaterThan(1);
      await page.setViewportSize(NARROWEST);
      const [content, window] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, innerWidth]',
      );
      expect(content).toBeLessThanOrEqual(window);
      await page.setViewportSize(SCREENS[0][1]);
    });

    it('breaks no short name or value of its answer over two lines, and its answer is not wider than its box', async () => {
      for (const [, size] of SCREENS) {
        await page.setViewportSize(size);
        expect(await page.evaluate<string[]>(BROKEN_WORDS)).toEqual([]);
        expect(await page.evaluate<number>(SCROLLING)).toBe(0);
      }
      await page.setViewportSize(SCREENS[0][1]);
    });

    it.each(SCHEMES)('has no serious fault of accessibility, %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })');
      for (const size of [...SCREENS.map(([, each]) => each), NARROWEST]) {
        await page.setViewportSize(size);
        expect(await seriousFaults(page, AXE_OPTIONS[colorScheme])).toEqual([]);
      }
      await page.setViewportSize(SCREENS[0][1]);
    });

    it('cannot be shown inside another page, and does nothing that its policy forbids', async () => {
      const { headers, status } = await fetch(browsing.url + path, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      // The service refuses the first load, which carries no credential, and perhaps the second load too.
      const refusal = new RegExp(String.raw`status of 4\d\d .*${path.split('?', 1)[0]}`);
      expect(faults.filter((fault) => status < 400 || !refusal.test(fault))).toEqual([]);
    });
  });
});
