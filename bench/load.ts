import { Audience, type Lag } from './audience.ts';
import { LoadConnection } from './load-connection.ts';
import { REQUESTS, type RequestKind, type RequestSettings } from './requests.ts';

/** One window of load, as the runner asks for it. */
export interface LoadOrder extends RequestSettings {
  readonly kind: RequestKind;
  readonly clients: number;
  readonly seconds: number;
}

/** Subscribers of a server, who stay; windows of load on it are orders then, and what is counted is who heard of them. */
export interface AudienceOrder extends RequestSettings {
  readonly kind: 'audience';
  readonly subscribers: number;
}

/** All subscribers go. */
export interface LeaveOrder {
  readonly kind: 'leave';
}

export type AnyOrder = LoadOrder | AudienceOrder | LeaveOrder;

export type LoadReport = { error: string } | LoadResult;

export interface LoadResult {
  readonly error?: never;
  /** Or deliveries. */
  readonly requests: number;
  readonly seconds: number;
  readonly lag?: Lag;
  /** What a subscriber heard last. */
  readonly heard?: unknown;
}

// A bound besides the time, far above what one core can answer.
const MOST_REQUESTS_PER_SECOND = 200_000;

async function load(order: AnyOrder): Promise<LoadResult> {
  if (order.kind === 'leave') {
    for (const audience of audiences.values()) audience.leave();
    audiences.clear();
    return { requests: 0, seconds: 0 };
  }
  if (order.kind === 'audience') {
    const audience = await Audience.open(order, order.subscribers);
    audiences.set(order.port, audience);
    return { requests: 0, seconds: 0, heard: audience.last };
  }
  const audience = audiences.get(order.port);
  return audience ? listen(audience, order.seconds) : ask(order);
}

const audiences = new Map<number, Audience>();

async function listen(audience: Audience, seconds: number): Promise<LoadResult> {
  const sleepy = stayAwake();
  try {
    const { deliveries, ...heard } = await audience.hear(seconds);
    return { requests: deliveries, ...heard };
  } finally {
    sleepy();
  }
}

/**
 * Every client keeps exactly one request under way. In between the process never sleeps: the kernel would charge the
 * server for waking it up, 20 µs an answer on a virtual machine, the more often the faster the load is compared with
 * the server; over a network there is no such cost.
 */
async function ask(order: LoadOrder): Promise<LoadResult> {
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
  const sleepy = stayAwake();
  try {
    await Promise.all(connections.map((connection) => connection.run(next)));
  } finally {
    sleepy();
    for (const connection of connections) connection.close();
  }
  return { requests, seconds: (performance.now() - start) / 1000 };
}

/** @returns what ends it */
function stayAwake(): () => void {
  let isAwake = true;
  const again = (): void => {
    if (isAwake) setImmediate(again);
  };
  again();
  return () => (isAwake = false);
}

/** The load runs in a process of its own, which the runner forks, so that its processor time is not the servers'. */
if (import.meta.main) {
  process.on('message', (order: AnyOrder) => {
    load(order).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
