import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireThat } from '../options.ts';

const READERS = 6;
const PAUSE_MS = 100;
/** Only a request that hangs takes this long, also on a busy machine. */
const WAITING_MS = 120_000;
const BODY = JSON.stringify({ query: '{ products(limit: 5) { id name } orders(limit: 5) { id total } }' });

/** A connection that was refused was not taken by the instance. */
const NOT_TAKEN = new Set(['ECONNREFUSED']);

export interface Taken {
  /** The time of each read in milliseconds, with its repetitions at other instances. */
  readonly times: readonly number[];
  /** The errors of reads that an instance took and did not answer. */
  readonly lost: readonly string[];
}

/** Clients that read all the time, each time on a new connection. If an instance is not there, they ask another one. */
export class Readers {
  readonly #urls: readonly string[];
  readonly #key: string;
  readonly #signal: AbortSignal;
  #times: number[] = [];
  #lost: string[] = [];
  #isOver = false;
  #fault: Error | null = null;
  #working: Promise<unknown> = Promise.resolve();

  constructor(urls: readonly string[], key: string, signal: AbortSignal) {
    this.#urls = urls;
    this.#key = key;
    this.#signal = signal;
  }

  begin(): void {
    this.#working = Promise.all(Array.from({ length: READERS }, (_, place) => this.#work(place)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  /** What was read since the last call. */
  take(): Taken {
    const taken = { times: this.#times, lost: this.#lost };
    [this.#times, this.#lost] = [[], []];
    return taken;
  }

  requireNoFault(): void {
    if (this.#fault !== null) throw this.#fault;
  }

  async #work(first: number): Promise<void> {
    try {
      for (let turn = first; !this.#isOver && !this.#signal.aborted; turn += 1) {
        const begun = performance.now();
        for (let place = turn; !(await this.#read(turn, place)); place += 1) await sleep(5);
        this.#times.push(performance.now() - begun);
        await sleep(PAUSE_MS);
      }
    } catch (error) {
      this.#fault ??= error as Error;
    }
  }

  /** Whether the instance has answered. */
  async #read(turn: number, place: number): Promise<boolean> {
    const url = this.#urls[place % this.#urls.length] as string;
    const isGraphql = turn % 3 === 0;
    const path = isGraphql ? '/graphql' : ['/api/v1/products?limit=20', '/api/v1/products/1'][turn % 2];
    const headers = { 'x-api-key': this.#key, ...(isGraphql && { 'content-type': 'application/json' }) };
    try {
      const status = await answerOf(`${url}${path}`, headers, isGraphql ? BODY : null);
      // An instance that is starting or leaving may refuse a read, and says so.
      requireThat(status === 200 || status === 503, () => `${path} is answered with ${status} by ${url}.`);
      return status === 200;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === undefined) throw error;
      if (!NOT_TAKEN.has(code)) this.#lost.push(`${code} from ${path}`);
      return false;
    }
  }
}

/** The status of a whole answer. */
async function answerOf(url: string, headers: Record<string, string>, body: string | null): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const method = body === null ? 'GET' : 'POST';
  const sent = request(url, { method, headers, agent: false, timeout: WAITING_MS }, (answer) => {
    answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0));
    answer.resume();
  });
  sent.on('error', reject);
  sent.on('timeout', () => sent.destroy(Object.assign(new Error('It took too long.'), { code: 'TIMEOUT' })));
  sent.end(body ?? undefined);
  return promise;
}

/** The smallest value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
