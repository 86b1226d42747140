import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, bytesOf, type Message, type Placeholders } from './message.ts';
import type { Spent } from './meter.ts';
import type { Measured } from './service.ts';
import { send, type Heard } from './wire.ts';

/** The cost of one message. */
export interface Cost {
  /** The size of the message in bytes. */
  readonly size: number;
  /** Milliseconds of processor time that count against the bound. */
  readonly cpu: number;
  /** The processor time for the message, with V8's threads and all hashes of passwords. */
  readonly whole: number;
  /** The growth of the process at its peak, in bytes. */
  readonly memory: number;
  readonly heard: Heard;
  /** Whether the process had to be killed, or has ended. */
  readonly isFatal: boolean;
}

/** The longest processor time for one message, far beyond any bound. After this time, `measure` kills the process. */
const MOST_CPU_MS = 4_000;
const WATCH_MS = 100;
const IDLE_MS = 2_000;
const SAMPLES = 5;

/** Sends messages one by one, and measures the cost of each. */
export class Probe {
  readonly service: Measured;
  readonly placeholders: Placeholders;
  #idle: Spent = { own: 0, pool: 0, engine: 0 };
  /** The time that the thread pool needs to hash one password. A hash is slow on purpose. */
  #password = 0;

  readonly #warmUp: readonly Message[];

  /**
   * @param warmUp these messages are sent after each start of the service, because much is loaded and compiled at its
   *   first use
   */
  constructor(service: Measured, placeholders: Placeholders, warmUp: readonly Message[]) {
    this.service = service;
    this.placeholders = placeholders;
    this.#warmUp = warmUp;
  }

  /** Sends all valid messages once. So the service loads and compiles its code before the first measurement. */
  async warmUp(): Promise<void> {
    for (const each of this.#warmUp) await this.#spentOn(each);
  }

  /** Measures the time that the service uses when it is idle, and for one password. */
  async calibrate(): Promise<void> {
    const { meter } = this.service;
    const before = meter.spent();
    await sleep(IDLE_MS);
    const after = meter.spent();
    const share = (kind: keyof Spent): number => (after[kind] - before[kind]) / IDLE_MS;
    this.#idle = { own: share('own'), pool: share('pool'), engine: share('engine') };
    const samples: number[] = [];
    for (let n = 0; n < SAMPLES; n++) samples.push((await this.#spentOn(passwordOf(n))).pool);
    this.#password = Math.max(...samples);
  }

  get told(): string {
    return (
      `idle ${(1_000 * this.#idle.own).toFixed(1)} ms of each second, ` +
      `one password ${this.#password.toFixed(0)} ms in the pool`
    );
  }

  async measure(message: Message): Promise<Cost> {
    const { meter } = this.service;
    const size = (message.opening ? bodyOf(message, this.placeholders) : bytesOf(message, this.placeholders))
      .length;
    const resident = meter.beginPeak();
    const { own, pool, engine, heard } = await this.#spentOn(message);
    const isFatal = heard === 'killed' || own > MOST_CPU_MS || this.service.hasEnded;
    const cost = {
      size,
      cpu: own + Math.max(0, pool - this.#password),
      whole: own + pool + engine,
      memory: this.service.hasEnded ? Infinity : Math.max(0, meter.peak - resident),
      heard,
      isFatal,
    };
    if (isFatal) {
      await this.service.restart();
      await this.warmUp();
    }
    return cost;
  }

  async #spentOn(message: Message): Promise<Spent & { readonly heard: Heard }> {
    const { meter, url } = this.service;
    const tooMuch = new AbortController();
    let before = meter.spent();
    let since = performance.now();
    let last = before;
    const begin = (): void => {
      before = meter.spent();
      since = performance.now();
    };
    const watch = setInterval(() => {
      if (this.service.hasEnded) return tooMuch.abort();
      last = meter.spent();
      if (last.own - before.own > MOST_CPU_MS) tooMuch.abort();
    }, WATCH_MS);
    const { signal } = tooMuch;
    const aborted = new Promise<'killed'>((resolve) =>
      signal.addEventListener('abort', () => resolve('killed')),
    );
    const work = async (): Promise<Heard> => {
      const heard = await send(message, this.placeholders, { url, meter, signal }, begin);
      await meter.still();
      return heard;
    };
    try {
      const heard = await Promise.race([work().catch((error: unknown) => this.#unless(error)), aborted]);
      if (!this.service.hasEnded) last = meter.spent();
      const elapsed = performance.now() - since;
      const spent = (kind: keyof Spent): number =>
        Math.max(0, last[kind] - before[kind] - this.#idle[kind] * elapsed);
      return { own: spent('own'), pool: spent('pool'), engine: spent('engine'), heard };
    } finally {
      clearInterval(watch);
    }
  }

  /** Ignores the error when the process has ended, because its counters cannot be read any more. */
  #unless(error: unknown): 'killed' {
    if (this.service.hasEnded || ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return 'killed';
    throw error;
  }
}

/** A request for which one password must be hashed. */
function passwordOf(n: number): Message {
  const value = { name: 'Ann', email: `measured${n}@proof.example`, password: 'quite a measure' };
  const headers = [['x-api-key', '{{admin}}']] as const;
  const base = {
    door: 'REST changes',
    about: 'password',
    method: 'POST',
    path: '/api/v1/users',
    query: [],
  } as const;
  return { ...base, headers, body: { kind: 'json', value } };
}
