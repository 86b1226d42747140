import type { HttpConfig } from '../config/slices.js';

declare module 'fastify' {
  interface FastifyInstance {
    securityHeaders: Readonly<Record<string, string>>;
  }
}

/** The headers of every answer, in any format. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  // An answer with data is not a page. If a browser opens it as a page, this page may load nothing, run nothing, and be
  // in no frame. The pages of the service have a policy of their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // Only CORS requests may read an answer across origins. Embedding (an image, a script) is not allowed.
  'cross-origin-resource-policy': 'same-origin',
} as const;

const A_YEAR_SECONDS = 31_536_000;

/** @returns a frozen object, because all answers of a service have the same headers */
export function securityHeadersOf({
  publicUrl,
}: Pick<HttpConfig, 'publicUrl'>): Readonly<Record<string, string>> {
  return Object.freeze(
    publicUrl?.startsWith('https:')
      ? { ...SECURITY_HEADERS, 'strict-transport-security': `max-age=${A_YEAR_SECONDS}` }
      : { ...SECURITY_HEADERS },
  );
}
