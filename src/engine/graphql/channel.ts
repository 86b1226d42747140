import type { Duplex } from 'node:stream';
import { validateMessage, type Message } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { readJson } from '../contract/json.js';
import type { HeldBytes, Holder } from '../rate-limits/held-bytes.js';
import { MESSAGE_TOO_BIG, POLICY_VIOLATION } from './close-codes.js';
import { addEmptyText } from './document-id.js';
import type { MessageBudget } from './message-budget.js';
import { Unfinished } from './unfinished.js';

/** If the client has more than this number of unread bytes, the service reads no more messages of the client. */
const MAX_UNREAD_BYTES = 1_048_576;
const NOTHING = Buffer.alloc(0);
/**
 * The maximum size of `connection_init` in bytes. The sender is not known yet, so the bound is low: it is the same as
 * for the headers of a request.
 */
const MAX_INIT_BYTES = 16_384;

/** The messages of graphql-transport-ws over one WebSocket. No method throws. */
export class Channel implements Holder {
  private isTrusted = false;

  /**
   * @param network the stream to which the socket writes. It is not compressed, so frames can be written to it
   *   directly.
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly network: Duplex,
    private readonly messages: MessageBudget,
    private readonly held: HeldBytes,
  ) {
    // After an error, `ws` closes the socket itself. But an error without a listener would end the process.
    socket.on('error', () => {});
    socket.once('close', () => held.set(this, 0));
    Unfinished.watch(socket, network, held);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** From now on, messages may be longer than `MAX_INIT_BYTES`. Call this when the caller is known. */
  trust(): void {
    this.isTrusted = true;
  }

  /**
   * @param handle must not reject. It gets null for a message that does not belong to the protocol. It calls
   *   `giveBack` if the message does not count for the limit of messages, for example because the rate limits count its
   *   operation.
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
    // `ws` itself answers a ping.
    for (const frame of ['ping', 'pong'] as const)
      this.socket.on(frame, ({ length }) => void this.lets(length));
    this.socket.once('close', closed);
  }

  /**
   * Returns null if the network takes the message at once, which is the usual case, or if the socket is not open.
   * Otherwise the promise resolves when the network has taken the message, or can no longer take it.
   */
  send(message: object): Promise<void> | null {
    return this.sendText(JSON.stringify(message));
  }

  /** Like `send`, for a message that is already text. */
  sendText(text: string): Promise<void> | null {
    if (!this.isOpen) return null;
    this.socket.send(text);
    return this.handOn();
  }

  /**
   * Like `send`, for a whole frame, which several subscribers can share. `ws` would make a new head of the frame for
   * each subscriber, and write the head separately.
   */
  sendFrame(frame: Buffer): Promise<void> | null {
    if (!this.isOpen) return null;
    this.network.write(frame);
    return this.handOn();
  }

  close(code: number, reason: string): void {
    // A close frame has room for 123 bytes.
    this.socket.close(code, reason.replaceAll(/[^ -~]/g, '?').slice(0, 123));
  }

  /**
   * Disconnects a client that does not read. The client gets no close frame, because it would not read this frame
   * either. The usual client libraries reconnect.
   */
  letGo(): void {
    this.socket.terminate();
  }

  /**
   * Counts a received message, and returns whether to handle it. A message is not handled while the socket is closing,
   * because it cannot be answered. Too many messages close the socket.
   */
  private lets(bytes: number): boolean {
    if (!this.isOpen) return false;
    const refusal = this.messages.take(bytes);
    if (refusal === null) return true;
    this.close(POLICY_VIOLATION, refusal);
    // The messages that follow are not read.
    this.socket.pause();
    return false;
  }

  private handOn(): Promise<void> | null {
    const { writableLength } = this.network;
    if (writableLength === 0) return null;
    this.held.set(this, writableLength);
    // A client that does not read its answers may not send more requests.
    if (writableLength > MAX_UNREAD_BYTES) this.socket.pause();
    return new Promise((resolve) => {
      // The callback of this empty write runs when the network has taken all data before it. In the usual case the
      // network takes the data at once, and this write is not needed.
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
    if (faults.length > 0) return null;
    addEmptyText(value);
    return validateMessage(value);
  } catch {
    return null;
  }
}
