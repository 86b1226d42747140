/**
 * Asks a question for several callers at once. While the question is being asked, new callers wait. Then the question
 * is asked once more, and all these callers get this answer. So an answer is never older than the call.
 */
export class SharedAnswer<T> {
  readonly #question: () => Promise<T>;
  #running: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  constructor(question: () => Promise<T>) {
    this.#question = question;
  }

  ask(): Promise<T> {
    if (this.#next !== null) return this.#next;
    if (this.#running === null) return this.#begin();
    const begin = (): Promise<T> => {
      this.#next = null;
      return this.#begin();
    };
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<T> {
    const running = this.#question();
    this.#running = running;
    const ended = (): void => {
      if (this.#running === running) this.#running = null;
    };
    running.then(ended, ended);
    return running;
  }
}
