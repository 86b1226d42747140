import type { SETTINGS } from './settings.js';

/** The meaning of each setting, as `docs/settings.md` prints it. Links are relative to that page. */
export const SETTING_MEANINGS: Readonly<Record<keyof typeof SETTINGS, string>> = {
  port: 'The port on which the service listens.',
  host: 'The address on which the service listens.',
  databaseUrl:
    'The database: `sqlite:<file>` or `postgres://user:password@host:5432/database`. `sqlite::memory:` is for trying out: the service makes a temporary file, and deletes this file when it ends. The service runs the migrations when it starts.',
  databaseDirectUrl:
    'The address of PostgreSQL itself, if `STORE_DATABASE_URL` is the address of a connection pooler such as PgBouncer. Each instance then has up to three connections there: one for the log of events, and two for long reads. See [scaling](scaling.md#connection-poolers).',
  databaseReadUrl:
    'The address of a streaming replica of PostgreSQL. It serves lists, exports and the log of events. A read from it is never older than a read from the primary server: it has every change that was acknowledged before the request. See [scaling](scaling.md#read-replicas).',
  redisUrl:
    'A Redis database for several instances on PostgreSQL, such as `redis://:password@host:6379/0`. With Redis, the instances count the requests of a caller together, and tell one another of new events. Each store needs a Redis database of its own.',
  demo: '`true` starts the demo store. The demo store has a database file of its own. The first start fills this file with made-up data. Each start prints a new API key. If neither this setting nor `STORE_DATABASE_URL` is set, `npm start` starts the demo store.',
  publicUrl:
    'The address of the service for clients, such as `https://store.example`. Without this setting, links in answers are relative.',
  adminKey:
    'The API key of the administrator: 32 to 512 printable ASCII characters without spaces. Without this setting, the first start makes such an API key and prints it. `npm run store -- keys create` makes more API keys.',
  secret:
    'The master key, with which the store encrypts its own secrets: 32 to 512 printable ASCII characters without spaces, the same in all instances. With PostgreSQL, this setting is required. With SQLite, it is optional: the first start makes a master key and writes it to a file beside the database (`store.sqlite.secret`). Keep a copy of this file with each backup.',
  jwtIssuers:
    'The other issuers whose JWTs the service accepts: a JSON list of objects with the members `issuer`, `jwks_uri` (https), `audience`, `algorithms`, `typ` and `scopes`. See [credentials](guides/credentials.md#jwts-of-other-issuers).',
  tokenTtlSeconds: 'The lifetime of an access token in seconds, from 10 to 86,400.',
  currency:
    'The only currency of the store: the code of a currency with two decimals or none (ISO 4217). The first start on a database decides the currency. A later start with another currency fails.',
  logLevel:
    'The lowest level of the lines in the log: `fatal`, `error`, `warn`, `info`, `debug` or `trace`. `silent` writes no log.',
  accessLogShare:
    'The requests that get a line in the log: `all`, `errors` (only requests that fail with 5xx) or a random share, such as `sample=0.01`. Each request that fails with 5xx gets a line, whichever value you choose.',
  metricsPort:
    'A port on which everybody can read the metrics without a credential, at `/metrics`. The service listens on it at the address of `HOST`. Let only Prometheus reach this port. Without this setting, only administrators can read the metrics. See [metrics](metrics.md).',
  trustProxy:
    'The proxies whose `X-Forwarded-*` headers the service trusts: a list of addresses and networks, separated by commas, such as `10.0.0.0/8`. The list may also have the names `loopback`, `linklocal` and `uniquelocal`, which stand for networks. `false` trusts no client. `true` trusts every client, and the log then has a warning.',
  corsOrigins:
    'The origins whose scripts may use the service from a browser (CORS): a list, separated by commas, such as `https://app.example`; or `*` for all origins. A script has to send its credential in a header, because the operations accept no cookies.',
  eventsRetentionDays:
    'The number of days for which an event stays in the log of events. On PostgreSQL, it may stay for up to one day longer.',
  importMaxBytes:
    'The largest size of a file that is imported over the API, in bytes. All files of imports that have not ended may together have 16 times this size. The command `store import` has no limit.',
  rateLimit:
    'The maximum number of requests per second (`s`), minute (`min`) or hour (`h`): `anonymous` for each address, without a credential; `caller` for each caller with a credential. A request with a cost counts as several requests. `off` sets no limit. See [limits](guides/limits.md).',
  subscriptionLimits:
    'The maximum number of WebSockets, and of units of subscriptions, that may be open at the same time: `anonymous` for each address, `caller` for each caller with a credential, `process` for the whole process. See [limits](guides/limits.md).',
  sharedCacheSeconds:
    'The number of seconds for which a shared cache, such as a CDN, may answer requests for products without asking the service (`s-maxage`).',
  requireIfMatch:
    '`true` requires a condition for each PUT, PATCH or DELETE over REST that accepts one: `If-Match` or `If-Unmodified-Since`, and for a stock only `If-Match`. A request without a condition then gets the answer 428.',
  serverTiming:
    '`true` adds the header `Server-Timing` to answers: the milliseconds for which the service worked, in parts. Everybody who gets an answer can read it. See [operations](operations.md#server-timing).',
  introspection: '`false` refuses introspection, which means GraphQL operations that read the schema.',
  trustedDocuments:
    'Trusted documents are GraphQL operations in the `.graphql` files of a folder (`STORE_TRUSTED_DOCUMENTS_DIR`). `only` executes only these operations. `log` also executes other operations, and names them in the log. `off` does not read the files, and executes all operations. See [trusted documents](guides/trusted-documents.md).',
  trustedDocumentsDir: 'The folder of the trusted documents.',
  graphqlMaxDepth: 'The greatest depth of a GraphQL operation.',
  graphqlMaxCost: 'The greatest cost of a GraphQL operation.',
  v1Deprecated:
    'The day from which version 1 is deprecated, such as `2028-01-01`, or the exact moment (RFC 3339). See [versions](guides/versions.md#end-of-version-1).',
  v1Sunset:
    'The day or the moment at which version 1 ends, written like `STORE_V1_DEPRECATED`. From this day or moment on, requests of version 1 get the answer 410.',
  otlpEndpoint:
    'The address of a collector of traces (OTLP over HTTP), such as `http://collector:4318`. The service adds `/v1/traces`. Without this setting there are no traces, and the service does not read the other settings that begin with `OTEL_`. See [traces](traces.md).',
  otlpHeaders:
    'The headers of the requests to the collector, such as `authorization=Bearer%20secret`: a list of pairs, separated by commas, with percent-encoded values.',
  otlpProtocol: 'The protocol of the collector. Only `http/protobuf` is supported.',
  otlpCompression: 'The compression of the requests to the collector: `none` or `gzip`.',
  otlpCertificate:
    'The path of a file with the certificates (PEM) of the authorities that may have issued the certificate of the collector. Without this setting, the service trusts the authorities that Node knows.',
  otlpClientCertificate:
    'The path of a file with the certificate (PEM) that the service shows to the collector, with its chain. It needs `OTEL_EXPORTER_OTLP_CLIENT_KEY`.',
  otlpClientKey: 'The path of a file with the private key (PEM) of `OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE`.',
  otelServiceName:
    'The name of the service in its traces. Without this setting, it is `service.name` of `OTEL_RESOURCE_ATTRIBUTES`, or else `store-service`.',
  otelResourceAttributes:
    'Attributes of all spans, such as `deployment.environment.name=production`: a list of pairs, separated by commas, with percent-encoded values.',
  tracesSampler:
    'The traces that are recorded: `always_on`, `always_off`, `traceidratio` (a share), or the same with `parentbased_` before it. With `parentbased_`, the flag in the header `traceparent` of a request decides, and the rest of the name decides for requests without this header. See [traces](traces.md#which-traces-are-recorded).',
  tracesSamplerArg: 'The share of traces for the samplers with a ratio, from 0 to 1.',
  otelDisabled: '`true` switches traces off.',
};
