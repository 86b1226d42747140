import type { SETTINGS } from './settings.js';

/** The meaning of each setting, as `docs/settings.md` prints it. Links are relative to that page. */
export const SETTING_MEANINGS: Readonly<Record<keyof typeof SETTINGS, string>> = {
  port: 'The port on which the service listens.',
  host: 'The address on which the service listens.',
  databaseUrl:
    '`sqlite:<file>`, `sqlite::memory:` (a temporary file) or `postgres://user:password@host:5432/database`. Migrations run at the start.',
  redisUrl:
    '`redis://:password@host:6379/0`, for several instances on PostgreSQL: they count requests together, and tell each other of events. Each store needs a Redis database of its own.',
  demo: 'The demo store: a database file of its own, filled at the first start, and a new key for each start. `npm start` uses it unless this setting or `STORE_DATABASE_URL` is set.',
  publicUrl: 'The address that clients use, such as `https://store.example`. Without it links are relative.',
  adminKey:
    'The administrator’s API key, 32 or more printable characters. Without it the first start makes one; `keys create` makes others.',
  secret:
    'The master key for the store’s own secrets, 32 or more printable characters, the same in all instances. PostgreSQL requires it. On SQLite the first start makes one, in a file beside the database (`store.sqlite.secret`); keep that file with the backup.',
  jwtIssuers:
    'A JSON list of other issuers whose JWTs are accepted: `issuer`, `jwks_uri` (https), `audience`, `algorithms`, `typ`, `scopes`. See [credentials](guides/credentials.md#jwts-of-other-issuers).',
  tokenTtlSeconds: 'The lifetime of an access token in seconds, 10 to 86,400.',
  currency:
    'The only currency of the store (ISO 4217, with two decimals or none). It cannot be changed when there are prices.',
  logLevel: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  accessLogShare:
    'The requests that leave a line in the log: `all`, `errors` (5xx only) or a share, `sample=0.01`.',
  trustProxy:
    'The addresses and networks of proxies whose `X-Forwarded-*` is believed, such as `10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` name networks. `true` believes every client, and the log warns of it.',
  corsOrigins:
    'The origins whose scripts may use the service from a browser (CORS): a list with commas, such as `https://app.example`, or `*`. Credentials come in headers, never in cookies.',
  eventsRetentionDays: 'The number of days that events stay in the log.',
  rateLimit: 'The number of requests per `s`, `min` or `h`, or `off`. See [limits](guides/limits.md).',
  subscriptionLimits:
    'The number of WebSockets, and of subscriptions, that may be open at the same time. See [limits](guides/limits.md).',
  sharedCacheSeconds:
    'The number of seconds that a shared cache may serve products without asking (`s-maxage`).',
  requireIfMatch:
    '`true` refuses PUT, PATCH and DELETE over REST with 428 unless they have `If-Match` or `If-Unmodified-Since`.',
  introspection: '`false` refuses GraphQL introspection.',
  trustedDocuments:
    '`only` executes only the GraphQL operations in the `.graphql` files of a folder; `log` executes others too and names them in the log; `off` knows no such files. See [trusted documents](guides/trusted-documents.md).',
  trustedDocumentsDir: 'The folder of those files.',
  graphqlMaxDepth: 'The greatest depth of a GraphQL operation.',
  graphqlMaxCost: 'The greatest cost of a GraphQL operation.',
  v1Deprecated:
    'The day on which version 1 becomes deprecated: `2028-01-01`, or a moment (RFC 3339). See [versions](guides/versions.md#end-of-version-1).',
  v1Sunset: 'The day on which version 1 ends, written in the same way.',
};
