import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { LimitOrder } from './limit-store.ts';

/**
 * What LIMIT tells of new orders: one text, and a loop of `send` over all who have subscribed, whatever they wrote. The
 * frames are those of the service, cursor and all.
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
