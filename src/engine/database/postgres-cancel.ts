import { connect } from 'node:net';
import type { PoolClient } from 'pg';

const CANCEL_REQUEST = 80_877_102;
const LENGTH = 16;
const ANSWER_MS = 2_000;

/**
 * Cancels the statement of a connection by a message on a new connection (CancelRequest in the protocol of PostgreSQL).
 * The new connection has no session. The promise resolves when the new connection is closed. Without an answer, this
 * function closes the new connection after two seconds. The message contains the secret of `client`'s session. If
 * another server has the address now, that server does not know the secret, and ignores the message.
 */
export function cancelFromOutside(client: PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as {
    host: string;
    port: number;
    processID: number;
    secretKey: number;
  };
  const message = Buffer.alloc(LENGTH);
  message.writeInt32BE(LENGTH, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
    socket.write(message);
  });
}
