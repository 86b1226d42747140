import type { Metric } from './metric.js';

/** The metrics of the database. */
export const DATABASE_METRICS = {
  statements: {
    name: 'db_client_operation_duration_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: {
      db_system_name: '`sqlite`, `postgresql`',
      db_client_connection_pool_name:
        '`reads` (on SQLite, single rows and pages in the order of ids are not counted), `writes` (in acts), `scans` (long reads), `replica` (reads that a replica may serve)',
    },
    help: 'The duration of statements.',
  },
  connections: {
    name: 'db_client_connection_count',
    kind: 'gauge',
    unit: null,
    labels: { db_client_connection_state: '`idle`, `used`' },
    help: 'The connections of the pool. Only on PostgreSQL.',
  },
  mostConnections: {
    name: 'db_client_connection_max',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The largest number of connections that the pool may have. Only on PostgreSQL.',
  },
  pendingConnections: {
    name: 'db_client_connection_pending_requests',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The requests that wait for a connection of the pool, or for their turn among the changes. Only on PostgreSQL.',
  },
  acts: {
    name: 'store_acts',
    kind: 'counter',
    unit: null,
    labels: { result: '`committed`, `refused`' },
    help: 'The changes of data, each of which is one act.',
  },
  pendingActs: {
    name: 'store_acts_pending',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The acts that wait or run.',
  },
  conflicts: {
    name: 'store_act_conflicts',
    kind: 'counter',
    unit: null,
    labels: {},
    help: 'The attempts of acts that were repeated after a conflict with another act. Only on PostgreSQL.',
  },
  batches: {
    name: 'store_commit_batch_size',
    kind: 'histogram',
    unit: null,
    labels: {},
    help: 'The number of acts in one commit. Only on SQLite.',
  },
  commits: {
    name: 'store_commit_duration_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: {},
    help: 'The duration of commits, which wait for the disk.',
  },
  waitingScans: {
    name: 'store_scans_waiting',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The long reads that wait for their turn.',
  },
  replicaUsed: {
    name: 'store_replica_used',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: '1 if a replica serves reads now. 0 if it is behind, if it cannot be used, or if there is none. Only on PostgreSQL.',
  },
  replicaReads: {
    name: 'store_replica_reads',
    kind: 'counter',
    unit: null,
    labels: { server: '`replica`, `primary`' },
    help: 'The reads that a replica may serve, by the server that has served them. Without a replica, they are not counted. Only on PostgreSQL.',
  },
} as const satisfies Record<string, Metric>;

/** The metrics of events, and of the open connections of clients. */
export const EVENT_METRICS = {
  position: {
    name: 'store_event_log_position',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The position of the last event that this process has published.',
  },
  lag: {
    name: 'store_event_delivery_lag_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: {},
    help: 'The time from an event to its publication to the subscribers of this process.',
  },
  outbox: {
    name: 'store_event_outbox_length',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The events that wait in the outbox, at most 10,000. Only on PostgreSQL.',
  },
  outboxAge: {
    name: 'store_event_outbox_age_seconds',
    kind: 'gauge',
    unit: 'seconds',
    labels: {},
    help: 'The age of the oldest event in the outbox. Only on PostgreSQL.',
  },
  leader: {
    name: 'store_event_leader',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: '1 if this process moves events from the outbox into the log, otherwise 0. Only on PostgreSQL.',
  },
  webSockets: {
    name: 'store_websockets',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The open WebSockets.',
  },
  streams: {
    name: 'store_event_streams',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The open streams of server-sent events.',
  },
  subscriptions: {
    name: 'store_subscriptions',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The open subscriptions, on WebSockets and streams.',
  },
  units: {
    name: 'store_subscription_units',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The units of the open subscriptions. `STORE_SUBSCRIPTION_LIMITS` limits them.',
  },
  mostUnits: {
    name: 'store_subscription_units_max',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'The largest number of units of subscriptions that this process allows.',
  },
  heldBytes: {
    name: 'store_held_bytes',
    kind: 'gauge',
    unit: 'bytes',
    labels: {},
    help: 'The memory of data that clients have not read, or not finished sending.',
  },
  closed: {
    name: 'store_websockets_closed',
    kind: 'counter',
    unit: null,
    labels: {
      reason:
        '`client`, `credential`, `protocol`, `too_many_messages`, `too_big`, `restart`, `try_again`, `error`',
    },
    help: 'The closed WebSockets. `client` includes lost connections.',
  },
  broken: {
    name: 'store_subscriptions_broken',
    kind: 'counter',
    unit: null,
    labels: { reason: '`slow` (the client does not read), `outage`, `error`' },
    help: 'The subscriptions that the service ended because of an error.',
  },
  released: {
    name: 'store_clients_released',
    kind: 'counter',
    unit: null,
    labels: {},
    help: 'The clients that were cut off, because data that clients had not read, or not finished sending, took too much memory.',
  },
} as const satisfies Record<string, Metric>;

/** The metrics of GraphQL, limits, credentials, repeated requests and traces. */
export const USE_METRICS = {
  operationDuration: {
    name: 'store_graphql_operation_duration_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: { graphql_operation_type: '`query`, `mutation`, `subscription` (until it begins)' },
    help: 'The duration of GraphQL operations, on every transport.',
  },
  documents: {
    name: 'store_graphql_documents',
    kind: 'counter',
    unit: null,
    labels: { graphql_document: 'the file of a trusted document, at most 100; `other`' },
    help: 'The executions of trusted documents.',
  },
  refusedOperations: {
    name: 'store_graphql_operations_refused',
    kind: 'counter',
    unit: null,
    labels: {},
    help: 'The GraphQL operations that were refused before their execution.',
  },
  units: {
    name: 'store_limit_units',
    kind: 'counter',
    unit: null,
    labels: { limit: '`anonymous`, `caller`' },
    help: 'The units that requests took from `STORE_RATE_LIMIT`.',
  },
  refusals: {
    name: 'store_limit_refusals',
    kind: 'counter',
    unit: null,
    labels: {
      limit:
        '`anonymous`, `caller`, `running` (requests at the same time), `tries` (credentials from an address that has no requests left), `websockets`, `subscriptions`, `scans` (long reads), `event_loop`',
    },
    help: 'The refusals because of a limit.',
  },
  checks: {
    name: 'store_credential_checks',
    kind: 'counter',
    unit: null,
    labels: { scheme: '`apiKey`, `basic`, `oauth`, `jwt`', result: '`valid`, `refused`, `failed`' },
    help: 'The checks of credentials. `failed`: the service could not check.',
  },
  recalls: {
    name: 'store_credential_recalls',
    kind: 'counter',
    unit: null,
    labels: {},
    help: 'The uses of credentials that the process remembered from an earlier use.',
  },
  replays: {
    name: 'store_idempotency_replays',
    kind: 'counter',
    unit: null,
    labels: { interface: '`rest`, `graphql`' },
    help: 'The answers that repeat the answer to an earlier request with the same `Idempotency-Key`.',
  },
  spans: {
    name: 'store_trace_spans',
    kind: 'counter',
    unit: null,
    labels: { result: '`sent`, `failed` (the collector did not take the span), `dropped` (too many wait)' },
    help: 'The recorded spans of traces.',
  },
} as const satisfies Record<string, Metric>;
