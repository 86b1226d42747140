import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { Revocations } from '../../../src/store/tokens/revocations.js';
import { subjectOf } from '../../../src/store/tokens/subject.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { Unavailable } from '../../../src/engine/errors/errors.js';
import { ArtifactsRepository } from '../../../src/store/oauth/artifacts.repository.js';
import { type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword, PASSWORD } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { type UserBody } from '../../support/fixtures/fixtures.js';
import {
  aCodeClient,
  agree,
  authorizationRequest,
  CALLBACK,
  createClient,
  OWN_FORM,
  PUBLIC_URL,
  relyingParty,
  startOAuth,
  tokenRequest,
  tokensOf,
  Visitor,
  type ClientBody,
} from '../../support/clients/oauth.js';
import { asBearer } from '../../support/clients/tokens.js';
import { onlyLong } from '../../support/sampled.js';

describeOnEachEngine('attacks on the authorization server', (engine) => {
  let store: TestApp;
  let client: ClientBody;
  let other: ClientBody;
  let introspecting: ClientBody;
  let user: UserBody;
  beforeAll(async () => {
    store = await startOAuth(engine);
    [client, other] = [await createClient(store, aCodeClient()), await createClient(store, aCodeClient())];
    introspecting = await createClient(store, { may_introspect: true });
    user = await createUserWithPassword(store);
  });
  afterAll(() => store.close());

  const ask = (path: string, method = 'GET') => fetch(store.url + path, { method });

  const statusOf = async (token: string) => (await store.call('GET', '/api/orders', asBearer(token))).status;

  const codeFor = async (overrides: Record<string, string> = {}) => {
    const request = await authorizationRequest(await relyingParty(store, client), overrides);
    const back = new URL((await agree(new Visitor(store), request, user.email)).address);
    return { code: back.searchParams.get('code') as string, verifier: request.verifier };
  };

  const redeem = ({ code, verifier }: { code: string; verifier: string }, by = client, more = {}) =>
    tokenRequest(store, by, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      ...more,
    });

  describe('a code', () => {
    it('is valid once; the second use ends all tokens of the first', async () => {
      const code = await codeFor();
      const first = await redeem(code);
      expect(await statusOf(first.body.access_token)).toBe(200);
      expect((await redeem(code)).body.error).toBe('invalid_grant');
      expect(await statusOf(first.body.access_token)).toBe(401);
      const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
      expect((await tokenRequest(store, client, refresh)).body.error).toBe('invalid_grant');
    });

    it('that is sent three times at once leaves no valid token', async () => {
      const code = await codeFor();
      const answers = await Promise.all([redeem(code), redeem(code), redeem(code)]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
      const tokens = answers.flatMap(({ body }) => (body.access_token ? [body.access_token as string] : []));
      expect(await Promise.all(tokens.map(statusOf))).toEqual(tokens.map(() => 401));
    });

    it.each([
      ['another verifier', { code_verifier: openid.randomPKCECodeVerifier() }],
      ['no verifier', { code_verifier: '' }],
      ['another redirect URI', { redirect_uri: `${CALLBACK}/` }],
    ])('is refused with %s', async (_what, more) => {
      const { status, body } = await redeem(await codeFor(), client, more);
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    });

    it('is refused for another client', async () => {
      const { status, body } = await redeem(await codeFor(), other);
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    });
  });

  describe('an authorization request', () => {
    it.each([
      ['another redirect URI', { redirect_uri: 'https://courier.example/callback/../evil' }],
      ['a redirect URI with a query', { redirect_uri: `${CALLBACK}?x=1` }],
      ['an unknown client', { client_id: 'c_nobody' }],
    ])('with %s ends on an error page of the service', async (_what, overrides) => {
      const { address } = await authorizationRequest(await relyingParty(store, client), overrides);
      const page = await new Visitor(store).open(address);
      expect([page.status, page.address]).toEqual([400, address]);
      expect(page.text).toContain('<h1>This did not work</h1>');
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    });

    it.each([
      ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['for an implicit token', { response_type: 'token' }, 'unsupported_response_type'],
      ['for a scope that the client may not have', { scope: 'admin' }, 'invalid_scope'],
    ])('%s is refused', async (_what, overrides, error) => {
      const { address } = await authorizationRequest(await relyingParty(store, client), overrides);
      const back = new URL((await new Visitor(store).open(address)).address);
      expect(new URLSearchParams(back.search || back.hash.slice(1)).get('error')).toBe(error);
    });
  });

  it('the second use of a refresh token ends all tokens that came from it', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    const refresh = (token: string | undefined) =>
      tokenRequest(store, client, { grant_type: 'refresh_token', refresh_token: token as string });
    const next = await refresh(tokens.refresh_token);
    expect(await statusOf(next.body.access_token)).toBe(200);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await statusOf(next.body.access_token)).toBe(401);
  });

  const refreshWith = (token: string, more: Record<string, string> = {}) =>
    tokenRequest(store, client, { grant_type: 'refresh_token', refresh_token: token, ...more });

  describe('a refused request', () => {
    it.each([
      ['a resource that the user was not asked for', { resource: PUBLIC_URL }, 'invalid_target'],
      ['an unknown resource', { resource: 'https://else.example' }, 'invalid_target'],
      ['a scope that the user was not asked for', { scope: 'orders:write' }, 'invalid_scope'],
    ])('does not use up the refresh token: %s', async (_what, more, error) => {
      const { tokens } = await tokensOf(store, client, user.email);
      expect((await refreshWith(tokens.refresh_token as string, more)).body.error).toBe(error);
      expect(await statusOf(tokens.access_token)).toBe(200);
      const next = await refreshWith(tokens.refresh_token as string);
      expect([next.status, await statusOf(next.body.access_token)]).toEqual([200, 200]);
    });

    it.each([PUBLIC_URL, 'https://else.example'])(
      'does not use up the code: a resource that the user was not asked for, %s',
      async (resource) => {
        const code = await codeFor();
        expect((await redeem(code, client, { resource })).body.error).toBe('invalid_target');
        const { status, body } = await redeem(code);
        expect([status, await statusOf(body.access_token)]).toEqual([200, 200]);
      },
    );

    it('does not use up the code or the refresh token: the service could not make the JWT', async () => {
      const mark = vi.spyOn(store.app.get(Revocations, { strict: false }), 'mark');
      onTestFinished(() => mark.mockRestore());
      const fail = () => mark.mockRejectedValueOnce(new Unavailable('The database does not answer.'));
      const code = await codeFor({ resource: PUBLIC_URL });
      fail();
      expect((await redeem(code)).status).toBe(500);
      const first = (await redeem(code)).body;
      expect(await statusOf(first.access_token)).toBe(200);
      fail();
      expect((await refreshWith(first.refresh_token)).status).toBe(500);
      const next = (await refreshWith(first.refresh_token)).body;
      expect(await statusOf(next.access_token)).toBe(200);
    });
  });

  it('a refresh token that is sent three times at once leaves no valid token', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    const send = () =>
      tokenRequest(store, client, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token as string,
      });
    const answers = await Promise.all([send(), send(), send()]);
    const given = answers.flatMap(({ body }) => (body.access_token ? [body] : []));
    expect(given.length).toBeLessThan(2);
    for (const { access_token, refresh_token } of given) {
      expect(await statusOf(access_token)).toBe(401);
      const again = await tokenRequest(store, client, { grant_type: 'refresh_token', refresh_token });
      expect(again.body.error).toBe('invalid_grant');
    }
  });

  it('a refresh token is refused for another client', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string };
    expect((await tokenRequest(store, other, refresh)).body.error).toBe('invalid_grant');
    expect((await tokenRequest(store, client, refresh)).status).toBe(200);
  });

  it('introspection is allowed for some clients, and reports only valid tokens', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    const introspect = (by: ClientBody, token: string) =>
      tokenRequest(store, by, { token }, '/oauth/token/introspection');
    expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false });
    expect((await introspect(introspecting, tokens.access_token)).body).toMatchObject({
      active: true,
      sub: `user:${user.id}`,
      client_id: client.client_id,
    });
    expect((await introspect(introspecting, 'nothing')).body).toEqual({ active: false });
    expect((await introspect({ ...introspecting, client_secret: 'wrong' }, tokens.access_token)).status).toBe(
      401,
    );
  });

  it('a token can be revoked only by its client', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    const revoke = (by: ClientBody) =>
      tokenRequest(store, by, { token: tokens.access_token }, '/oauth/token/revocation');
    await revoke(other);
    expect(await statusOf(tokens.access_token)).toBe(200);
    expect((await revoke(client)).status).toBe(200);
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  it('an expired token, or a token that is not an access token, gives no access', async () => {
    const { tokens } = await tokensOf(store, client, user.email);
    expect(await statusOf(tokens.refresh_token as string)).toBe(401);
    await store.app
      .get(Database, { strict: false })
      .unitOfWork.run(() =>
        run(sql`UPDATE oauth_artifacts SET expires_at = ${new Date(0)} WHERE model = 'AccessToken'`),
      );
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  it('tokens end when their client is revoked', async () => {
    const mine = await createClient(store, aCodeClient());
    const { tokens } = await tokensOf(store, mine, user.email);
    const own = await tokenRequest(store, mine, { grant_type: 'client_credentials', scope: 'orders:read' });
    const jwt = await tokenRequest(store, mine, {
      grant_type: 'client_credentials',
      scope: 'orders:read',
      resource: PUBLIC_URL,
    });
    const given = [tokens.access_token, own.body.access_token, jwt.body.access_token] as string[];
    expect(await Promise.all(given.map(statusOf))).toEqual([200, 200, 200]);
    await store.call('DELETE', `/api/clients/${mine.id}`);
    expect(await Promise.all(given.map(statusOf))).toEqual([401, 401, 401]);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token as string };
    expect((await tokenRequest(store, mine, refresh)).body.error).toBe('invalid_client');
  });

  it('tokens and sessions end when the password changes, and tokens end when the user is deleted', async () => {
    const somebody = await createUserWithPassword(store);
    const visitor = new Visitor(store);
    const before = await tokensOf(store, client, somebody.email, {}, visitor);
    const asJwt = { resource: PUBLIC_URL, scope: 'orders:read' };
    const { tokens: signed } = await tokensOf(store, client, somebody.email, asJwt);
    // The password stays the same, so that the user can sign in once more.
    await store.call('PATCH', `/api/users/${somebody.id}`, { body: { password: PASSWORD } });
    expect(await statusOf(before.tokens.access_token)).toBe(401);
    expect(await statusOf(signed.access_token)).toBe(401);
    const { tokens: after } = await tokensOf(store, client, somebody.email, asJwt);
    expect(await statusOf(after.access_token)).toBe(200);
    const refresh = { grant_type: 'refresh_token', refresh_token: before.tokens.refresh_token as string };
    expect((await tokenRequest(store, client, refresh)).body.error).toBe('invalid_grant');
    const { address } = await authorizationRequest(before.configuration, { prompt: '' });
    expect((await visitor.open(address)).text).toContain('<h1>Sign in</h1>');

    const leaving = await createUserWithPassword(store);
    const { tokens } = await tokensOf(store, client, leaving.email);
    await store.call('DELETE', `/api/users/${leaving.id}?anonymise=true`);
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  const signIn = async (visitor = new Visitor(store), by = client) => {
    const { address } = await authorizationRequest(await relyingParty(store, by));
    return { visitor, page: await visitor.open(address) };
  };

  it('a session is not stored if the password was changed after its sign-in', async () => {
    const somebody = await createUserWithPassword(store);
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const accountId = subjectOf(somebody.id);
    const keep = (id: string, loginTs: number) =>
      artifacts.store('Session', id, { accountId, uid: id, loginTs }, 60);
    // A sign-in in the millisecond of a new password counts as a sign-in before the new password.
    const begun = Date.now() / 1000 + 0.001;
    expect(await keep('before', begun)).toBe(true);
    await store.call('PATCH', `/api/users/${somebody.id}`, { body: { password: PASSWORD } });
    expect(await artifacts.find('Session', 'before')).toBeUndefined();
    expect(await keep('meanwhile', begun)).toBe(false);
    expect(await artifacts.find('Session', 'meanwhile')).toBeUndefined();
    expect(await keep('after', Date.now() / 1000 + 0.001)).toBe(true);
  });

  it.each(['allow', 'deny'])(
    'an answer (%s) to the consent page gets 404 if the user is deleted at the same time',
    async (decision) => {
      const leaving = await createUserWithPassword(store);
      const { visitor, page } = await signIn();
      const consent = await visitor.signIn(page, leaving.email);
      const artifacts = store.app.get(ArtifactsRepository, { strict: false });
      const keep = artifacts.store.bind(artifacts);
      const spy = vi.spyOn(artifacts, 'store').mockImplementationOnce(async (...stored) => {
        await store.call('DELETE', `/api/users/${leaving.id}?anonymise=true`);
        return keep(...stored);
      });
      const { status, text } = await visitor.submit(consent, { decision });
      spy.mockRestore();
      expect([status, text]).toEqual([404, expect.stringContaining('This sign-in has ended.')]);
    },
  );

  it('a token that is stored while its grant ends is not valid', async () => {
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const { client_id: clientId } = client;
    await artifacts.store('Grant', 'ending', { clientId }, 60);
    // The library calls `revokeByGrant` and `destroy` at the same time. Another instance stores a token between them.
    await artifacts.revokeByGrant('ending');
    const token = 'stored-meanwhile-0123456789-0123456789-0123';
    const payload = { clientId, grantId: 'ending', accountId: subjectOf(user.id), scope: 'orders:read' };
    expect(await artifacts.store('AccessToken', token, payload, 60)).toBe(true);
    expect(await statusOf(token)).toBe(200);
    await artifacts.destroy('Grant', 'ending');
    expect(await statusOf(token)).toBe(401);
    expect(await artifacts.store('AccessToken', 'later', payload, 60)).toBe(false);
  });

  describe('the sign-in page', () => {
    it('may send its form only to the service, which may then redirect the browser only to the client', async () => {
      const { page } = await signIn();
      const { headers } = page;
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/courier\.example$/,
      );
      expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY']);
    });

    it('sets cookies that scripts, other sites and connections without TLS do not get', async () => {
      const { address } = await authorizationRequest(await relyingParty(store, client));
      const answer = await fetch(address.replace(PUBLIC_URL, store.url), { redirect: 'manual' });
      const cookies = answer.headers.getSetCookie();
      expect(cookies.length).toBeGreaterThan(1);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__(Secure|Host)-store_/);
        expect(cookie.toLowerCase()).toMatch(/(?=.*; secure)(?=.*; httponly)(?=.*; samesite=lax)/);
      }
    });

    it('refuses a form that another page sends, and a form of another browser', async () => {
      const { visitor, page } = await signIn();
      const body = new URLSearchParams({ decision: 'allow', email: user.email, password: 'x' });
      const send = (by: Visitor, headers: Record<string, string>) =>
        by.open(page.address, { method: 'POST', body, headers });
      expect((await send(visitor, { ...OWN_FORM, origin: 'https://evil.example' })).status).toBe(403);
      expect((await send(visitor, { ...OWN_FORM, origin: 'null' })).status).toBe(403);
      expect((await send(visitor, { ...OWN_FORM, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await send(visitor, { ...OWN_FORM, 'sec-fetch-site': 'same-site' })).status).toBe(403);
      expect((await send(new Visitor(store), OWN_FORM)).status).toBe(404);
      const stranger = (await signIn()).visitor;
      expect((await send(stranger, OWN_FORM)).status).toBe(404);
      // The sign-in still works for its own browser.
      expect((await visitor.signIn(page, user.email)).text).toContain('The program would be able to');
    });

    it('reports a failure without its cause, and keeps the e-mail address', async () => {
      const { visitor, page } = await signIn();
      const [wrong, unknown] = [
        await visitor.signIn(page, user.email, 'a wrong password'),
        await visitor.signIn(page, '"><script>alert(1)</script>@example.com', 'a wrong password'),
      ];
      expect([wrong.status, unknown.status]).toEqual([403, 403]);
      expect(wrong.text).toContain(`value="${user.email}"`);
      const fault = /role="alert">([^<]*)</;
      expect(fault.exec(wrong.text)?.[1]).toBe(fault.exec(unknown.text)?.[1]);
      expect(unknown.text).not.toContain('<script');
    });

    it('shows the name of a client as text', async () => {
      const name = '<img src=x onerror=alert(1)> & "friends"';
      const evil = await createClient(store, aCodeClient({ name }));
      const { visitor, page } = await signIn(undefined, evil);
      const consent = await visitor.signIn(page, user.email);
      for (const { text } of [page, consent]) {
        expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;friends&quot;');
        expect(text).not.toContain('<img');
      }
    });

    it(
      'slows 200 attempts for one user, at all endpoints together, but not the sign-in of another user',
      onlyLong,
      async () => {
        const victim = await createUserWithPassword(store);
        const { visitor, page } = await signIn();
        const ended = new AbortController();
        const statuses: number[] = [];
        const refused = new Promise<void>((resolve) => {
          for (let at = 0; at < 200; at += 1) {
            const body = new URLSearchParams({
              decision: 'allow',
              email: victim.email,
              password: `wrong ${at}`,
            });
            const { signal } = ended;
            const note = ({ status }: { status: number }): void => {
              statuses.push(status);
              if (statuses.filter((each) => each === 503).length === 180) resolve();
            };
            visitor
              .open(page.address, { method: 'POST', body, headers: OWN_FORM, signal })
              .then(note, () => {});
          }
        });
        await refused;
        // The attempts at all endpoints wait in one queue of at most eight.
        const basic = await store.call('GET', '/api/users/me', asBasic(victim.email, 'wrong'));
        expect(basic.status).toBe(503);
        const elsewhere = await signIn();
        expect((await elsewhere.visitor.signIn(elsewhere.page, user.email)).status).toBe(200);
        ended.abort();
        expect(new Set(statuses)).toEqual(new Set([403, 503]));
      },
    );
  });

  it('the page of an unknown sign-in is 404, in HTML', async () => {
    const page = await new Visitor(store).open('/oauth/interaction/nothing');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('other paths below /oauth are 404, and other methods are 405', async () => {
    expect((await ask('/oauth/reg', 'POST')).status).toBe(404);
    expect((await ask('/oauth/me')).status).toBe(404);
    expect((await ask('/oauth/token')).status).toBe(405);
    expect((await ask('/oauth/token')).headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('a body that is too large is refused', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'x'.repeat(100_000) });
    const answer = await fetch(`${store.url}/oauth/token`, { method: 'POST', body });
    expect(answer.status).toBe(400);
  });
});
