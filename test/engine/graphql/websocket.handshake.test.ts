import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { createKey } from '../../support/clients/keys.js';
import { open, openAs } from '../../support/clients/live.js';
import { speak } from '../../support/clients/socket.js';

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const HEADERS =
  `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${KEY}` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n';

const handshake = (path: string, headers = HEADERS, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\n${headers}\r\n`;

describe('the handshake of a WebSocket', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const refused = async (text: string) => {
    const [head = '', body = ''] = (await speak(store.port, [text])).split('\r\n\r\n');
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect(head).toMatch(/connection: close/i);
    const problem = JSON.parse(body) as { status: number; code: string; detail: string; request_id: string };
    expect(head).toContain(`HTTP/1.1 ${problem.status} `);
    expect(head).toContain(problem.request_id);
    return problem;
  };

  it.each([
    ['another subprotocol', /graphql-transport-ws$/m, 'graphql-ws', 400, 'graphql-transport-ws'],
    ['no subprotocol', /Sec-WebSocket-Protocol: .*\r\n/, '', 400, 'Sec-WebSocket-Protocol'],
    ['no key', KEY, '', 400, 'Sec-WebSocket-Key'],
    ['another version', 'Version: 13', 'Version: 7', 400, 'Sec-WebSocket-Version'],
    ['no host', 'Host: x\r\n', '', 400, 'Host'],
    ['two hosts', 'Host: x\r\n', 'Host: x\r\nHost: y\r\n', 400, 'Host'],
    ['another site', /^/, 'Sec-Fetch-Site: cross-site\r\n', 403, 'another origin'],
  ])('with %s is refused, and the message names the fault', async (_what, from, to, status, words) => {
    const problem = await refused(handshake('/graphql', HEADERS.replace(from, to)));
    expect(problem.status).toBe(status);
    expect(problem.detail).toContain(words);
  });

  it('with a query string is refused, because the service reads no credential from a query string', async () => {
    const problem = await refused(handshake('/graphql?x-api-key=k'));
    expect([problem.status, problem.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('is answered with the supported version if it asks for another version', async () => {
    const text = await speak(store.port, [handshake('/graphql', HEADERS.replace('13', '7'))]);
    expect(text).toMatch(/^Sec-WebSocket-Version: 13\r$/m);
  });

  it.each(['/graphqlfoo', '/graphql/', '/overview', '/GraphQL', '//graphql', '/graphql/stream/'])(
    'at %s is answered like an ordinary request, with 404',
    async (path) => {
      const text = await speak(store.port, [
        handshake(path, HEADERS.replace('Connection: Upgrade', 'Connection: Upgrade, close')),
      ]);
      expect(text).toMatch(/^HTTP\/1.1 404 /);
      expect(text).toContain('NOT_FOUND');
    },
  );

  it('at the address of a page is answered with the page', async () => {
    const text = await speak(store.port, [
      handshake('/', HEADERS.replace('Connection: Upgrade', 'Connection: Upgrade, close')),
    ]);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    ['an offer of HTTP/2', 'Upgrade, HTTP2-Settings', 'h2c'],
    ['a WebSocket at another path', 'Upgrade', 'websocket'],
    ['an unknown protocol', 'Upgrade', 'made-up/1'],
  ])('is not made for %s: the service answers over HTTP', async (_what, connection, upgrade) => {
    const text = await speak(store.port, [
      `POST /api/products HTTP/1.1\r\nHost: x\r\nConnection: ${connection}, close\r\nUpgrade: ${upgrade}\r\n` +
        `HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\nX-API-Key: ${ADMIN_KEY}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 25\r\n\r\n{"name":"Chai","price":1}',
    ]);
    expect(text).toMatch(/^HTTP\/1.1 201 /);
    const query = await speak(store.port, [
      `GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: x\r\nConnection: ${connection}, close\r\n` +
        `Upgrade: ${upgrade === 'websocket' ? 'h2c' : upgrade}\r\n\r\n`,
    ]);
    expect(query).toContain('"__typename":"Query"');
  });

  it('may be reset hundreds of times, at several paths, and the service continues', async () => {
    const paths = ['/graphqlfoo', '/graphql/', '/', '/api/v1/products', '/graphql', '/graphql?x'];
    const wrong = [HEADERS, HEADERS.replace(KEY, ''), HEADERS.replace('-transport-ws', '-ws')];
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        paths.map(async (path) => {
          const socket = connectSocket(store.port, '127.0.0.1');
          socket.on('error', () => {});
          await once(socket, 'connect');
          socket.write(handshake(path, wrong[round % 3]));
          // In every second round, the reset comes after a part of the answer. In the other rounds, it comes before the
          // answer.
          if (round % 2 === 0) await once(socket, 'data');
          socket.resetAndDestroy();
        }),
      );
    }
    expect((await store.call('GET', '/api/products')).status).toBe(200);
    const raw = await openAs(store);
    raw.socket.close();
    await raw.closed;
  });

  it('leaves no refused socket open', async () => {
    const countSockets = () =>
      new Promise<number>((resolve, reject) =>
        store.app.getHttpServer().getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    const before = await countSockets();
    const socket = connectSocket({ port: store.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(handshake('/graphql', HEADERS.replace('-transport-ws', '-ws')));
    // The client never closes its half of the connection, and the server does not wait for this.
    await once(socket, 'data');
    socket.resume();
    await once(socket, 'end');
    await expect.poll(countSockets).toBeLessThanOrEqual(before);
    await new Promise((resolve) => socket.once('close', resolve).destroy());
  });
});

describe('connection_init', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it('must arrive within three seconds, on hundreds of sockets', async () => {
    const sockets = await Promise.all(Array.from({ length: 400 }, () => open(store)));
    const closings = await Promise.all(sockets.map(({ closed }) => closed));
    for (const closing of closings) {
      expect(closing).toEqual({
        code: 4408,
        reason: 'Connection initialisation timeout: connection_init did not come within 3000 ms',
      });
    }
  });

  it.each([
    ['no credential', undefined, {}],
    ['an empty payload', {}, {}],
    ['members that are not a credential', { theme: 'dark', 'X-Api-Key': null }, {}],
    ['a valid key', { 'x-api-key': ADMIN_KEY }, {}],
    ['a valid key in a member with other capitals', { 'X-Api-KEY': ADMIN_KEY }, {}],
    ['a valid key in the handshake', undefined, { 'X-API-Key': ADMIN_KEY }],
  ])('with %s is acknowledged', async (_what, payload, headers) => {
    const raw = await open(store, { headers });
    raw.say({ type: 'connection_init', payload });
    expect(await raw.hear()).toEqual({ type: 'connection_ack', payload: { cursor: '0' } });
    raw.socket.close();
    await raw.closed;
  });

  it.each([
    ['a wrong key', { 'x-api-key': 'wrong' }, {}, 4401, /^Unauthorized: ./],
    ['a wrong key in the handshake', {}, { 'x-api-key': 'wrong' }, 4401, /^Unauthorized: ./],
    ['a key that is not a text', { 'x-api-key': [ADMIN_KEY] }, {}, 4401, /^Unauthorized: ./],
    ['another scheme', { Authorization: 'Bearer x' }, {}, 4401, /^Unauthorized: ./],
    ['another scheme in the handshake', {}, { authorization: 'Basic eDp5' }, 4401, /^Unauthorized: ./],
    ['two credentials', { 'x-api-key': ADMIN_KEY }, { 'x-api-key': ADMIN_KEY }, 4400, /one credential/],
    ['the same key twice', { 'x-api-key': ADMIN_KEY, 'X-API-KEY': ADMIN_KEY }, {}, 4400, /more than once/],
  ])('with %s closes the connection', async (_what, payload, headers, code, reason) => {
    const raw = await open(store, { headers });
    raw.say({ type: 'connection_init', payload });
    expect(await raw.closed).toEqual({ code, reason: expect.stringMatching(reason) });
  });

  it('may have an API key of the database; the refusal of a wrong key says only that the key is not valid', async () => {
    const key = await createKey(store, ['products:read']);
    const good = await openAs(store, key);
    good.socket.close();
    const bad = await open(store);
    bad.say({ type: 'connection_init', payload: { 'x-api-key': `${key}x` } });
    expect(await bad.closed).toEqual({ code: 4401, reason: 'Unauthorized: The API key is not valid.' });
  });

  it('is accepted only once', async () => {
    const raw = await openAs(store);
    raw.say({ type: 'connection_init' });
    expect((await raw.closed).code).toBe(4429);
  });

  it('must come before any operation', async () => {
    const raw = await open(store);
    raw.say({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    expect((await raw.closed).code).toBe(4401);
  });
});
