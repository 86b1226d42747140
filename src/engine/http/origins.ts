import type { IncomingMessage } from 'node:http';
import type { HttpConfig } from '../config/slices.js';
import { Forbidden } from '../errors/errors.js';
import { CrossOrigin } from './cross-origin.js';
import { SAFE_METHODS, type Step } from './steps.js';

type Request = Pick<IncomingMessage, 'headers'>;

/**
 * Decides which origins may open connections that stay open (`refusalOf`), and which origins may change data
 * (`isForged`). A browser lets the page of any site open a WebSocket. Only `Origin` shows that the page is of another
 * site, because Chromium sends no `Sec-Fetch-Site` with a handshake. A client that is not a browser sends no `Origin`.
 */
export class Origins {
  private readonly crossOrigin: CrossOrigin;
  private readonly publicUrl: string | null;
  private readonly trustsProxies: boolean;

  constructor({ corsOrigins, publicUrl, trustProxy }: HttpConfig) {
    this.crossOrigin = new CrossOrigin(corsOrigins);
    this.publicUrl = publicUrl;
    this.trustsProxies = trustProxy !== false;
  }

  /** @param host the host of the request, if the caller of this method knows it */
  refusalOf({ headers }: Request, host = this.hostIn(headers)): Forbidden | null {
    const { origin, 'sec-fetch-site': site } = headers;
    if (this.crossOrigin.allows(origin)) return null;
    // A GET request that a page makes without CORS has no `Origin`. The page cannot read the answer, but keeps the
    // connection open.
    if (origin === undefined) {
      return site === 'cross-site' || site === 'same-site' ? refusal('A page of another origin') : null;
    }
    if (origin === this.publicUrl || isAt(origin, host)) return null;
    return refusal(`A page of ${origin.slice(0, 100)}`);
  }

  /** Whether a page made a browser send this request, although the origin of the page may not change data. */
  isForged(request: Request, host?: string): boolean {
    return !this.crossOrigin.allows(request.headers.origin) && this.isForeign(request, host);
  }

  /**
   * Whether the page of another origin made a browser send this request. `Sec-Fetch-Site` says so, but browsers send
   * this header only over https and to their own machine. Without this header, `Origin` says so. Browsers always send
   * `Origin`, except with GET and HEAD requests without CORS. A WebSocket handshake also has `Origin`. Another host of
   * the same site, and another port of the same host, are other origins too.
   */
  isForeign({ headers }: Request, host = this.hostIn(headers)): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    // An unknown value, which no browser of today sends, is refused too, so that a wrong value opens nothing.
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    return origin !== undefined && origin !== this.publicUrl && !isAt(origin, host);
  }

  private hostIn(headers: Request['headers']): string | undefined {
    const forwarded = this.trustsProxies ? headers['x-forwarded-host'] : undefined;
    return typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : headers.host;
  }
}

/**
 * Makes a step that refuses changes that a page of another origin requests. The step refuses no reads, because CORS
 * hides their answers from the page. A page of another origin may change data only if `STORE_CORS_ORIGINS` names its
 * origin. If a user has typed a password into the dialog of a browser (Basic), the browser sends the password with
 * every request. So without this rule, any page could use this password. The rule replaces tokens against request
 * forgery (CSRF).
 */
export function refuseForged(origins: Origins): Step {
  return (request) => {
    if (SAFE_METHODS.has(request.method) || !origins.isForged(request, request.host)) return;
    throw new Forbidden([], 'A browser must not send this request from a page of another origin.');
  };
}

/**
 * Makes a step that refuses changes by the form of a page of another origin, even if `STORE_CORS_ORIGINS` names the
 * origin. A browser sends such a request without asking first (preflight), and adds the password of its own dialog
 * (Basic). The script of an allowed page sends the credential itself, in a header that needs a preflight request.
 */
export function refuseUnasked(origins: Origins): Step {
  return (request) => {
    if (SAFE_METHODS.has(request.method) || !isUnasked(request) || !origins.isForeign(request, request.host))
      return;
    throw new Forbidden(
      [],
      'A page of another origin must send this request with X-API-Key, with a Bearer token, or with Content-Type: application/json, so that the browser asks the service first (CORS).',
    );
  };
}

const OF_FORMS = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i;

/**
 * Whether a browser may have sent this request with the password of its dialog (Basic), and without a preflight request
 * (WHATWG Fetch).
 */
function isUnasked({ method, headers }: { readonly method: string } & Request): boolean {
  const { authorization, 'x-api-key': key, 'content-type': type } = headers;
  if (method !== 'POST' || key !== undefined || !/^basic\s/i.test(authorization ?? '')) return false;
  return type === undefined || OF_FORMS.test(type.trim());
}

/**
 * Makes a step for operations that can answer with a stream of events. Other answers do not need it: `refuseForged`
 * refuses the changes, and CORS hides an answer from the page.
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
    `${who} is not allowed to open this connection. Only the service's own origin and the origins in STORE_CORS_ORIGINS are allowed.`,
  );
}
