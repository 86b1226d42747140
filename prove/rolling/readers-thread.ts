import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { requireThat } from '../options.ts';
import type { Target, Told } from './readers.ts';

const READERS = 6;
const PAUSE_MS = 100;
/** Only a request that hangs takes this long, even on a busy machine. */
const WAITING_MS = 120_000;
const BODY = JSON.stringify({ query: '{ products(limit: 5) { id name } orders(limit: 5) { id total } }' });

/** The errors that show that no instance has accepted the request. */
const NOT_TAKEN = new Set(['ECONNREFUSED']);

/** The clients of `Readers`, in a thread. */
class Clients {
  readonly #urls: readonly string[];
  readonly #key: string;
  #times: number[] = [];
  #lost: string[] = [];
  #failure: string | null = null;

  constructor({ urls, key }: Target) {
    this.#urls = urls;
    this.#key = key;
  }

  begin(): void {
    for (let place = 0; place < READERS; place += 1) void this.#work(place);
  }

  take(): Told {
    const told = { times: this.#times, lost: this.#lost, failure: this.#failure };
    [this.#times, this.#lost] = [[], []];
    return told;
  }

  async #work(first: number): Promise<void> {
    try {
      for (let turn = first; ; turn += 1) {
        const begun = performance.now();
        for (let place = turn; !(await this.#read(turn, place)); place += 1) await sleep(5);
        this.#times.push(performance.now() - begun);
        await sleep(PAUSE_MS);
      }
    } catch (error) {
      this.#failure ??= (error as Error).message;
    }
  }

  /** Whether the instance has answered with 200. */
  async #read(turn: number, place: number): Promise<boolean> {
    const url = this.#urls[place % this.#urls.length] as string;
    const isGraphql = turn % 3 === 0;
    const path = isGraphql ? '/graphql' : ['/api/v1/products?limit=20', '/api/v1/products/1'][turn % 2];
    const headers = { 'x-api-key': this.#key, ...(isGraphql && { 'content-type': 'application/json' }) };
    try {
      const status = await answerOf(`${url}${path}`, headers, isGraphql ? BODY : null);
      // An instance that is starting or leaving may refuse a read with 503.
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

const clients = new Clients(workerData as Target);
clients.begin();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', () => parentPort?.postMessage(clients.take()));
