import type { Config } from '../config/config.js';

declare module 'fastify' {
  interface FastifyInstance {
    securityHeaders: Readonly<Record<string, string>>;
  }
}

/** What no answer goes without, in whatever words it is written. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  // Data is no document: opened as one it may load nothing, do nothing, and be in no frame. Pages have their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Only what asks by CORS may have it across origins; what embeds (an image, a script) may not.
  'cross-origin-resource-policy': 'same-origin',
} as const;

const A_YEAR_SECONDS = 31_536_000;

export function securityHeadersOf({
  publicUrl,
}: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  return publicUrl?.startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': `max-age=${A_YEAR_SECONDS}` }
    : SECURITY_HEADERS;
}
