import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { HeldBytes, Holder } from '../rate-limits/held-bytes.js';

/** Up to this number of bytes nothing is counted, because short messages usually come in one chunk. */
const FEW_BYTES = 16_384;
/** The length of the head of a masked frame (RFC 6455, section 5.2), by the length of its payload. */
const [SHORT_HEAD, HEAD, LONG_HEAD] = [6, 8, 14];

/**
 * Counts the bytes of a client's messages that are not complete yet, because `ws` keeps such messages without a time
 * limit.
 */
export class Unfinished implements Holder {
  private bytes = 0;

  private constructor(
    private readonly socket: WebSocket,
    private readonly held: HeldBytes,
  ) {}

  /** Counts until the socket is closed. */
  static watch(socket: WebSocket, network: Duplex, held: HeldBytes): void {
    const unfinished = new Unfinished(socket, held);
    network.on('data', (chunk: Buffer) => unfinished.count(chunk.length));
    for (const event of ['message', 'ping', 'pong'] as const) {
      // With our options of `ws`, every message is one buffer.
      socket.on(event, (data: RawData) => unfinished.count(-sizeOf(data as Buffer)));
    }
    socket.once('close', () => held.set(unfinished, 0));
  }

  letGo(): void {
    this.socket.terminate();
  }

  private count(bytes: number): void {
    this.bytes = Math.max(0, this.bytes + bytes);
    this.held.set(this, this.bytes > FEW_BYTES ? this.bytes : 0);
  }
}

function sizeOf({ length }: Buffer): number {
  return length + (length < 126 ? SHORT_HEAD : length < 65_536 ? HEAD : LONG_HEAD);
}
