import { Injectable, Logger } from '@nestjs/common';

const MOST_BYTES = 128 * 1_048_576;
/** So much is left when somebody had to go, so that it is not looked for again with the next message. */
const LEFT_BYTES = MOST_BYTES * 0.75;

/** Who holds something back that others did not take or finish. */
export interface Holder {
  /** Lets go of all of it, and of who is to blame. */
  letGo(): void;
}

/**
 * What waits in this process for clients that do not read, or that do not finish what they send. Each of them has bounds of
 * its own; this is the bound of all together. When it is reached those who hold most are let go.
 */
@Injectable()
export class HeldBytes {
  private readonly logger = new Logger('HeldBytes');
  private readonly held = new Map<Holder, number>();
  private bytes = 0;

  get total(): number {
    return this.bytes;
  }

  get holders(): number {
    return this.held.size;
  }

  /** @param bytes all that is held now; 0 when nothing is */
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
      holder.letGo();
    }
    this.logger.warn({ bytes, bound: MOST_BYTES, gone }, 'clients that do not read were cut off');
  }
}
