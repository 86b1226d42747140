import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../testkit/free-port.js';
import { filledPath, GoodRequests } from '../../testkit/contract/good-requests.js';
import { OAUTH_PATHS } from '../../src/store/oauth/routes.js';
import { PASSWORD } from '../support/clients/basic.js';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { RELATED_OPERATIONS, relatedOperation } from '../support/clients/requests.js';
import { SHOWN_PAGES } from '../support/fixtures/pages.js';

const EMAIL = 'ada@example.com';
const CHANGES = RELATED_OPERATIONS.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
const LISTS = SHOWN_PAGES.flatMap(({ path }) =>
  typeof path === 'string' ? [] : (relatedOperation(path.operation).path.match(/^[^{]+$/) ?? []),
);

/** The forms that a browser without a script sends for this visitor, as in test/app/pages/sent-forms.test.ts. */
const SENT_FORMS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['/api/v2/users/1', { _form: 'updateUserV2', _base: '{}', name: 'Stolen' }],
  [
    '/api/v2/orders',
    { _form: 'createOrderV2', user_id: '1', 'items.0.product_id': '1', 'items.0.quantity': '1' },
  ],
  ['/api/v2/api-keys', { _form: 'createApiKeyV2', name: 'Stolen', user_id: '1' }],
  ['/api/v2/users/1', { _form: 'endSignIns', _sure: 'yes' }],
];

interface Change {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The fields of a form that a browser sends without a script. */
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Causes each kind of request that a page can cause. A script sends each request twice: without a body, and with either
 * the fields of a form or a body that has no media type. The script reads no answer. For each POST, a form is also sent
 * with each kind of encoding. Before PUT, PATCH and DELETE, the browser sends a preflight.
 */
const CAUSE = `async (url, changes) => {
  for (const { method, path, body, fields } of changes) {
    const mode = method === 'POST' ? 'no-cors' : 'cors';
    for (const each of [fields ? new URLSearchParams(fields) : new Blob([body]), null])
      await fetch(url + path, { method, mode, credentials: 'include', body: each }).catch(() => {});
    if (method !== 'POST') continue;
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const frame = Object.assign(document.createElement('iframe'), { name: 'frame' });
      const form = Object.assign(document.createElement('form'), { method, enctype, action: url + path, target: 'frame' });
      for (const [name, value] of Object.entries(fields ?? { [body.slice(0, -1) + ',"x":"']: '"}' }))
        form.append(Object.assign(document.createElement('input'), { name, value }));
      document.body.append(frame, form);
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      form.submit();
      await loaded;
      frame.remove();
      form.remove();
    }
  }
}`;

interface Seen {
  /** The requests that scripts and forms caused, with their statuses. */
  readonly fetched: [string, number][];
  readonly submitted: [string, number][];
  /** The ids of all requests that carried a password. */
  readonly withPassword: Set<string>;
}

/**
 * Records the statuses of the answers. The page and Playwright cannot see the answers to the scripts of the page. The
 * DevTools protocol of the browser shows them.
 */
async function watch(page: Page, paths: ReadonlySet<string>): Promise<Seen> {
  const seen: Seen = { fetched: [], submitted: [], withPassword: new Set() };
  const protocol = await page.context().newCDPSession(page);
  const asked = new Map<string, string>();
  protocol.on('Network.requestWillBeSent', ({ requestId, type, request: { method, url } }) => {
    const { pathname } = new URL(url);
    if (type === 'Fetch' && method !== 'OPTIONS' && paths.has(pathname))
      asked.set(requestId, `${method} ${pathname}`);
  });
  protocol.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    if ('Authorization' in headers) seen.withPassword.add(requestId);
  });
  protocol.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    const name = asked.get(requestId);
    if (name !== undefined) seen.fetched.push([name, statusCode]);
  });
  await protocol.send('Network.enable');
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url());
    const isForm = answer.request().isNavigationRequest() && answer.request().method() === 'POST';
    if (isForm && paths.has(pathname)) seen.submitted.push([`POST ${pathname}`, answer.status()]);
  });
  return seen;
}

describeInBrowser('a page of another origin', () => {
  let browsing: Browsing;
  let other: Server;
  let port: number;
  let requests: GoodRequests;
  beforeAll(async () => {
    other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:," />');
    }).listen(0);
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
    browsing = await startBrowsing({ PORT: String(await freePort()), STORE_RATE_LIMIT: 'off' });
    const send = async (method: string, path: string, body: unknown) => {
      const answer = await browsing.call(method, path, body);
      if (!answer.ok) throw new Error(`${method} ${path} is refused: ${await answer.text()}`);
      return answer.status === 204 ? null : answer.json();
    };
    // All rows that can belong to a user belong to the visitor.
    const referred = async (entity: string): Promise<number> =>
      entity === 'User' ? 1 : (await requests.make(entity)).id;
    requests = new GoodRequests(RELATED_OPERATIONS, send, referred);
    await browsing.call('POST', '/api/v2/users', { name: 'Ada', email: EMAIL, password: PASSWORD });
  });
  afterAll(async () => {
    await browsing.close();
    other.closeAllConnections();
    other.close();
  });

  /** A visitor who has signed in with the dialog of the browser, and at the authorization server. */
  const signedIn = async (): Promise<Page> => {
    const { page } = await browsing.visit('/sign-in?return_to=/api/v2/orders', {
      httpCredentials: { username: EMAIL, password: PASSWORD },
    });
    await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in: Ada').waitFor();
    await page.goto(`${browsing.url}/basic-sign-in?return_to=/api/v2/orders`);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    return page;
  };

  /** Complete, good requests for every operation and every other address that changes something. */
  const changes = async (): Promise<Change[]> => {
    const operations: Change[] = [];
    for (const operation of CHANGES) {
      const path = filledPath(operation.path, await requests.pathValues(operation));
      const body = (await requests.body(operation)) ?? {};
      operations.push({ method: operation.method, path, body: JSON.stringify(body) });
    }
    const query = 'mutation { updateUser(id: 1, name: "Stolen") { id } }';
    const posts = Object.entries(OAUTH_PATHS).filter(([, methods]) => methods.includes('POST'));
    return [
      ...operations,
      ...['/graphql', '/graphql/stream'].map((path) => ({
        method: 'POST',
        path,
        body: JSON.stringify({ query }),
      })),
      ...posts.map(([path]) => ({ method: 'POST', path, body: '{"logout":"yes","token":"x"}' })),
      ...SENT_FORMS.map(([path, fields]) => ({ method: 'POST', path: `/browse${path}`, body: '', fields })),
    ];
  };

  /** The first page of each list, with the number of rows of the list. */
  const snapshot = async (): Promise<unknown[]> => {
    const all = await Promise.all(
      LISTS.map(async (path) => {
        const answer = await browsing.call('GET', path);
        return (await answer.json()) as Record<string, unknown>;
      }),
    );
    const lists = all.filter(({ data }) => Array.isArray(data));
    expect(lists.length).toBeGreaterThan(5);
    return lists;
  };

  it.each([
    ['another port of the same host', '127.0.0.1'],
    ['another site', 'localhost'],
  ])('(%s) changes nothing, although the browser sends the password of the visitor', async (_name, host) => {
    const page = await signedIn();
    const all = await changes();
    const before = await snapshot();
    const seen = await watch(page, new Set(all.map(({ path }) => path)));
    await page.goto(`http://${host}:${port}/`);
    await page.evaluate(`(${CAUSE})(${JSON.stringify(browsing.url)}, ${JSON.stringify(all)})`);
    const posts = all.filter(({ method }) => method === 'POST').length;
    expect(seen.fetched.length).toBeGreaterThanOrEqual(2 * posts);
    expect(seen.submitted.length).toBe(3 * posts);
    expect([...seen.fetched, ...seen.submitted].filter(([, status]) => status < 400)).toEqual([]);
    expect(await snapshot()).toEqual(before);
    expect(seen.withPassword.size).toBeGreaterThan(posts);
    // The visitor is still signed in.
    await page.goto(`${browsing.url}/api/v2/orders`);
    await page.getByText('Signed in: Ada').waitFor();
    // The same request is accepted from a page of the service.
    const body = JSON.stringify({ user_id: 1, items: [{ product_id: 1, quantity: 1 }] });
    const status = await page.evaluate<number>(
      `fetch('/api/v2/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} }).then((each) => each.status)`,
    );
    expect(status).toBe(201);
  });

  it('shows none of our pages in a frame', async () => {
    const paths = await Promise.all(
      SHOWN_PAGES.map(async ({ path }) => {
        if (typeof path === 'string') return path;
        const operation = relatedOperation(path.operation);
        return filledPath(operation.path, await requests.pathValues(operation));
      }),
    );
    const page = await signedIn();
    await page.goto(`http://127.0.0.1:${port}/`);
    const framed = [
      ...paths,
      '/oauth/auth',
      '/oauth/session/end',
      '/oauth/interaction/none',
      '/basic-sign-out',
    ];
    await page.evaluate(`Promise.all(${JSON.stringify(framed.map((path) => browsing.url + path))}.map((src) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(Object.assign(frame, { src }));
      return loaded;
    }))`);
    const shown = page.frames().slice(1);
    expect(shown).toHaveLength(framed.length);
    expect(shown.map((frame) => frame.url()).filter((url) => !url.startsWith('chrome-error:'))).toEqual([]);
  });
});
