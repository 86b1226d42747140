import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Leaving } from '../../../src/engine/http/leaving.js';

/** Much longer than the time without connections after which the listener is closed. */
const COMING_MS = 50;

it('keeps the listener open while connections come, and then answers the connections that it has', async () => {
  const server = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const leaving = new Leaving(server);
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const left = leaving.leave(1, () => new Promise((resolve) => server.close(() => resolve())));
  // This is the listener that `Leaving` added. The listener of Node would read from the sockets.
  const count = server.listeners('connection').at(-1) as (socket: Socket) => void;
  const begunAt = performance.now();
  while (performance.now() - begunAt < COMING_MS) {
    count(new Socket());
    await nextTurn();
    expect(server.listening).toBe(true);
  }
  await expect.poll(() => server.listening, { interval: 1 }).toBe(false);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  await left;
  const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
});

it('closes with the answer the connection of a request that came before', async () => {
  const began = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => began.resolve(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const leaving = new Leaving(server);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await began.promise;
  const left = leaving.leave(1, () => new Promise((resolve) => server.close(() => resolve())));
  response.end('answered');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  await left;
});
