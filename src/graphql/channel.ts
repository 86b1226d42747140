import { validateMessage, type Message } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { readJson } from '../contract/json.js';

/** With more than this unread by the client, nothing more of what it sends is read. */
const MAX_UNREAD_BYTES = 1_048_576;

/** A WebSocket as far as messages of graphql-transport-ws go in and out of it. Nothing here throws. */
export class Channel {
  constructor(private readonly socket: WebSocket) {
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

  /** Resolves when the message is handed to the network, or never will be. */
  send(message: object): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  /** The same for what is text already. */
  sendText(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve();
      this.socket.send(text, () => {
        if (this.socket.isPaused && this.socket.bufferedAmount <= MAX_UNREAD_BYTES) this.socket.resume();
        resolve();
      });
      // A client that does not read what it asked for may not ask for more.
      if (this.socket.bufferedAmount > MAX_UNREAD_BYTES) this.socket.pause();
    });
  }

  close(code: number, reason: string): void {
    // A close frame has room for 123 bytes.
    this.socket.close(code, reason.replaceAll(/[^ -~]/g, '?').slice(0, 123));
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
