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

/** @param more additional command-line switches of Chromium */
export function startChromium(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-dev-shm-usage',
      ...more,
    ],
  });
}
