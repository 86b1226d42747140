import { DATABASE_METRICS, EVENT_METRICS, USE_METRICS } from './domain-catalogue.js';
import type { Metric } from './metric.js';

/** The metrics of the requests over HTTP. The name of the first metric is a convention of OpenTelemetry. */
export const HTTP_METRICS = {
  requestDuration: {
    name: 'http_server_request_duration_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: {
      http_request_method: 'the method, `_OTHER` for an unusual one',
      http_route: 'the declared address, such as `/api/v1/products/{id}` or `/graphql`; `unmatched`; `other`',
      http_response_status_code: 'the status',
    },
    help: 'The duration of requests. For a stream of events and a WebSocket, the time until it begins.',
  },
  abandoned: {
    name: 'store_http_requests_abandoned',
    kind: 'counter',
    unit: null,
    labels: {},
    help: 'Requests whose connection was closed before the answer began.',
  },
  connections: {
    name: 'store_http_connections',
    kind: 'gauge',
    unit: null,
    labels: {},
    help: 'Open connections of clients, also those that became WebSockets.',
  },
} as const satisfies Record<string, Metric>;

/** The metrics of the process. Their names are conventions of OpenTelemetry, except if there is no convention. */
export const RUNTIME_METRICS = {
  target: {
    name: 'target_info',
    kind: 'gauge',
    unit: null,
    labels: {
      service_name: '`store`',
      service_version: 'the version of the service',
      process_runtime_version: 'the version of Node',
    },
    help: 'The program. The value is always 1.',
  },
  started: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    unit: 'seconds',
    labels: {},
    help: 'The moment at which the process started, in seconds since 1970.',
  },
  cpuTime: {
    name: 'process_cpu_time_seconds',
    kind: 'counter',
    unit: 'seconds',
    labels: { cpu_mode: '`user`, `system`' },
    help: 'The processor time of the process, with all of its threads.',
  },
  memory: {
    name: 'process_memory_usage_bytes',
    kind: 'gauge',
    unit: 'bytes',
    labels: {},
    help: 'The physical memory of the process.',
  },
  heapUsed: {
    name: 'v8js_memory_heap_used_bytes',
    kind: 'gauge',
    unit: 'bytes',
    labels: { v8js_heap_space_name: 'a part of the heap, such as `new_space`' },
    help: 'The used memory of the heap of JavaScript.',
  },
  heapLimit: {
    name: 'v8js_memory_heap_limit_bytes',
    kind: 'gauge',
    unit: 'bytes',
    labels: {},
    help: 'The size of the heap of JavaScript at which the process ends.',
  },
  garbageCollection: {
    name: 'v8js_gc_duration_seconds',
    kind: 'histogram',
    unit: 'seconds',
    labels: { v8js_gc_type: '`minor`, `major`, `incremental`, `weakcb`' },
    help: 'The duration of garbage collections since the metrics were read for the first time.',
  },
  loopMean: {
    name: 'nodejs_eventloop_delay_mean_seconds',
    kind: 'gauge',
    unit: 'seconds',
    labels: {},
    help: 'The mean delay of the event loop in the last complete period of 10 seconds, or in the period that has begun since. The value is the greater of the two means.',
  },
  loopP99: {
    name: 'nodejs_eventloop_delay_p99_seconds',
    kind: 'gauge',
    unit: 'seconds',
    labels: {},
    help: '99 % of the delays of the event loop in the last 10 to 20 seconds were not longer than this.',
  },
  loopMax: {
    name: 'nodejs_eventloop_delay_max_seconds',
    kind: 'gauge',
    unit: 'seconds',
    labels: {},
    help: 'The longest delay of the event loop in the last 10 to 20 seconds.',
  },
  loopTime: {
    name: 'nodejs_eventloop_time_seconds',
    kind: 'counter',
    unit: 'seconds',
    labels: { nodejs_eventloop_state: '`active`, `idle`' },
    help: 'The time for which the event loop computed, and for which it waited.',
  },
} as const satisfies Record<string, Metric>;

/** All metrics, in the order of docs/metrics.md. */
export const METRICS: readonly Metric[] = [
  HTTP_METRICS,
  USE_METRICS,
  DATABASE_METRICS,
  EVENT_METRICS,
  RUNTIME_METRICS,
].flatMap((group) => Object.values<Metric>(group));
