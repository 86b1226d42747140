import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Debian's headless Chromium. The ordinary Chromium draws a window for each visitor, which costs a second of one
 * core.
 */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';
const CHROMIUM =
  process.env['TEST_CHROMIUM'] || (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : '/usr/bin/chromium');

export const HAS_CHROMIUM = existsSync(CHROMIUM);
export const HOW_TO_GET_CHROMIUM =
  'install it (Debian: apt-get install chromium-headless-shell), or set TEST_CHROMIUM to its path';

/** Only the ordinary Chromium has a back/forward cache. */
const WITH_PAGE_CACHE = '/usr/bin/chromium';
export const HAS_PAGE_CACHE = existsSync(WITH_PAGE_CACHE);
export const HOW_TO_GET_PAGE_CACHE = 'install it (Debian: apt-get install chromium)';

/** @param more additional command-line switches of Chromium */
export function startChromium(...more: readonly string[]): Promise<Browser> {
  return launch(CHROMIUM, more);
}

/** With the cache, “Back” shows a page as it was left. By default, Playwright switches the cache off. */
export function startChromiumWithPageCache(): Promise<Browser> {
  return launch(WITH_PAGE_CACHE, [], ['--disable-back-forward-cache']);
}

function launch(
  executablePath: string,
  more: readonly string[],
  ignoreDefaultArgs: string[] = [],
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-dev-shm-usage',
      ...more,
    ],
  });
}
