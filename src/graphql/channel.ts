import type { Duplex } from 'node:stream';
import { validateMessage, type Message } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { readJson } from '../contract/json.js';

/** With more than this unread by the client, nothing more of what it sends is read. */
const MAX_UNREAD_BYTES = 1_048_576;
const NOTHING = Buffer.alloc(0);

/** A WebSocket as far as messages of graphql-transport-ws go in and out of it. Nothing here throws. */
export class Channel {
  /** @param network what the socket writes to. Nothing is compressed, so that frames can be written past it. */
  constructor(
    private readonly socket: WebSocket,
    private readonly network: Duplex,
  ) {
    // `ws` closes the socket by itself; without a listener the process would end.
    socket.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** @param handle gets null for what is no message of the protocol, and does not reject */
  listen(handle: (message: Message | null) => Promise<void>, closed: () => void): void {
    this.socket.on('message', (data, isBinary) => {
      // What was under way when the socket was being closed has nobody to answer to.
      if (!this.isOpen) return;
      void handle(isBinary ? null : messageIn(data as Buffer));
    });
    this.socket.once('close', closed);
  }

  /** Null when all of it is with the network at once, as it mostly is; otherwise resolves when it is, or never will be. */
  send(message: object): Promise<void> | null {
    return this.sendText(JSON.stringify(message));
  }

  /** The same for what is text already. */
  sendText(text: string): Promise<void> | null {
    if (!this.isOpen) return null;
    this.socket.send(text);
    return this.handOn();
  }

  /** The same for a whole frame: `ws` would write its head apart, for each subscriber anew. */
  sendFrame(frame: Buffer): Promise<void> | null {
    if (!this.isOpen) return null;
    this.network.write(frame);
    return this.handOn();
  }

  close(code: number, reason: string): void {
    // A close frame has room for 123 bytes.
    this.socket.close(code, reason.replaceAll(/[^ -~]/g, '?').slice(0, 123));
  }

  private handOn(): Promise<void> | null {
    const { writableLength } = this.network;
    if (writableLength === 0) return null;
    // A client that does not read what it asked for may not ask for more.
    if (writableLength > MAX_UNREAD_BYTES) this.socket.pause();
    return new Promise((resolve) => {
      // Nothing, behind all the rest: what the network takes at once, as it mostly does, needs no callback.
      this.network.write(NOTHING, () => {
        if (this.socket.isPaused && this.network.writableLength <= MAX_UNREAD_BYTES) this.socket.resume();
        resolve();
      });
    });
  }
}

function messageIn(data: Buffer): Message | null {
  try {
    const { value, faults } = readJson(data);
    return faults.length === 0 ? validateMessage(value) : null;
  } catch {
    return null;
  }
}
