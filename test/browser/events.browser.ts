import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';

const unexpected = (faults: readonly string[]) => faults.filter((fault) => !/ERR_|status of 5/.test(fault));

/** The ids of the rows of the shown events. */
const ids = (page: Page) =>
  page.evaluate<number[]>(
    '[...document.querySelectorAll(".tail li summary")].map((each) => Number(/ (\\d+)by/.exec(each.textContent)?.[1]))',
  );

describeInBrowser('the log of events', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'anonymous=5000/min,caller=50000/min' });
    await create('Chai');
  });
  afterAll(() => browsing.close());

  const create = async (name: string) => {
    const price = { amount: 100, currency: 'USD' };
    const made = await browsing.call('POST', '/api/v2/products', { name, price });
    return ((await made.json()) as { id: number }).id;
  };
  const follow = async (query = '') => {
    const visited = await browsing.visitSignedIn(`/api/v2/events${query}`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Follow new events' }).click();
    await page.getByText('Live.').waitFor();
    return visited;
  };

  it('shows each new event once, the newest first, and its data on demand', async () => {
    const { page, faults } = await follow();
    const made = [await create('Assam'), await create('Sencha')];
    await expect.poll(() => ids(page)).toEqual(made.toReversed());
    await page.locator('.tail li summary').first().click();
    // The browser reports a moment later that the element was opened. The script then puts the data into the element.
    await page.locator('.tail li pre', { hasText: 'Sencha' }).waitFor();
    expect(JSON.parse(await page.locator('.tail li pre').first().innerText())).toMatchObject({
      type: 'product.created',
      data: { name: 'Sencha' },
    });
    await picture(page, 'events-tail');
    await page.getByRole('link', { name: 'The newest events as a page' }).click();
    await page.waitForURL('**/events?after=*');
    await page.locator('[data-answer] td[data-name=type]', { hasText: 'product.created' }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('waits as long as the service asks (`Retry-After`) before it connects again', async () => {
    const { page } = await browsing.visitSignedIn('/api/v2/events');
    const asked: number[] = [];
    await page.route(/events\/stream|\/events(\?|$)/, async (route) => {
      if (route.request().headers()['accept'] !== 'text/event-stream') return route.continue();
      asked.push(Date.now());
      if (asked.length > 1) return route.continue();
      return route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: {} });
    });
    await page.getByRole('button', { name: 'Follow new events' }).click();
    await page.getByText('Live.').waitFor();
    const [first = 0, second = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  });

  it('follows only the types of the filter, and keeps only events with the searched words', async () => {
    const { page, faults } = await follow('?type=product.updated&type=product.deleted');
    const [one, other] = [await create('Darjeeling'), await create('Oolong')];
    await page.getByLabel('Keep only events with these words').fill(`product ${other}`);
    for (const id of [one, other])
      await browsing.call('PATCH', `/api/v2/products/${id}`, { description: 'New.' });
    await expect.poll(() => ids(page)).toEqual([other]);
    expect(await page.locator('.tail').getAttribute('data-events')).toBe('2');
    expect(faults).toEqual([]);
  });

  it('continues after a pause without a missing or a duplicate event', async () => {
    const { page, faults } = await follow();
    const before = await create('Rooibos');
    await expect.poll(() => ids(page)).toEqual([before]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused at').waitFor();
    const meanwhile = [await create('Mate'), await create('Kombucha')];
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => ids(page)).toEqual([...meanwhile.toReversed(), before]);
    expect(unexpected(faults)).toEqual([]);
  });

  it('says since when it is stale, and continues after the lost connection', async () => {
    const { port } = new URL(browsing.url);
    const sockets = new Set<Socket>();
    const relay = createServer((socket) => {
      const service = connect(Number(port), '127.0.0.1');
      for (const each of [socket, service]) {
        sockets.add(each);
        each.on('error', () => undefined);
      }
      socket.pipe(service).pipe(socket);
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const there = (relay.address() as AddressInfo).port;
    try {
      const { page } = await browsing.visitSignedIn('/api/v2/events');
      const session = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
      await page.goto(`http://127.0.0.1:${there}/health/live`);
      await page.evaluate(`Object.assign(sessionStorage, ${session})`);
      await page.goto(`http://127.0.0.1:${there}/api/v2/events`);
      await page.getByRole('button', { name: 'Follow new events' }).click();
      await page.getByText('Live.').waitFor();
      const first = await create('Matcha');
      await expect.poll(() => ids(page)).toEqual([first]);
      await new Promise((resolve) => {
        relay.close(resolve);
        for (const socket of sockets) socket.destroy();
      });
      await page.getByText('Stale since').waitFor();
      const second = await create('Gyokuro');
      await new Promise<void>((resolve) => relay.listen(there, '127.0.0.1', resolve));
      await expect.poll(() => ids(page)).toEqual([second, first]);
      expect(await page.getByText('Stale since').count()).toBe(0);
    } finally {
      relay.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('keeps a bounded number of events, and repaints at most four times in a second', async () => {
    const { page, faults } = await follow('?type=product.created');
    const begun = Date.now();
    const items = Array.from({ length: 100 }, (_each, number) => ({
      op: 'create',
      name: `Tea ${number}`,
      price: { amount: 100, currency: 'USD' },
    }));
    for (let batch = 0; batch < 20; batch++) await browsing.call('POST', '/api/v2/products/batch', { items });
    const tail = page.locator('.tail');
    await expect.poll(() => tail.getAttribute('data-events')).toBe('2000');
    const paints = Number(await tail.getAttribute('data-paints'));
    expect(paints).toBeLessThanOrEqual(((Date.now() - begun) / 1000) * 4 + 3);
    expect(Number(await tail.getAttribute('data-kept'))).toBeLessThanOrEqual(400);
    expect(await page.locator('.tail li').count()).toBe(50);
    expect(faults).toEqual([]);
  });
});
