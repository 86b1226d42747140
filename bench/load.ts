import { LoadConnection } from './load-connection.ts';
import { REQUESTS, type RequestKind, type RequestSettings } from './requests.ts';

/** One window of load, as the runner asks for it. */
export interface LoadOrder extends RequestSettings {
  readonly kind: RequestKind;
  readonly clients: number;
  readonly seconds: number;
}

export type LoadReport = { error: string } | LoadResult;

export interface LoadResult {
  readonly error?: never;
  readonly requests: number;
  readonly seconds: number;
}

// A bound besides the time, far above what one core can answer.
const MOST_REQUESTS_PER_SECOND = 200_000;

/**
 * Every client keeps exactly one request under way. In between the process never sleeps: the kernel would charge the
 * server for waking it up, 20 µs an answer on a virtual machine, the more often the faster the load is compared with
 * the server; over a network there is no such cost.
 */
async function load(order: LoadOrder): Promise<LoadResult> {
  const make = REQUESTS[order.kind](order);
  const bound = MOST_REQUESTS_PER_SECOND * order.seconds;
  const connections = Array.from({ length: order.clients }, () => new LoadConnection(order.port));
  const start = performance.now();
  const end = start + order.seconds * 1000;
  let requests = 0;
  const next = (): string | null => {
    if (performance.now() >= end || requests >= bound) return null;
    requests += 1;
    return make();
  };
  let awake = true;
  const stayAwake = (): void => {
    if (awake) setImmediate(stayAwake);
  };
  stayAwake();
  try {
    await Promise.all(connections.map((connection) => connection.run(next)));
  } finally {
    awake = false;
    for (const connection of connections) connection.close();
  }
  return { requests, seconds: (performance.now() - start) / 1000 };
}

/** The load runs in a process of its own, which the runner forks, so that its processor time is not the servers'. */
if (import.meta.main) {
  process.on('message', (order: LoadOrder) => {
    load(order).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
