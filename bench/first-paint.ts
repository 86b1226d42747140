import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { startChromium } from '../testkit/chromium.ts';
import { serve } from '../testkit/process.ts';

/*
 * Measures the time from the beginning of a navigation to the first contentful paint in Chromium. It measures a list
 * with 100 rows, and an empty page with the same headers for browsers (`HEADERS`). The time includes the network of
 * this machine, the server and the browser. The pages are opened in turn.
 *
 * The headers matter. With `Cross-Origin-Opener-Policy`, Chromium starts a new process for the page of a new tab. This
 * takes as long as the first paint of an empty page without the header. A second empty page, without our headers, shows
 * this cost.
 */

const TURNS = 40;
const KEY = 'an-administrator-key-for-the-browser-0123456789';
/** The headers of our pages that decide how a browser treats a page. */
const HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
];
const PAINT = `new Promise((resolve) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName('first-contentful-paint');
  if (paint) resolve(paint.startTime);
}).observe({ type: 'paint', buffered: true }))`;

const folder = await mkdtemp(join(tmpdir(), 'store-paint-'));
const service = await serve({
  STORE_ADMIN_KEY: KEY,
  STORE_RATE_LIMIT: 'off',
  STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
});
const ofService = await headersOf(`${service.url}/api/v2/products`);
const empty = createServer((request, response) => {
  response
    .setHeaders(request.url === '/bare' ? new Headers() : ofService)
    .setHeader('content-type', 'text/html')
    .end('<!doctype html><title>Empty</title><link rel="icon" href="data:,"><p>.');
}).listen(0, '127.0.0.1');
await once(empty, 'listening');
try {
  await using browser = await startChromium();
  await fill();
  const list = `${service.url}/api/v2/products?limit=100`;
  const nothing = `http://127.0.0.1:${(empty.address() as AddressInfo).port}`;
  process.stdout.write('First contentful paint in ms: median (first and third quartile)\n');
  for (const [name, isNew] of [
    ['first visit', true],
    ['next visits', false],
  ] as const) {
    const [lists = [], empties = [], bare = []] = await measured(
      browser,
      [list, `${nothing}/`, `${nothing}/bare`],
      isNew,
    );
    const beyond = median(lists) - median(empties);
    process.stdout.write(
      `  ${name}: list with 100 rows: ${spread(lists)}; empty page: ${spread(empties)}; difference of the medians: ${beyond.toFixed(0)} (goal: at most 100); empty page without our headers: ${spread(bare)}\n`,
    );
  }
} finally {
  empty.close();
  await service.stop('SIGINT');
  await rm(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const items = Array.from({ length: 100 }, (_each, number) => ({
    op: 'create',
    name: `Tea number ${number}`,
    description: 'Black tea from the hills, in a box of a hundred bags.',
    price: { amount: 100 + number, currency: 'USD' },
  }));
  const answer = await fetch(`${service.url}/api/v2/products/batch`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
  if (!answer.ok) throw new Error(`The products are refused: ${await answer.text()}`);
}

/**
 * @returns the headers of the page at this address that `HEADERS` names
 * @throws Error when the page does not have one of these headers
 */
async function headersOf(address: string): Promise<Headers> {
  const { headers } = await fetch(address, { headers: { accept: 'text/html' } });
  return new Headers(
    HEADERS.map((name): [string, string] => {
      const value = headers.get(name);
      if (value === null) throw new Error(`The page of ${address} has no header ${name}.`);
      return [name, value];
    }),
  );
}

/**
 * The times of each address.
 *
 * @param isNew whether each navigation is the first navigation of a new visitor, whose browser has no file of the pages
 *   yet
 */
async function measured(of: Browser, addresses: readonly string[], isNew: boolean): Promise<number[][]> {
  const times = addresses.map((): number[] => []);
  const kept = isNew ? null : await of.newContext();
  for (let turn = -3; turn < TURNS; turn++) {
    for (const [at, address] of addresses.entries()) {
      const context = kept ?? (await of.newContext());
      const time = await paintOf(context, address);
      // The first turns warm up the service and the browser.
      if (turn >= 0) times[at]?.push(time);
      if (!kept) await context.close();
    }
  }
  await kept?.close();
  return times;
}

async function paintOf(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(address);
  const time = await page.evaluate<number>(PAINT);
  await page.close();
  return time;
}

function quartile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? Number.NaN;
}

function median(times: readonly number[]): number {
  return quartile(times, 0.5);
}

function spread(times: readonly number[]): string {
  return `${median(times).toFixed(0)} (${quartile(times, 0.25).toFixed(0)}–${quartile(times, 0.75).toFixed(0)})`;
}
