import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type Service } from '../testkit/process.ts';
import { exited } from '../testkit/exited.ts';
import type { Proceeding } from '../testkit/proceeding.ts';
import { Broken, requireThat } from './options.ts';

const READY_MS = 30_000;
const PAUSE_MS = 20;

/** Instances of the built service that share a database. Each instance has the same address again after a restart. */
export class Instances {
  readonly urls: readonly string[];
  readonly #services: Service[];
  readonly #settings: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal;

  /** Starts all instances at once; one of them creates the tables. */
  static async start(
    count: number,
    settings: Readonly<Record<string, string>>,
    { signal, atEnd }: Proceeding,
  ): Promise<Instances> {
    const services = await Promise.all(Array.from({ length: count }, () => serve(settings, { signal })));
    atEnd(() => Promise.all(services.map(({ process: child }) => exited(child))));
    return new Instances(services, settings, signal);
  }

  private constructor(services: Service[], settings: Readonly<Record<string, string>>, signal: AbortSignal) {
    this.urls = services.map(({ url }) => url);
    this.#services = services;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** Starts an instance that gets no requests, and ends it. */
  async startAndEndAnother(): Promise<void> {
    const another = await serve(this.#settings, { signal: this.#signal });
    const { code } = await another.stop('SIGTERM');
    requireThat(code === 0, () => `An instance without requests ended with ${code} on SIGTERM.`);
  }

  async kill(index: number): Promise<void> {
    await this.#services[index]?.stop('SIGKILL');
  }

  /** Sends SIGTERM, and waits for the end. @returns the exit code */
  async terminate(index: number): Promise<number | null> {
    return (await this.#services[index]?.stop('SIGTERM'))?.code ?? null;
  }

  async restart(index: number): Promise<void> {
    const { port } = new URL(this.urls[index] as string);
    const settings = { ...this.#settings, PORT: port };
    this.#services[index] = await serve(settings, { signal: this.#signal }).catch((error: unknown) => {
      throw new Broken(`Instance ${index + 1} does not start again.`, { cause: error });
    });
  }

  /** Waits until all instances report this readiness. @throws Broken when they do not report it in time */
  async requireReadiness(status: number, word?: string): Promise<void> {
    const deadline = Date.now() + READY_MS;
    for (const url of this.urls) {
      for (;;) {
        const answer = await fetch(`${url}/health/ready`);
        const body = (await answer.json()) as { status?: unknown };
        if (answer.status === status && (word === undefined || body.status === word)) break;
        requireThat(
          Date.now() < deadline,
          () => `${url} reports ${JSON.stringify(body)} as its readiness, instead of ${word ?? status}.`,
        );
        await sleep(PAUSE_MS);
      }
    }
  }
}
