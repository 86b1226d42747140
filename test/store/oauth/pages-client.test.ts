import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/clients/app.js';
import { createUserWithPassword } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { placeOrder, type UserBody } from '../../support/fixtures/fixtures.js';
import {
  authorizationRequest,
  PUBLIC_URL,
  relyingParty,
  startOAuth,
  Visitor,
} from '../../support/clients/oauth.js';
import { asBearer } from '../../support/clients/tokens.js';

const PAGES = { client_id: 'pages', client_secret: null };
const SCOPE = 'openid users:read users:write orders:read orders:write';

describeOnEachEngine('the client of our own pages', (engine) => {
  let store: TestApp;
  let user: UserBody;
  beforeAll(async () => {
    store = await startOAuth(engine);
    user = await createUserWithPassword(store);
    await placeOrder(store, { user_id: user.id });
  });
  afterAll(() => store.close());

  const request = async (overrides: Record<string, string> = {}) => {
    const configuration = await relyingParty(store, PAGES);
    const asked = await authorizationRequest(configuration, {
      redirect_uri: `${PUBLIC_URL}/sign-in`,
      scope: SCOPE,
      prompt: 'login',
      ...overrides,
    });
    return { ...asked, configuration };
  };
  const tokenOf = async (
    { configuration, verifier, state }: Awaited<ReturnType<typeof request>>,
    answer: string,
  ) =>
    openid.authorizationCodeGrant(configuration, new URL(answer), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });

  it('gets a token for the user without a question about consent, and the next token without a page', async () => {
    const visitor = new Visitor(store);
    const first = await request();
    const page = await visitor.open(first.address);
    const { address } = await visitor.signIn(page, user.email);
    expect(address).toContain(`${PUBLIC_URL}/sign-in?code=`);
    const tokens = await tokenOf(first, address);
    expect(tokens.refresh_token).toBeUndefined();
    const orders = await store.call('GET', '/api/v2/orders', asBearer(tokens.access_token));
    expect([orders.status, (orders.body as { data: unknown[] }).data.length]).toEqual([200, 1]);
    const credential = await store.call('GET', '/api/v2/credential', asBearer(tokens.access_token));
    expect(credential.body).toMatchObject({
      kind: 'user',
      user_id: user.id,
      scopes: [],
      own_scopes: ['orders:read', 'orders:write', 'users:read', 'users:write'],
    });

    const second = await request({ prompt: 'none' });
    const next = await visitor.open(second.address);
    const later = await tokenOf(second, next.address);
    expect((await store.call('GET', '/api/v2/orders', asBearer(later.access_token))).status).toBe(200);

    const ended = await store.call(
      'DELETE',
      `/api/v2/users/${user.id}/sign-ins`,
      asBearer(later.access_token),
    );
    expect(ended.status).toBe(204);
    for (const { access_token } of [tokens, later])
      expect((await store.call('GET', '/api/v2/orders', asBearer(access_token))).status).toBe(401);
    const third = await request({ prompt: 'none' });
    expect((await visitor.open(third.address)).address).toContain('error=login_required');
  });

  it('allows redirects only to the sign-in page of this service', async () => {
    for (const redirect_uri of ['https://evil.example/sign-in', `${PUBLIC_URL}/sign-in/`, `${PUBLIC_URL}/`]) {
      const { address } = await request({ redirect_uri });
      const { status, text } = await new Visitor(store).open(address);
      expect([redirect_uri, status]).toEqual([redirect_uri, 400]);
      expect(text).toContain('This did not work');
    }
  });

  it.each(['http://127.0.0.1:3000', 'http://store.example:3000'])(
    'allows redirects only to this service at %s, and to no other port of its machine',
    async (publicUrl) => {
      const open = await startOAuth(engine, { STORE_PUBLIC_URL: publicUrl });
      try {
        const statuses: number[] = [];
        for (const origin of [publicUrl, publicUrl.replace('3000', '9999')]) {
          const asked = new URLSearchParams({
            client_id: PAGES.client_id,
            redirect_uri: `${origin}/sign-in`,
            response_type: 'code',
            scope: SCOPE,
            code_challenge: 'x'.repeat(43),
            code_challenge_method: 'S256',
          });
          const address = `${open.url}/oauth/auth?${asked.toString()}`;
          statuses.push((await fetch(address, { redirect: 'manual' })).status);
        }
        expect(statuses).toEqual([303, 400]);
      } finally {
        await open.close();
      }
    },
  );

  it('needs PKCE, and gets no token for itself', async () => {
    const configuration = await relyingParty(store, PAGES);
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: `${PUBLIC_URL}/sign-in`,
      scope: SCOPE,
    });
    expect((await new Visitor(store).open(address.href)).address).toContain('error=invalid_request');
    await expect(openid.clientCredentialsGrant(configuration)).rejects.toMatchObject({ status: 400 });
  });

  it('is not in the list of clients', async () => {
    const { body } = await store.call('GET', '/api/v2/clients');
    expect(body).toMatchObject({ data: [] });
  });
});
