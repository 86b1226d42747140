import type { RequestKind } from './requests.ts';
import type { Target } from './statistics.ts';

export type ServerName =
  | 'service'
  | 'service, full log'
  | 'service, counted often'
  | 'service, no traces recorded'
  | 'service, all traces recorded'
  | 'service, trusted documents'
  | 'service, watched'
  | 'service, PostgreSQL'
  | 'LIMIT'
  | 'LIMIT, PostgreSQL';

/** One side of a comparison: a server and its kind of request. */
export interface Contender {
  readonly server: ServerName;
  readonly kind: RequestKind;
}

/**
 * A comparison of two contenders. Without `isDifference` and `repetitions`, its value is the processor time per request
 * of the first contender, divided by the processor time of the second contender.
 */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly contenders: readonly [Contender, Contender];
  /** Null when the row is only for information. */
  readonly target: Target | null;
  readonly writes: boolean;
  /**
   * Whether the value of the row is the additional microseconds of the second contender, and not the ratio.
   */
  readonly isDifference?: boolean;
  /**
   * The number of times that the second contender repeats a part of the work of a request. The value of the row is then
   * the share of this part in the processor time of the first contender, in per cent.
   */
  readonly repetitions?: number;
  /** Whether the two sides read different rows. Then only the number of rows is compared. */
  readonly readsOtherRows?: boolean;
  /**
   * The number of WebSockets that receive each order. Processor time is then counted per delivery, and orders come one
   * after another.
   */
  readonly subscribers?: number;
  /**
   * The numbers of WebSockets on the two servers. These WebSockets wait for orders of users who order nothing.
   * Processor time is counted per order.
   */
  readonly watchers?: readonly [number, number];
}

/**
 * The number of times that `service, counted often` repeats each call that counts. With more repetitions, the figure
 * has less noise.
 */
export const REPETITIONS = 100;

/** The rows that are measured on SQLite. docs/speed.md shows most of their targets. */
export const ROWS: readonly Row[] = [
  share('get-one', 'get one', 'getOne', 0.65),
  share('get-one-logged', 'get one, every request logged', 'getOne', null, ', full log'),
  {
    name: 'metrics',
    title: `get one, share of counting (× ${REPETITIONS})`,
    contenders: [
      { server: 'service', kind: 'getOne' },
      { server: 'service, counted often', kind: 'getOne' },
    ],
    target: { atMost: 2 },
    writes: false,
    repetitions: REPETITIONS,
  },
  traced('traces-0', 'get one, no traces recorded / off', 'service, no traces recorded', 1.05),
  traced('traces-100', 'get one, all traces recorded / off', 'service, all traces recorded', 1.25),
  dearer('by-key', 'get one, API key − anonymous', 'getOneByKey', 10),
  dearer('by-admin-key', 'get one, STORE_ADMIN_KEY − anonymous', 'getOneByAdminKey', 1),
  dearer('by-jwt', 'get one, warm JWT − anonymous', 'getOneByJwt', 10),
  dearer('by-basic', 'get one, warm Basic − anonymous', 'getOneByBasic', 10),
  dearer('by-new-jwt', 'get one, new ES256 JWT − anonymous', 'getOneByNewJwt', 200),
  share('page', 'page of 20', 'page', 1.3),
  {
    // The service and LIMIT get requests for different pages. For a later page, LIMIT would have to skip all
    // rows before it, one by one.
    ...share('page-once', 'page of 20, asked for once', 'page', 0.7),
    contenders: [
      { server: 'LIMIT', kind: 'page' },
      { server: 'service', kind: 'pageOnce' },
    ],
    readsOtherRows: true,
  },
  {
    // The service always gives the total, so LIMIT gives it here too.
    ...share('page-total', 'page of 20 + total', 'page', 1.6),
    contenders: [
      { server: 'LIMIT', kind: 'pageWithTotal' },
      { server: 'service', kind: 'page' },
    ],
  },
  {
    name: 'last-page',
    title: 'last pages / first pages of the service',
    contenders: [
      { server: 'service', kind: 'lastPage' },
      { server: 'service', kind: 'firstPage' },
    ],
    target: { atMost: 1.5 },
    writes: false,
    readsOtherRows: true,
  },
  { ...share('create', 'create, 32 clients', 'create', 0.7), writes: true },
  { ...share('orders', 'orders, 32 clients', 'createOrder', null), writes: true },
  fanOut(1_000),
  fanOut(5_000),
  {
    // A server with subscribers reads the log of events, so the other side has a subscriber too.
    name: 'own-orders',
    title: 'order, 10000 / 1 idle subscribers',
    contenders: [
      { server: 'service, watched', kind: 'createOrder' },
      { server: 'service', kind: 'createOrder' },
    ],
    target: { atMost: 1.1 },
    writes: true,
    watchers: [10_000, 1],
  },
  share('graphql', 'GraphQL, 20 products', 'graphql', 0.3),
  share('graphql-user', 'GraphQL, user + 10 orders', 'graphqlUser', 0.7),
  share(
    'graphql-user-trusted',
    'the same, as a trusted document',
    'graphqlUserTrusted',
    1.2,
    ', trusted documents',
  ),
  {
    // LIMIT parses no text of a query, so it gets the query with a variable, whose text is always the same.
    ...share('graphql-new-text', 'the same, a new text each time', 'graphqlUser', null),
    contenders: [
      { server: 'LIMIT', kind: 'graphqlUser' },
      { server: 'service', kind: 'graphqlNewText' },
    ],
  },
  share('graphql-orders', 'GraphQL, 100 orders', 'graphqlOrders', 0.75),
];

/** The rows that are measured on PostgreSQL. The processor time of PostgreSQL itself belongs to neither side. */
export const POSTGRES_ROWS: readonly Row[] = [
  {
    ...share('orders-postgres', 'orders on PostgreSQL, 32 clients', 'createOrder', 0.75, ', PostgreSQL'),
    writes: true,
  },
  {
    ...fanOut(1_000, ', PostgreSQL'),
    name: 'fan-out-postgres',
    title: 'newOrder to 1000, on PostgreSQL',
    target: { atMost: 1.25 },
  },
];

export const START_ROWS = ['first-answer', 'idle-memory'] as const;

/**
 * The service executes the selection once for all subscribers. Their subscriptions have the same id here, so they also
 * share one message. LIMIT calls `ws.send` in a loop.
 */
function fanOut(subscribers: number, on: '' | ', PostgreSQL' = ''): Row {
  return {
    name: `fan-out-${subscribers}`,
    title: `newOrder to ${subscribers}, service / LIMIT`,
    contenders: [
      { server: `service${on}`, kind: 'createOrder' },
      { server: `LIMIT${on}`, kind: 'createOrder' },
    ],
    target: { atMost: 1.3 },
    writes: true,
    subscribers,
  };
}

/** The cost of traces, compared with the service without a collector. */
function traced(name: string, title: string, server: ServerName, most: number): Row {
  return {
    name,
    title,
    contenders: [
      { server, kind: 'getOne' },
      { server: 'service', kind: 'getOne' },
    ],
    target: { atMost: most },
    writes: false,
  };
}

/** The cost of a credential, compared with the same request without a credential. This row makes a key and a user. */
function dearer(name: string, title: string, kind: RequestKind, mostMicros: number): Row {
  return {
    name,
    title,
    contenders: [
      { server: 'service', kind: 'getOne' },
      { server: 'service', kind },
    ],
    target: { atMost: mostMicros },
    writes: true,
    isDifference: true,
  };
}

/**
 * The share of the speed of LIMIT that the service has. A share of 0.5 means that the service needs twice the
 * processor time of LIMIT.
 */
function share(
  name: string,
  title: string,
  kind: RequestKind,
  target: number | null,
  variant: '' | ', full log' | ', trusted documents' | ', PostgreSQL' = '',
): Row {
  return {
    name,
    title,
    contenders: [
      { server: variant === ', PostgreSQL' ? 'LIMIT, PostgreSQL' : 'LIMIT', kind },
      { server: `service${variant}`, kind },
    ],
    target: target === null ? null : { atLeast: target },
    writes: false,
  };
}
