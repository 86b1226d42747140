import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { ADMIN_KEY } from '../clients/app.js';

/** A subscriber that reads its first event, and then reads nothing. */
export interface Stalled {
  /** Reads again, ignores the messages, and resolves when the service has closed the connection. */
  readUntilClosed(): Promise<void>;
  leave(): void;
}

/**
 * Subscribes by WebSocket, and stops reading when the first event arrives. If the query names an old cursor, the first
 * event arrives at once.
 */
export async function stallWebSocket(port: number, query: string): Promise<Stalled> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const say = (message: object) => socket.send(JSON.stringify(message));
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('The WebSocket was closed.')));
    socket.once('open', () => say({ type: 'connection_init', payload: { 'X-API-Key': ADMIN_KEY } }));
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      if (type === 'connection_ack') return say({ id: '1', type: 'subscribe', payload: { query } });
      socket.pause();
      socket.removeAllListeners('message');
      resolve();
    });
  });
  return {
    readUntilClosed: () => {
      socket.resume();
      return closed;
    },
    leave: () => socket.terminate(),
  };
}

/** Subscribes and stops reading in the same way as `stallWebSocket`, but by server-sent events. */
export async function stallSse(port: number, query: string): Promise<Stalled> {
  const body = JSON.stringify({ query });
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `POST /graphql/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${ADMIN_KEY}\r\nAccept: text/event-stream\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await new Promise<void>((resolve, reject) => {
    let text = '';
    socket.once('close', () => reject(new Error('The connection was closed.')));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('event: next')) return;
      socket.pause();
      socket.removeAllListeners('data');
      resolve();
    });
  });
  return {
    readUntilClosed: () => {
      socket.resume();
      return closed;
    },
    leave: () => socket.destroy(),
  };
}
