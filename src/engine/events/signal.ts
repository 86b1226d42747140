/** One waits, others set it off. Set off before anybody waits, it is not waited for. */
export class Signal {
  #isSet = false;
  #wake: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Ends also when the time is up. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    this.#isSet = false;
  }
}
