import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/generated/operations.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';

const LONG = 'x'.repeat(9_000);
const HEADERS = [
  [],
  [`X-API-Key: ${ADMIN_KEY}`],
  ['X-API-Key: wrong'],
  ['Authorization: Basic wrong'],
  [`X-API-Key: ${ADMIN_KEY}`, 'Authorization: Basic YTpi'],
  [`X-API-Key: ${LONG}`],
  ['Accept: application/json'],
  ['Accept: application/xml'],
  ['Accept: text/html', `X-API-Key: ${ADMIN_KEY}`],
  ['Accept: text/html', 'Sec-Fetch-Mode: navigate'],
  ['Accept: image/png'],
  ['Accept-Encoding: gzip, br', `X-API-Key: ${ADMIN_KEY}`],
  ['Accept-Encoding: identity;q=0, *;q=0'],
  ['If-None-Match: *', `X-API-Key: ${ADMIN_KEY}`],
  ['If-None-Match: "1-v1-1-00000000"', `X-API-Key: ${ADMIN_KEY}`],
  ['If-None-Match: wrong', `X-API-Key: ${ADMIN_KEY}`],
  ['If-Modified-Since: Sun, 06 Nov 2044 08:49:37 GMT', `X-API-Key: ${ADMIN_KEY}`],
  ['If-Modified-Since: a', 'If-Modified-Since: b'],
  ['Host: second.example'],
  ['Origin: https://other.example', 'Sec-Fetch-Site: cross-site'],
  ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Host: shop.example'],
  ['Content-Type: application/json', 'Content-Length: 2', '', '{}'],
  ['Transfer-Encoding: chunked', '', '0', '', ''],
] as const;
const QUERIES = [
  '?',
  '?limit=2',
  '?limit=2&page=2&format=csv',
  '?limit=0&page=x&unknown=1',
  '?limit=1&limit=2',
  '?fields=id,name&sort=-id',
  '?cursor=wrong',
  '?=1',
  '?limit=%zz',
  '?limit=2#part',
  '#part',
  `?q=${LONG}`,
] as const;

/**
 * The addresses of the reads of the contract with at most one parameter in the path. The parameter is an id that
 * exists, an id that does not exist, or a text that is not an id.
 */
const ADDRESSES = [
  ...new Set(
    Object.values(OPERATIONS)
      .filter(
        ({ method, path }) => method === 'GET' && (path === null || Object.keys(path.kinds).length === 1),
      )
      .flatMap(({ paths }) => paths)
      // The answers at these paths differ from request to request.
      .filter((path) => !/health|metrics|stream|export|summary/.test(path))
      .flatMap((path) =>
        path.includes(':') ? ['1', '999', '01', '1x', ''].map((id) => path.replace(/:\w+/, id)) : [path],
      ),
  ),
];

const requestOf = (path: string, headers: readonly string[] = [], line = 'GET', version = '1.1'): string => {
  const [head, ...body] = headers.join('\r\n').split('\r\n\r\n');
  const host = head?.includes('Host: second') ? 'Host: first.example' : 'Host: store.example';
  const lines = [`${line} ${path} HTTP/${version}`, host, 'X-Request-Id: same', 'Connection: close'];
  return `${[...lines, ...(head ? [head] : [])].join('\r\n')}\r\n\r\n${body.join('\r\n\r\n')}`;
};

const REQUESTS = [
  ...ADDRESSES.flatMap((path) => [requestOf(path), requestOf(path, [`X-API-Key: ${ADMIN_KEY}`])]),
  ...[
    '/api/v1/products/1',
    '/api/v1/products',
    '/api/v2/products',
    '/api/v1/users/1',
    '/api/v2/orders',
  ].flatMap((path) => [
    ...HEADERS.map((headers) => requestOf(path, headers)),
    ...QUERIES.map((query) => requestOf(path + query, [`X-API-Key: ${ADMIN_KEY}`])),
    ...['HEAD', 'OPTIONS', 'DELETE', 'LINK'].map((method) => requestOf(path, [], method)),
    requestOf(path, [], 'GET', '1.0'),
    requestOf(`http://store.example${path}`),
    requestOf(`${path}/`),
    requestOf(path.replace('p', '%70')),
  ]),
];

/** An answer without the parts that depend on the time, on earlier requests and on the port. */
function settled(answer: string): string {
  return answer
    .replaceAll(/^(?:Date|server-timing): .*\r\n/gm, '')
    .replaceAll(/^ratelimit: .*$/gm, 'ratelimit')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'here');
}

/** The number of requests that the caller has left after a read. */
async function leftAfter({ port }: TestApp, path: string): Promise<number> {
  return Number(/^ratelimit: .*;r=(\d+)/m.exec(await speak(port, [requestOf(path)]))?.[1]);
}

describeOnEachEngine('a plain read', (engine) => {
  let database: FreshDatabase;
  let plain: TestApp;
  /** The same service on the same database. Because of `STORE_SERVER_TIMING`, Fastify answers all of its requests. */
  let withFastify: TestApp;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    const same = {
      STORE_DATABASE_URL: database.url,
      STORE_SECRET: 'the-same-secret-for-both-services-0123456789',
    };
    plain = await startApp(engine, same);
    withFastify = await startApp(engine, { ...same, STORE_SERVER_TIMING: 'true' });
    const product = await create(plain, { name: 'Table' });
    await create(plain, { name: 'Chair ü' });
    await createUser(plain);
    await placeOrder(plain, { items: [{ product_id: product.id, quantity: 1 }] });
    for (let n = 0; n < 20; n += 1) await create(plain, { name: `Shelf ${n}` });
  }, 60_000);
  afterAll(async () => {
    await plain.close();
    await withFastify.close();
    await database.drop();
  });

  it(
    'gets an answer with the same bytes as from Fastify, even if it is refused',
    { timeout: 120_000 },
    async () => {
      const differing: [string, string, string][] = [];
      for (const request of REQUESTS) {
        const [one, other] = await Promise.all(
          [plain, withFastify].map(async ({ port }) => settled(await speak(port, [request]))),
        );
        if (one !== other) differing.push([request, one as string, other as string]);
      }
      expect(differing).toEqual([]);
    },
  );

  it('is answered without a handler of Fastify, unlike other requests', async () => {
    let handled = 0;
    const count = (): void => void (handled += 1);
    const handledFor = async (store: TestApp, path: string, method?: string): Promise<number> => {
      handled = 0;
      await speak(store.port, [requestOf(path, [`X-API-Key: ${ADMIN_KEY}`], method)]);
      return handled;
    };
    subscribe('tracing:fastify.request.handler:start', count);
    try {
      for (const path of [
        '/api/v1/products/1',
        '/api/v2/products/1',
        '/api/products?limit=3',
        '/api/v2/orders',
      ]) {
        expect(await handledFor(plain, path)).toBe(0);
        expect(await handledFor(withFastify, path)).toBe(1);
        expect(await handledFor(plain, path, 'HEAD')).toBe(1);
      }
      for (const path of ['/health/live', '/api/v1/products/1/stock', '/api/v1/products/01', '/api/v2/me']) {
        expect(await handledFor(plain, path)).toBe(await handledFor(withFastify, path));
      }
    } finally {
      unsubscribe('tracing:fastify.request.handler:start', count);
    }
  });

  it('keeps its connection, and several requests of one connection are answered in their order', async () => {
    const keeping = requestOf('/api/v1/products/1').replace('Connection: close\r\n', '');
    const missing = keeping.replace('/1 ', '/999 ');
    const text = await speak(plain.port, [keeping + missing + keeping + requestOf('/api/v1/products/2')]);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)|"id":(\d+)/g)].map(([, status, id]) => status ?? id)).toEqual([
      '200',
      '1',
      '404',
      '200',
      '1',
      '200',
      '2',
    ]);
  });

  it('ends the connection if the request is ambiguous', async () => {
    const twice = requestOf('/api/v1/products/1', ['X-API-Key: a', 'X-API-Key: b']);
    const text = await speak(plain.port, [
      twice.replace('Connection: close\r\n', ''),
      requestOf('/api/v1/products'),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('counts for its caller once, even if it fails', async () => {
    const before = await leftAfter(plain, '/api/v1/products/1');
    expect(await leftAfter(plain, '/api/v1/products/999')).toBe(before - 1);
    expect(await leftAfter(plain, '/api/v1/products/1')).toBe(before - 2);
  });
});
