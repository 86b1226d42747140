import { fork, type ChildProcess } from 'node:child_process';
import type { AnyOrder, LoadReport, LoadResult } from './load.ts';

const GRACE_MS = 60_000;

/** The process that makes the load. */
export class LoadProcess {
  readonly #child: ChildProcess;

  constructor(signal: AbortSignal) {
    this.#child = fork(new URL('load.ts', import.meta.url), {
      signal,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // An abort is already an error for the caller that waits for a result, so it is ignored here.
    this.#child.on('error', () => undefined);
  }

  /** @throws Error for any answer that was not a success, and when the load process ends or gives no result in time */
  run(order: AnyOrder): Promise<LoadResult> {
    const patienceMs = GRACE_MS + ('seconds' in order ? order.seconds * 1000 : 0);
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const settle = (report: LoadReport): void => {
        clearTimeout(timer);
        child.off('message', settle).off('exit', ended);
        if (report.error === undefined) resolve(report);
        else reject(new Error(`${order.kind}: ${report.error}`));
      };
      const ended = (): void => settle({ error: 'The load process ended' });
      const timer = setTimeout(() => settle({ error: 'No result in time' }), patienceMs);
      child.on('message', settle).on('exit', ended);
      if (child.connected) child.send(order);
      else ended();
    });
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
