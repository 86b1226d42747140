import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describe, onTestFinished, TestRunner } from 'vitest';

import { needing } from '../needs.js';
import { HAS_CHROMIUM, HOW_TO_GET_CHROMIUM, startChromium } from '../../../testkit/chromium.js';
import { serve } from '../../../testkit/process.js';

export const ADMIN_KEY = 'an-administrator-key-for-the-browser-0123456789';

const ARTIFACTS =
  process.env['TEST_ARTIFACTS'] || fileURLToPath(new URL('../../../artifacts/', import.meta.url));

const onChromium = needing('Chromium', HAS_CHROMIUM, HOW_TO_GET_CHROMIUM);

/** Tests in a browser. Without a browser they are reported as skipped. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(`${name} in a browser`, onChromium, () => {
    tests();
  });
}

export interface Visit {
  readonly page: Page;
  /** The forbidden things that the page did, one line each. */
  readonly faults: string[];
  /** Ends the visit before the end of the test. */
  readonly leave: () => Promise<void>;
}

export interface Browsing {
  readonly url: string;
  /** Opens one of our pages as a new visitor. The visit ends with its test, or with `close` if `beforeAll` made it. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens one of our pages as a new visitor. The tab is already signed in, with the key of the administrator. */
  visitSignedIn(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Asks the service without the browser. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

/**
 * One browser serves all files of a worker, one file after another. The clipboard belongs to the browser, so files that
 * run at the same time need different browsers. The browser ends with the worker.
 */
let shared: Promise<Browser> | undefined;

function theBrowser(): Promise<Browser> {
  // With this option, Chromium starts no new process for a page with `Cross-Origin-Opener-Policy`: the page uses the
  // process of its empty tab. So a visit costs a third less. The pages of different visitors still have processes of
  // their own.
  shared ??= startChromium('--renderer-process-limit=1');
  return shared;
}

/** The built service on an empty database, with the default limits, and a browser. */
export async function startBrowsing(settings: Record<string, string> = {}): Promise<Browsing> {
  const folder = await mkdtemp(join(tmpdir(), 'store-browser-'));
  const service = await serve({
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    ...settings,
  });
  const browser = await theBrowser();
  const visitors = new Set<BrowserContext>();
  const enter = async (options?: BrowserContextOptions): Promise<Visit> => {
    const context = await browser.newContext(options);
    // A slow machine may need more than the 30 s that Playwright waits by default.
    context.setDefaultTimeout(60_000);
    visitors.add(context);
    // A page that stays open takes time from the next tests. A visit of `beforeAll` ends with the file.
    if (TestRunner.getCurrentTest()) onTestFinished(() => leave(context));
    const page = await context.newPage();
    return { page, faults: watch(page, service.url), leave: () => leave(context) };
  };
  const visit: Browsing['visit'] = async (path, options) => {
    const visited = await enter(options);
    await visited.page.goto(service.url + path);
    return visited;
  };
  // One visitor signs in on the sign-in page. `visitSignedIn` copies the stored session of its tab into other tabs.
  let kept: Promise<string> | undefined;
  const signIn = async (): Promise<string> => {
    const { page } = await visit('/sign-in');
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/`);
    return page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  };
  return {
    url: service.url,
    visit,
    visitSignedIn: async (path, options) => {
      kept ??= signIn();
      const session = await kept;
      const visited = await enter(options);
      await visited.page.goto(`${service.url}/health/live`);
      await visited.page.evaluate(`Object.assign(sessionStorage, ${session})`);
      await visited.page.goto(service.url + path);
      return visited;
    },
    call: (method, path, body) =>
      fetch(service.url + path, {
        method,
        headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    close: async () => {
      await Promise.all([...visitors].map(leave));
      await service.stop('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Closes the pages of a visitor. A handler of `page.route` may still be at work. Without `unrouteAll`, it would fail
 * outside of all tests.
 */
async function leave(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
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

/** Chromium draws no picture that is much higher than this number of pixels. */
const HIGHEST = 16_000;

/**
 * Saves a picture of the page for people to look at. Meanwhile, the window is as high as the page, because a browser
 * draws the rows of a list only near the window.
 */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  const before = page.viewportSize();
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (before !== null && height > before.height)
    await page.setViewportSize({ width: before.width, height: Math.min(height, HIGHEST) });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: true });
  if (before !== null) await page.setViewportSize(before);
}

/** Sends a key on the page `/sign-in`. */
export async function enterKey(page: Page, key = ADMIN_KEY): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
}

/** Signs in with a key, from a page with the link `Sign in`, and waits until that page is shown again. */
export async function signInWithKey(page: Page, key = ADMIN_KEY): Promise<void> {
  const address = page.url();
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await enterKey(page, key);
  await page.waitForURL(address);
}
