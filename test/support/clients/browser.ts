import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { needing } from '../needs.js';
import { serve } from '../../../testkit/process.js';

export const ADMIN_KEY = 'an-administrator-key-for-the-browser-0123456789';

const CHROMIUM = process.env['TEST_CHROMIUM'] || '/usr/bin/chromium';
const ARTIFACTS =
  process.env['TEST_ARTIFACTS'] || fileURLToPath(new URL('../../../artifacts/', import.meta.url));

const onChromium = needing(
  'Chromium',
  existsSync(CHROMIUM),
  'install it (Debian: apt-get install chromium), or set TEST_CHROMIUM to where it is',
);

/** Tests in a browser. Without a browser they are reported as skipped. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(`${name} in a browser`, onChromium, () => {
    tests();
  });
}

export interface Visit {
  readonly page: Page;
  /** The forbidden things that the page did, one sentence each. */
  readonly faults: string[];
}

export interface Browsing {
  readonly url: string;
  /** Opens one of our pages as a new visitor. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Asks the service without the browser. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** The built service on an empty database, with the default limits, and a browser. */
export async function startBrowsing(settings: Record<string, string> = {}): Promise<Browsing> {
  const folder = await mkdtemp(join(tmpdir(), 'store-browser-'));
  const service = await serve({
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    ...settings,
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
  return {
    url: service.url,
    visit: async (path, options) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const faults = watch(page, service.url);
      await page.goto(service.url + path);
      return { page, faults };
    },
    call: (method, path, body) =>
      fetch(service.url + path, {
        method,
        headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    close: async () => {
      await browser.close();
      await service.stop('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Notes requests to other sites, errors on the console (Chromium reports a violated policy there) and
 * uncaught errors.
 */
function watch(page: Page, url: string): string[] {
  const faults: string[] = [];
  const note = (address: string): void => {
    const { protocol, origin, host } = new URL(address);
    const isOurs = origin === url || host === new URL(url).host || /^(data|blob):$/.test(protocol);
    if (!isOurs) faults.push(`asked ${address}`);
  };
  page.on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`wrote ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`));
  return faults;
}

/** Saves a picture of the page for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: true });
}

/** Signs in with a key, from a page that has the header, and waits until that page is shown again. */
export async function signInWithKey(page: Page, key = ADMIN_KEY): Promise<void> {
  const address = page.url();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(address);
}
