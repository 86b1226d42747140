import { outsideIssuers, type OutsideIssuer } from './outside-issuers.js';
import { Currency } from '../values/currency.js';
import { shownUrl } from './shown-url.js';
import { parseTrustProxy, type TrustProxy } from './trusted-proxies.js';
import { momentOf } from '../values/moment.js';
import { DEFAULT_QUOTAS, parseQuotas, type Quotas } from './quotas.js';
import {
  DEFAULT_SUBSCRIPTION_LIMITS,
  parseSubscriptionLimits,
  type SubscriptionLimits,
} from './subscription-limits.js';
import { isOfKubernetes, unknownNames } from './setting-names.js';

/**
 * The only place that reads the environment. Every setting is checked, and all faults are reported together, so that an
 * operator can correct them in one step.
 */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** A store for trying out: it has its own database file, filled at the first start, and a new key for each start. */
  readonly demo: boolean;
  /** The address of the service for clients, without a slash at the end; null: links are relative. */
  readonly publicUrl: string | null;
  readonly adminKey: string | null;
  /** Null: on SQLite the secret is in a file beside the database; see `MasterKey`. */
  readonly secret: string | null;
  readonly jwtIssuers: readonly OutsideIssuer[];
  /** How long an access token is valid. */
  readonly tokenTtlSeconds: number;
  readonly currency: Currency;
  readonly logLevel: LogLevel;
  /** The share of requests that are logged: 1 for all; null for only those that fail with 5xx. */
  readonly accessLogShare: number | null;
  /** The proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustProxy: TrustProxy;
  /** The sites whose scripts may use the service; null: only its own. */
  readonly corsOrigins: '*' | ReadonlySet<string> | null;
  /** How long events stay in the log. */
  readonly eventsRetentionDays: number;
  /** Null: nothing is limited. */
  readonly rateLimit: Quotas | null;
  /** How many WebSockets and subscriptions may be open at a time. */
  readonly subscriptionLimits: SubscriptionLimits;
  /** For how long shared caches may reuse public answers without asking. */
  readonly sharedCacheSeconds: number;
  /** Whether PUT, PATCH and DELETE require a condition. */
  readonly requireIfMatch: boolean;
  readonly introspection: boolean;
  readonly trustedDocuments: TrustMode;
  /** The folder of the trusted documents; read unless the mode is `off`. */
  readonly trustedDocumentsDir: string;
  readonly graphqlMaxDepth: number;
  readonly graphqlMaxCost: number;
  /** The moment from which version 1 of the HTTP interface is deprecated; null: it is not. */
  readonly v1Deprecated: Date | null;
  /** The moment at which version 1 stops being served; null: not decided. */
  readonly v1Sunset: Date | null;
  /** Not a setting: npm marks the processes that it starts. It does not pass signals on to them. */
  readonly startedByNpm: boolean;
  /** Not a setting: names in the environment that look like settings, but come from Kubernetes. */
  readonly ignored: readonly string[];
}

/** Injects the configuration. */
export const CONFIG = Symbol('Config');

/** `log` accepts other documents too, and logs them; `only` refuses them. */
const TRUST_MODES = ['off', 'log', 'only'] as const;
export type TrustMode = (typeof TRUST_MODES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting<T = unknown> {
  readonly name: string;
  readonly fallback: string | null;
  /** @throws Error whose message continues «NAME …» */
  readonly parse: (text: string) => T;
  /** Returns the part of the value that may be shown in a list of settings; by default the whole value. */
  readonly shown?: (text: string) => string;
}

type Settings = Omit<Config, 'startedByNpm' | 'ignored'>;

export const DEMO_DATABASE_URL = 'sqlite:./data/demo.sqlite';

export const SETTINGS: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  port: { name: 'PORT', fallback: '3000', parse: integer(0, 65_535) },
  host: { name: 'HOST', fallback: '127.0.0.1', parse: (text) => text },
  databaseUrl: {
    name: 'STORE_DATABASE_URL',
    fallback: 'sqlite:./data/store.sqlite',
    parse: databaseUrl,
    shown: shownUrl,
  },
  redisUrl: { name: 'STORE_REDIS_URL', fallback: null, parse: redisUrl, shown: shownUrl },
  demo: { name: 'STORE_DEMO', fallback: 'false', parse: boolean },
  publicUrl: { name: 'STORE_PUBLIC_URL', fallback: null, parse: publicUrl },
  adminKey: { name: 'STORE_ADMIN_KEY', fallback: null, parse: secret, shown: () => '(hidden)' },
  secret: { name: 'STORE_SECRET', fallback: null, parse: secret, shown: () => '(hidden)' },
  jwtIssuers: { name: 'STORE_JWT_ISSUERS', fallback: '[]', parse: outsideIssuers },
  tokenTtlSeconds: { name: 'STORE_TOKEN_TTL', fallback: '600', parse: integer(10, 86_400) },
  currency: { name: 'STORE_CURRENCY', fallback: 'USD', parse: currency },
  logLevel: { name: 'STORE_LOG_LEVEL', fallback: 'info', parse: oneOf(LOG_LEVELS) },
  accessLogShare: { name: 'STORE_ACCESS_LOG', fallback: 'all', parse: accessLog },
  trustProxy: { name: 'STORE_TRUST_PROXY', fallback: 'false', parse: parseTrustProxy },
  corsOrigins: { name: 'STORE_CORS_ORIGINS', fallback: null, parse: origins },
  eventsRetentionDays: { name: 'STORE_EVENTS_RETENTION_DAYS', fallback: '7', parse: integer(1, 3_650) },
  rateLimit: { name: 'STORE_RATE_LIMIT', fallback: DEFAULT_QUOTAS, parse: parseQuotas },
  subscriptionLimits: {
    name: 'STORE_SUBSCRIPTION_LIMITS',
    fallback: DEFAULT_SUBSCRIPTION_LIMITS,
    parse: parseSubscriptionLimits,
  },
  sharedCacheSeconds: { name: 'STORE_SHARED_CACHE_SECONDS', fallback: '0', parse: integer(0, 86_400) },
  requireIfMatch: { name: 'STORE_REQUIRE_IF_MATCH', fallback: 'false', parse: boolean },
  introspection: { name: 'STORE_INTROSPECTION', fallback: 'true', parse: boolean },
  trustedDocuments: { name: 'STORE_TRUSTED_DOCUMENTS', fallback: 'off', parse: oneOf(TRUST_MODES) },
  trustedDocumentsDir: {
    name: 'STORE_TRUSTED_DOCUMENTS_DIR',
    fallback: './documents',
    parse: (text) => text,
  },
  graphqlMaxDepth: { name: 'STORE_GRAPHQL_MAX_DEPTH', fallback: '8', parse: integer(1, 100) },
  graphqlMaxCost: { name: 'STORE_GRAPHQL_MAX_COST', fallback: '5000', parse: integer(1, 1_000_000) },
  v1Deprecated: { name: 'STORE_V1_DEPRECATED', fallback: null, parse: moment },
  v1Sunset: { name: 'STORE_V1_SUNSET', fallback: null, parse: moment },
};

/** Lists all faults of the settings, one on each line. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are not right:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment. An empty value counts as absent. A name that begins with `STORE_` and is not
 * a setting is a fault, unless Kubernetes made it; see `setting-names.ts`.
 *
 * @param demoByDefault selects the demo store if the environment names no database
 * @throws ConfigError
 */
export function loadConfig(environment: Environment, demoByDefault = false): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const isDatabaseNamed = Boolean(environment['STORE_DATABASE_URL']);
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const preset = key === 'demo' && demoByDefault && !isDatabaseNamed ? 'true' : setting.fallback;
    const text = environment[setting.name] || preset;
    try {
      values[key] = text === null ? null : setting.parse(text);
    } catch (error) {
      faults.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  if (values['demo'] === true) {
    if (isDatabaseNamed) {
      faults.push('STORE_DEMO has a database of its own. Set it to false, or leave STORE_DATABASE_URL away.');
    }
    values['databaseUrl'] = DEMO_DATABASE_URL;
  }
  const { v1Deprecated, v1Sunset } = values as Partial<Config>;
  if (v1Deprecated && v1Sunset && v1Sunset < v1Deprecated) {
    faults.push('STORE_V1_SUNSET must not be earlier than STORE_V1_DEPRECATED.');
  }
  const names = Object.keys(environment);
  const ignored = names.filter((name) => isOfKubernetes(name, environment[name]));
  const known = new Set(Object.values(SETTINGS).map((setting) => setting.name));
  faults.push(
    ...unknownNames(
      names.filter((name) => !ignored.includes(name)),
      known,
    ),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  values['ignored'] = ignored;
  values['startedByNpm'] = environment['npm_lifecycle_event'] !== undefined;
  return Object.freeze(values) as unknown as Config;
}

function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum)) {
      throw new Error(`must be an integer from ${minimum} to ${maximum}, not "${text}".`);
    }
    return value;
  };
}

/** Reads a moment. A day stands for its first moment in UTC. */
function moment(text: string): Date {
  const found = momentOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (found === null) {
    throw new Error(`must be a day or a moment such as 2028-01-01 or 2028-01-01T00:00:00Z, not "${text}".`);
  }
  return found;
}

function boolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not "${text}".`);
  return text === 'true';
}

function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`must be one of ${allowed.join(', ')}, not "${text}".`);
    return value;
  };
}

function databaseUrl(text: string): string {
  // The value may hold a password, so it is not repeated in the fault.
  if (!/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(text)) {
    throw new Error(
      'must look like sqlite:./data/store.sqlite or postgres://user:password@host:5432/database.',
    );
  }
  return text;
}

function redisUrl(text: string): string {
  // This value may hold a password too.
  if (!/^rediss?:\/\/.+$/.test(text)) throw new Error('must look like redis://:password@host:6379/0.');
  return text;
}

function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(`must be an address such as https://store.example, without a path, not "${text}".`);
  }
  return url.origin;
}

export function isSecret(text: string): boolean {
  return /^[\x21-\x7e]{32,512}$/.test(text);
}

function secret(text: string): string {
  if (!isSecret(text)) {
    throw new Error('must have at least 32 printable ASCII characters without blanks.');
  }
  return text;
}

function currency(text: string): Currency {
  if (!Currency.isSupported(text)) {
    throw new Error(`must be a currency (ISO 4217) with two decimals or none, such as USD, not "${text}".`);
  }
  return new Currency(text);
}

function accessLog(text: string): number | null {
  if (text === 'all') return 1;
  if (text === 'errors') return null;
  const share = /^sample=(0|1|0?\.\d+)$/.exec(text)?.[1];
  if (share === undefined) throw new Error(`must be all, errors or sample=0.01, not "${text}".`);
  return Number(share);
}

function origins(text: string): '*' | ReadonlySet<string> {
  if (text === '*') return text;
  const list = text.split(',').map((entry) => entry.trim());
  const wrong = list.find((entry) => !isOrigin(entry));
  if (wrong === undefined) return new Set(list);
  throw new Error(
    `must be * or a list of origins such as https://app.example, without a path; "${wrong}" is none.`,
  );
}

/** Whether a text is an origin as browsers write it: `Origin` is compared character by character. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
