import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/clients/app.js';
import { startApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import type { UserBody } from '../../support/fixtures/fixtures.js';

describeOnEachEngine('getCredential', (engine) => {
  let store: TestApp;
  let user: UserBody;
  beforeAll(async () => {
    store = await startApp(engine);
    user = await createUserWithPassword(store);
  });
  afterAll(() => store.close());

  const asked = (call: Parameters<TestApp['call']>[2]) => store.call('GET', '/api/v2/credential', call);

  it('shows the name, the rights and the expiry of a key, but never the key itself', async () => {
    const made = await store.call('POST', '/api/v2/api-keys', {
      body: { name: 'Till', scopes: ['products:write', 'orders:read'], expires_at: '2999-01-01T00:00:00Z' },
    });
    const { key } = made.body as { key: string };
    const { status, body, text } = await asked({ key });
    expect([status, body]).toEqual([
      200,
      {
        kind: 'client',
        name: 'Till',
        user_id: null,
        scopes: ['orders:read', 'products:write'],
        own_scopes: null,
        expires_at: '2999-01-01T00:00:00.000Z',
      },
    ]);
    expect(text).not.toContain(key);
  });

  it('shows the user of a password', async () => {
    expect((await asked(asBasic(user.email))).body).toEqual({
      kind: 'user',
      name: user.name,
      user_id: user.id,
      scopes: [],
      own_scopes: null,
      expires_at: null,
    });
  });

  it('refuses a request without a valid credential', async () => {
    expect((await asked({ key: null })).status).toBe(401);
    expect((await asked({ key: 'wrong' })).status).toBe(401);
  });
});

describeOnEachEngine('endSignIns', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it('answers 404 for a missing user, and for another user', async () => {
    const [ada, bob] = [await createUserWithPassword(store), await createUserWithPassword(store)];
    expect((await store.call('DELETE', '/api/v2/users/999/sign-ins')).status).toBe(404);
    const end = (id: number) => store.call('DELETE', `/api/v2/users/${id}/sign-ins`, asBasic(ada.email));
    expect((await end(bob.id)).status).toBe(404);
    expect((await end(ada.id)).status).toBe(204);
    // The password stays valid.
    expect((await end(ada.id)).status).toBe(204);
  });
});
