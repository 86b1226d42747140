import { connect, type Socket } from 'node:net';

const ANSWER_TIMEOUT_MS = 10_000;
const NOTHING = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection. It sends a request, waits for its whole answer, and only then sends the next request. It
 * is an HTTP client of a few lines, because a usual client takes more processor time than the servers under test. It
 * can read only successes (2xx) with a Content-Length. Any other answer is an error.
 */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #received: Buffer = NOTHING;
  #last: Buffer = NOTHING;
  #answered: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  constructor(port: number, timeoutMs = ANSWER_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('timeout', () => this.#fail(`No answer within ${timeoutMs} ms`));
    this.#socket.on('data', (part) => this.#take(part));
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => this.#fail('The server closed the connection'));
  }

  /**
   * Sends the requests that `next` returns, until `next` returns null. Rejects at the first wrong answer, or when the
   * connection fails.
   */
  run(next: () => string | null): Promise<void> {
    if (this.#socket.destroyed) return Promise.reject(new Error('The connection is closed'));
    // The connection may be idle between two runs, so the timeout is on only during a run.
    this.#socket.setTimeout(this.#timeoutMs);
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      this.#answered = () => {
        const request = next();
        if (request !== null) {
          this.#socket.write(request, 'latin1');
          return;
        }
        this.#socket.setTimeout(0);
        resolve();
      };
      this.#answered();
    });
  }

  /** @returns one whole answer, head and body */
  async ask(request: string): Promise<string> {
    const requests = [request];
    await this.run(() => requests.pop() ?? null);
    return this.#last.toString();
  }

  close(): void {
    this.#answered = this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const length = this.#lengthOfAnswer();
    if (length === null || this.#received.length < length) return;
    if (this.#received.length > length) {
      this.#fail('The server sent more than one answer');
      return;
    }
    this.#last = this.#received;
    this.#received = NOTHING;
    this.#answered?.();
  }

  /** The length of head and body together, in bytes; null while it is not known. */
  #lengthOfAnswer(): number | null {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return null;
    const head = this.#received.toString('latin1', 0, end);
    const status = head.slice(9, 12);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) this.#fail(`An answer without Content-Length: ${head}`);
    else if (!status.startsWith('2'))
      this.#fail(`An answer that is no success: ${this.#received.toString()}`);
    else return end + HEAD_END.length + Number(length);
    return null;
  }

  #fail(message: string): void {
    this.#failed?.(new Error(message));
    this.close();
  }
}
