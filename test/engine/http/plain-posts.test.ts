import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import type { Operation } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { speak } from '../../support/clients/socket.js';
import {
  describeOnEachEngine,
  describeOnPostgres,
  freshDatabase,
  type FreshDatabase,
} from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { CORPUS } from '../../support/fixtures/graphql-corpus.js';

/** After this number of requests with the same text, the text is compiled. */
const WARM = 5;
const QUERY: Operation = {
  query: 'query ($id: ID!) { product(id: $id) { id name } }',
  variables: { id: '1' },
};
const ORDERS: Operation = {
  query: '{ orders(limit: 5) { id user { name } items { quantity product { name } } } }',
};
const MUTATION: Operation = { query: 'mutation { deleteProduct(id: 424242) { id } }' };

const keyed = `X-API-Key: ${ADMIN_KEY}`;
const typed = 'Content-Type: application/json';
const HEADERS = [
  [typed],
  [typed, keyed],
  [typed, 'X-API-Key: wrong'],
  [typed, 'Authorization: Basic wrong'],
  [typed, keyed, 'Authorization: Basic YTpi'],
  [typed, `X-API-Key: ${'x'.repeat(9_000)}`],
  [typed, 'X-API-Key: a', 'X-API-Key: b'],
  [typed, keyed, 'Accept: application/json'],
  [typed, keyed, 'Accept: application/graphql-response+json, application/json;q=0.9'],
  [typed, keyed, 'Accept: text/html'],
  [typed, keyed, 'Accept: image/png'],
  [typed, keyed, 'Accept-Encoding: gzip, br'],
  [typed, keyed, 'Idempotency-Key: "one"'],
  [typed, keyed, 'Origin: https://other.example', 'Sec-Fetch-Site: cross-site'],
  [typed, keyed, 'Origin: https://other.example'],
  [typed, keyed, 'X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Host: shop.example'],
  [typed, keyed, 'Host: second.example'],
  [typed, keyed, 'Content-Encoding: gzip'],
  [typed, keyed, 'Expect: 100-continue'],
  [typed, keyed, 'Expect: 200-ok'],
  [`${typed}; charset=utf-8`, keyed],
  [`${typed}; charset=latin1`, keyed],
  ['Content-Type: text/plain', keyed],
  [keyed],
] as const;
const BODIES = [
  '',
  '[]',
  'null',
  '1',
  '{',
  '{}',
  '{"query":1}',
  '{"query":null}',
  '{"query":""}',
  '{"query":"{ products { id } }","query":"{ orders { id } }"}',
  '{"query":"{ products { id } }","variables":[]}',
  '{"query":"{ products { id } }","variables":{"__proto__":1}}',
  '{"query":"{ products { id } }","extensions":1}',
  '{"query":"{ products { id } }","documentId":1}',
  '{"query":"{ products { id } }","documentId":"sha256:0"}',
  '{"query":"{ products { id } }","operationName":1}',
  `{"query":"{ products { id } }","variables":${'['.repeat(40)}${']'.repeat(40)}}`,
  '{"query":"\u00e9"}',
];

const requestOf = (
  body: string,
  headers: readonly string[] = [typed, keyed],
  path = '/graphql',
  length = Buffer.byteLength(body),
): string => {
  const host = headers.includes('Host: second.example') ? 'Host: first.example' : 'Host: store.example';
  const lines = [
    `POST ${path} HTTP/1.1`,
    host,
    'X-Request-Id: same',
    'Connection: close',
    `Content-Length: ${length}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** An answer without the parts that depend on the time and on earlier requests. */
function settled(answer: string): string {
  return answer
    .replaceAll(/^(?:Date|server-timing): .*\r\n/gm, '')
    .replaceAll(/^ratelimit: .*$/gm, 'ratelimit');
}

/** The number of requests that a handler of Fastify gets while `send` runs. */
async function handledIn(send: () => Promise<unknown>): Promise<number> {
  let handled = 0;
  const count = (): void => void (handled += 1);
  subscribe('tracing:fastify.request.handler:start', count);
  try {
    await send();
    return handled;
  } finally {
    unsubscribe('tracing:fastify.request.handler:start', count);
  }
}

function sendTo({ port }: TestApp, operation: Operation): Promise<string> {
  return speak(port, [requestOf(JSON.stringify(operation))]);
}

/** A request that keeps its connection. */
function keeping(operation: Operation): string {
  return requestOf(JSON.stringify(operation)).replace('Connection: close\r\n', '');
}

/** The number of units that the caller has left after an operation. */
async function leftAfter(store: TestApp, operation: Operation): Promise<number> {
  return Number(/^ratelimit: .*;r=(\d+)/m.exec(await sendTo(store, operation))?.[1]);
}

describeOnEachEngine('a plain query', (engine) => {
  let database: FreshDatabase;
  let plain: TestApp;
  /** The same service on the same database. Because of `STORE_SERVER_TIMING`, Fastify answers all of its requests. */
  let withFastify: TestApp;
  let callers: readonly (readonly string[])[];

  beforeAll(async () => {
    database = await freshDatabase(engine);
    const same = {
      STORE_DATABASE_URL: database.url,
      STORE_SECRET: 'the-same-secret-for-both-services-0123456789',
    };
    plain = await startApp(engine, same);
    withFastify = await startApp(engine, { ...same, STORE_SERVER_TIMING: 'true' });
    const product = await create(plain, { name: 'Table' });
    for (const name of ['Chair ü', 'A "quote", \\ and \u2028', '😀']) await create(plain, { name });
    const user = await createUser(plain);
    await placeOrder(plain, { items: [{ product_id: product.id, quantity: 1 }] });
    callers = [[typed, keyed], [typed], [typed, `X-API-Key: ${await createKey(plain, [], user.id)}`]];
    const warm = [QUERY, ORDERS].map((operation) => requestOf(JSON.stringify(operation)));
    for (const { port } of [plain, withFastify]) {
      for (const request of warm) for (let n = 0; n < WARM; n += 1) await speak(port, [request]);
    }
  }, 60_000);
  afterAll(async () => {
    await plain.close();
    await withFastify.close();
    await database.drop();
  });

  /** Sends requests one after the other to both services, and returns those with different answers. */
  const differing = async (requests: readonly (readonly string[])[]) => {
    const found: [readonly string[], string, string][] = [];
    for (const parts of requests) {
      const one = settled(await speak(plain.port, parts));
      const other = settled(await speak(withFastify.port, parts));
      if (one !== other) found.push([parts, one, other]);
    }
    return found;
  };

  it(
    'gets an answer with the same bytes as from Fastify, for operations of every kind',
    { timeout: 120_000 },
    async () => {
      for (const operation of Object.values(CORPUS)) {
        const body = JSON.stringify(operation);
        const requests = callers.map((headers) => [requestOf(body, headers)]);
        const warm = Array.from({ length: WARM }, () => [requestOf(body)]);
        expect(await differing([...warm, ...requests])).toEqual([]);
      }
    },
  );

  it(
    'gets an answer with the same bytes as from Fastify, for many kinds of headers and bodies',
    { timeout: 120_000 },
    async () => {
      const bodies = [QUERY, ORDERS, MUTATION].map((operation) => JSON.stringify(operation));
      expect(
        await differing([
          ...bodies.flatMap((body) => HEADERS.map((headers) => [requestOf(body, headers)])),
          ...BODIES.map((body) => [requestOf(body)]),
          ...bodies.flatMap((body) => [
            [requestOf(body, [typed, keyed], '/graphql?a=1')],
            [requestOf(body, [typed, keyed], '/graphql/')],
            [requestOf(body).replace('POST', 'PUT')],
            [requestOf(body).replace('1.1', '1.0')],
            [requestOf(body).replace(/Content-Length: \d+\r\n/, '')],
            [requestOf(body).replace(/Content-Length: (\d+)/, 'Content-Length: 0$1')],
            [requestOf(body).replace(/Content-Length: \d+/, 'Content-Length: 300000')],
            [
              requestOf(`${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`).replace(
                /Content-Length: \d+/,
                'Transfer-Encoding: chunked',
              ),
            ],
          ]),
        ]),
      ).toEqual([]);
    },
  );

  it('gets an answer with the same bytes as from Fastify, for invalid UTF-8', async () => {
    const [one, other] = await Promise.all(
      [plain, withFastify].map(async ({ port }) => {
        const body = Buffer.from('{"query":"{ products { id } } #\xff"}', 'latin1');
        const request = Buffer.concat([Buffer.from(requestOf('', undefined, undefined, body.length)), body]);
        return settled(await speak(port, [request as unknown as string]));
      }),
    );
    expect(one).toBe(other);
    expect(one).toContain('is not valid UTF-8');
  });

  it('is answered without a handler of Fastify, unlike a mutation', async () => {
    expect(await handledIn(() => sendTo(plain, QUERY))).toBe(0);
    expect(await handledIn(() => sendTo(plain, { ...ORDERS, extensions: { client: 'x' } }))).toBe(0);
    expect(await handledIn(() => sendTo(plain, { query: '{ products { name } }' }))).toBe(0);
    expect(await handledIn(() => sendTo(plain, MUTATION))).toBe(1);
    expect(await handledIn(() => sendTo(withFastify, QUERY))).toBe(1);
  });

  it.each([
    ['a compiled query', QUERY, 0],
    ['a mutation', MUTATION, 1],
  ])('may arrive in parts: %s', async (_name, operation, handlers) => {
    const request = requestOf(JSON.stringify(operation));
    const whole = settled(await speak(withFastify.port, [request]));
    const inChunks = (): Promise<string> =>
      new Promise((resolve, reject) => {
        let text = '';
        const socket = connect(plain.port, '127.0.0.1');
        socket.setNoDelay().setEncoding('utf8');
        socket.on('data', (chunk: string) => (text += chunk));
        socket.on('error', reject).on('close', () => resolve(text));
        const send = async (): Promise<void> => {
          const head = request.indexOf('\r\n\r\n') + 4;
          for (const [from, to] of [
            [0, head],
            [head, head + 10],
            [head + 10, request.length],
          ]) {
            socket.write(request.slice(from, to));
            await sleep(20);
          }
        };
        send().catch(reject);
      });
    let text = '';
    expect(await handledIn(async () => (text = await inChunks()))).toBe(handlers);
    expect(settled(text)).toBe(whole);
  });

  it('keeps its connection, and several requests of one connection are answered in their order', async () => {
    const text = await speak(plain.port, [
      keeping(QUERY) + keeping(MUTATION) + keeping({ ...QUERY, variables: { id: '2' } }) + requestOf('{'),
    ]);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)|"id":"(\d+)/g)].map(([, status, id]) => status ?? id)).toEqual(
      ['200', '1', '200', '200', '2', '400'],
    );
  });

  it('counts for its caller once, even if Fastify answers it', async () => {
    const left = await leftAfter(plain, QUERY);
    const [query, mutation, next] = [
      await leftAfter(plain, QUERY),
      await leftAfter(plain, MUTATION),
      await leftAfter(plain, QUERY),
    ];
    // Each operation counts as two units: one for the request, and one for its cost.
    expect([query, mutation, next]).toEqual([left - 2, left - 4, left - 6]);
  });

  it('with a wrong key is refused before its body arrives', async () => {
    const text = await speak(plain.port, [requestOf('', [typed, 'X-API-Key: wrong'], '/graphql', 100)]);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not under way after its client leaves in the middle of the body', async () => {
    const key = await createKey(plain, []);
    for (let n = 0; n < 300; n += 1) {
      const socket = connect(plain.port, '127.0.0.1');
      socket.write(requestOf('{"query"', [typed, `X-API-Key: ${key}`], '/graphql', 100));
      await new Promise((resolve) => setTimeout(resolve, 1));
      socket.destroy();
    }
    // With 250 requests under way, the next one would be refused.
    const text = await speak(plain.port, [requestOf(JSON.stringify(QUERY), [typed, `X-API-Key: ${key}`])]);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describeOnPostgres('a plain query whose client leaves before the answer', () => {
  it('is not handed over to Fastify', async () => {
    const database = await freshDatabase('postgres');
    const failed: string[] = [];
    const store = await startApp('postgres', { STORE_DATABASE_URL: database.url }, (app) => {
      app
        .getHttpAdapter()
        .getInstance()
        .addHook('onError', (_request, _reply, error, done) => {
          failed.push(error.message);
          done();
        });
    });
    await create(store, { name: 'Table' });
    for (let n = 0; n < WARM; n += 1) await sendTo(store, QUERY);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const waiting = async () => (await other.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount;
    const handled = await handledIn(async () => {
      await other.query('BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE');
      const connected = once(store.app.getHttpServer(), 'connection') as Promise<[Socket]>;
      const socket = connect(store.port, '127.0.0.1');
      socket.write(keeping(QUERY));
      const [inService] = await connected;
      await expect.poll(waiting).toBeGreaterThan(0);
      const closed = once(inService, 'close');
      socket.destroy();
      await closed;
      await other.query('COMMIT');
      // This query is answered after the query of the client that has left.
      expect(await sendTo(store, QUERY)).toMatch(/^HTTP\/1\.1 200 /);
    });
    expect([handled, failed]).toEqual([0, []]);
    await other.end();
    await store.close();
    await database.drop();
  });
});
