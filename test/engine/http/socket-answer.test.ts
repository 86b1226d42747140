import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { problemOf } from '../../../src/engine/contract/problem.js';
import { Unavailable } from '../../../src/engine/errors/errors.js';
import { answerOnSocket } from '../../../src/engine/http/socket-answer.js';

const PATIENCE = { timeout: 60_000 };
/** More than the buffers of the network hold. */
const MUCH = Buffer.alloc(67_108_864);

it('a client that does not read the answer on its socket is cut off', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void (client.destroy(), server.close()));
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {});
  // The buffers of the network are full, as after the answers to earlier requests.
  socket.write(MUCH);
  answerOnSocket(socket, problemOf(new Unavailable('The service is shutting down.')), '/', 'an id');
  await expect.poll(() => socket.destroyed, PATIENCE).toBe(true);
});
