import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { LoadConnection } from '../../bench/load-connection.ts';

const TIMEOUT_MS = 100;
const REQUEST = 'GET / HTTP/1.1\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const undoing: (() => unknown)[] = [];
afterEach(() => {
  for (const undo of undoing.splice(0).toReversed()) undo();
});

/** A connection to a server that calls `hear` for each request. */
async function connectionTo(hear: (socket: Socket) => void): Promise<LoadConnection> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => hear(socket));
    undoing.push(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  undoing.push(() => server.close());
  await once(server, 'listening');
  const connection = new LoadConnection((server.address() as AddressInfo).port, TIMEOUT_MS);
  undoing.push(() => connection.close());
  return connection;
}

describe('a connection of the benchmark', () => {
  it('may be idle between two requests for longer than it waits for an answer', async () => {
    const connection = await connectionTo((socket) => socket.write(ANSWER));
    expect(await connection.ask(REQUEST)).toBe(ANSWER);
    await sleep(3 * TIMEOUT_MS);
    expect(await connection.ask(REQUEST)).toBe(ANSWER);
  });

  it('reports a server that does not answer', async () => {
    const connection = await connectionTo(() => undefined);
    await expect(connection.ask(REQUEST)).rejects.toThrow('No answer within 100 ms');
  });

  it('reports that the server has closed it, also at the next request', async () => {
    const connection = await connectionTo((socket) => socket.end(ANSWER));
    expect(await connection.ask(REQUEST)).toBe(ANSWER);
    await sleep(TIMEOUT_MS);
    await expect(connection.ask(REQUEST)).rejects.toThrow('The connection is closed');
  });
});
