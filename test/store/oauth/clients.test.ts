import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { raw } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createKey } from '../../support/clients/keys.js';
import { aClient, createClient } from '../../support/clients/oauth.js';

const codeClient = (overrides: Record<string, unknown> = {}) =>
  aClient({
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://courier.example/callback'],
    ...overrides,
  });

describeOnEachEngine('clients', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it('are created with a secret that is shown once and stored as a hash', async () => {
    const made = await store.call('POST', '/api/clients', { body: codeClient() });
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { client_secret: secret, ...shown } = made.body;
    expect(shown).toMatchObject({ confidential: true, scopes: ['orders:read'], may_introspect: false });
    const read = await store.call('GET', made.headers.get('location') as string);
    expect(read.body).toEqual(shown);
    expect((await store.call('GET', '/api/clients')).body).toContainEqual(shown);
    const rows = await store.app
      .get(Database, { strict: false })
      .reads.all(raw('SELECT * FROM oauth_clients', []));
    expect(JSON.stringify(rows)).toContain(made.body.client_id);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('that are public have no secret, and cannot get one', async () => {
    const body = codeClient({ confidential: false });
    const { status, body: client } = await store.call('POST', '/api/clients', { body });
    expect([status, client.client_secret, client.confidential]).toEqual([201, null, false]);
    const rotated = await store.call('POST', `/api/clients/${client.id}/rotate`, { body: {} });
    expect([rotated.status, rotated.body.code]).toEqual([409, 'CLIENT_ENDED']);
  });

  it.each(['v1', 'v2'])('may have ten long redirect URIs in a large body: %s', async (version) => {
    const addresses = Array.from({ length: 10 }, (_, n) => `https://courier.example/${n}`.padEnd(500, 'a'));
    const padding = ' '.repeat(16_384);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(codeClient({ redirect_uris: addresses })) + padding;
    expect((await store.call('POST', `/api/${version}/clients`, { body, headers })).status).toBe(201);
  });

  it('can get a new secret, and can be revoked for ever', async () => {
    const { id, client_secret } = await createClient(store);
    const rotated = await store.call('POST', `/api/clients/${id}/rotate`, { body: { overlap_seconds: 60 } });
    expect(rotated.status).toBe(200);
    expect(rotated.body.client_secret).not.toBe(client_secret);
    const { body: revoked } = await store.call('DELETE', `/api/clients/${id}`);
    expect(revoked.revoked_at).not.toBeNull();
    expect((await store.call('DELETE', `/api/clients/${id}`)).body).toEqual(revoked);
    expect((await store.call('POST', `/api/clients/${id}/rotate`, { body: {} })).status).toBe(409);
  });

  it('cannot be created, or given a new secret, by a key that expires', async () => {
    const key = await createKey(store, ['admin']);
    expect((await store.call('POST', '/api/clients', { body: aClient(), key })).status).toBe(201);
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const ending = await store.call('POST', '/api/api-keys', {
      body: { name: 'x', scopes: ['admin'], expires_at },
    });
    const { id } = await createClient(store);
    const refused = [
      await store.call('POST', '/api/clients', { body: aClient(), key: ending.body.key }),
      await store.call('POST', `/api/clients/${id}/rotate`, { body: {}, key: ending.body.key }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  });

  describe('are refused', () => {
    it.each([
      ['http for another machine', 'http://courier.example/callback'],
      ['a fragment', 'https://courier.example/#x'],
      ['a wildcard', 'https://*.courier.example/'],
      ['a user', 'https://me:secret@courier.example/'],
      ['a script', 'javascript:alert(1)'],
      ['a scheme without a dot', 'courier:/callback'],
      ['no scheme', '//courier.example/callback'],
      ['a blank', 'https://courier.example/a b'],
    ])('with %s in a redirect URI', async (_what, uri) => {
      const body = codeClient({ redirect_uris: [uri], confidential: false });
      const { status, body: problem } = await store.call('POST', '/api/clients', { body });
      expect([status, problem.errors[0].pointer]).toEqual([400, '#/redirect_uris/0']);
    });

    it.each([
      [{ confidential: false, grant_types: ['client_credentials'] }, '#/grant_types'],
      [{ grant_types: ['refresh_token'] }, '#/grant_types'],
      [{ grant_types: ['authorization_code'] }, '#/redirect_uris'],
      [{ redirect_uris: ['https://courier.example/'] }, '#/redirect_uris'],
      [codeClient({ confidential: false, may_introspect: true }), '#/may_introspect'],
      [codeClient({ redirect_uris: ['com.example.app:/callback'] }), '#/redirect_uris/0'],
      [{ scopes: ['everything'] }, '#/scopes/0'],
    ])('when a member is wrong or does not fit the other members: %o', async (overrides, pointer) => {
      const { status, body } = await store.call('POST', '/api/clients', { body: aClient(overrides) });
      expect([status, body.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([
        400,
        [pointer],
      ]);
    });
  });

  it.each(['http://127.0.0.1:8123/cb', 'http://[::1]/cb', 'http://localhost/cb', 'com.example.app:/cb'])(
    'that are public may have the redirect URI %s',
    async (uri) => {
      const body = codeClient({ redirect_uris: [uri], confidential: false });
      expect((await store.call('POST', '/api/clients', { body })).status).toBe(201);
    },
  );
});
