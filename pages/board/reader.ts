import { Refused } from './document.js';

/** The shortest time between two reads of the same data. */
const APART_MS = 1_000;

/**
 * Reads data again after changes, at most once in a second. A change during a read leads to another read, so that the
 * last answer contains the last change.
 */
export class Reader {
  private isDue = false;
  private isReading = false;
  private timer = 0;
  private notBefore = 0;

  /** @param mayRead false while nobody looks at the page, or the service cannot be reached */
  constructor(
    private readonly read: () => Promise<void>,
    private readonly mayRead: () => boolean,
    private readonly failed: (message: string) => void,
  ) {}

  ask(): void {
    this.isDue = true;
    this.go();
  }

  /** Reads now if a read is due. Call this when `mayRead` changes. */
  go(): void {
    if (!this.isDue || this.isReading || !this.mayRead()) return;
    clearTimeout(this.timer);
    const waitMs = this.notBefore - Date.now();
    if (waitMs > 0) this.timer = setTimeout(() => this.go(), waitMs);
    else void this.readNow();
  }

  private async readNow(): Promise<void> {
    this.isReading = true;
    this.isDue = false;
    this.notBefore = Date.now() + APART_MS;
    try {
      await this.read();
      this.failed('');
    } catch (error) {
      this.isDue = true;
      const waitMs = error instanceof Refused ? error.waitMs : 5_000;
      this.notBefore = Date.now() + waitMs;
      this.failed(error instanceof Refused ? error.message : 'The service cannot be reached.');
    }
    this.isReading = false;
    this.go();
  }
}
