import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { requireThat } from './options.ts';

/** The service under attack, as a client with a bare socket sees it. */
export class Target {
  readonly port: number;
  readonly key: string;

  constructor(url: string, key: string) {
    this.port = Number(new URL(url).port);
    this.key = key;
  }

  /** The head of a request, without the empty line at its end. */
  head(line: string, fields: Readonly<Record<string, string | number>> = {}): string {
    const all = { Host: 'x', 'X-API-Key': this.key, ...fields };
    return `${line} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}`;
  }

  /** A complete POST of JSON. */
  post(path: string, body: string): string {
    const type = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const accept = path.endsWith('/stream') ? { Accept: 'text/event-stream' } : {};
    return `${this.head(`POST ${path}`, { ...type, ...accept, Connection: 'close' })}\r\n${body}`;
  }

  /** The handshake of a WebSocket, valid or not. */
  handshake(path: string, fields: Readonly<Record<string, string>> = {}): string {
    return `${this.head(`GET ${path}`, {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'graphql-transport-ws',
      ...fields,
    })}\r\n`;
  }

  async open(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    // The service closes or resets the connection of an attack. This is expected, so the error is ignored.
    socket.on('error', () => undefined);
    return socket;
  }

  /** Sends the parts, and waits for the end of the connection. Returns about the first megabyte of the answer. */
  async speak(what: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
    const socket = await this.open();
    const heard = heardOn(socket);
    for (const part of parts) {
      if (socket.destroyed) break;
      if (socket.write(part) || socket.destroyed) continue;
      // `once` of node:events is not used, because it rejects when the socket has an error.
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    await ended(socket, what);
    return heard();
  }

  /** Sends the parts like `speak`. The answer must have one of these statuses, or be empty. */
  async refused(what: string, statuses: readonly number[], ...parts: readonly (string | Uint8Array)[]) {
    const text = await this.speak(what, ...parts);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
    requireThat(
      text === '' || statuses.includes(status),
      () => `${what}: the service answered ${text.slice(0, 300)} instead of ${statuses.join(' or ')}.`,
    );
  }
}

export function heardOn(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    // The status is at the beginning, so the rest need not be kept.
    if (text.length < 1_000_000) text += part;
  });
  return () => text;
}

/** Longer than the 30 s for which the service waits for a request. */
const PATIENCE_MS = 40_000;

export async function ended(socket: Socket, what: string): Promise<void> {
  if (socket.destroyed) return;
  // Node reports the end of a socket only when the socket is read.
  socket.resume();
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', resolve);
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, PATIENCE_MS);
  await promise;
  clearTimeout(patience);
  requireThat(!isLate, () => `${what}: the connection was still open after ${PATIENCE_MS / 1000} s.`);
}
