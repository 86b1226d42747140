import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { HAS_CHROMIUM, HOW_TO_GET_CHROMIUM, startChromium } from '../testkit/chromium.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { serve } from '../testkit/process.ts';
import { createPostgres, createSqlite, enginesFor, type Engine } from './databases.ts';
import { prove, requireThat, tell } from './options.ts';
import { settingsOn } from './proof.ts';

const ENOUGH = 0.95;
/** After this time, an order that the board does not show counts as lost. */
const LOST_MS = 20_000;
const POLL_MS = 100;

const HELP = `npm run prove:board -- [options]

Proves that a shopkeeper sees new orders at once. One browser (Chromium) shows the order board. The proof places orders
over REST, one after the other, while the board also reads its figures again. For each order, the proof measures the
time from the beginning of the request to the moment at which the board has the row of the order. At least ${ENOUGH * 100} of 100
orders must be on the board in time, and every order must be on the board exactly once. The service and the browser use
the same clock.

  --orders N      the number of orders (100)
  --apart MS      the time between two orders (100)
  --within MS     the time in which an order must be on the board (500)
  --engine E      sqlite or postgres; default: both, if TEST_POSTGRES_URL names a PostgreSQL server
`;

/** Records the time at which the board first has the row of each order. */
const WATCH = `{
  const seen = window.seen = {};
  new MutationObserver(() => {
    for (const { dataset } of document.querySelectorAll('#list > li')) seen[dataset.id] ??= Date.now();
  }).observe(document.querySelector('#list'), { childList: true, subtree: true });
}`;

type Seen = Readonly<Record<string, number | undefined>>;

await prove(
  HELP,
  {
    orders: { fallback: 100, least: 1, most: 100_000 },
    apart: { fallback: 100, least: 0, most: 60_000 },
    within: { fallback: 500, least: 1, most: 60_000 },
    engine: { words: ['sqlite', 'postgres'] },
  },
  async ({ orders, apart, within, engine }, proceeding) => {
    if (!HAS_CHROMIUM) throw new Error(`There is no Chromium: ${HOW_TO_GET_CHROMIUM}.`);
    const browser = await startChromium();
    proceeding.atEnd(() => browser.close());
    for (const each of enginesFor(engine)) {
      const context = await browser.newContext();
      await proveOn(each, await context.newPage(), { orders, apart, within }, proceeding);
      await context.close();
    }
  },
);

interface Wanted {
  readonly orders: number;
  readonly apart: number;
  readonly within: number;
}

async function proveOn(
  engine: Engine,
  page: Page,
  { orders, apart, within }: Wanted,
  { signal, atEnd }: Proceeding,
): Promise<void> {
  const database =
    engine === 'sqlite' ? await createSqlite() : await createPostgres(process.env['TEST_POSTGRES_URL'] ?? '');
  atEnd(() => database.drop());
  const settings = settingsOn(database);
  const service = await serve(settings, { signal });
  service.process.on('error', () => undefined);
  const key = settings['STORE_ADMIN_KEY'] as string;
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await fetch(`${service.url}/api/v2/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path} is refused: ${await answer.text()}`);
    return ((await answer.json()) as { id: number }).id;
  };
  const product = await make('products', { name: 'Chair', price: { amount: 100, currency: 'USD' } });
  const user = await make('users', { name: 'Ada Lovelace', email: 'ada@example.com' });
  const order = { user_id: user, items: [{ product_id: product, quantity: 1 }] };
  const earlier = await make('orders', order);

  await page.goto(`${service.url}/sign-in?return_to=%2Fboard`);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.locator('#main[data-state="live"]').waitFor();
  await page.locator(`#list > li[data-id="${earlier}"]`).waitFor();
  await page.evaluate(WATCH);

  const sentAt = new Map<number, number>();
  for (let count = 0; count < orders; count += 1) {
    const before = Date.now();
    sentAt.set(await make('orders', order), before);
    await sleep(apart);
  }
  const seen = await seenOn(page, [...sentAt.keys()]);
  const lost = [...sentAt.keys()].filter((id) => !seen[id]);
  requireThat(lost.length === 0, () => `${engine}: the board does not show the orders ${lost.join(', ')}.`);
  const shown = await page.evaluate<string[]>(
    "[...document.querySelectorAll('#list > li')].map(({ dataset }) => dataset.id)",
  );
  requireThat(new Set(shown).size === shown.length, () => `${engine}: the board shows an order twice.`);

  const times = [...sentAt].map(([id, at]) => (seen[id] ?? Infinity) - at).toSorted((a, b) => a - b);
  const good = times.filter((ms) => ms <= within).length;
  const told =
    `${engine}: of ${orders} orders, ${good} were on the board within ${within} ms of the beginning of the request ` +
    `(median ${times[Math.floor(orders / 2)]} ms, slowest ${times.at(-1)} ms)`;
  requireThat(
    good >= ENOUGH * orders,
    () => `${told}; at least ${Math.ceil(ENOUGH * orders)} must be there in time.`,
  );
  tell(`${told}.`);
  await service.stop('SIGINT');
}

/**
 * Waits until the board has shown all of these orders, or until `LOST_MS` is over.
 *
 * @returns the time at which each order was first shown, by its id
 */
async function seenOn(page: Page, ids: readonly number[]): Promise<Seen> {
  const until = Date.now() + LOST_MS;
  for (;;) {
    const seen = await page.evaluate<Seen>('seen');
    if (ids.every((id) => seen[id]) || Date.now() > until) return seen;
    await sleep(POLL_MS);
  }
}
