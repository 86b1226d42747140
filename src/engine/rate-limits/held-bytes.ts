import { Counter } from '../metrics/instruments.js';
import { Injectable, Logger } from '@nestjs/common';

const MOST_BYTES = 128 * 1_048_576;
/**
 * When more than `MOST_BYTES` are held, holders are released until at most this many bytes are held. If more bytes were
 * still held, the next message would soon exceed the bound again.
 */
const LEFT_BYTES = MOST_BYTES * 0.75;

/** A holder of data that a client did not read, or did not finish sending. */
export interface Holder {
  /** Releases all of this data, and disconnects the client. */
  letGo(): void;
}

/**
 * The data that this process holds for clients that do not read, or that do not finish what they send. Each holder has
 * its own bounds. `MOST_BYTES` is the bound for all holders together. When all holders together hold more, the
 * largest holders are released.
 */
@Injectable()
export class HeldBytes {
  /** The holders that were released, because all together held too much. */
  readonly released = new Counter();
  private readonly logger = new Logger('HeldBytes');
  private readonly held = new Map<Holder, number>();
  private bytes = 0;

  get total(): number {
    return this.bytes;
  }

  get holders(): number {
    return this.held.size;
  }

  /** @param bytes the total that the holder holds now; 0 for nothing */
  set(holder: Holder, bytes: number): void {
    const before = this.held.get(holder) ?? 0;
    if (bytes === before) return;
    this.bytes += bytes - before;
    if (bytes === 0) this.held.delete(holder);
    else this.held.set(holder, bytes);
    if (this.bytes > MOST_BYTES) this.makeRoom();
  }

  private makeRoom(): void {
    const { bytes } = this;
    let gone = 0;
    for (const [holder, part] of [...this.held].toSorted(([, a], [, b]) => b - a)) {
      if (this.bytes <= LEFT_BYTES) break;
      this.held.delete(holder);
      this.bytes -= part;
      gone += 1;
      this.released.add();
      holder.letGo();
    }
    this.logger.warn(
      { bytes, bound: MOST_BYTES, gone },
      'connections of clients that do not read, or do not finish sending, were closed',
    );
  }
}
