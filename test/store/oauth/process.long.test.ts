import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, SECRET } from '../../support/clients/app.js';
import { PASSWORD } from '../../support/clients/basic.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { aUser } from '../../support/fixtures/fixtures.js';
import {
  aCodeClient,
  agree,
  authorizationRequest,
  PUBLIC_URL,
  relyingParty,
  tokenRequest,
  Visitor,
  type ClientBody,
} from '../../support/clients/oauth.js';
import { serve, type Service } from '../../../testkit/process.js';

const SETTINGS = { STORE_ADMIN_KEY: ADMIN_KEY, STORE_SECRET: SECRET, STORE_PUBLIC_URL: PUBLIC_URL };

// Reports each module of `oidc-provider` and of `koa` that is loaded.
const TELL = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const [, name] = /node_modules\\/(oidc-provider|koa)\\//.exec(url) ?? [];
  if (name) process.stderr.write('LOADED ' + name + '\\n');
  return next(url, context);
} });`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(TELL)}`;

async function post({ url }: Service, path: string, body: unknown) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

async function participants(service: Service): Promise<{ client: ClientBody; email: string }> {
  const client = (await post(service, '/api/clients', aCodeClient())) as unknown as ClientBody;
  const { email } = aUser();
  await post(service, '/api/users', { name: 'Ada', email, password: PASSWORD });
  return { client, email };
}

function me({ url }: Service, token: string): Promise<Response> {
  return fetch(`${url}/api/orders`, { headers: { authorization: `Bearer ${token}` } });
}

describe('the built service', () => {
  it('loads the authorization server for the first request that needs it, and serves every grant', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-oauth-'));
    const service = await serve({
      ...SETTINGS,
      NODE_OPTIONS,
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
    });
    try {
      const { client, email } = await participants(service);
      expect((await me(service, 'x'.repeat(43))).status).toBe(401);
      const configuration = await relyingParty(service, client);
      expect((await fetch(`${service.url}/oauth/jwks`)).status).toBe(200);
      expect(service.output()).not.toContain('LOADED');

      const own = await openid.clientCredentialsGrant(configuration, { scope: 'orders:read' });
      expect(service.output()).toContain('LOADED oidc-provider');
      expect((await me(service, own.access_token)).status).toBe(200);

      const request = await authorizationRequest(configuration);
      const back = await agree(new Visitor(service), request, email);
      const tokens = await openid.authorizationCodeGrant(configuration, new URL(back.address), {
        pkceCodeVerifier: request.verifier,
        expectedState: request.state,
      });
      const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
      expect((await me(service, next.access_token)).status).toBe(200);
      await openid.tokenRevocation(configuration, next.access_token);
      expect((await me(service, next.access_token)).status).toBe(401);
    } finally {
      await service.stop('SIGINT');
      await rm(folder, { recursive: true });
    }
    // On a busy machine, loading the library may hold the event loop for a second. The service rightly reports that.
    const complaints = service
      .output()
      .split('\n')
      .filter((line) => /WARNING|NOTICE|"level":"(error|warn)"/.test(line))
      .filter((line) => !line.includes('"msg":"the event loop was held"'));
    expect(complaints).toEqual([]);
  });
});

describeOnPostgres('two instances of the built service', () => {
  it('act as one authorization server', async () => {
    const database = await freshDatabase('postgres');
    const settings = { ...SETTINGS, STORE_DATABASE_URL: database.url };
    const [one, two] = await Promise.all([serve(settings), serve(settings)]);
    try {
      const { client, email } = await participants(one);
      const [atOne, atTwo] = [await relyingParty(one, client), await relyingParty(two, client)];
      const request = await authorizationRequest(atOne);
      const visitor = new Visitor(one);
      const signIn = await visitor.open(request.address);
      visitor.store = two;
      const consent = await visitor.signIn(signIn, email);
      visitor.store = one;
      const back = await visitor.submit(consent, { decision: 'allow' });
      const tokens = await openid.authorizationCodeGrant(atTwo, new URL(back.address), {
        pkceCodeVerifier: request.verifier,
        expectedState: request.state,
      });
      expect((await me(one, tokens.access_token)).status).toBe(200);
      const next = await openid.refreshTokenGrant(atOne, tokens.refresh_token as string);
      expect((await me(two, next.access_token)).status).toBe(200);

      // Both instances get the same token at the same time. No token that comes from it stays valid.
      const fields = { grant_type: 'refresh_token', refresh_token: next.refresh_token as string };
      const answers = await Promise.all([
        tokenRequest(one, client, fields),
        tokenRequest(two, client, fields),
      ]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
      expect((await tokenRequest(two, client, fields)).body.error).toBe('invalid_grant');
      expect((await me(one, next.access_token)).status).toBe(401);
      for (const { body } of answers) {
        expect((await me(two, body.access_token ?? 'none')).status).toBe(401);
      }
    } finally {
      await Promise.all([one, two].map((service) => service.stop('SIGINT')));
      await database.drop();
    }
  });
});
