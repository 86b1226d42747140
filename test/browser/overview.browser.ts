import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

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
    // The Tab key stops at only one of the radio buttons. The arrow keys choose the language.
    const stops = page.locator('a, input:checked, button:visible');
    const count = await stops.count();
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('Tab');
      expect(await stops.nth(index).evaluate((stop) => stop.matches(':focus'))).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    await page.getByRole('link', { name: 'REST reference' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs');
    expect(faults).toEqual([]);
  });

  it('shows the examples of one language, even without a script', async () => {
    const { page, faults } = await browsing.visit('/', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Store service');
    const shown = () =>
      page.locator('.example:visible').evaluateAll((all) => all.map((each) => each.className));
    expect(await shown()).toEqual(Array.from({ length: 3 }, () => 'example curl'));
    await page.getByLabel('Python').check();
    expect(await shown()).toEqual(Array.from({ length: 3 }, () => 'example python'));
    expect(await page.getByRole('button').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows the first steps of each language on one screen', async () => {
    const { page } = await browsing.visit('/', { viewport: { width: 1280, height: 900 } });
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await page.getByLabel(language).check();
      const box = await page.locator('.steps').boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    }
  });

  it.for([
    { width: 1280, height: 900 },
    { width: 320, height: 640 },
  ])('shows the link for the sign-in on the first screen of $width × $height', async (viewport) => {
    const { page } = await browsing.visit('/', { viewport });
    const box = await page.getByRole('link', { name: 'Sign in' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  });

  it('copies an example with the credential of a visitor who has signed in', async () => {
    const { page, faults } = await browsing.visit('/', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    expect(await page.locator('#create-curl').textContent()).toContain('$KEY');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('#secret').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${browsing.url}/`);
    await page.getByText('You are signed in as').waitFor();
    await page.getByRole('link', { name: 'Sign out' }).waitFor();
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await page.getByLabel(language).check();
      await page.getByRole('button', { name: 'Copy' }).nth(1).click();
      await page.getByText('Copied.').waitFor();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(text).toContain(ADMIN_KEY);
      expect(text).not.toContain('KEY"');
    }
    expect(faults).toEqual([]);
  });

  it('asks the visitor to copy an example by hand if the browser has no clipboard, as over plain HTTP', async () => {
    const { page, faults } = await browsing.visit('/health/live');
    await page.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })');
    await page.goto(`${browsing.url}/`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Select the example and copy it.').waitFor();
    expect(faults).toEqual([]);
  });
});
