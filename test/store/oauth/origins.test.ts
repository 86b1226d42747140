import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { createUserWithPassword } from '../../support/clients/basic.js';
import {
  aCodeClient,
  agree,
  authorizationRequest,
  CALLBACK,
  createClient,
  PUBLIC_URL,
  relyingParty,
  startOAuth,
  tokenRequest,
  tokensOf,
  Visitor,
  type ClientBody,
} from '../../support/clients/oauth.js';
import { asBearer } from '../../support/clients/tokens.js';
import { OAUTH_PATHS } from '../../../src/store/oauth/routes.js';

const EVIL = 'https://evil.example';
const APP = 'https://app.example';
const POSTS = ['/oauth/token', '/oauth/token/introspection', '/oauth/token/revocation'];

/** The headers that a browser adds to the request of a page of this origin. */
const pageOf = (origin: string, site = 'cross-site') => ({ origin, 'sec-fetch-site': site });

const send = async (
  { url }: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string>,
  fields: Record<string, string>,
) => {
  const answer = await fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const text = await answer.text();
  return {
    status: answer.status,
    readableBy: answer.headers.get('access-control-allow-origin'),
    body: text === '' ? undefined : JSON.parse(text),
  };
};

const REFUSED = {
  status: 400,
  readableBy: null,
  body: expect.objectContaining({ error: 'invalid_request' }),
};

describe('the addresses of the authorization server', () => {
  let store: TestApp;
  let client: ClientBody;
  let email: string;
  beforeAll(async () => {
    store = await startOAuth('sqlite', { STORE_CORS_ORIGINS: APP });
    const isPublic = { confidential: false, grant_types: ['authorization_code', 'refresh_token'] };
    client = await createClient(store, aCodeClient(isPublic));
    ({ email } = await createUserWithPassword(store));
  });
  afterAll(() => store.close());

  const statusOf = async (token: string) => (await store.call('GET', '/api/orders', asBearer(token))).status;

  it.each([
    ['a page of another site', pageOf(EVIL)],
    ['another host of the same site', pageOf('https://evil.store.example', 'same-site')],
    ['a browser that sends no Sec-Fetch-Site', { origin: EVIL }],
    ['a sandboxed page', pageOf('null')],
  ])('do nothing for %s', async (_page, headers) => {
    const { tokens } = await tokensOf(store, client, email);
    const { client_id } = client;
    const asked = await authorizationRequest(await relyingParty(store, client));
    const back = new URL((await agree(new Visitor(store), asked, email)).address);
    const code = {
      client_id,
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') as string,
      code_verifier: asked.verifier,
      redirect_uri: CALLBACK,
    };
    const refresh = {
      client_id,
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token as string,
    };
    const revocation = { client_id, token: tokens.access_token };
    expect(await send(store, '/oauth/token', headers, code)).toEqual(REFUSED);
    expect(await send(store, '/oauth/token', headers, refresh)).toEqual(REFUSED);
    expect(await send(store, '/oauth/token/revocation', headers, revocation)).toEqual(REFUSED);
    expect(await statusOf(tokens.access_token)).toBe(200);
    // None of the requests has used up the code or the refresh token.
    expect((await send(store, '/oauth/token', {}, code)).status).toBe(200);
    expect((await send(store, '/oauth/token', {}, refresh)).status).toBe(200);
  });

  it.each(POSTS)('hide their errors from a page of another site: %s', async (path) => {
    expect(await send(store, path, pageOf(EVIL), { client_id: 'unknown' })).toEqual(REFUSED);
    expect(await send(store, path, pageOf(EVIL), {})).toEqual(REFUSED);
  });

  it.each(Object.entries(OAUTH_PATHS).filter(([, methods]) => methods.includes('GET')))(
    'hide their answers from a page of another site: %s',
    async (path) => {
      const answer = await fetch(store.url + path, { headers: pageOf(EVIL), redirect: 'manual' });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      await answer.text();
    },
  );

  it.each([
    ['our own page', pageOf(PUBLIC_URL, 'same-origin'), PUBLIC_URL],
    ['our own page, without Sec-Fetch-Site', { origin: PUBLIC_URL }, PUBLIC_URL],
    ['a page of an allowed site', pageOf(APP), APP],
  ])('serve %s', async (_page, headers, readableBy) => {
    const { tokens } = await tokensOf(store, client, email);
    const { client_id } = client;
    const refresh = { client_id, grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string };
    const next = await send(store, '/oauth/token', headers, refresh);
    expect([next.status, next.readableBy]).toEqual([200, readableBy]);
    const revocation = { client_id, token: next.body.access_token };
    const revoked = await send(store, '/oauth/token/revocation', headers, revocation);
    expect([revoked.status, revoked.readableBy]).toEqual([200, readableBy]);
    expect(await statusOf(next.body.access_token)).toBe(401);
  });

  it('serve a program that is no browser', async () => {
    const robot = await createClient(store);
    const grant = { grant_type: 'client_credentials', scope: 'orders:read' };
    expect((await tokenRequest(store, robot, grant)).status).toBe(200);
  });
});

it('without a public address, the host of the request decides which pages are our own', async () => {
  const store = await startApp('sqlite');
  const { client_id, client_secret } = await createClient(store);
  const grant = {
    grant_type: 'client_credentials',
    client_id,
    client_secret: client_secret as string,
    scope: 'orders:read',
  };
  const own = await send(store, '/oauth/token', { origin: store.url }, grant);
  expect([own.status, own.readableBy]).toEqual([200, store.url]);
  expect(await send(store, '/oauth/token', { origin: EVIL }, grant)).toEqual(REFUSED);
  await store.close();
});
