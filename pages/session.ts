import { lendableScopes } from '../src/store/accounts/lending.js';

/*
 * The session of a visitor, for all pages: a credential that is kept for this tab only, and sent only to this service.
 * A visitor signs in at /sign-in, with a key, with a token, or with e-mail address and password. The password is
 * entered only on the page of the authorization server, which gives an access token (authorization code with PKCE, RFC
 * 7636).
 */

const KEPT = 'store:session';
const BEGUN = 'store:sign-in';
const CLIENT = 'pages';
/** The address of the operation that says whose credential a request has. */
const CREDENTIAL = '/api/v2/credential';
const SCOPES = ['openid', ...lendableScopes()].join(' ');
/** Before a request, a token that expires within this time is renewed. */
const AHEAD_MS = 30_000;

/** The answer of `getCredential`. */
export interface Holder {
  readonly kind: 'client' | 'user';
  readonly name: string;
  readonly user_id: number | null;
  readonly scopes: readonly string[];
  readonly own_scopes: readonly string[] | null;
}

export interface Session {
  /** `user`: an access token that the pages got from the authorization server, and renew by themselves. */
  readonly kind: 'key' | 'token' | 'user';
  readonly secret: string;
  /** The time at which the secret expires, in milliseconds since the epoch; null if it is not known. */
  readonly until: number | null;
  readonly holder: Holder;
}

/** The message is for the visitor. */
export class SignInFailed extends Error {}

/** The service does not say now whether the credential is valid, so a session stays for the next try. */
export class SignInDelayed extends SignInFailed {
  constructor(
    message: string,
    readonly status: number,
    readonly retryAfter: string | null = null,
  ) {
    super(message);
  }
}

/** These errors mean that the sign-in is over: the authorization server would have to ask the user again. */
const OVER = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'access_denied',
]);

const changes = new EventTarget();

export function session(): Session | null {
  const text = sessionStorage.getItem(KEPT);
  return text === null ? null : (JSON.parse(text) as Session);
}

/** The user or the program that the session belongs to. The result is the same for all credentials of a user. */
export function holderOf(now: Session | null): string | null {
  if (!now) return null;
  const { kind, name, user_id: user } = now.holder;
  return user === null ? `${kind} ${name}` : `user ${user}`;
}

/**
 * Calls the listener when the header is to be drawn again: after each sign-in, each renewal and each end of the session
 * in this tab, and when the browser shows this page again.
 */
export function onChange(listener: () => void): void {
  changes.addEventListener('change', listener);
}

/** Calls the listener when the session ends, but not when the visitor signs out. */
export function onEnd(listener: () => void): void {
  changes.addEventListener('end', listener);
}

/**
 * A browser may keep a page that the visitor has left, and show it again after “Back”. If the session is no longer the
 * session of the page, this function hides the page and loads it again.
 */
export function reloadAfterOtherSession(): void {
  noteDrawn();
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    if (drawnFor() === drawn) {
      changes.dispatchEvent(new Event('change'));
    } else {
      document.documentElement.hidden = true;
      location.reload();
    }
  });
}

/** Notes that the page now shows what the present session may see. */
export function noteDrawn(): void {
  drawn = drawnFor();
}

let drawn = '';

/** The facts of the session that decide what a page shows. */
function drawnFor(): string {
  const now = session();
  return JSON.stringify([holderOf(now), now?.holder.scopes, now?.holder.own_scopes]);
}

/** The wait that an answer asks for (`Retry-After`), in milliseconds; at most a minute. */
export function askedWait(answer: Response | null): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? 0);
  return seconds > 0 ? Math.min(seconds * 1000, 60_000) : 0;
}

/** The reason of a failure, for the visitor. */
export function reasonOf(error: unknown): string {
  return error instanceof SignInFailed ? error.message : 'The service cannot be reached. Try again.';
}

/** Opens the page for the sign-in. After the sign-in, the visitor comes to `returnTo`, a path of this service. */
export function signIn(returnTo = location.pathname + location.search + location.hash): void {
  location.assign(`/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`);
}

/**
 * Requests an address of this service with the credential of the session, if there is one. If the access token expires
 * soon, the page renews it first. The session ends if the sign-in is over, or if the entered key or token is no longer
 * valid. The answer then has the status 401, or it is the answer to a request without a credential. If the service does
 * not say now whether the sign-in is over, the session stays, and the answer says why: it has the status 429 or 5xx.
 *
 * @throws TypeError when the service cannot be reached, and for an address of another origin, which must not get the
 *   credential
 */
export async function authorizedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetchRenewed(address, init);
  } catch (error) {
    if (!(error instanceof SignInDelayed)) throw error;
    const { message: detail, status, retryAfter } = error;
    return Response.json(
      { status, detail },
      {
        status,
        headers: {
          'content-type': 'application/problem+json',
          ...(retryAfter !== null && { 'retry-after': retryAfter }),
        },
      },
    );
  }
}

/**
 * The same as `authorizedFetch` for a caller that shows the reason itself.
 *
 * @throws SignInDelayed when the access token cannot be renewed now
 */
export async function fetchRenewed(address: string, init: RequestInit = {}): Promise<Response> {
  if (new URL(address, location.href).origin !== location.origin)
    throw new TypeError('The credential is only for this service.');
  const held = await current();
  const answer = await sent(address, init, held);
  if (answer.status !== 401 || !held) return answer;
  if (held.kind !== 'user') {
    await forgetIfEnded(held);
    return answer;
  }
  const next = await renewed();
  return next ? sent(address, init, next) : answer;
}

/** Ends the session if its key or token was revoked or has expired. A 401 may also mean something else. */
async function forgetIfEnded(held: Session): Promise<void> {
  const answer = await sent(CREDENTIAL, {}, held).catch(() => null);
  if (answer?.status === 401 && session()?.secret === held.secret) end();
}

/** The session, with an access token that has not expired. */
async function current(): Promise<Session | null> {
  const now = session();
  const isOld = now?.kind === 'user' && now.until !== null && now.until - AHEAD_MS < Date.now();
  return isOld ? renewed() : now;
}

/** The header with the credential of the session, for a request to this service; none without a session. */
export async function credentialHeader(): Promise<Record<string, string>> {
  const held = await current();
  return held ? headerOf(held) : {};
}

function headerOf({ kind, secret }: Pick<Session, 'kind' | 'secret'>): Record<string, string> {
  return kind === 'key' ? { 'X-API-Key': secret } : { Authorization: `Bearer ${secret}` };
}

function sent(address: string, init: RequestInit, held: Pick<Session, 'kind' | 'secret'> | null) {
  const headers = new Headers(init.headers);
  if (held) for (const [name, value] of Object.entries(headerOf(held))) headers.set(name, value);
  return fetch(address, { cache: 'no-store', ...init, headers, credentials: 'omit' });
}

/**
 * Begins a session with a key or a token that the visitor has entered.
 *
 * @throws SignInFailed
 */
export async function signInWith(kind: 'key' | 'token', secret: string): Promise<void> {
  // No credential of this service has other characters, and a header field cannot contain most of them.
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new SignInFailed('This is not a credential of this service.');
  keep(await heldBy(kind, secret, null));
}

/** @throws SignInFailed unless the service says to whom the credential belongs */
async function heldBy(kind: Session['kind'], secret: string, until: number | null): Promise<Session> {
  const answer = await sent(CREDENTIAL, {}, { kind, secret });
  if (!answer.ok) throw await failureOf(answer, 'The credential is not valid.');
  return { kind, secret, until, holder: (await answer.json()) as Holder };
}

/** @param refused the message if the service has refused the credential or the code */
async function failureOf(answer: Response, refused: string): Promise<SignInFailed> {
  const { status, headers } = answer;
  const body = (await answer.json().catch(() => null)) as {
    readonly detail?: string;
    readonly error?: string;
  } | null;
  if (status === 401 || body?.error === 'invalid_grant') return new SignInFailed(refused);
  return new SignInDelayed(
    body?.detail ?? `The service answered with the status ${status}. Try again later.`,
    status === 429 || status >= 500 ? status : 503,
    headers.get('retry-after'),
  );
}

function keep(begun: Session): Session {
  sessionStorage.setItem(KEPT, JSON.stringify(begun));
  changes.dispatchEvent(new Event('change'));
  return begun;
}

/** Ends the session, because its credential is no longer valid. */
function end(): void {
  if (session() === null) return;
  sessionStorage.removeItem(KEPT);
  changes.dispatchEvent(new Event('end'));
  changes.dispatchEvent(new Event('change'));
}

/** A sign-in that was begun. The authorization server sends the state back with its answer. */
interface Begun {
  readonly state: string;
  readonly verifier: string;
  readonly returnTo: string;
}

/**
 * Leads to the page of the authorization server that asks for the password.
 *
 * @throws SignInFailed
 */
export async function beginSignIn(returnTo: string): Promise<void> {
  const begun: Begun = { state: random(), verifier: random(), returnTo };
  const address = await authorizationAddress(begun);
  sessionStorage.setItem(BEGUN, JSON.stringify(begun));
  location.assign(address);
}

/** The path that `beginSignIn` has stored; null after `completeSignIn`, and if no sign-in was begun. */
export function pathAfterSignIn(): string | null {
  return begunSignIn()?.returnTo ?? null;
}

function begunSignIn(): Begun | null {
  const text = sessionStorage.getItem(BEGUN);
  return text === null ? null : (JSON.parse(text) as Begun);
}

/**
 * Takes the answer of the authorization server from the address of /sign-in.
 *
 * @returns the path to which the visitor goes now, from `beginSignIn`
 * @throws SignInFailed
 */
export async function completeSignIn(answer: URLSearchParams): Promise<string> {
  const begun = begunSignIn();
  sessionStorage.removeItem(BEGUN);
  // Without this comparison, another site could sign the visitor in as somebody else.
  if (begun?.state !== answer.get('state'))
    throw new SignInFailed('This sign-in was not begun in this tab. Start again.');
  if (answer.get('error') === 'access_denied') throw new SignInFailed('The sign-in was cancelled.');
  keep(await exchanged(answer, begun));
  return begun.returnTo;
}

async function authorizationAddress({ state, verifier }: Begun, prompt?: 'none'): Promise<string> {
  // Browsers offer `crypto.subtle` only over https or from localhost.
  if (!isSecureContext)
    throw new SignInFailed('Signing in with a password needs https. With a key, you can sign in here.');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: SCOPES,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  });
  return `/oauth/auth?${query.toString()}`;
}

/** @throws SignInFailed unless the authorization server gives an access token for the code */
async function exchanged(answer: URLSearchParams, { verifier }: Begun): Promise<Session> {
  const code = answer.get('code');
  if (code === null) {
    const reason = answer.get('error_description') ?? 'The sign-in failed. Start again.';
    throw OVER.has(answer.get('error') ?? '') ? new SignInFailed(reason) : new SignInDelayed(reason, 503);
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: redirectUri(),
    code,
    code_verifier: verifier,
  });
  const given = await fetch('/oauth/token', { method: 'POST', body, credentials: 'omit', cache: 'no-store' });
  if (!given.ok) throw await failureOf(given, 'The sign-in took too long. Start again.');
  const { access_token: token, expires_in: seconds } = (await given.json()) as {
    readonly access_token: string;
    readonly expires_in: number;
  };
  return heldBy('user', token, Date.now() + seconds * 1000);
}

let renewing: Promise<Session | null> | null = null;

/**
 * Gets the next access token, while the visitor is signed in at the authorization server. A request with `prompt=none`
 * is answered at once, so the renewal needs no page. The pages keep no refresh token: a copy of this tab would use it a
 * second time, and the authorization server would then end the whole grant.
 *
 * @returns null when the sign-in is over; the session then ends too
 * @throws SignInDelayed when the service does not say now whether the sign-in is over
 */
function renewed(): Promise<Session | null> {
  renewing ??= renew()
    .catch((error: unknown) => {
      // The session stays if the service cannot be reached, or does not say now whether the sign-in is over.
      if (!(error instanceof SignInFailed) || error instanceof SignInDelayed) throw error;
      end();
      return null;
    })
    .finally(() => (renewing = null));
  return renewing;
}

async function renew(): Promise<Session> {
  const begun: Begun = { state: random(), verifier: random(), returnTo: '' };
  const address = await authorizationAddress(begun, 'none');
  const reply = await fetch(address, { credentials: 'same-origin', cache: 'no-store' });
  const answer = new URL(reply.url).searchParams;
  // The address of the request has the state too, so only a redirect proves that this is the answer.
  if (!reply.redirected || answer.get('state') !== begun.state)
    throw await failureOf(reply, 'The sign-in is over.');
  const next = await exchanged(answer, begun);
  // In another tab, this visitor may have signed out, or another user may have signed in.
  if (holderOf(next) !== holderOf(session())) throw new SignInFailed('The sign-in is over.');
  return keep(next);
}

/**
 * Ends the session of this tab, and removes everything that this tab has stored for the visitor, such as drafts. If the
 * session began with a password, this function first ends the sign-in of this browser at the authorization server.
 *
 * @throws SignInDelayed when the authorization server cannot end the sign-in now. The session then stays, so that the
 *   visitor can try again
 */
export async function signOut(): Promise<void> {
  if (session()?.kind === 'user') await endSignIn();
  sessionStorage.clear();
  changes.dispatchEvent(new Event('change'));
}

async function endSignIn(): Promise<void> {
  const page = await fetch('/oauth/session/end', { credentials: 'same-origin', cache: 'no-store' });
  await requireAnswer(page);
  // The form of this page has a secret, so that other sites cannot send the form.
  const [, secret = ''] = /name="xsrf" value="([^"]+)"/.exec(await page.text()) ?? [];
  const body = new URLSearchParams({ xsrf: secret, logout: 'yes' });
  await requireAnswer(
    await fetch('/oauth/session/end/confirm', { method: 'POST', body, credentials: 'same-origin' }),
  );
}

/** Throws for 429 and 5xx only. Any other refusal means that there is no sign-in any more. */
async function requireAnswer(answer: Response): Promise<void> {
  if (answer.status === 429 || answer.status >= 500)
    throw await failureOf(answer, 'The sign-out has failed. Try again.');
}

/**
 * Ends all sign-ins of the user, in all browsers and programs.
 *
 * @throws SignInFailed when the service refuses this
 */
export async function signOutEverywhere(): Promise<void> {
  const id = session()?.holder.user_id ?? null;
  if (id === null) throw new SignInFailed('This credential belongs to no user.');
  const answer = await authorizedFetch(`/api/v2/users/${id}/sign-ins`, { method: 'DELETE' });
  if (answer.status === 403) throw new SignInFailed('This credential may not end the other sign-ins.');
  if (!answer.ok) throw await failureOf(answer, 'Your session has ended.');
  await signOut();
}

/** Returns the path if the address is an address of this service; otherwise `/`. */
export function safePath(text: string | null): string {
  const url = text?.startsWith('/') ? URL.parse(text, location.origin) : null;
  if (url?.origin !== location.origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}

function redirectUri(): string {
  return `${location.origin}/sign-in`;
}

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
