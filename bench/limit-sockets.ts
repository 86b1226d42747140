import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { LimitOrder } from './limit-store.ts';

/**
 * The WebSockets on which LIMIT sends the events about new orders. LIMIT makes one text for each event, and sends the
 * text to all subscribers in a loop. It does not read the queries of the subscribers. The frames of LIMIT have the same
 * members as the frames of the service, including the cursor.
 */
export class LimitSockets {
  readonly #sockets = new Set<WebSocket>();
  #told = 0;

  constructor(server: Server, isKnown: (key: string | string[] | undefined) => boolean) {
    const sockets = new WebSocketServer({
      server,
      path: '/graphql',
      clientTracking: false,
      handleProtocols: () => 'graphql-transport-ws',
    });
    sockets.on('connection', (socket, { headers }) => {
      if (!isKnown(headers['x-api-key'])) return socket.close(4401);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { type: string };
        if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
        else if (type === 'subscribe') this.#sockets.add(socket);
      });
    });
  }

  tell({ id, total, status, created_at: createdAt }: LimitOrder): void {
    this.#told += 1;
    const payload = {
      data: { newOrder: { id: String(id), total, status, createdAt } },
      extensions: { cursor: String(this.#told) },
    };
    const text = JSON.stringify({ id: '1', type: 'next', payload });
    for (const socket of this.#sockets) socket.send(text);
  }
}
