import type { IncomingMessage } from 'node:http';
import type { HttpConfig } from '../config/slices.js';
import { Forbidden } from '../errors/errors.js';
import { CrossOrigin } from './cross-origin.js';
import type { Step } from './steps.js';

type Request = Pick<IncomingMessage, 'headers'>;

/**
 * Decides which origins may open connections that stay open. A browser lets the page of any site open a WebSocket, and
 * only `Origin` names the site, because Chromium sends no `Sec-Fetch-Site` with a handshake. A client that is not a
 * browser sends no `Origin`.
 */
export class Origins {
  private readonly crossOrigin: CrossOrigin;
  private readonly publicUrl: string | null;
  private readonly believesProxies: boolean;

  constructor({ corsOrigins, publicUrl, trustProxy }: HttpConfig) {
    this.crossOrigin = new CrossOrigin(corsOrigins);
    this.publicUrl = publicUrl;
    this.believesProxies = trustProxy !== false;
  }

  /** @param host the host of the request, if the caller of this method knows it */
  refusalOf({ headers }: Request, host = this.hostIn(headers)): Forbidden | null {
    const { origin, 'sec-fetch-site': site } = headers;
    if (this.crossOrigin.allows(origin)) return null;
    // A GET request that a page makes without CORS has no `Origin`. The page cannot read the answer, but holds it open.
    if (origin === undefined) {
      return site === 'cross-site' || site === 'same-site' ? refusal('Another site') : null;
    }
    if (origin === this.publicUrl || isAt(origin, host)) return null;
    return refusal(`A page of ${origin.slice(0, 100)}`);
  }

  private hostIn(headers: Request['headers']): string | undefined {
    const forwarded = this.believesProxies ? headers['x-forwarded-host'] : undefined;
    return typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : headers.host;
  }
}

/**
 * Makes a step for operations that can answer with events. Finite answers are protected by `refuseCrossSite`, and in
 * browsers by CORS.
 */
export function refuseOtherOrigins(origins: Origins, isStream: (answerType: string | null) => boolean): Step {
  return (request) => {
    const found = isStream(request.answerType) ? origins.refusalOf(request, request.host) : null;
    if (found) throw found;
  };
}

/** Compares the hosts, and not the schemes, because a proxy in front may use TLS without telling this service. */
function isAt(origin: string, host: string | undefined): boolean {
  if (host === undefined || host === '' || !URL.canParse(origin)) return false;
  const { protocol, host: own } = new URL(origin);
  const asked = `${protocol}//${host}`;
  return /^https?:$/.test(protocol) && URL.canParse(asked) && new URL(asked).host === own;
}

function refusal(who: string): Forbidden {
  return new Forbidden(
    [],
    `${who} is not allowed to open this. Allowed are the service's own origin and the origins in STORE_CORS_ORIGINS.`,
  );
}
