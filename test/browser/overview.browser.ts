import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

describeInBrowser('the overview page', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
  });
  afterAll(() => browsing.close());

  it('links to the other pages and back', async () => {
    const { page, faults } = await browsing.visit('/');
    await page.getByRole('link', { name: 'REST reference' }).click();
    await page.getByRole('heading', { name: 'products' }).waitFor();
    await page.getByRole('link', { name: 'Store service', exact: true }).click();
    await page.getByRole('heading', { name: 'Addresses' }).waitFor();
    await page.getByRole('link', { name: 'GraphiQL' }).click();
    await page.getByRole('button', { name: 'Products', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Store service', exact: true }).click();
    await page.getByRole('heading', { name: 'Addresses' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the address by which it was opened', async () => {
    const { page, faults } = await browsing.visit('/');
    expect(await page.locator('pre').first().textContent()).toContain(`${browsing.url}/api/v1/products`);
    expect(faults).toEqual([]);
  });

  it('can be used with the keyboard alone, in reading order', async () => {
    const { page, faults } = await browsing.visit('/');
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.textContent));
    const focused = page.locator(':focus');
    const reached: (string | null)[] = [];
    for (const _ of links) {
      await page.keyboard.press('Tab');
      reached.push(await focused.textContent());
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    expect(reached).toEqual(links);
    expect(reached[0]).toContain('REST reference');
    for (const _ of links.slice(1)) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs');
    expect(faults).toEqual([]);
  });

  it('works without a script', async () => {
    const { page, faults } = await browsing.visit('/', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Store service');
    expect(faults).toEqual([]);
  });
});
