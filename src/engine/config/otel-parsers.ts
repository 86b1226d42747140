import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The parsers of the variables whose form OpenTelemetry defines. */

/** Returns the address to which spans are sent. */
export function otlpEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The value may hold a password, so the message does not repeat the value.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      'must be the address of a collector such as http://collector:4318, without a query. A credential belongs in OTEL_EXPORTER_OTLP_HEADERS.',
    );
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

const NAME = /^[\w!#$%&'*+.^`|~/-]{1,255}$/;
const VALUE = /^[\t\x20-\x7e\x80-\uffff]{0,4096}$/;

/** Reads `name=value,name=value`. Characters of a value may be percent-encoded. */
export function pairs(text: string): Readonly<Record<string, string>> {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry, index) => {
      const [name = '', ...rest] = entry.split('=');
      const value = decoded(rest.join('=').trim());
      if (rest.length === 0 || !NAME.test(name.trim()) || value === null || !VALUE.test(value)) {
        // A value may be a secret, so the message does not repeat it.
        throw new Error(`must be a list such as name=value,other=value; entry ${index + 1} is not a pair.`);
      }
      return [name.trim(), value];
    }),
  );
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function ratio(text: string): number {
  const value = /^(0|1|[01]?\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new Error(`must be a share from 0 to 1, not "${text}".`);
  return value;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates of a file. @returns them in PEM */
export function certificates(path: string): string {
  const found = contentOf(path).match(CERTIFICATE) ?? [];
  if (found.length === 0 || !found.every((one) => isReadable(() => new X509Certificate(one)))) {
    throw new Error(
      `must be the path of a file with certificates in PEM; "${path}" has none, or one that cannot be read.`,
    );
  }
  return found.join('\n');
}

/** Reads the private key of a file. @returns it in PEM */
export function privateKey(path: string): string {
  const text = contentOf(path);
  if (!isReadable(() => createPrivateKey(text))) {
    throw new Error(
      `must be the path of a file with a private key in PEM, without a password; "${path}" has none.`,
    );
  }
  return text;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `must be the path of a file; "${path}" cannot be read (${String((error as NodeJS.ErrnoException).code)}).`,
      {
        cause: error,
      },
    );
  }
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
