import { isIPv6 } from 'node:net';
import { Currency } from '../values/currency.js';
import { isWritable, momentOf } from '../values/moment.js';

// The path of a file, which may begin with two more slashes: sqlite:///data/store.sqlite is the same as
// sqlite:/data/store.sqlite.
const SQLITE_URL = /^sqlite:(?:\/\/(?=[/.]))?(?!\/\/).*[^/]$/;

export function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum)) {
      throw new Error(`must be an integer from ${minimum} to ${maximum}, not "${text}".`);
    }
    return value;
  };
}

/** Reads a moment, or a day. The result for a day is its first moment in UTC. */
export function moment(text: string): Date {
  const found = momentOf(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (found === null || !isWritable(found)) {
    throw new Error(`must be a day or a moment such as 2028-01-01 or 2028-01-01T00:00:00Z, not "${text}".`);
  }
  return found;
}

export function boolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not "${text}".`);
  return text === 'true';
}

export function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`must be one of ${allowed.join(', ')}, not "${text}".`);
    return value;
  };
}

/** The address on which the service listens. */
export function host(text: string): string {
  if (!isIPv6(text) && !/^[^\s/\\:?#@[\]]+$/.test(text))
    throw new Error(`must be an address or a name of this machine, such as 127.0.0.1, not "${text}".`);
  return text;
}

export function databaseUrl(text: string): string {
  const isUrl = text.startsWith('sqlite:') ? SQLITE_URL.test(text) : isPostgresUrl(text);
  // The value may hold a password, so the message does not repeat the value.
  if (!isUrl) {
    throw new Error(
      'must look like sqlite:./data/store.sqlite or postgres://user:password@host:5432/database.',
    );
  }
  return text;
}

export function postgresUrl(text: string): string {
  // The value may hold a password, so the message does not repeat the value.
  if (!isPostgresUrl(text)) {
    throw new Error('must look like postgres://user:password@host:5432/database.');
  }
  return text;
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/.+$/.test(text) && URL.canParse(text);
}

export function redisUrl(text: string): string {
  // The value may hold a password, so the message does not repeat the value.
  if (!/^rediss?:\/\/.+$/.test(text) || !URL.canParse(text))
    throw new Error('must look like redis://:password@host:6379/0.');
  return text;
}

export function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The message does not repeat the value, because it holds a password.
  if (url?.username || url?.password) {
    throw new Error('must be an address such as https://store.example, without a user name and a password.');
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(`must be an address such as https://store.example, without a path, not "${text}".`);
  }
  return url.origin;
}

export function isSecret(text: string): boolean {
  return /^[\x21-\x7e]{32,512}$/.test(text);
}

export function secret(text: string): string {
  if (!isSecret(text)) {
    throw new Error('must have 32 to 512 printable ASCII characters without spaces.');
  }
  return text;
}

export function currency(text: string): Currency {
  if (!Currency.isSupported(text)) {
    throw new Error(`must be a currency (ISO 4217) with two decimals or none, such as USD, not "${text}".`);
  }
  return new Currency(text);
}

export function accessLog(text: string): number | null {
  if (text === 'all') return 1;
  if (text === 'errors') return null;
  const share = /^sample=(0|1|0?\.\d+)$/.exec(text)?.[1];
  if (share === undefined) throw new Error(`must be all, errors or sample=0.01, not "${text}".`);
  return Number(share);
}

export function origins(text: string): '*' | ReadonlySet<string> {
  if (text === '*') return text;
  const list = text.split(',').map((entry) => entry.trim());
  const wrong = list.find((entry) => !isOrigin(entry));
  if (wrong === undefined) return new Set(list);
  throw new Error(
    `must be * or a list of origins such as https://app.example, without a path; "${wrong}" is not an origin.`,
  );
}

/**
 * Whether a text is an origin exactly as browsers write it. The service compares it with the header `Origin` character
 * by character.
 */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
