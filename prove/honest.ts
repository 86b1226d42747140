import { Broken, requireThat } from './options.ts';

/** No answer may take longer than this, even while many clients attack. */
const PATIENCE_MS = 5_000;

/** A client that sends ordinary requests, and measures how long the answers take. */
export class HonestClient {
  answers = 0;
  readonly #url: string;
  readonly #key: string;
  #isOver = false;
  #working: Promise<void> = Promise.resolve();

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** The median time of a round of requests, in milliseconds. */
  async pace(rounds: number): Promise<number> {
    const taken: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const begun = performance.now();
      await this.round();
      taken.push(performance.now() - begun);
    }
    return taken.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number;
  }

  /** Sends rounds of requests in the background, until `end`. */
  begin(): void {
    const work = async () => {
      while (!this.#isOver) await this.round();
    };
    this.#working = work();
    // `end` and `disappointed` report the error. Here it is only marked as handled.
    this.#working.catch(() => undefined);
  }

  /** Rejects when the client was not served. It never resolves. */
  get disappointed(): Promise<never> {
    return this.#working.then(() => new Promise<never>(() => undefined));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  async round(): Promise<void> {
    const created = await this.#ask<{ id: number }>('/api/v1/products', 201, { name: 'Chai', price: 18 });
    const read = await this.#ask<{ name: string }>(`/api/v1/products/${created.id}`, 200);
    requireThat(read.name === 'Chai', () => `Product ${created.id} is called ${read.name}.`);
    await this.#ask('/api/v1/products?limit=20', 200);
    const query = `{ product(id: ${created.id}) { name } }`;
    const { data } = await this.#ask<{ data: { product: { name: string } } }>('/graphql', 200, { query });
    requireThat(
      data.product.name === 'Chai',
      () => `In GraphQL, product ${created.id} is called ${data.product.name}.`,
    );
  }

  async #ask<T>(path: string, status: number, body?: object): Promise<T> {
    try {
      const response = await fetch(this.#url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': this.#key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      requireThat(response.status === status, () => `${path}: ${response.status} ${text.slice(0, 300)}`);
      this.answers += 1;
      return JSON.parse(text) as T;
    } catch (error) {
      throw new Broken(`An honest client was not served after ${this.answers} answers.`, { cause: error });
    }
  }
}
