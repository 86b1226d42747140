import { outsideIssuers } from './outside-issuers.js';
import {
  accessLog,
  boolean,
  currency,
  databaseUrl,
  host,
  integer,
  moment,
  oneOf,
  origins,
  postgresUrl,
  publicUrl,
  redisUrl,
  secret,
} from './parsers.js';
import { DEFAULT_QUOTAS, parseQuotas } from './quotas.js';
import { certificates, otlpEndpoint, pairs, privateKey, ratio } from './otel-parsers.js';
import { shownUrl } from './shown-url.js';
import { DEFAULT_SUBSCRIPTION_LIMITS, parseSubscriptionLimits } from './subscription-limits.js';
import { SAMPLERS, type SamplerName } from '../tracing/sampler.js';
import { parseTrustProxy } from './trusted-proxies.js';

/**
 * `off`: no document is trusted, and all are executed. `log`: documents that are not trusted are executed and logged.
 * `only`: documents that are not trusted are refused.
 */
const TRUST_MODES = ['off', 'log', 'only'] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting<T = unknown> {
  readonly name: string;
  readonly fallback: string | null;
  /** @throws Error with a message that is shown after the name of the setting, such as «must be true or false» */
  readonly parse: (text: string) => T;
  /** Returns the part of the value that may be shown in a list of settings; by default the whole value. */
  readonly shown?: (text: string) => string;
  /**
   * The setting is read only if the environment has this other name too. The reason: the variables of OpenTelemetry are
   * often set for all programs of a machine.
   */
  readonly onlyWith?: string;
}

/** The text of a setting in the environment; undefined if it is absent, empty or not read. */
export function givenText(
  { name, onlyWith }: Setting,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isRead = onlyWith === undefined || Boolean(environment[onlyWith]);
  return (isRead && environment[name]) || undefined;
}

const OTLP_ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

export const DEMO_DATABASE_URL = 'sqlite:./data/demo.sqlite';

/** All settings, in the order of docs/settings.md. `slicesOf` decides which part of the service gets which setting. */
export const SETTINGS = {
  port: { name: 'PORT', fallback: '3000', parse: integer(0, 65_535) },
  host: { name: 'HOST', fallback: '127.0.0.1', parse: host },
  databaseUrl: {
    name: 'STORE_DATABASE_URL',
    fallback: 'sqlite:./data/store.sqlite',
    parse: databaseUrl,
    shown: shownUrl,
  },
  databaseDirectUrl: {
    name: 'STORE_DATABASE_DIRECT_URL',
    fallback: null,
    parse: postgresUrl,
    shown: shownUrl,
  },
  databaseReadUrl: { name: 'STORE_DATABASE_READ_URL', fallback: null, parse: postgresUrl, shown: shownUrl },
  redisUrl: { name: 'STORE_REDIS_URL', fallback: null, parse: redisUrl, shown: shownUrl },
  demo: { name: 'STORE_DEMO', fallback: 'false', parse: boolean },
  publicUrl: { name: 'STORE_PUBLIC_URL', fallback: null, parse: publicUrl },
  adminKey: { name: 'STORE_ADMIN_KEY', fallback: null, parse: secret, shown: () => '(hidden)' },
  secret: { name: 'STORE_SECRET', fallback: null, parse: secret, shown: () => '(hidden)' },
  jwtIssuers: { name: 'STORE_JWT_ISSUERS', fallback: '[]', parse: outsideIssuers },
  tokenTtlSeconds: { name: 'STORE_TOKEN_TTL', fallback: '600', parse: integer(10, 86_400) },
  currency: { name: 'STORE_CURRENCY', fallback: 'USD', parse: currency },
  logLevel: { name: 'STORE_LOG_LEVEL', fallback: 'info', parse: oneOf<LogLevel>(LOG_LEVELS) },
  accessLogShare: { name: 'STORE_ACCESS_LOG', fallback: 'all', parse: accessLog },
  metricsPort: { name: 'STORE_METRICS_PORT', fallback: null, parse: integer(0, 65_535) },
  trustProxy: { name: 'STORE_TRUST_PROXY', fallback: 'false', parse: parseTrustProxy },
  corsOrigins: { name: 'STORE_CORS_ORIGINS', fallback: null, parse: origins },
  eventsRetentionDays: { name: 'STORE_EVENTS_RETENTION_DAYS', fallback: '7', parse: integer(1, 3_650) },
  importMaxBytes: {
    name: 'STORE_IMPORT_MAX_BYTES',
    fallback: '67108864',
    parse: integer(1_024, 268_435_456),
  },
  rateLimit: { name: 'STORE_RATE_LIMIT', fallback: DEFAULT_QUOTAS, parse: parseQuotas },
  subscriptionLimits: {
    name: 'STORE_SUBSCRIPTION_LIMITS',
    fallback: DEFAULT_SUBSCRIPTION_LIMITS,
    parse: parseSubscriptionLimits,
  },
  sharedCacheSeconds: { name: 'STORE_SHARED_CACHE_SECONDS', fallback: '0', parse: integer(0, 86_400) },
  requireIfMatch: { name: 'STORE_REQUIRE_IF_MATCH', fallback: 'false', parse: boolean },
  serverTiming: { name: 'STORE_SERVER_TIMING', fallback: 'false', parse: boolean },
  introspection: { name: 'STORE_INTROSPECTION', fallback: 'true', parse: boolean },
  trustedDocuments: {
    name: 'STORE_TRUSTED_DOCUMENTS',
    fallback: 'off',
    parse: oneOf<TrustMode>(TRUST_MODES),
  },
  trustedDocumentsDir: {
    name: 'STORE_TRUSTED_DOCUMENTS_DIR',
    fallback: './documents',
    parse: (text) => text,
  },
  graphqlMaxDepth: { name: 'STORE_GRAPHQL_MAX_DEPTH', fallback: '8', parse: integer(1, 100) },
  graphqlMaxCost: { name: 'STORE_GRAPHQL_MAX_COST', fallback: '5000', parse: integer(1, 1_000_000) },
  v1Deprecated: { name: 'STORE_V1_DEPRECATED', fallback: null, parse: moment },
  v1Sunset: { name: 'STORE_V1_SUNSET', fallback: null, parse: moment },
  otlpEndpoint: { name: OTLP_ENDPOINT, fallback: null, parse: otlpEndpoint },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: null,
    parse: pairs,
    shown: () => '(hidden)',
    onlyWith: OTLP_ENDPOINT,
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    fallback: 'http/protobuf',
    parse: oneOf(['http/protobuf']),
    onlyWith: OTLP_ENDPOINT,
  },
  otlpCompression: {
    name: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    fallback: 'none',
    parse: oneOf<'none' | 'gzip'>(['none', 'gzip']),
    onlyWith: OTLP_ENDPOINT,
  },
  otlpCertificate: {
    name: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    fallback: null,
    parse: certificates,
    onlyWith: OTLP_ENDPOINT,
  },
  otlpClientCertificate: {
    name: 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    fallback: null,
    parse: certificates,
    onlyWith: OTLP_ENDPOINT,
  },
  otlpClientKey: {
    name: 'OTEL_EXPORTER_OTLP_CLIENT_KEY',
    fallback: null,
    parse: privateKey,
    onlyWith: OTLP_ENDPOINT,
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    fallback: null,
    parse: (text) => text,
    onlyWith: OTLP_ENDPOINT,
  },
  otelResourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    fallback: null,
    parse: pairs,
    onlyWith: OTLP_ENDPOINT,
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    fallback: 'parentbased_always_on',
    parse: oneOf<SamplerName>(SAMPLERS),
    onlyWith: OTLP_ENDPOINT,
  },
  tracesSamplerArg: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    parse: ratio,
    onlyWith: OTLP_ENDPOINT,
  },
  otelDisabled: { name: 'OTEL_SDK_DISABLED', fallback: 'false', parse: boolean, onlyWith: OTLP_ENDPOINT },
} satisfies Record<string, Setting>;

type Value<S> = S extends { readonly fallback: infer F; readonly parse: (text: string) => infer T }
  ? F extends null
    ? T | null
    : T
  : never;

/** The parsed values of all settings; null for a setting that has neither a value in the environment nor a default. */
export type Values = { readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> };
