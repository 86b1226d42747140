import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { seriousFaults } from './axe.js';
import { picture, type Browsing, type Visit } from './browser.js';

/* The actions of a visitor on the page of imports. */

export const csv = (text: string | Buffer, name = 'catalogue.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

export const choose = (page: Page, ...file: Parameters<typeof csv>): Promise<void> =>
  page.locator('#file').setInputFiles(csv(...file));

/** The control that says how a member gets its value. */
export const valueOf = (page: Page, member: string): Locator =>
  page.getByLabel(`Value of ${member}`, { exact: true });

export const isDone = (page: Page): Promise<void> => page.locator('#state[data-state="done"]').waitFor();

export const countOf = (page: Page, words: string): Promise<string> =>
  page.locator('#counts > div', { hasText: words }).locator('dd').innerText();

/** Calls `action`, which makes the browser download a file. Returns this file. */
export async function save(page: Page, action: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** Opens the page in a tab that is already signed in. */
export async function visitImports(
  browsing: Browsing,
  options?: Parameters<Browsing['visit']>[1],
): Promise<Visit> {
  const visited = await browsing.visitSignedIn('/imports', options);
  await visited.page.locator('#new').waitFor();
  return visited;
}

/** Requires that the page is not wider than the screen and has no serious fault of accessibility. Takes a picture. */
export async function looksGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  expect(content).toBeLessThanOrEqual(window);
  expect(await seriousFaults(page)).toEqual([]);
}
