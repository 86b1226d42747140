import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStreams } from '../../../src/engine/http/event-streams.js';
import { Turns } from '../../../src/engine/http/turns.js';
import { HeldBytes } from '../../../src/engine/rate-limits/held-bytes.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { aProduct } from '../../support/fixtures/fixtures.js';

const ask = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\n${headers}\r\n`;
/** An answer that lasts until the client leaves. */
const STREAM = ask('/api/v1/events', 'Accept: text/event-stream\r\n');
const HANDSHAKE = ask(
  '/graphql',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n',
);

describe('requests that a connection sends before it has an answer', () => {
  let store: TestApp;
  let streams: EventStreams;
  let held: HeldBytes;
  beforeAll(async () => {
    store = await startApp('sqlite');
    streams = store.app.get(EventStreams, { strict: false });
    held = store.app.get(HeldBytes, { strict: false });
    await store.call('POST', '/api/v1/products', { body: aProduct() });
  });
  afterAll(() => store.close());

  /** Sends a request for a stream, and more, on one connection. */
  async function behindStream(more: string): Promise<{ socket: Socket; heard: () => string }> {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write(STREAM + more);
    await expect.poll(() => text).toContain('retry: ');
    return { socket, heard: () => text };
  }

  it('are answered one after the other, in their order', async () => {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    const body = '{"name":"Second"}';
    const change = `PATCH /api/v1/products/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const read = ask('/api/v1/products/1');
    socket.write(read + change + read + ask('/health/live', 'Connection: close\r\n'));
    await once(socket, 'close');
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(Array.from({ length: 4 }, () => 'HTTP/1.1 200'));
    expect([...text.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name)).toEqual([
      aProduct().name,
      'Second',
      'Second',
    ]);
  });

  it('begin only after all earlier answers, and wait in memory that is counted', async () => {
    const { socket } = await behindStream(STREAM.repeat(9));
    await expect.poll(() => held.total).toBeGreaterThan(9 * 4_096);
    expect(streams.count).toBe(1);
    socket.destroy();
    await expect.poll(() => streams.count).toBe(0);
    await expect.poll(() => held.total).toBe(0);
  });

  it('with a chunked body are counted with the memory that a body in chunks of one byte may take', async () => {
    const { socket } = await behindStream(
      'POST /api/v1/products HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    await expect.poll(() => held.total).toBeGreaterThan(32 * 1_048_576);
    socket.destroy();
    await expect.poll(() => held.total).toBe(0);
  });

  it('with complete chunked bodies are counted with the memory of these bodies, and are all answered', async () => {
    const fields = `Host: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\n`;
    const chunks = JSON.stringify(aProduct()).replaceAll(/[^]/g, '1\r\n$&\r\n');
    const post = `POST /api/v1/products HTTP/1.1\r\n${fields}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
    const { socket } = await behindStream(post.repeat(20));
    await expect.poll(() => held.total).toBeGreaterThan(20 * 4_096);
    expect(held.total).toBeLessThan(2 * 1_048_576);
    // The last body comes in two parts.
    socket.write(post.slice(0, -9));
    await expect.poll(() => held.total).toBeGreaterThan(32 * 1_048_576);
    socket.write(post.slice(-9) + ask('/health/live'));
    await expect.poll(() => held.total).toBeLessThan(2 * 1_048_576);
    socket.destroy();
    await expect.poll(() => held.total).toBe(0);

    const sender = connect(store.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    sender.on('data', (part: string) => (text += part));
    sender.write(post.repeat(20) + ask('/health/live', 'Connection: close\r\n'));
    await once(sender, 'close');
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual([
      ...Array.from({ length: 20 }, () => 'HTTP/1.1 201'),
      'HTTP/1.1 200',
    ]);
  });

  it('with bodies in chunks of one byte are counted so early that at most four of these bodies are in memory', async () => {
    const server = createServer(() => undefined);
    new Turns(new HeldBytes()).keep(server);
    const waiting: IncomingMessage[] = [];
    let [accepted, most] = [0, 0];
    server.on('connection', () => (accepted += 1));
    server.prependListener('request', (request: IncomingMessage) => {
      waiting.push(request);
      const open = waiting.filter(({ socket }) => !socket.destroyed);
      most = Math.max(
        most,
        open.reduce((sum, { readableLength }) => sum + readableLength, 0),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets = Array.from({ length: 24 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await expect.poll(() => accepted).toBe(sockets.length);
    // No request is answered, so the second request of each connection waits.
    const head =
      'GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const socket of sockets) socket.write(head + '1\r\nx\r\n'.repeat(10_000));
    await expect.poll(() => waiting.length).toBe(2 * sockets.length);
    // At most four of these bodies are held at a time.
    expect(most).toBeLessThanOrEqual(4 * 10_000);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['a handshake of a WebSocket', HANDSHAKE],
  ])('are dropped when the client sends %s, and leave nothing behind', async (_what, end) => {
    const { socket, heard } = await behindStream(STREAM + ask('/api/v1/products/export').repeat(2));
    socket.write(end);
    await once(socket, 'close');
    expect(heard()).not.toContain('101 Switching Protocols');
    await expect.poll(() => streams.count).toBe(0);
    for (let n = 0; n < 2; n += 1)
      expect((await store.call('GET', '/api/v1/products/export')).status).toBe(200);
  });

  it('close the connection if more than a thousand wait', async () => {
    const { socket } = await behindStream(ask('/health/live').repeat(1_000));
    expect(socket.closed).toBe(false);
    socket.write(ask('/health/live'));
    await once(socket, 'close');
    await expect.poll(() => held.total).toBe(0);
  });
});
