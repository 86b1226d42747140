import { Refused } from './document.js';

/**
 * Reads data again after changes. Between the starts of two reads, there are at least `apartMs`, unless a read is
 * urgent. A change during a read leads to another read, so that the last answer contains the last change.
 */
export class Reader {
  private isDue = false;
  private isUrgent = false;
  private isReading = false;
  private timer = 0;
  private notBefore = 0;
  private failure = '';

  /**
   * @param apartMs the shortest time between the starts of two reads
   * @param mayRead returns false while the page is hidden or paused, or while the service cannot be reached
   * @param told is called after each read, because `message` may have changed
   */
  constructor(
    private readonly apartMs: number,
    private readonly read: () => Promise<void>,
    private readonly mayRead: () => boolean,
    private readonly told: () => void,
  ) {}

  /** The error message of the last read; empty if the read was successful. */
  get message(): string {
    return this.failure;
  }

  /**
   * @param isUrgent whether the data should be read at once, and not after the shortest time between two reads. After a
   *   failed read, the wait stays.
   */
  ask(isUrgent = false): void {
    this.isDue = true;
    this.isUrgent ||= isUrgent;
    this.go();
  }

  /** If a read is due, reads as soon as the shortest time has passed. Call this when `mayRead` changes. */
  go(): void {
    if (!this.isDue || this.isReading || !this.mayRead()) return;
    clearTimeout(this.timer);
    if (this.isUrgent && this.failure === '') this.notBefore = 0;
    const waitMs = this.notBefore - Date.now();
    if (waitMs > 0) this.timer = setTimeout(() => this.go(), waitMs);
    else void this.readNow();
  }

  private async readNow(): Promise<void> {
    this.isReading = true;
    this.isDue = false;
    this.isUrgent = false;
    this.notBefore = Date.now() + this.apartMs;
    try {
      await this.read();
      this.failure = '';
    } catch (error) {
      this.isDue = true;
      const waitMs = error instanceof Refused ? error.waitMs : 5_000;
      this.notBefore = Date.now() + waitMs;
      this.failure = error instanceof Refused ? error.message : 'The service cannot be reached.';
    }
    this.told();
    this.isReading = false;
    this.go();
  }
}
