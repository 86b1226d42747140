import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestApp } from '../../support/clients/app.js';
import { createUserWithPassword } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { placeOrder, type UserBody } from '../../support/fixtures/fixtures.js';
import {
  aCodeClient,
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

describeOnEachEngine('OAuth with a client library of another project', (engine) => {
  let store: TestApp;
  let client: ClientBody;
  let user: UserBody;
  beforeAll(async () => {
    store = await startOAuth(engine);
    client = await createClient(store, aCodeClient());
    user = await createUserWithPassword(store);
  });
  afterAll(() => store.close());

  describe('client credentials', () => {
    it('give a program the requested scopes that its client has', async () => {
      const configuration = await relyingParty(store, client);
      const { access_token, expires_in, scope } = await openid.clientCredentialsGrant(configuration, {
        scope: 'products:write',
      });
      expect([expires_in, scope]).toEqual([600, 'products:write']);
      const made = await store.call('POST', '/api/products', {
        ...asBearer(access_token),
        body: { name: 'Chai', price: 18 },
      });
      expect(made.status).toBe(201);
      expect((await store.call('GET', '/api/orders', asBearer(access_token))).status).toBe(403);
    });

    it('give no other scopes, and no token for a wrong secret', async () => {
      const grant = async (secret: string, scope: string) =>
        openid.clientCredentialsGrant(await relyingParty(store, { ...client, client_secret: secret }), {
          scope,
        });
      await expect(grant(client.client_secret as string, 'admin')).rejects.toMatchObject({
        error: 'invalid_scope',
      });
      await expect(grant('wrong', 'products:write')).rejects.toMatchObject({ status: 401 });
    });

    it.each([
      ['an unknown scope', 'nonsense'],
      ['an unknown scope with a known one', 'products:write nonsense'],
      ['a scope for users', 'openid'],
      ['a scope for users with a scope of the API', 'products:write offline_access'],
    ])('are refused with %s, also for a JWT', async (_what, scope) => {
      for (const target of [{}, { resource: PUBLIC_URL }]) {
        const fields = { grant_type: 'client_credentials', scope, ...target };
        const { status, body } = await tokenRequest(store, client, fields);
        expect([status, body.error, body.scope]).toEqual([400, 'invalid_scope', scope.split(' ').at(-1)]);
      }
    });

    it('give all requested scopes and name them, and give none if none is requested', async () => {
      const scope = 'products:write orders:read';
      const grant = { grant_type: 'client_credentials' };
      for (const target of [{}, { resource: PUBLIC_URL }]) {
        const { body } = await tokenRequest(store, client, { ...grant, ...target, scope });
        expect(body.scope).toBe(scope);
      }
      // An empty parameter is the same as none (RFC 6749, section 3.2).
      for (const none of [grant, { ...grant, scope: '' }]) {
        const { status, body } = await tokenRequest(store, client, none);
        expect([status, body.scope]).toEqual([200, undefined]);
      }
    });
  });

  describe('a client without scopes', () => {
    let robot: ClientBody;
    beforeAll(async () => {
      robot = await createClient(store, { scopes: undefined, may_introspect: true });
    });

    it('can introspect', async () => {
      const { tokens } = await tokensOf(store, client, user.email);
      const fields = { token: tokens.access_token };
      const { status, body } = await tokenRequest(store, robot, fields, '/oauth/token/introspection');
      expect(status).toBe(200);
      expect(body).toMatchObject({ active: true, sub: `user:${user.id}`, client_id: client.client_id });
    });

    it('gets no scope for itself', async () => {
      const grant = { grant_type: 'client_credentials' };
      for (const target of [{}, { resource: PUBLIC_URL }]) {
        for (const scope of ['admin', 'orders:read', 'openid', 'nonsense', 'openid admin']) {
          const { body } = await tokenRequest(store, robot, { ...grant, ...target, scope });
          expect([scope, body.error]).toEqual([scope, 'invalid_scope']);
        }
        const { body } = await tokenRequest(store, robot, { ...grant, ...target });
        expect(body.scope).toBeUndefined();
        expect((await store.call('GET', '/api/orders', asBearer(body.access_token))).status).toBe(403);
      }
    });
  });

  describe('the authorization code', () => {
    it('gives a program access to the user’s own data, within the scopes that the user granted', async () => {
      const order = await placeOrder(store, { user_id: user.id });
      await placeOrder(store);
      const { tokens } = await tokensOf(store, client, user.email);
      expect(tokens.claims()).toMatchObject({ sub: `user:${user.id}`, aud: client.client_id });
      const call = asBearer(tokens.access_token);
      expect((await store.call('GET', '/api/orders', call)).body).toEqual([order]);
      expect((await store.call('GET', '/api/users/me', call)).status).toBe(403);
      expect(
        (await store.call('PATCH', `/api/orders/${order.id}`, { ...call, body: { status: 'cancelled' } }))
          .status,
      ).toBe(403);
    });

    it('can be refused by the user', async () => {
      const request = await authorizationRequest(await relyingParty(store, client));
      const visitor = new Visitor(store);
      const consent = await visitor.signIn(await visitor.open(request.address), user.email);
      const back = new URL((await visitor.submit(consent, { decision: 'refuse' })).address);
      expect(back.origin + back.pathname).toBe(CALLBACK);
      expect(back.searchParams.get('error')).toBe('access_denied');
    });

    it('does not ask for the password and the consent again if the user has just given both', async () => {
      const visitor = new Visitor(store);
      await tokensOf(store, client, user.email, {}, visitor);
      const configuration = await relyingParty(store, client);
      const request = await authorizationRequest(configuration, { prompt: '', scope: 'openid orders:read' });
      expect((await visitor.open(request.address)).address).toMatch(
        /^https:\/\/courier\.example\/callback\?code=/,
      );
    });

    it('gives no scopes that a user cannot grant', async () => {
      const { tokens } = await tokensOf(store, client, user.email, { scope: 'orders:read products:write' });
      expect(tokens.scope).toBe('orders:read');
    });
  });

  it('a client without a secret gets tokens with PKCE, and the user is asked for consent each time', async () => {
    const redirect_uri = 'http://127.0.0.1:8123/callback';
    const app = await createClient(
      store,
      aCodeClient({
        confidential: false,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [redirect_uri],
      }),
    );
    const visitor = new Visitor(store);
    const { configuration, tokens } = await tokensOf(store, app, user.email, { redirect_uri }, visitor);
    const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
    expect((await store.call('GET', '/api/orders', asBearer(next.access_token))).status).toBe(200);
    const again = { prompt: '', scope: 'openid orders:read', redirect_uri };
    const page = await visitor.open((await authorizationRequest(configuration, again)).address);
    expect(page.text).toContain('The program would be able to');
    const otherPort = { redirect_uri: 'http://127.0.0.1:8124/callback' };
    const refused = await visitor.open((await authorizationRequest(configuration, otherPort)).address);
    expect(refused.status).toBe(400);
  });

  it('a refresh token gives new tokens, and is replaced', async () => {
    const { configuration, tokens } = await tokensOf(store, client, user.email);
    const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await store.call('GET', '/api/orders', asBearer(next.access_token))).status).toBe(200);
  });

  it('a client that names the resource gets a JWT', async () => {
    const configuration = await relyingParty(store, client);
    const own = await openid.clientCredentialsGrant(configuration, {
      scope: 'orders:read',
      resource: PUBLIC_URL,
    });
    const lent = await tokensOf(store, client, user.email, { resource: PUBLIC_URL, scope: 'orders:read' });
    const parts = [own.access_token, lent.tokens.access_token].map((token) =>
      token
        .split('.')
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())),
    );
    expect(parts).toMatchObject([
      [
        { typ: 'at+jwt', alg: 'ES256' },
        { aud: PUBLIC_URL, iss: `${PUBLIC_URL}/oauth`, sub: client.client_id, scope: 'orders:read' },
      ],
      [
        { typ: 'at+jwt', alg: 'ES256' },
        { aud: PUBLIC_URL, sub: `user:${user.id}`, client_id: client.client_id, scope: 'orders:read' },
      ],
    ]);
    await expect(
      openid.clientCredentialsGrant(configuration, {
        scope: 'orders:read',
        resource: 'https://else.example',
      }),
    ).rejects.toMatchObject({ error: 'invalid_target' });
  });

  it('a session ends when the user signs out', async () => {
    const visitor = new Visitor(store);
    await tokensOf(store, client, user.email, {}, visitor);
    const page = await visitor.open('/oauth/session/end');
    expect(page.text).toContain('<h1>Sign out?</h1>');
    expect((await visitor.submit(page, { logout: 'yes' })).text).toContain('<h1>Done</h1>');
    const request = await authorizationRequest(await relyingParty(store, client));
    expect((await visitor.open(request.address)).text).toContain('<h1>Sign in</h1>');
  });

  it('a session that is used each day ends 30 days after the sign-in', async () => {
    const visitor = new Visitor(store);
    await tokensOf(store, client, user.email, {}, visitor);
    const begun = Date.now();
    const signedInAfter = async (days: number): Promise<boolean> => {
      vi.setSystemTime(begun + days * 86_400_000);
      const request = await authorizationRequest(await relyingParty(store, client));
      const { text } = await visitor.open(request.address);
      expect(text).toMatch(/<h1>Sign in<|The program would be able to/);
      return !text.includes('<h1>Sign in<');
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (let days = 0.9; days < 29.9; days += 0.9)
        expect([days, await signedInAfter(days)]).toEqual([days, true]);
      expect([await signedInAfter(29.95), await signedInAfter(30.01)]).toEqual([true, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});
