import type { OutsideIssuer } from './outside-issuers.js';
import type { SamplerName } from '../tracing/sampler.js';
import type { Quotas } from './quotas.js';
import type { LogLevel, TrustMode } from './settings.js';
import type { SubscriptionLimits } from './subscription-limits.js';
import type { TrustProxy } from './trusted-proxies.js';

// The slices of the configuration. Each part of the service injects the slice that it needs. A slice is a class, and
// not an interface, because a class can be an injection token; see `ConfigModule`.

export abstract class HttpConfig {
  abstract readonly port: number;
  abstract readonly host: string;
  /** The port for metrics without a credential; null: there is none. */
  abstract readonly metricsPort: number | null;
  /** The address of the service for clients, without a slash at the end; null: links are relative. */
  abstract readonly publicUrl: string | null;
  /** The proxies whose `X-Forwarded-*` headers are trusted. */
  abstract readonly trustProxy: TrustProxy;
  /** The origins whose scripts may use the service; null: only the origin of the service itself. */
  abstract readonly corsOrigins: '*' | ReadonlySet<string> | null;
  /** The number of seconds for which shared caches may reuse public answers without asking the service. */
  abstract readonly sharedCacheSeconds: number;
  /** Whether a PUT, PATCH or DELETE that accepts `If-Match` requires `If-Match` or `If-Unmodified-Since`. */
  abstract readonly requireIfMatch: boolean;
  /** Whether answers tell how long the service worked for them. */
  abstract readonly serverTiming: boolean;
  /** The moment from which version 1 of the HTTP interface is deprecated; null: version 1 is not deprecated. */
  abstract readonly v1Deprecated: Date | null;
  /** The moment at which version 1 stops being served; null: no such moment is set. */
  abstract readonly v1Sunset: Date | null;
}

export abstract class GraphqlConfig {
  abstract readonly maxDepth: number;
  abstract readonly maxCost: number;
  abstract readonly introspection: boolean;
  abstract readonly trustedDocuments: TrustMode;
  /** The folder of the trusted documents. In the mode `off`, it is not read. */
  abstract readonly trustedDocumentsDir: string;
}

export abstract class DatabaseConfig {
  abstract readonly url: string;
  /** The address of PostgreSQL itself, if `url` is the address of a connection pooler; null otherwise. */
  abstract readonly directUrl: string | null;
  /** The address of a replica; null without one. */
  abstract readonly readUrl: string | null;
}

export abstract class RedisConfig {
  abstract readonly url: string | null;
}

export abstract class SecretsConfig {
  /**
   * The master key; null if the environment does not have it. On SQLite, it is then in a file beside the database; see
   * `MasterKey`.
   */
  abstract readonly secret: string | null;
}

export abstract class AccessConfig {
  abstract readonly adminKey: string | null;
  abstract readonly jwtIssuers: readonly OutsideIssuer[];
  /** The issuer in the tokens of this service: the address of its OAuth server (RFC 8414). */
  abstract readonly issuer: string;
  /** The audience of the tokens that this service issues: the address of the service for clients. */
  abstract readonly audience: string;
  /** The lifetime of an access token. */
  abstract readonly tokenTtlSeconds: number;
}

export abstract class EventsConfig {
  /** The time for which events stay in the log. */
  abstract readonly retentionDays: number;
}

export abstract class ImportsConfig {
  /** The maximum size of the file of an import. */
  abstract readonly maxBytes: number;
}

export abstract class LimitsConfig {
  /** Null: the number of requests is not limited. */
  abstract readonly rate: Quotas | null;
  /** The maximum number of WebSockets, and of units of subscriptions, that may be open at a time. */
  abstract readonly subscriptions: SubscriptionLimits;
}

export abstract class LogConfig {
  abstract readonly level: LogLevel;
  /** The share of requests that are logged: 1 for all, null for none. Requests that fail with 5xx are always logged. */
  abstract readonly accessShare: number | null;
}

/** The collector of traces, and the traces that it gets. */
export interface TracingTarget {
  readonly url: string;
  /** Headers of the requests to the collector. They may have secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'none' | 'gzip';
  /** Certificates and a key, in PEM, for a collector behind TLS. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly serviceName: string;
  /** More attributes of this process, such as its environment. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** The share of recorded traces, for a sampler with a ratio. */
  readonly ratio: number;
}

export abstract class TracingConfig {
  /** Null: there are no traces. */
  abstract readonly target: TracingTarget | null;
}
