import { Audience, type Lag } from './audience.ts';
import { LoadConnection } from './load-connection.ts';
import { REQUESTS, type RequestKind, type RequestSettings } from './requests.ts';
import { Watchers } from './watchers.ts';

/** The settings of one window of load. */
export interface LoadOrder extends RequestSettings {
  readonly kind: RequestKind;
  readonly clients: number;
  readonly seconds: number;
}

/**
 * Subscribers of a server that stay connected. While they are connected, a window of load on this server
 * consists of orders, and the number of deliveries to the subscribers is counted.
 */
export interface AudienceOrder extends RequestSettings {
  readonly kind: 'audience';
  readonly subscribers: number;
}

/** WebSockets that stay connected and get no event; see `Watchers`. */
export interface WatchOrder extends RequestSettings {
  readonly kind: 'watch';
  readonly watchers: number;
}

/** Makes all subscribers and all watchers leave. */
export interface LeaveOrder {
  readonly kind: 'leave';
}

export type AnyOrder = LoadOrder | AudienceOrder | WatchOrder | LeaveOrder;

export type LoadReport = { error: string } | LoadResult;

export interface LoadResult {
  readonly error?: never;
  /** Requests, or deliveries to subscribers. */
  readonly requests: number;
  readonly seconds: number;
  readonly lag?: Lag;
  /** The last event that a subscriber received. */
  readonly heard?: unknown;
}

// The maximum number of requests for each second of a window. One core can answer far fewer requests, so a
// window ends by its time.
const MOST_REQUESTS_PER_SECOND = 200_000;

async function load(order: AnyOrder): Promise<LoadResult> {
  if (order.kind === 'leave') {
    for (const audience of audiences.values()) audience.leave();
    audiences.clear();
    for (const watchers of watching.splice(0)) watchers.leave();
    return { requests: 0, seconds: 0 };
  }
  if (order.kind === 'watch') {
    watching.push(await Watchers.open(order, order.watchers));
    return { requests: 0, seconds: 0 };
  }
  if (order.kind === 'audience') {
    const audience = await Audience.open(order, order.subscribers);
    audiences.set(order.port, audience);
    return { requests: 0, seconds: 0, heard: audience.last };
  }
  for (const watchers of watching) watchers.requireContent();
  const audience = audiences.get(order.port);
  return audience ? listen(audience, order.seconds) : ask(order);
}

const audiences = new Map<number, Audience>();
const watching: Watchers[] = [];

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
 * Every client always has exactly one request under way. This process never sleeps while it waits for
 * answers. If it slept, the kernel would count the time to wake it up as time of the server: 20 µs for an
 * answer on a virtual machine. A faster load process would sleep more often, so the server would seem slower.
 * With clients on other machines, the server does not have this cost.
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

/** @returns a function that lets the process sleep again */
function stayAwake(): () => void {
  let isAwake = true;
  const again = (): void => {
    if (isAwake) setImmediate(again);
  };
  again();
  return () => (isAwake = false);
}

/**
 * The load runs in a process of its own, which the runner forks, so that the processor time of the load is not counted
 * as time of the servers.
 */
if (import.meta.main) {
  process.on('message', (order: AnyOrder) => {
    load(order).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
