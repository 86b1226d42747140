import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';

const BODY = '{"name":"Smuggled","price":1}';
const HEAD = `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\n`;
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
/** A second request. A proxy in front could read it as a part of the body of the first request. */
const SECOND = 'GET /api/products?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/**
 * Each request can be read in two ways. If a proxy and the service read it differently, an attacker can put bytes in
 * front of the request of another user (request smuggling).
 */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  'Content-Length and Transfer-Encoding': `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'Transfer-Encoding and Content-Length': `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${CHUNKED}`,
  'two lengths': `${HEAD}Content-Length: ${BODY.length}\r\nContent-Length: 4\r\n\r\n${BODY}`,
  'the same length twice': `${HEAD}Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a list of lengths': `${HEAD}Content-Length: ${BODY.length}, ${BODY.length}\r\n\r\n${BODY}`,
  'a length with a sign': `${HEAD}Content-Length: +${BODY.length}\r\n\r\n${BODY}`,
  'a negative length': `${HEAD}Content-Length: -1\r\n\r\n${BODY}`,
  'a length in hexadecimal': `${HEAD}Content-Length: 0x1d\r\n\r\n${BODY}`,
  'chunked that is not the last coding': `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n${CHUNKED}`,
  'chunked twice': `${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n${CHUNKED}`,
  'an unknown coding': `${HEAD}Transfer-Encoding: xchunked\r\n\r\n${CHUNKED}`,
  'a blank before the colon': `${HEAD}Transfer-Encoding : chunked\r\n\r\n${CHUNKED}`,
  'a tab before the colon': `${HEAD}Content-Length\t: ${BODY.length}\r\n\r\n${BODY}`,
  'a folded header': `${HEAD}X-Folded: a\r\n b\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a folded coding': `${HEAD}Transfer-Encoding:\r\n chunked\r\n\r\n${CHUNKED}`,
  'a folded first header': `POST /api/products HTTP/1.1\r\n Host: x\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'line feeds alone': `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`.replaceAll('\r\n', '\n'),
  'a line feed alone after a header': `${HEAD}X-One: 1\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a carriage return alone': `${HEAD}X-One: 1\rContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a zero byte in a header': `${HEAD}X-One: a\0b\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a zero byte in a name': `${HEAD}X-\0One: a\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'a chunk whose size has a sign': `${HEAD}Transfer-Encoding: chunked\r\n\r\n+1d\r\n${BODY}\r\n0\r\n\r\n`,
  'a chunk whose size begins with 0x': `${HEAD}Transfer-Encoding: chunked\r\n\r\n0x1d\r\n${BODY}\r\n0\r\n\r\n`,
  'a chunk that is longer than its size': `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\n${BODY}\r\n0\r\n\r\n`,
  'chunks that end in line feeds': `${HEAD}Transfer-Encoding: chunked\r\n\r\n1d\n${BODY}\n0\n\n`,
  'a chunk whose size has more than 64 bits': `${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`,
  'a coding before chunked': `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKED}`,
  'a coding before chunked, in a separate header': `${HEAD}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`,
  'two hosts': `${HEAD}Host: y\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'two types': `${HEAD}Content-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'the same key twice': `${HEAD}x-api-key: ${ADMIN_KEY}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'two credentials': `${HEAD.replace(/X-API-Key.*\r\n/, '')}Authorization: Bearer a\r\nAuthorization: Basic Yjpj\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'two dates': `${HEAD}If-Unmodified-Since: Sat, 21 Nov 2026 18:00:00 GMT\r\nIf-Unmodified-Since: x\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'an unknown version of HTTP': `${HEAD.replace('HTTP/1.1', 'HTTP/1.2')}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'an extra blank in the request line': `${HEAD.replace(' HTTP', '  x HTTP')}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
};

describe('a request that can be read in two ways', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it.each(Object.entries(AMBIGUOUS))(
    'is refused, with everything that follows it: %s',
    async (_what, text) => {
      const answers = await speak(store.port, [text + SECOND]);
      expect(answers).toMatch(/^HTTP\/1.1 400 [^]*"code":"MALFORMED_REQUEST"/);
      expect(answers).toMatch(/^connection: close$/im);
      expect(answers.match(/HTTP\/1.1 \d{3} /g)).toHaveLength(1);
      const { body } = await store.call('GET', '/api/products');
      expect(body).toEqual([]);
    },
  );

  it('is refused, but requests with a chunk extension or with one Content-Length are answered in order', async () => {
    const answers = await speak(store.port, [
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNKED.replace('1d\r\n', '1d;extension=1\r\n')}`,
      `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}${SECOND}`,
    ]);
    expect([...answers.matchAll(/HTTP\/1.1 (\d{3}) /g)].map(([, status]) => status)).toEqual([
      '201',
      '201',
      '200',
    ]);
  });
});

describe('requests that the service cannot process', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it.each(['/api/products', '/graphql', '/', '/graphql/stream', '/health/live'])(
    'by TRACE %s are refused, and the answer does not repeat them',
    async (path) => {
      const text = await speak(store.port, [
        `TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Secret: 5e3a\r\nConnection: close\r\n\r\n`,
      ]);
      expect(text).toMatch(/^HTTP\/1.1 405 /);
      expect(text).not.toContain('5e3a');
      expect(text).toMatch(/^allow: .*OPTIONS$/im);
    },
  );

  it('close the connection if an earlier answer has started, and do not change this answer', async () => {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await expect.poll(() => text).toContain('retry: ');
    socket.write('GARBAGE\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(text).not.toContain('MALFORMED_REQUEST');
  });

  it('by CONNECT are cut off, and the service continues', async () => {
    expect(await speak(store.port, ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'])).toBe(
      '',
    );
    expect((await store.call('GET', '/health/live')).status).toBe(200);
  });

  it.each([
    ['one large field', `X-Large: ${'x'.repeat(17_000)}\r\n`],
    ['many small fields', 'X-Small: x\r\n'.repeat(1_700)],
    ['a large cookie', `Cookie: a=${'x'.repeat(17_000)}\r\n`],
  ])('with %s are answered with 431', async (_what, fields) => {
    const text = await speak(store.port, [`GET /api/products HTTP/1.1\r\nHost: x\r\n${fields}\r\n`]);
    expect(text).toMatch(
      /^HTTP\/1.1 431 [^]*The header section has more than 16384 bytes; it may have at most 16384/,
    );
  });

  it.each([
    ['the length is known', 'Content-Length: 16385\r\n\r\n', 'has 16385 bytes'],
    [
      'the length is not known',
      `Transfer-Encoding: chunked\r\n\r\n4001\r\n${'x'.repeat(16_385)}\r\n0\r\n\r\n`,
      'has more than 16384 bytes',
    ],
  ])('with too large a body are answered with 413 and the limit: %s', async (_what, body, said) => {
    const text = await speak(store.port, [`${HEAD}Connection: close\r\n${body}`]);
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain(`"The body ${said}; it may have at most 16384."`);
  });
});

async function slow(limits: object): Promise<TestApp> {
  const store = await startApp('sqlite');
  Object.assign(store.app.getHttpServer(), limits);
  return store;
}

describe('a slow client', () => {
  it.each([
    ['says nothing', ''],
    ['does not end the headers', 'GET /api/products HTTP/1.1\r\nHost: x\r\n'],
  ])('is cut off if it %s', async (_what, text) => {
    const store = await slow({ headersTimeout: 100, requestTimeout: 200 });
    expect(await speak(store.port, [text])).toMatch(/^HTTP\/1.1 408 [^]*REQUEST_TIMEOUT/);
    await store.close();
  });

  it('is cut off if it does not end the body', async () => {
    const store = await slow({ headersTimeout: 100, requestTimeout: 200 });
    expect(await speak(store.port, [`${HEAD}Content-Length: 100\r\n\r\n{`])).toMatch(/^HTTP\/1.1 408 /);
    await store.close();
  });

  it('is cut off if it sends nothing more on an open connection', async () => {
    const store = await slow({ keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0 });
    const text = await speak(store.port, ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    await store.close();
  });

  it('is cut off if it does not read the answer', async () => {
    const store = await slow({ timeout: 300 });
    const socket = connect(store.port, '127.0.0.1');
    socket.pause();
    // The answers are far larger than the buffers of the network.
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(400));
    const [accepted] = await once(store.app.getHttpServer(), 'connection');
    await once(accepted, 'close');
    expect(socket.readableFlowing).toBe(false);
    socket.destroy();
    await store.close();
  });

  it('is limited by timeouts, and by a maximum number of connections', async () => {
    const store = await startApp('sqlite');
    expect(store.app.getHttpServer()).toMatchObject({
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 72_000,
      timeout: 120_000,
      maxConnections: 20_000,
    });
    await store.close();
  });

  it('can use up all connections: each further connection is closed at once, until earlier ones end', async () => {
    const store = await slow({ maxConnections: 3 });
    const sockets = Array.from({ length: 3 }, () => connect(store.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const ask = () =>
      speak(store.port, ['GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']).catch(
        ({ code }: NodeJS.ErrnoException) => code,
      );
    expect(['', 'ECONNRESET', 'EPIPE']).toContain(await ask());
    for (const socket of sockets) socket.destroy();
    await expect.poll(ask).toMatch(/^HTTP\/1.1 200 /);
    await store.close();
  });
});

describe('a client that resets the connection', () => {
  it('causes no warning or error in the log, even if its address is no longer known', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const store = await startApp('sqlite', {}, () => {}, logger);
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        ['/api/products', '/graphql?query=%7B__typename%7D', '/health/live', '/nothing'].map(async (path) => {
          const socket = connect(store.port, '127.0.0.1');
          await once(socket, 'connect');
          socket.on('error', () => undefined);
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, () => socket.resetAndDestroy());
          await once(socket, 'close');
        }),
      );
    }
    expect((await store.call('GET', '/health/live')).status).toBe(200);
    expect(lines).toEqual([]);
    await store.close();
  });
});
