import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword, hashCheaply } from '../../support/clients/basic.js';
import { growth } from '../../support/clients/metrics.js';
import { entriesOf, sendForm } from '../../support/clients/sent-form.js';

const QUOTA = 500;
const COUNT = 'http_server_request_duration_seconds_count';

interface Line {
  readonly msg: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly principal?: string;
}

describe('a page for which the service makes requests to itself', () => {
  let store: TestApp;
  const lines: Line[] = [];
  beforeAll(async () => {
    const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Line) });
    const settings = { STORE_RATE_LIMIT: `anonymous=${QUOTA}/min,caller=${QUOTA}/min` };
    store = await startApp('sqlite', settings, () => {}, logger);
    hashCheaply(store);
    const price = { amount: 1800, currency: 'USD' };
    await store.call('POST', '/api/v2/products', { body: { name: 'Chai', price } });
  });
  afterAll(() => store.close());

  let user: number;
  let authorization: string;
  beforeEach(async () => {
    const made = await createUserWithPassword(store);
    user = made.id;
    authorization = basic(made.email);
  });

  const open = async (path: string, headers: Record<string, string> = { authorization }) =>
    fetch(store.url + path, { headers: { accept: 'text/html', ...headers } });
  let markers = 0;
  /**
   * Sends a request, waits until its line and the lines of all earlier requests are in the log, and returns the number
   * of lines before its line. The service writes the line of a request after the answer.
   */
  const written = async (): Promise<number> => {
    const path = `/marker/${(markers += 1)}`;
    await fetch(store.url + path);
    await expect.poll(() => lines.some((line) => line.path === path)).toBe(true);
    return lines.findIndex((line) => line.path === path);
  };
  /** Runs an action, and returns the lines that it adds to the access log. */
  const linesOf = async (action: () => Promise<unknown>): Promise<readonly Line[]> => {
    const from = await written();
    await action();
    return lines.slice(from + 1, await written()).filter(({ msg }) => msg === 'request');
  };
  /** The units that are left. The request that asks for them takes one unit, which is added again. */
  const left = async (headers: Record<string, string>): Promise<number> => {
    const answer = await fetch(`${store.url}/api/v2/products?limit=1`, { headers });
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]) + 1;
  };
  /** The units that an action takes. */
  const unitsOf = async (
    headers: Record<string, string>,
    action: () => Promise<unknown>,
  ): Promise<number> => {
    const before = await left(headers);
    await action();
    return before - (await left(headers)) - 1;
  };
  const order = () => ({
    _form: 'createOrderV2',
    user_id: String(user),
    'items.0.product_id': '1',
    'items.0.quantity': '1',
  });

  it('has one line in the access log, with its caller', async () => {
    let id: string | null = null;
    const found = await linesOf(async () => {
      const { status, headers } = await sendForm(store.url, '/api/v2/orders', order(), { authorization });
      expect(status).toBe(303);
      id = headers.get('x-request-id');
    });
    expect(found).toEqual([
      expect.objectContaining({
        requestId: id,
        method: 'POST',
        path: '/browse/api/v2/orders',
        status: 303,
        principal: expect.stringMatching(/./) as string,
      }),
    ]);
  });

  it('has one line and counts as one request, even if an answer with 412 needs a second request', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await (await open(path)).text(), 'updateUserV2');
    await store.call('PATCH', path, { body: { name: 'Somebody' } });
    const race = () => sendForm(store.url, path, { ...entries, name: 'Other' }, { authorization });
    const found = await linesOf(race);
    expect(found.map(({ method, status }) => [method, status])).toEqual([['POST', 412]]);
    expect(await unitsOf({ authorization }, race)).toBe(1);
  });

  it('counts once in the limit of its caller, and not in the limit of its address', async () => {
    const form = () => sendForm(store.url, '/api/v2/orders', order(), { authorization });
    expect(await unitsOf({ authorization }, form)).toBe(1);
    expect(await unitsOf({}, form)).toBe(0);
    // The list of the orders costs more than one unit. The board takes as many units as the list, and no others.
    const list = await unitsOf({ authorization }, () => open('/api/v2/orders?sort=-id&limit=50'));
    expect(await unitsOf({ authorization }, () => open('/board'))).toBe(list);
    expect(await unitsOf({}, () => open('/board'))).toBe(0);
  });

  it('counts once in the limit of its address if it has no valid credential', async () => {
    expect(await unitsOf({}, () => sendForm(store.url, '/api/v2/orders', order()))).toBe(1);
    const wrong = { authorization: basic('nobody@example.com') };
    expect(await unitsOf({}, () => sendForm(store.url, '/api/v2/orders', order(), wrong))).toBe(1);
  });

  it('is refused when its caller has no requests left', async () => {
    for (let n = (await left({ authorization })) - 1; n > 0; n -= 1)
      await (await open('/api/v2/products?limit=1')).text();
    const answer = await sendForm(store.url, '/api/v2/orders', order(), { authorization });
    expect(answer.status).toBe(429);
    const { body } = await store.call('GET', `/api/v2/orders?user_id=${user}`);
    expect((body as { data: unknown[] }).data).toEqual([]);
  });

  it('is one request in the metrics', async () => {
    const send = () => sendForm(store.url, '/api/v2/orders', order(), { authorization });
    const sent = { http_request_method: 'POST', http_route: '/browse/*', http_response_status_code: '303' };
    const made = {
      http_request_method: 'POST',
      http_route: '/api/v2/orders',
      http_response_status_code: '201',
    };
    await store.call('POST', '/api/v2/orders', {
      body: { user_id: user, items: [{ product_id: 1, quantity: 1 }] },
    });
    await send();
    expect(await growth(store, COUNT, sent, send)).toBe(1);
    expect(await growth(store, COUNT, made, send)).toBe(0);
  });
});
