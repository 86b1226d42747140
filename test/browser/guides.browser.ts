import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

describeInBrowser('a guide', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
  });
  afterAll(() => browsing.close());

  it('has wide tables and long commands that can be scrolled with the keyboard on a phone', async () => {
    const { page, faults } = await browsing.visit('/docs/readme', { viewport: { width: 390, height: 844 } });
    for (const box of [
      page.locator('.wide', { hasText: 'You begin with' }),
      page.locator('pre', { hasText: 'curl -i -X PATCH' }),
    ]) {
      await box.focus();
      const left = () => box.evaluate(({ scrollLeft }) => scrollLeft);
      expect(await left()).toBe(0);
      await page.keyboard.press('ArrowRight');
      await expect.poll(left).toBeGreaterThan(0);
    }
    const broken = await page.evaluate<string[]>(`
      [...document.querySelectorAll('pre')].filter((each) => {
        const { lineHeight } = getComputedStyle(each);
        const height = each.querySelector('code').getBoundingClientRect().height;
        return height > (each.textContent.trimEnd().split('\\n').length + 0.5) * Number.parseFloat(lineHeight);
      }).map(({ textContent }) => textContent)`);
    expect(broken).toEqual([]);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(faults).toEqual([]);
  });
});
