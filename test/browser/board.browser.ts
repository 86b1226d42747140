import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../testkit/databases.js';
import { freePort } from '../../testkit/free-port.js';
import { serve } from '../../testkit/process.js';
import { PASSWORD } from '../support/clients/basic.js';
import {
  ADMIN_KEY,
  describeInBrowser,
  picture,
  signInWithKey,
  startBrowsing,
  type Browsing,
} from '../support/clients/browser.js';

import { describeOnEachEngine, freshDatabase } from '../support/fixtures/database.js';
import { awayFromMidnight } from '../support/fixtures/midnight.js';

const ATTACK = '<img src=x onerror=alert(1)>';
const UNLIMITED = { STORE_RATE_LIMIT: 'off' };
const STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'];

interface Summary {
  readonly cursor: string;
  readonly statuses: readonly { status: string; orders: number; total: { amount: number } }[];
  readonly minutes: readonly { orders: number }[];
  readonly days: readonly { revenue: { amount: number } }[];
}
interface Placed {
  readonly id: number;
}

const dollars = (amount: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(amount / 100);

/** The status, the number of orders and the amount of each tile. */
const tilesOf = (page: Page) =>
  page
    .locator('.tiles button')
    .evaluateAll((tiles) =>
      tiles.map((tile) => [
        tile.getAttribute('data-status'),
        tile.querySelector('.orders')?.textContent?.replaceAll(',', ''),
        tile.querySelector('.money')?.textContent,
      ]),
    );
/** The height of the highest bar of a chart; a chart is 100 units high. */
const highestOf = (page: Page, chart: string) =>
  page
    .locator(`${chart} rect`)
    .evaluateAll((bars) => Math.max(...bars.map((bar) => Number(bar.getAttribute('height')))));
const asTiles = ({ statuses }: Summary) =>
  statuses.map(({ status, orders, total }) => [status, String(orders), dollars(total.amount)]);

const idsOn = (page: Page) =>
  page
    .locator('#list > li')
    .evaluateAll((rows) =>
      rows.map((row) => Number((row as unknown as { dataset: { id: string } }).dataset.id)),
    );
const fact = async (page: Page, name: string) =>
  Number(await page.locator('#main').getAttribute(`data-${name}`));
const rowOf = (page: Page, id: number) => page.locator(`#list > li[data-id="${id}"]`);
const statusOf = (page: Page, id: number) => rowOf(page, id).locator('.status').textContent();
const isLive = (page: Page) => page.locator('#main[data-state="live"]').waitFor();

const request = (url: string, method: string, path: string, body?: unknown) =>
  fetch(`${url}/api/v2/${path}`, {
    method,
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const make = async <T>(url: string, path: string, body: unknown): Promise<T> => {
  const answer = await request(url, 'POST', path, body);
  expect(answer.status).toBe(201);
  return (await answer.json()) as T;
};
const place = (url: string, user = 1, quantity = 1, product = 1) =>
  make<Placed>(url, 'orders', { user_id: user, items: [{ product_id: product, quantity }] });
const move = async (url: string, id: number, status: string): Promise<void> => {
  expect((await request(url, 'PATCH', `orders/${id}`, { status })).status).toBe(200);
};
const summary = async (url: string) =>
  (await (await request(url, 'GET', 'orders/summary')).json()) as Summary;

/** The number of events in the log, up to 100. */
const eventsIn = async (url: string): Promise<number> => {
  const { data } = (await (await request(url, 'GET', 'events?after=0&limit=100')).json()) as {
    data: unknown[];
  };
  return data.length;
};
const deleteEvents = async (url: string): Promise<void> => {
  if (!url.startsWith('sqlite:')) return void (await ask(url, 'DELETE FROM events'));
  const database = new BetterSqlite3(url.slice('sqlite:'.length));
  database.exec('DELETE FROM events');
  database.close();
};

/** A proxy that passes bytes on to a service, until it is cut. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private readonly server = createServer((socket) => {
    const far = connect(this.port, '127.0.0.1');
    if (this.isCut) socket.destroy();
    for (const [from, to] of [
      [socket, far],
      [far, socket],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.sockets.delete(from);
      });
    }
  });

  constructor(private readonly port: number) {}

  async open(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and refuses new connections until `mend`. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

describeInBrowser('the order board', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ ...UNLIMITED, PORT: String(await freePort()) });
    await make(browsing.url, 'products', {
      name: 'Lighthouse mug',
      price: { amount: 1250, currency: 'USD' },
    });
    await make(browsing.url, 'products', { name: ATTACK, price: { amount: 700, currency: 'USD' } });
    await make(browsing.url, 'users', { name: 'Ada Lovelace', email: 'ada@example.com', password: PASSWORD });
    await make(browsing.url, 'users', { name: ATTACK, email: 'eve@example.com' });
    for (let count = 0; count < 120; count++) await place(browsing.url, 1 + (count % 2), 1 + (count % 3));
  });
  afterAll(() => browsing.close());

  const board = async (options?: Parameters<Browsing['visit']>[1], key = ADMIN_KEY) => {
    const visit = await browsing.visit('/board', options);
    await signInWithKey(visit.page, key);
    await isLive(visit.page);
    return visit;
  };

  it('says how to sign in, and is shown again after the sign-in', async () => {
    const { page, faults } = await browsing.visit('/board');
    await page.getByText('so it needs a credential').waitFor();
    expect(await page.locator('.tiles').isVisible()).toBe(false);
    await page.locator('#ask').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board');
    await isLive(page);
    expect(faults).toEqual([]);
  });

  it('is in the navigation of the pages', async () => {
    const { page } = await browsing.visit('/api/v2/products');
    await page.getByRole('link', { name: 'Order board' }).click();
    await page.getByRole('heading', { name: 'Order board' }).waitFor();
    await page.getByRole('link', { name: 'Products', exact: true }).click();
    await page.getByRole('heading', { name: 'Products' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/api/v2/products');
  });

  it('shows the figures of the service, even after new orders, moves and the removal of a user', async () => {
    await awayFromMidnight();
    const { page, faults } = await board();
    const { id: user } = await make<Placed>(browsing.url, 'users', { name: 'Bob', email: 'bob@example.com' });
    const placed: number[] = [];
    for (let count = 0; count < 60; count++) {
      const { id } = await place(browsing.url, count % 2 === 0 ? user : 1, 2);
      placed.push(id);
      if (count % 3 !== 0) await move(browsing.url, id, 'paid');
      if (count % 3 === 2) await move(browsing.url, id, count % 2 === 0 ? 'shipped' : 'refunded');
      if (count % 5 === 0)
        await move(browsing.url, id, count % 3 === 2 ? 'delivered' : 'cancelled').catch(() => {});
    }
    expect((await request(browsing.url, 'DELETE', `users/${user}?anonymise=true`)).status).toBe(204);
    const now = await summary(browsing.url);
    await expect.poll(() => tilesOf(page)).toEqual(asTiles(now));
    expect(await idsOn(page)).toEqual(placed.toReversed().slice(0, 50));
    await page.getByText('The figures as tables').click();
    // The browser reports a moment later that the tables were opened, and the script then draws them.
    const rows = page.locator('.tables table').first().locator('tbody tr');
    const cells = async () => (await rows.allInnerTexts()).map((row) => row.split('\t'));
    await expect.poll(cells).toEqual(asTiles(now));
    const hour = now.minutes.reduce((sum, { orders }) => sum + orders, 0);
    expect(await page.locator('#minutes .sum').innerText()).toBe(`${hour} in the last hour`);
    const today = dollars(now.days.at(-1)?.revenue.amount ?? 0);
    expect(await page.locator('#days .sum').innerText()).toBe(`${today} today`);
    expect(faults).toEqual([]);
  });

  it('shows HTML in the names of products and users as text', async () => {
    const { page, faults } = await board();
    const { id } = await place(browsing.url, 2, 3, 2);
    await expect.poll(() => rowOf(page, id).locator('.customer').innerText()).toBe(ATTACK);
    expect(await rowOf(page, id).locator('.lines').innerText()).toBe(`3 × ${ATTACK}`);
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('moves an order by a click and by a key', async () => {
    const { page, faults } = await board();
    const { id } = await place(browsing.url);
    await rowOf(page, id).getByRole('button', { name: 'paid' }).click();
    await expect.poll(() => statusOf(page, id)).toBe('paid');
    await page.getByText(`Order ${id} is now paid.`).waitFor();
    await rowOf(page, id).locator('.number').focus();
    await page.keyboard.press('s');
    await expect.poll(() => statusOf(page, id)).toBe('shipped');
    expect(await page.locator(':focus').getAttribute('href')).toBe(`/api/v2/orders/${id}`);
    await page.keyboard.press('d');
    await expect.poll(() => statusOf(page, id)).toBe('delivered');
    const order = (await (await request(browsing.url, 'GET', `orders/${id}`)).json()) as { status: string };
    expect(order.status).toBe('delivered');
    expect(faults).toEqual([]);
  });

  it('shows a refused move at its order, and moves nothing, if somebody else moved the order first', async () => {
    const { page, faults } = await board();
    const { id } = await place(browsing.url);
    await rowOf(page, id).waitFor();
    // The paused board still shows the order as it was.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused at').waitFor();
    await move(browsing.url, id, 'cancelled');
    expect(await statusOf(page, id)).toBe('pending');
    await rowOf(page, id).getByRole('button', { name: 'paid' }).click();
    const note = rowOf(page, id).getByRole('alert');
    await expect.poll(() => note.innerText()).toContain('it is now cancelled. You wanted paid.');
    expect(await statusOf(page, id)).toBe('cancelled');
    await picture(page, 'board-race');
    expect(faults).toEqual([]);
  });

  it('does not change while it is paused, and then shows everything', async () => {
    const { page, faults } = await board();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused at').waitFor();
    const before = [await idsOn(page), await tilesOf(page)];
    const events = await fact(page, 'events');
    const { id } = await place(browsing.url);
    await expect.poll(() => fact(page, 'events')).toBeGreaterThan(events);
    expect([await idsOn(page), await tilesOf(page)]).toEqual(before);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(async () => (await idsOn(page))[0]).toBe(id);
    await expect.poll(() => tilesOf(page)).toEqual(asTiles(await summary(browsing.url)));
    expect(faults).toEqual([]);
  });

  it('searches by number, customer and product, and shows the orders in one status', async () => {
    const { page, faults } = await board();
    const { id } = await place(browsing.url, 1, 1, 2);
    await move(browsing.url, id, 'paid');
    await expect.poll(() => statusOf(page, id)).toBe('paid');
    const search = page.getByLabel('Search');
    await search.fill('onerror');
    const others = async () =>
      (await page.locator('#list > li').allInnerTexts()).filter((text) => !text.includes(ATTACK));
    await expect.poll(others).toEqual([]);
    expect(await page.locator('#list > li').count()).toBeGreaterThan(0);
    // This order is older than all orders that the page has read.
    await search.fill('1');
    await rowOf(page, 1).waitFor();
    await search.fill('nothing like this');
    await page.getByText('There is no such order.').waitFor();
    await search.fill('');
    await page.locator('.tiles [data-status="paid"]').first().click();
    await expect
      .poll(async () => [...new Set(await page.locator('#list .status').allTextContents())])
      .toEqual(['paid']);
    await move(browsing.url, id, 'shipped');
    await rowOf(page, id).waitFor({ state: 'detached' });
    // The search by number says in which status the order is.
    await search.fill(String(id));
    await page.getByText(`Order ${id} is shipped, and not paid.`).waitFor();
    await page.locator('.tiles [data-status="shipped"]').first().click();
    await rowOf(page, id).waitFor();
    expect(faults).toEqual([]);
  });

  it('repaints at most four times in a second, reads little, and keeps a bounded list', async () => {
    const { page, faults } = await board();
    const [events, paints] = [await fact(page, 'events'), await fact(page, 'paints')];
    await page.evaluate(`{
      const times = window.times = [];
      new MutationObserver(() => times.push(performance.now())).observe(document.querySelector('#list'), { childList: true });
    }`);
    const asked: string[] = [];
    page.on('request', (each) => asked.push(new URL(each.url()).pathname));
    const began = performance.now();
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 40 }, () => place(browsing.url)));
    }
    await expect.poll(() => fact(page, 'events')).toBe(events + 2_000);
    const seconds = (performance.now() - began) / 1_000;
    expect((await fact(page, 'paints')) - paints).toBeLessThanOrEqual(seconds * 4 + 2);
    const times = await page.evaluate<number[]>('times');
    // With at most four repaints in a second, the fifth repaint after any repaint comes at least a second later.
    const spans = times.slice(5).map((time, index) => time - (times[index] as number));
    expect(spans.filter((ms) => ms < 1_000)).toEqual([]);
    expect(spans.length).toBeGreaterThan(0);
    expect(await page.locator('#list > li').count()).toBe(50);
    // Both bounds allow one more read at the beginning. The second bound also allows one more read at each new minute.
    const timesOf = (path: string) => asked.filter((each) => each === path).length;
    expect(timesOf('/api/v2/orders/summary')).toBeLessThanOrEqual(seconds + 2);
    expect(timesOf('/graphql')).toBeLessThanOrEqual(seconds / 5 + 2 + Math.ceil(seconds / 60));
    await expect.poll(() => tilesOf(page)).toEqual(asTiles(await summary(browsing.url)));
    expect(faults).toEqual([]);
  });

  it('needs less than 1 MB of additional memory after 20,000 orders, when 1,000 orders arrive in each second', async () => {
    const { page, faults } = await browsing.visitSignedIn('/health/live');
    let socket: WebSocketRoute | undefined;
    await page.routeWebSocket('**/graphql', (opened) => {
      opened.connectToServer();
      socket = opened;
    });
    await page.goto(`${browsing.url}/board`);
    await isLive(page);
    const protocol = await page.context().newCDPSession(page);
    const bytesAfter = async (events: number): Promise<number> => {
      await expect.poll(() => fact(page, 'events'), { timeout: 60_000 }).toBe(events);
      await protocol.send('HeapProfiler.collectGarbage');
      return (await protocol.send('Runtime.getHeapUsage')).usedSize;
    };
    const last = (await summary(browsing.url)).cursor;
    let sent = await fact(page, 'events');
    const send = async (count: number): Promise<void> => {
      for (let each = 0; each < count; each += 1) {
        sent += 1;
        const newOrder = {
          id: String(1_000_000 + sent),
          version: 1,
          status: 'pending',
          userId: String(sent),
          createdAt: new Date().toISOString(),
          totalMoney: { amount: sent },
          items: [{ name: `Product ${sent}`, quantity: 1 }],
          cursor: last,
        };
        socket?.send(JSON.stringify({ type: 'next', id: 'BoardNewOrders', payload: { data: { newOrder } } }));
        if (each % 100 === 99) await sleep(100);
      }
    };
    await send(5_000);
    const before = await bytesAfter(sent);
    await send(20_000);
    const grown = (await bytesAfter(sent)) - before;
    process.stdout.write(`The heap of the board grew by ${grown} bytes while 20,000 orders came.\n`);
    expect(grown).toBeLessThan(1_000_000);
    expect(await page.locator('#list > li').count()).toBe(50);
    expect(faults).toEqual([]);
  }, 180_000);

  it('shows only the orders of the user, after a sign-in with a password and without a scope', async () => {
    const { page, faults } = await browsing.visit('/board');
    await page.locator('#ask').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/board');
    await isLive(page);
    await expect.poll(() => page.locator('#list > li').count()).toBe(50);
    const events = await fact(page, 'events');
    const other = await place(browsing.url, 2);
    const own = await place(browsing.url, 1);
    await rowOf(page, own.id).waitFor();
    expect(await fact(page, 'events')).toBe(events + 1);
    expect(await rowOf(page, other.id).count()).toBe(0);
    expect([...new Set(await page.locator('#list .customer').allInnerTexts())]).toEqual(['Ada Lovelace']);
    expect(await page.locator('#figures-title').innerText()).toMatch(/^Your newest \d+ orders$/);
    expect(await rowOf(page, own.id).getByRole('button').allTextContents()).toEqual(['cancelled']);
    await rowOf(page, own.id).locator('.number').focus();
    await page.keyboard.press('c');
    await expect.poll(() => statusOf(page, own.id)).toBe('cancelled');
    expect(faults).toEqual([]);
  });

  it('says that there are no orders yet, and not that a search found nothing', async () => {
    const user = await make<Placed>(browsing.url, 'users', { name: 'Eli', email: 'eli@example.com' });
    const { key } = await make<{ key: string }>(browsing.url, 'api-keys', {
      name: 'Phone',
      scopes: [],
      user_id: user.id,
    });
    const { page, faults } = await board({}, key);
    await page.getByText('There are no orders yet.').waitFor();
    await page.locator('#search').fill('1');
    await page.getByText('There is no such order.').waitFor();
    expect(faults).toEqual([]);
  });

  it('says that the credential may not read orders', async () => {
    const { key } = await make<{ key: string }>(browsing.url, 'api-keys', {
      name: 'Shelves',
      scopes: ['products:write'],
    });
    const { page, faults } = await browsing.visit('/board');
    await signInWithKey(page, key);
    await page.getByText('Your credential may not read orders.').waitFor();
    expect(faults).toEqual([]);
  });

  /**
   * A signed-in board of a store with one product and one user. Its connections go through a proxy that the test can
   * cut.
   */
  const boardOver = async (url: string): Promise<{ wire: Wire; page: Page }> => {
    const wire = new Wire(Number(new URL(url).port));
    const address = await wire.open();
    await make(url, 'products', { name: 'Chai', price: { amount: 100, currency: 'USD' } });
    await make(url, 'users', { name: 'Ada', email: 'ada@example.com' });
    const { page } = await browsing.visit('/');
    await page.goto(`${address}/board`);
    await signInWithKey(page);
    await isLive(page);
    return { wire, page };
  };

  it('continues without a gap or a duplicate after a lost connection and a restart of the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-board-'));
    const port = await freePort();
    const settings = {
      ...UNLIMITED,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      PORT: String(port),
    };
    let service = await serve(settings);
    const { url } = service;
    const { wire, page } = await boardOver(url);

    const placed = [await place(url), await place(url)];
    await expect.poll(() => fact(page, 'events')).toBe(2);
    wire.cut();
    await page.locator('#state', { hasText: /^Stale since \d\d:\d\d:\d\d\./ }).waitFor();
    await picture(page, 'board-stale');
    for (const { id } of placed) await move(url, id, 'paid');
    for (let count = 0; count < 20; count++) placed.push(await place(url));
    wire.mend();
    await isLive(page);
    await expect.poll(() => fact(page, 'events')).toBe(24);

    await service.stop('SIGTERM');
    await page.locator('#main[data-state="stale"]').waitFor();
    service = await serve(settings);
    await move(url, placed[2]?.id ?? 0, 'cancelled');
    for (let count = 0; count < 10; count++) placed.push(await place(url));
    await isLive(page);
    await expect.poll(() => fact(page, 'events')).toBe(35);
    service.process.kill('SIGKILL');
    await page.locator('#main[data-state="stale"]').waitFor();
    service = await serve(settings);
    placed.push(await place(url));
    await isLive(page);
    await expect.poll(() => fact(page, 'events')).toBe(36);

    expect(await idsOn(page)).toEqual(placed.map(({ id }) => id).toReversed());
    const now = await summary(url);
    await expect.poll(() => tilesOf(page)).toEqual(asTiles(now));
    const log = (await (
      await request(url, 'GET', 'events?after=0&limit=100&type=order.created,order.status_changed')
    ).json()) as {
      data: { cursor: string }[];
    };
    expect(log.data.length).toBe(36);
    expect(String(await fact(page, 'figures-cursor'))).toBe(log.data.at(-1)?.cursor);
    wire.close();
    await service.stop('SIGINT');
    await rm(folder, { recursive: true });
  });

  describeOnEachEngine(
    'after its connection was lost for so long that the events were deleted,',
    (engine) => {
      it('reads everything again, and follows the new events', async () => {
        const database = await freshDatabase(engine);
        const service = await serve({
          ...UNLIMITED,
          STORE_ADMIN_KEY: ADMIN_KEY,
          STORE_DATABASE_URL: database.url,
          // On PostgreSQL the service needs this setting, because several instances share the secret.
          STORE_SECRET: 'a-secret-of-this-test-0123456789-0123456789',
          PORT: String(await freePort()),
        });
        const { url } = service;
        const { wire, page } = await boardOver(url);
        const placed = [await place(url), await place(url)];
        await expect.poll(() => fact(page, 'events')).toBe(2);
        wire.cut();
        await page.locator('#main[data-state="stale"]').waitFor();
        placed.push(await place(url), await place(url));
        await move(url, placed[0]?.id ?? 0, 'paid');
        await expect.poll(() => eventsIn(url)).toBe(7);
        await deleteEvents(database.url);
        wire.mend();
        await isLive(page);
        await expect.poll(() => idsOn(page)).toEqual(placed.map(({ id }) => id).toReversed());
        expect(await statusOf(page, placed[0]?.id ?? 0)).toBe('paid');
        await expect.poll(async () => tilesOf(page)).toEqual(asTiles(await summary(url)));
        const { id } = await place(url);
        await rowOf(page, id).waitFor();
        expect((await idsOn(page))[0]).toBe(id);
        wire.close();
        await service.stop('SIGINT');
        await database.drop();
      });
    },
  );

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
    ['light', 320],
  ] as const)('fits on the screen, %s at %d points', async (colorScheme, width) => {
    const { page, faults } = await board({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await page.locator('#list > li').nth(20).waitFor();
    await picture(page, `board-${width}-${colorScheme}`);
    const [content, window] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    expect(content).toBeLessThanOrEqual(window);
    const moving = await page.evaluate<number>('document.getAnimations().length');
    expect(moving).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows the fault of the figures until it can read the figures again, even if it can read orders', async () => {
    const { page } = await board();
    const fault = page.locator('#fault');
    await page.route('**/api/v2/orders/summary', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '3' }, json: { detail: 'No figures now.' } }),
    );
    await place(browsing.url);
    await fault.getByText('No figures now.').waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse('**/graphql'),
      page.locator('button[data-status=pending]').click(),
    ]);
    expect(answer.status()).toBe(200);
    await answer.finished();
    expect(await fault.innerText()).toContain('No figures now.');
    await page.unroute('**/api/v2/orders/summary');
    await expect.poll(() => fault.innerText()).toBe('');
  });

  it('says that the service cannot be reached if the connection breaks during an answer with 200', async () => {
    const { page } = await board();
    const { id } = await place(browsing.url);
    await rowOf(page, id).waitFor();
    await page.route('**/graphql', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"data":{"updateOrderSta' }),
    );
    await rowOf(page, id).getByRole('button', { name: 'paid' }).click();
    const note = rowOf(page, id).getByRole('alert');
    await expect.poll(() => note.innerText()).toContain('The service cannot be reached. Try again');
    await page.locator('.tiles [data-status="shipped"]').first().click();
    await page.locator('#fault').getByText('The service cannot be reached.').waitFor();
  });

  it('ends a long name of a customer with an ellipsis, after two lines', async () => {
    const name = 'Maximiliane von und zu Hohenzollern-Sigmaringen '.repeat(4).trim();
    const { id: user } = await make<Placed>(browsing.url, 'users', { name, email: 'long@example.com' });
    const { id } = await place(browsing.url, user);
    for (const width of [1280, 390]) {
      const { page } = await board({ viewport: { width, height: 900 } });
      const customer = rowOf(page, id).locator('.customer');
      await expect.poll(() => customer.textContent()).toBe(name);
      await picture(page, `board-long-${width}`);
      const shown = await page.evaluate<[number, string]>(`(() => {
        const customer = document.querySelector('#list > li[data-id="${id}"] .customer');
        const { lineHeight, webkitLineClamp } = getComputedStyle(customer);
        return [Math.round(customer.clientHeight / Number.parseFloat(lineHeight)), webkitLineClamp];
      })()`);
      expect(shown).toEqual([2, '2']);
    }
  });

  it('shows the figures and the orders of the first HTML before its connection is open', async () => {
    const { id } = await place(browsing.url, 1, 2);
    const { page, faults } = await browsing.visitSignedIn('/health/live');
    // The service never answers on the connection, and the script reads nothing.
    await page.routeWebSocket('**/graphql', () => undefined);
    await page.route(/\/graphql$|\/summary$/, (route) => route.abort());
    await page.goto(`${browsing.url}/board`);
    await page.locator(`#list a[href="/api/v2/orders/${id}"]`).waitFor();
    expect(await page.locator('#list > li').count()).toBe(50);
    expect(await tilesOf(page)).toEqual(asTiles(await summary(browsing.url)));
    expect(await highestOf(page, '#minutes')).toBeGreaterThan(0);
    expect(await highestOf(page, '#days')).toBeGreaterThan(0);
    expect(await page.locator('#state').innerText()).toBe('Connecting…');
    expect(faults).toEqual([]);
  });

  it.each([1280, 390])(
    'loads at %d points without moving anything, and says that it loads',
    async (width) => {
      const { page, faults } = await browsing.visitSignedIn('/health/live', {
        viewport: { width, height: 800 },
      });
      await page.addInitScript(`{
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const { startTime, value, sources } of list.getEntries())
          shifts.push([startTime, value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? 'gone')]);
      }).observe({ type: 'layout-shift', buffered: true });
    }`);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/(board|graphql|summary)$/, async (route) => {
        if (route.request().resourceType() === 'fetch') await released;
        await route.continue();
      });
      const places = () =>
        page.evaluate<readonly number[]>(
          `['.top', '.tiles', '.charts', '#tables', '.over', '#list'].map((part) => document.querySelector(part).getBoundingClientRect().top + scrollY)`,
        );
      await page.goto(`${browsing.url}/board`);
      await page.getByText('Signed in:').waitFor();
      expect(await page.locator('#state').innerText()).toBe('Loading…');
      expect(await page.locator('#board').getAttribute('aria-busy')).toBe('true');
      expect((await tilesOf(page))[0]).toEqual(['pending', '–', '–']);
      // To take the picture, Playwright changes the size of the window for a moment. So parts of the page move.
      const now = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
      const pictured = await page.evaluate<number>(now);
      await picture(page, `board-loading-${width}`);
      const restored = await page.evaluate<number>(now);
      const before = await places();
      release();
      await isLive(page);
      await expect.poll(() => tilesOf(page)).toEqual(asTiles(await summary(browsing.url)));
      expect(await page.locator('#board').getAttribute('aria-busy')).toBeNull();
      await expect.poll(() => page.locator('#list > .waiting').count()).toBe(0);
      expect(await places()).toEqual(before);
      const shifts = await page.evaluate<readonly (readonly [number, number, ...string[]])[]>('shifts');
      const moved = shifts.filter(([at, value]) => value > 0.01 && (at < pictured || at > restored));
      expect(moved).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('replaces the orders of the first HTML by the orders that its script reads', async () => {
    const { page, faults } = await board();
    const { id } = await place(browsing.url);
    await rowOf(page, id).waitFor();
    await expect.poll(() => page.locator('#list > [data-first]').count()).toBe(0);
    const ids = await idsOn(page);
    expect(new Set(ids).size).toBe(ids.length);
    expect(faults).toEqual([]);
  });

  it('without JavaScript, shows the orders of a user with a password', async () => {
    await awayFromMidnight();
    const own = await make<Placed>(browsing.url, 'users', {
      name: 'Grace Hopper',
      email: 'grace@example.com',
      password: PASSWORD,
    });
    const { id } = await place(browsing.url, own.id, 3);
    const { page, faults } = await browsing.visit('/basic-sign-in?return_to=/board', {
      javaScriptEnabled: false,
      httpCredentials: { username: 'grace@example.com', password: PASSWORD },
    });
    await page.getByRole('heading', { name: 'Your orders' }).waitFor();
    expect((await tilesOf(page))[0]).toEqual(['pending', '1', dollars(3 * 1250)]);
    expect(await page.locator('#minutes .sum').innerText()).toBe('1 in the last hour');
    expect(await page.locator('#days .sum').innerText()).toBe(`${dollars(3 * 1250)} today`);
    // The only bar takes the whole height of its chart.
    expect(await highestOf(page, '#minutes')).toBe(100);
    expect(await highestOf(page, '#days')).toBe(100);
    expect(await page.locator('#list > li').count()).toBe(1);
    await picture(page, 'board-without-script');
    await page.getByRole('link', { name: `Order ${id}` }).click();
    await page.getByRole('heading', { name: `Order ${id}` }).waitFor();
    expect(faults.filter((fault) => !fault.includes('status of 401'))).toEqual([]);
  });

  it('without JavaScript, says how to sign in', async () => {
    const { page, faults } = await browsing.visit('/board', { javaScriptEnabled: false });
    await page.locator('noscript .ask').waitFor();
    expect(await page.locator('.tiles').isVisible()).toBe(false);
    expect(await page.locator('.tiles button').count()).toBe(STATUSES.length);
    expect(faults).toEqual([]);
  });
});
