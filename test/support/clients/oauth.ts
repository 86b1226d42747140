import * as openid from 'openid-client';
import type { Logger } from 'pino';
import { hashOf } from '../../../src/store/accounts/api-key.js';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql, type Engine } from '../../../src/engine/database/sql.js';
import { startApp, type Answer, type TestApp } from './app.js';
import { PASSWORD } from './basic.js';

export interface ClientBody {
  id: number;
  client_id: string;
  client_secret: string | null;
  redirect_uris: string[];
}

/** The body of a request that creates a client. */
export function aClient(overrides: Record<string, unknown> = {}) {
  return {
    name: 'Courier app',
    grant_types: ['client_credentials'],
    scopes: ['orders:read'],
    ...overrides,
  };
}

/** A client that the administrator has created in the store. */
export async function createClient(
  store: TestApp,
  overrides: Record<string, unknown> = {},
): Promise<ClientBody> {
  return (await store.call('POST', '/api/clients', { body: aClient(overrides) })).body as ClientBody;
}

/**
 * The public address of the services in these tests. A request to this address goes to the service on this machine.
 */
export const PUBLIC_URL = 'https://store.example';
export const CALLBACK = 'https://courier.example/callback';

/** The application with a public address. */
export function startOAuth(
  engine: Engine,
  settings: Record<string, string> = {},
  logger?: Logger,
): Promise<TestApp> {
  return startApp(engine, { STORE_PUBLIC_URL: PUBLIC_URL, ...settings }, undefined, logger);
}

/** The body of a request that creates a client for authorization codes, refresh tokens and client credentials. */
export function aCodeClient(overrides: Record<string, unknown> = {}) {
  return aClient({
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    redirect_uris: [CALLBACK],
    scopes: ['orders:read', 'orders:write', 'users:read', 'products:write'],
    ...overrides,
  });
}

/** The configuration of the library openid-client for a client of the store. */
export function relyingParty(
  store: Pick<TestApp, 'url'>,
  { client_id, client_secret }: Pick<ClientBody, 'client_id' | 'client_secret'>,
): Promise<openid.Configuration> {
  return openid.discovery(
    new URL(`${PUBLIC_URL}/oauth`),
    client_id,
    undefined,
    client_secret === null ? openid.None() : openid.ClientSecretBasic(client_secret),
    {
      [openid.customFetch]: (url, options) => fetch(inside(store, url), options as RequestInit),
    },
  );
}

function inside({ url }: Pick<TestApp, 'url'>, address: string): string {
  return address.replace(PUBLIC_URL, url);
}

/** The headers that a browser adds when it sends a form of one of our own pages. */
export const OWN_FORM = { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' };

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address of the page. */
  readonly address: string;
}

/** A user with a browser: it keeps cookies, follows redirects and fills in forms. */
export class Visitor {
  readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(public store: Pick<TestApp, 'url'>) {}

  /**
   * Opens an address and follows its redirects. Returns the last page, or the outside address at which they
   * end.
   */
  async open(address: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, PUBLIC_URL);
    if (url.origin !== PUBLIC_URL) return { status: 0, headers: new Headers(), text: '', address: url.href };
    const cookie = [...this.cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const answer = await fetch(inside(this.store, url.href), {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    const next = answer.headers.get('location');
    if (next !== null) return this.open(new URL(next, url).href);
    return { status: answer.status, headers: answer.headers, text: await answer.text(), address: url.href };
  }

  /** Sends the form of the page. */
  submit(page: Pick<Page, 'address' | 'text'>, fields: Record<string, string>): Promise<Page> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? page.address;
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const body = new URLSearchParams([
      ...hidden.map(([, name, value]) => [name, value] as [string, string]),
      ...Object.entries(fields),
    ]);
    return this.open(action, {
      method: 'POST',
      body,
      headers: OWN_FORM,
    });
  }

  signIn(page: Page, email: string, password = PASSWORD): Promise<Page> {
    return this.submit(page, { email, password, decision: 'allow' });
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name, value] = pair.split(/=(.*)/s) as [string, string];
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    if (attributes.includes('expires=Thu, 01 Jan 1970 00:00:00 GMT')) this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

export interface Request {
  readonly address: string;
  readonly verifier: string;
  readonly state: string;
}

/** An authorization request with PKCE. */
export async function authorizationRequest(
  configuration: openid.Configuration,
  overrides: Record<string, string> = {},
): Promise<Request> {
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const address = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: CALLBACK,
    scope: 'openid offline_access orders:read',
    prompt: 'consent',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...overrides,
  });
  return { address: address.href, verifier, state };
}

/** Signs in and agrees to an authorization request. Returns the last page: its address has the code in its query. */
export async function agree(visitor: Visitor, request: Request, email: string): Promise<Page> {
  let page = await visitor.open(request.address);
  if (page.text.includes('<h1>Sign in</h1>')) page = await visitor.signIn(page, email);
  return page.address.startsWith(PUBLIC_URL) ? visitor.submit(page, { decision: 'allow' }) : page;
}

/** Runs the whole authorization code flow. Returns the configuration of the client, the code and the tokens. */
export async function tokensOf(
  store: TestApp,
  client: ClientBody,
  email: string,
  overrides: Record<string, string> = {},
  visitor = new Visitor(store),
): Promise<{
  configuration: openid.Configuration;
  code: string;
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;
}> {
  const configuration = await relyingParty(store, client);
  const request = await authorizationRequest(configuration, overrides);
  const back = await agree(visitor, request, email);
  const tokens = await openid.authorizationCodeGrant(configuration, new URL(back.address), {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
  });
  const code = new URL(back.address).searchParams.get('code') as string;
  return { configuration, code, tokens };
}

/** Sends fields to an endpoint of the authorization server, with the id and the secret of a client. */
export async function tokenRequest(
  { url }: Pick<TestApp, 'url'>,
  { client_id, client_secret }: Pick<ClientBody, 'client_id' | 'client_secret'>,
  fields: Record<string, string>,
  path = '/oauth/token',
): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: new URLSearchParams(fields),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

/**
 * Tokens for the table of permissions: access tokens of a client and of a user, and tokens that the service must
 * refuse.
 */
export async function accessTokens(store: TestApp, email: string) {
  const everything = [
    'products:read',
    'products:write',
    'users:read',
    'users:write',
    'orders:read',
    'orders:write',
    'events:read',
    'admin',
  ];
  const client = await createClient(store, aCodeClient({ scopes: everything }));
  const gone = await createClient(store, aCodeClient({ scopes: everything }));
  const ofClient = async (scopes: readonly string[], by = client): Promise<string> => {
    const fields = { grant_type: 'client_credentials', scope: scopes.join(' ') };
    return (await tokenRequest(store, by, fields)).body.access_token as string;
  };
  const scope = 'openid offline_access users:read users:write orders:read orders:write';
  const { tokens } = await tokensOf(store, client, email, { scope });
  const [expired, revoked, orphan] = [
    await ofClient(everything),
    await ofClient(everything),
    await ofClient(everything, gone),
  ];
  await store.app
    .get(Database, { strict: false })
    .unitOfWork.run(() =>
      run(sql`UPDATE oauth_artifacts SET expires_at = ${new Date(0)} WHERE id_hash = ${hashOf(expired)}`),
    );
  await tokenRequest(store, client, { token: revoked }, '/oauth/token/revocation');
  await store.call('DELETE', `/api/clients/${gone.id}`);
  return {
    ofClient,
    ofUser: tokens.access_token,
    bad: {
      'an unknown token': 'x'.repeat(43),
      'a malformed token': 'x y',
      'an expired token': expired,
      'a revoked token': revoked,
      'a token of a revoked client': orphan,
      'a refresh token': tokens.refresh_token as string,
    },
  };
}
