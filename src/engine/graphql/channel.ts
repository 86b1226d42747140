import type { Duplex } from 'node:stream';
import { validateMessage, type Message } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { readJson } from '../contract/json.js';
import type { HeldBytes, Holder } from '../rate-limits/held-bytes.js';
import { TOO_MANY_MESSAGES, type MessageBudget } from './message-budget.js';
import { Unfinished } from './unfinished.js';

/** With more than this unread by the client, nothing more of what it sends is read. */
const MAX_UNREAD_BYTES = 1_048_576;
const NOTHING = Buffer.alloc(0);
/** Of somebody of whom nothing is known but `connection_init`: as much as the headers of a request. */
const MAX_INIT_BYTES = 16_384;
const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;

/** A WebSocket as far as messages of graphql-transport-ws go in and out of it. Nothing here throws. */
export class Channel implements Holder {
  private isTrusted = false;

  /** @param network what the socket writes to. Nothing is compressed, so that frames can be written past it. */
  constructor(
    private readonly socket: WebSocket,
    private readonly network: Duplex,
    private readonly messages: MessageBudget,
    private readonly held: HeldBytes,
  ) {
    // `ws` closes the socket by itself; without a listener the process would end.
    socket.on('error', () => {});
    socket.once('close', () => held.set(this, 0));
    Unfinished.watch(socket, network, held);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Lets longer messages in, as operations need them. */
  trust(): void {
    this.isTrusted = true;
  }

  /**
   * @param handle gets null for what is no message of the protocol, and does not reject. What it calls back is for messages that
   *   are counted elsewhere
   */
  listen(handle: (message: Message | null, giveBack: () => void) => Promise<void>, closed: () => void): void {
    this.socket.on('message', (data, isBinary) => {
      const { length } = data as Buffer;
      if (!this.lets(length)) return;
      if (!this.isTrusted && length > MAX_INIT_BYTES) {
        const bound = `connection_init may have at most ${MAX_INIT_BYTES}`;
        return this.close(MESSAGE_TOO_BIG, `The message has ${length} bytes; ${bound}`);
      }
      void handle(isBinary ? null : messageIn(data as Buffer), () => this.messages.giveBack(length));
    });
    // `ws` answers a ping by itself.
    for (const frame of ['ping', 'pong'] as const)
      this.socket.on(frame, ({ length }) => void this.lets(length));
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

  /** With nothing said: who does not read would not read it. Stock clients come back. */
  letGo(): void {
    this.socket.terminate();
  }

  /** Whether what has come is to be looked at. What was under way when the socket was being closed has nobody to answer to. */
  private lets(bytes: number): boolean {
    if (!this.isOpen) return false;
    if (this.messages.take(bytes)) return true;
    this.close(POLICY_VIOLATION, TOO_MANY_MESSAGES);
    // The rest of the flood is not read.
    this.socket.pause();
    return false;
  }

  private handOn(): Promise<void> | null {
    const { writableLength } = this.network;
    if (writableLength === 0) return null;
    this.held.set(this, writableLength);
    // A client that does not read what it asked for may not ask for more.
    if (writableLength > MAX_UNREAD_BYTES) this.socket.pause();
    return new Promise((resolve) => {
      // Nothing, behind all the rest: what the network takes at once, as it mostly does, needs no callback.
      this.network.write(NOTHING, () => {
        if (this.isOpen) this.held.set(this, this.network.writableLength);
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
