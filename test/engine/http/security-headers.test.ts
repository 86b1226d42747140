import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { create } from '../../support/fixtures/fixtures.js';
import { openStream } from '../../support/clients/sse.js';
import { speak } from '../../support/clients/socket.js';

const HANDSHAKE =
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';

/** The headers of every answer. */
const NAMES = [
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
];

describe('the security headers', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_PUBLIC_URL: 'https://store.example' });
    await create(store);
  });
  afterAll(() => store.close());

  it.each([
    ['a list', 'GET /api/products', 200],
    ['an item', 'GET /api/products/1', 200],
    ['HEAD', 'HEAD /api/products', 200],
    ['OPTIONS', 'OPTIONS /api/products', 204],
    ['GraphQL', 'GET /graphql?query=%7B__typename%7D', 200],
    ['a refused operation', 'GET /graphql?query=%7B', 200],
    ['health', 'GET /health/ready', 200],
    ['a contract', 'GET /openapi.yaml', 200],
    ['an unknown path', 'GET /nothing', 404],
    ['another method', 'DELETE /api/products', 405],
    ['a wrong encoding, which Fastify refuses', 'GET /api/products/%zz', 400],
    ['too long a path', `GET /api/products/${'1'.repeat(9_000)}`, 414],
    ['too long a request line', `GET /api/products?q=${'1'.repeat(20_000)}`, 431],
    ['bytes that are not HTTP', 'HELLO', 400],
    ['the page', 'GET /', 200],
    ['metadata of the authorization server', 'GET /oauth/.well-known/openid-configuration', 200],
    ['an error of the authorization server', 'POST /oauth/token', 400],
    ['a sign-in that does not exist', 'GET /oauth/interaction/x', 404],
  ])('are in every answer: %s', async (_what, line, status) => {
    const [head = ''] = (
      await speak(store.port, [`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
    ).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    expect(head).toMatch(/^content-security-policy: default-src 'none';.*frame-ancestors 'none'/im);
    expect(head).toMatch(/^referrer-policy: (no-referrer|same-origin)$/im);
    expect(head).toMatch(/^cross-origin-resource-policy: same-origin$/im);
    // These two answers are written to the bare socket, without Strict-Transport-Security.
    const isOnSocket = status === 431 || line === 'HELLO';
    expect(/^strict-transport-security: max-age=31536000$/im.test(head)).toBe(!isOnSocket);
    for (const name of NAMES) {
      expect(head.match(new RegExp(`^${name}:`, 'gim'))).toHaveLength(1);
    }
  });

  it('are in the answers to a refused handshake and to an unsupported Expect header', async () => {
    for (const text of [
      `GET /graphql HTTP/1.1\r\n${HANDSHAKE}\r\n`,
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n',
    ]) {
      const answer = await speak(store.port, [text]);
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
      for (const name of NAMES) expect(answer).toMatch(new RegExp(`^${name}: `, 'im'));
    }
  });

  it('are in a stream', async () => {
    const stream = await openStream(store, '/api/v1/events');
    for (const name of NAMES) expect([name, stream.headers.get(name)]).not.toEqual([name, null]);
    stream.leave();
  });

  it('do not contain Strict-Transport-Security without STORE_PUBLIC_URL', async () => {
    const plain = await startApp('sqlite');
    expect((await plain.call('GET', '/health/live')).headers.get('strict-transport-security')).toBeNull();
    await plain.close();
  });
});
