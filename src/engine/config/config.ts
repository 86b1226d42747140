import { createPrivateKey, X509Certificate } from 'node:crypto';
import { audienceOf, issuerOf } from '../access/issuer.js';
import type { Currency } from '../values/currency.js';
import { serviceLinksIn, unknownNames } from './setting-names.js';
import { DEMO_DATABASE_URL, SETTINGS, givenText, type Setting, type Values } from './settings.js';
import type {
  AccessConfig,
  DatabaseConfig,
  EventsConfig,
  ImportsConfig,
  GraphqlConfig,
  HttpConfig,
  LimitsConfig,
  LogConfig,
  RedisConfig,
  SecretsConfig,
  TracingConfig,
  TracingTarget,
} from './slices.js';

/**
 * The whole configuration. `loadConfig` makes it from the settings in the environment. `loadConfig` checks every
 * setting, and reports all faults together, so that an operator can correct them in one step. Each part of the service
 * gets its slice; only `src/app` has the whole configuration.
 */
export interface Config {
  readonly http: HttpConfig;
  readonly graphql: GraphqlConfig;
  readonly database: DatabaseConfig;
  readonly redis: RedisConfig;
  readonly secrets: SecretsConfig;
  readonly access: AccessConfig;
  readonly events: EventsConfig;
  readonly imports: ImportsConfig;
  readonly limits: LimitsConfig;
  readonly log: LogConfig;
  readonly tracing: TracingConfig;
  readonly currency: Currency;
  /**
   * Whether this is the demo store. It has a database file of its own, which the first start fills with made-up data.
   * Each start prints a new API key.
   */
  readonly demo: boolean;
  /** Not a setting: whether npm started this process. A signal to npm may not reach this process; see `start.ts`. */
  readonly startedByNpm: boolean;
  /** Not a setting: the names in the environment that look like settings, but are service links. */
  readonly ignored: readonly string[];
}

/** Lists all faults of the settings, one on each line. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment. An empty value counts as absent. A name that begins with `STORE_` must be
 * the name of a setting, or come from a service link (see `setting-names.ts`). Any other such name is a fault.
 *
 * @param demoByDefault whether the demo store is the default, if the environment names no database
 * @throws ConfigError
 */
export function loadConfig(environment: Environment, demoByDefault = false): Config {
  const ignored = serviceLinksIn(environment);
  const names = Object.keys(environment).filter((name) => !ignored.includes(name));
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const isDatabaseNamed = Boolean(environment['STORE_DATABASE_URL']);
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    const preset = key === 'demo' && demoByDefault && !isDatabaseNamed ? 'true' : setting.fallback;
    const text = (names.includes(setting.name) && givenText(setting, environment)) || preset;
    try {
      values[key] = text === null ? null : setting.parse(text);
    } catch (error) {
      faults.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  if (values['demo'] === true) {
    if (isDatabaseNamed) {
      faults.push(
        'STORE_DEMO uses a database of its own. Set STORE_DEMO to false, or leave STORE_DATABASE_URL out.',
      );
    }
    values['databaseUrl'] = DEMO_DATABASE_URL;
  }
  const { databaseUrl = '' } = values as Partial<Values>;
  for (const key of ['databaseDirectUrl', 'databaseReadUrl'] as const) {
    if (values[key] == null || !databaseUrl.startsWith('sqlite:')) continue;
    faults.push(
      `${SETTINGS[key].name} needs PostgreSQL. Set STORE_DATABASE_URL to postgres://…, or leave it out.`,
    );
  }
  const { v1Deprecated, v1Sunset } = values as Partial<Values>;
  if (v1Deprecated && v1Sunset && v1Sunset < v1Deprecated) {
    faults.push('STORE_V1_SUNSET must not be earlier than STORE_V1_DEPRECATED.');
  }
  const { port, metricsPort } = values as Partial<Values>;
  if (port === metricsPort && port !== 0 && port !== undefined) {
    faults.push('STORE_METRICS_PORT must not be the same as PORT.');
  }
  faults.push(...faultsOfPair(values), ...faultsOfHost(values));
  const known = new Set(Object.values(SETTINGS).map((setting) => setting.name));
  faults.push(...unknownNames(names, known));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...slicesOf(values as Values),
    startedByNpm: environment['npm_lifecycle_event'] !== undefined,
    ignored,
  };
}

function slicesOf(values: Values): Omit<Config, 'startedByNpm' | 'ignored'> {
  const { port, host, metricsPort, publicUrl, trustProxy, corsOrigins, sharedCacheSeconds } = values;
  const { requireIfMatch, serverTiming } = values;
  const { v1Deprecated, v1Sunset, introspection, trustedDocuments, trustedDocumentsDir } = values;
  const { demo, currency, secret, adminKey, jwtIssuers, tokenTtlSeconds } = values;
  const http = {
    port,
    host,
    metricsPort,
    publicUrl,
    trustProxy,
    corsOrigins,
    sharedCacheSeconds,
    requireIfMatch,
    serverTiming,
    v1Deprecated,
    v1Sunset,
  };
  return {
    http,
    graphql: {
      maxDepth: values.graphqlMaxDepth,
      maxCost: values.graphqlMaxCost,
      introspection,
      trustedDocuments,
      trustedDocumentsDir,
    },
    database: {
      url: values.databaseUrl,
      directUrl: values.databaseDirectUrl,
      readUrl: values.databaseReadUrl,
    },
    redis: { url: values.redisUrl },
    secrets: { secret },
    access: { adminKey, jwtIssuers, tokenTtlSeconds, issuer: issuerOf(http), audience: audienceOf(http) },
    events: { retentionDays: values.eventsRetentionDays },
    imports: { maxBytes: values.importMaxBytes },
    limits: { rate: values.rateLimit, subscriptions: values.subscriptionLimits },
    log: { level: values.logLevel, accessShare: values.accessLogShare },
    tracing: { target: targetOf(values) },
    currency,
    demo,
  };
}

/** Without STORE_PUBLIC_URL, HOST is a part of the address of the service for clients. */
function faultsOfHost({ host, port, publicUrl }: Partial<Values>): readonly string[] {
  // A value is undefined only if it has a fault of its own.
  if (host === undefined || port === undefined || publicUrl !== null) return [];
  if (URL.canParse(audienceOf({ publicUrl, host, port }))) return [];
  return [
    `HOST "${host}" cannot be a part of a URL. Set STORE_PUBLIC_URL to the address of the service for clients.`,
  ];
}

/**
 * The faults of the certificate that this service shows to the collector, and of its key. Both or neither must be set,
 * and the two must belong together.
 */
function faultsOfPair({ otlpClientCertificate, otlpClientKey }: Partial<Values>): readonly string[] {
  // A value is undefined only if it has a fault of its own.
  if (otlpClientCertificate === undefined || otlpClientKey === undefined) return [];
  const [certificate, key] = [SETTINGS.otlpClientCertificate.name, SETTINGS.otlpClientKey.name];
  if (otlpClientCertificate === null || otlpClientKey === null) {
    if (otlpClientCertificate === otlpClientKey) return [];
    const [given, missing] = otlpClientKey === null ? [certificate, key] : [key, certificate];
    return [`${given} needs ${missing}.`];
  }
  return new X509Certificate(otlpClientCertificate).checkPrivateKey(createPrivateKey(otlpClientKey))
    ? []
    : [`${key} must be the key of the first certificate of ${certificate}.`];
}

const SERVICE_NAME = 'store-service';

function targetOf(values: Values): TracingTarget | null {
  const { otlpEndpoint: url, otlpHeaders, otelResourceAttributes, otelServiceName, otelDisabled } = values;
  const { otlpCompression, otlpCertificate, otlpClientCertificate, otlpClientKey } = values;
  if (url === null || otelDisabled) return null;
  const resource = otelResourceAttributes ?? {};
  return {
    url,
    headers: otlpHeaders ?? {},
    compression: otlpCompression,
    tls: {
      ...(otlpCertificate !== null && { ca: otlpCertificate }),
      ...(otlpClientCertificate !== null && { cert: otlpClientCertificate }),
      ...(otlpClientKey !== null && { key: otlpClientKey }),
    },
    serviceName: otelServiceName ?? resource['service.name'] ?? SERVICE_NAME,
    resource,
    sampler: values.tracesSampler,
    ratio: values.tracesSamplerArg,
  };
}
