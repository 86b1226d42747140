import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { KeyUses } from '../../../src/store/accounts/key-uses.js';
import { one, sql } from '../../../src/engine/database/sql.js';
import { ConnectionCredentials } from '../../../src/engine/access/connection-credentials.js';
import { Database } from '../../../src/engine/database/database.js';
import { startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { connect } from '../../support/clients/live.js';

const KEYS = '/api/api-keys';
const idOf = (key: string) => Number(key.split('_')[1]);
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

interface Issued {
  id: number;
  key: string;
  user_id: number | null;
  scopes: string[];
}

describeOnEachEngine('API keys as a resource', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const make = async (body: object = {}, call: Call = {}): Promise<Issued> =>
    (await store.call('POST', KEYS, { ...call, body: { name: 'Till', ...body } })).body;
  const refusal = async (body: object, key: string) => {
    const { status, body: problem } = await store.call('POST', KEYS, { key, body: { name: 'x', ...body } });
    return [status, problem.detail ?? problem.key];
  };
  const statusAs = async (key: string) => (await store.call('GET', '/api/orders', { key })).status;
  const change = async (statement: ReturnType<typeof sql>) => {
    const changes = store.app.get(CredentialChanges, { strict: false });
    await store.app.get(Database, { strict: false }).unitOfWork.run(function* (tx) {
      yield* one(statement);
      yield* changes.note(tx);
    });
  };

  it('are created, and their secret is shown only once', async () => {
    const answer = await store.call('POST', KEYS, {
      body: { name: ' Till ', scopes: ['orders:read'], expires_at: '2099-01-01T01:00:00+01:00' },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('location')).toBe(`/api/api-keys/${answer.body.id}`);
    const { key, ...shown } = answer.body;
    expect(shown).toMatchObject({
      name: 'Till',
      user_id: null,
      scopes: ['orders:read'],
      expires_at: '2099-01-01T00:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect(await statusAs(key)).toBe(200);
    const read = await store.call('GET', `${KEYS}/${shown.id}`);
    expect(read.body).toEqual(shown);
    const list = await store.call('GET', `${KEYS}?limit=100`);
    expect(list.body).toContainEqual(shown);
    expect(list.text + read.text).not.toContain(key.replace(/^sk_\d+_/, ''));
  });

  it('are refused with all faults of the request', async () => {
    const faults = async (body: object) => {
      const { status, body: problem } = await store.call('POST', KEYS, { body });
      return [
        status,
        problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      ];
    };
    expect(await faults({ name: '', scopes: ['everything'] })).toEqual([
      400,
      [
        ['#/name', 'TOO_SHORT'],
        ['#/scopes/0', 'NOT_ALLOWED'],
      ],
    ]);
    const past = { name: 'x', expires_at: LONG_AGO.toISOString() };
    expect(await faults(past)).toEqual([400, [['#/expires_at', 'TOO_SMALL']]]);
    expect(await faults({ name: 'x', user_id: 999_999 })).toEqual([400, [['#/user_id', 'UNKNOWN']]]);
    expect((await store.call('GET', `${KEYS}?page=2000&limit=100`)).status).toBe(400);
  });

  describe('of a user', () => {
    it('can be created and read by the user, and can be read, rotated and revoked by no other user', async () => {
      const [ada, eve] = [await createUser(store), await createUser(store)];
      const key = await createKey(store, [], ada.id);
      const foreign = await createKey(store, [], eve.id);
      const own = await make({}, { key });
      expect(own.user_id).toBe(ada.id);
      expect((await make({ user_id: ada.id }, { key })).user_id).toBe(ada.id);
      const listed = await store.call('GET', KEYS, { key });
      expect(new Set(listed.body.map(({ user_id }: Issued) => user_id))).toEqual(new Set([ada.id]));
      expect(listed.headers.get('x-total-count')).toBe('3');
      expect((await store.call('GET', `${KEYS}?user_id=${eve.id}`, { key })).body).toEqual([]);
      expect((await store.call('GET', `${KEYS}?user_id=${eve.id}`)).body).toHaveLength(1);
      expect((await store.call('GET', `${KEYS}/${own.id}`, { key })).status).toBe(200);
      for (const [method, path, call] of [
        ['GET', `${KEYS}/${idOf(foreign)}`],
        ['DELETE', `${KEYS}/${idOf(foreign)}`],
        ['POST', `${KEYS}/${idOf(foreign)}/rotate`, { body: {} }],
      ] as const) {
        expect((await store.call(method, path, { key, ...call })).status).toBe(404);
      }
      expect(await statusAs(foreign)).toBe(200);
      expect((await refusal({ user_id: eve.id }, key))[0]).toBe(403);
    });

    it('cannot get rights that the credential of the request does not have', async () => {
      const { id } = await createUser(store);
      const key = await createKey(store, ['orders:read'], id);
      expect((await make({ scopes: ['orders:read'] }, { key })).scopes).toEqual(['orders:read']);
      expect(await refusal({ scopes: ['orders:read', 'admin', 'users:read'] }, key)).toEqual([
        403,
        'A credential can grant only scopes that it has. The credential of this request does not have admin, users:read.',
      ]);
      const { body } = await store.call('POST', KEYS, { key, body: { name: 'x', scopes: ['admin'] } });
      expect(body).toMatchObject({ errors: [{ pointer: '#/scopes' }] });
      const short = await make({ user_id: id, expires_at: '2099-01-01T00:00:00Z' });
      expect((await refusal({}, short.key))[0]).toBe(403);
      expect((await refusal({ expires_at: '2099-01-01T00:00:01Z' }, short.key))[0]).toBe(403);
      expect((await refusal({ expires_at: '2099-01-01T00:00:00Z' }, short.key))[0]).toBe(201);
      // A new secret would give the same rights as a new key.
      const strong = idOf(await createKey(store, ['admin'], id));
      for (const weak of [key, short.key]) {
        const rotated = await store.call('POST', `${KEYS}/${strong}/rotate`, { key: weak, body: {} });
        expect(rotated.status).toBe(403);
        // The request has no member that names the rights or the expiry.
        expect(rotated.body).not.toHaveProperty('errors');
      }
    });
  });

  it('of clients cannot manage keys', async () => {
    const key = await createKey(store, ['orders:read', 'users:read']);
    for (const [method, path, call] of [
      ['GET', KEYS],
      ['POST', KEYS, { body: { name: 'x' } }],
      ['GET', `${KEYS}/${idOf(key)}`],
      ['DELETE', `${KEYS}/${idOf(key)}`],
      ['POST', `${KEYS}/${idOf(key)}/rotate`, { body: {} }],
    ] as const) {
      expect([method, path, (await store.call(method, path, { key, ...call })).status]).toEqual([
        method,
        path,
        403,
      ]);
    }
  });

  it('end at once and for ever when they are revoked', async () => {
    const key = await createKey(store, ['orders:read']);
    const path = `${KEYS}/${idOf(key)}`;
    expect(await statusAs(key)).toBe(200);
    const revoked = (await store.call('DELETE', path)).body;
    expect(revoked.revoked_at).not.toBeNull();
    expect(await statusAs(key)).toBe(401);
    expect((await store.call('DELETE', path)).body).toEqual(revoked);
    expect((await store.call('GET', path)).body).toEqual(revoked);
    const rotated = await store.call('POST', `${path}/rotate`, { body: {} });
    expect([rotated.status, rotated.body.code]).toEqual([409, 'API_KEY_ENDED']);
  });

  it('end when they expire', async () => {
    const { id, key } = await make({ scopes: ['orders:read'], expires_at: '2099-01-01T00:00:00Z' });
    expect(await statusAs(key)).toBe(200);
    await change(sql`UPDATE api_keys SET expires_at = ${LONG_AGO} WHERE id = ${id}`);
    expect(await statusAs(key)).toBe(401);
    expect((await store.call('POST', `${KEYS}/${id}/rotate`, { body: {} })).status).toBe(409);
  });

  it('get a new secret, and the old secret stays valid for the requested overlap', async () => {
    const first = await createKey(store, ['orders:read']);
    const rotate = async (body: object) =>
      (await store.call('POST', `${KEYS}/${idOf(first)}/rotate`, { body })).body.key as string;
    const second = await rotate({});
    expect(second).not.toBe(first);
    expect([await statusAs(first), await statusAs(second)]).toEqual([200, 200]);
    const third = await rotate({ overlap_seconds: 60 });
    expect([await statusAs(first), await statusAs(second), await statusAs(third)]).toEqual([401, 200, 200]);
    await change(sql`UPDATE api_keys SET previous_until = ${LONG_AGO} WHERE id = ${idOf(first)}`);
    expect([await statusAs(second), await statusAs(third)]).toEqual([401, 200]);
    const fourth = await rotate({ overlap_seconds: 0 });
    expect([await statusAs(third), await statusAs(fourth)]).toEqual([401, 200]);
    const missing = await store.call('POST', `${KEYS}/999999/rotate`, { body: {} });
    expect(missing.status).toBe(404);
  });

  it('show their last use, without a write for each request', async () => {
    const { id, key } = await make({ scopes: ['orders:read'] });
    const seen = async () => (await store.call('GET', `${KEYS}/${id}`)).body.last_used_at as string | null;
    const uses = store.app.get(KeyUses, { strict: false });
    await statusAs(key);
    expect(await seen()).toBeNull();
    await uses.write();
    const first = await seen();
    expect(first).not.toBeNull();
    await statusAs(key);
    await uses.write();
    expect(await seen()).toBe(first);
    await change(sql`UPDATE api_keys SET last_used_at = ${LONG_AGO} WHERE id = ${id}`);
    await statusAs(key);
    await store.app.get(KeyUses, { strict: false }).beforeApplicationShutdown();
    expect(await seen()).not.toBe(LONG_AGO.toISOString());
  });

  it('close a WebSocket when they end', async () => {
    const keys = [await createKey(store, ['orders:read']), await createKey(store, ['orders:read'])];
    const [listening, asking] = keys.map((key) => connect(store, key)) as [
      ReturnType<typeof connect>,
      ReturnType<typeof connect>,
    ];
    const events = await listening.subscribe('newOrder', '{ id }');
    expect(await asking.run({ query: '{ orders { id } }' })).toMatchObject({ data: {} });
    const held = store.app.get(ConnectionCredentials, { strict: false });
    await Promise.all(keys.map((key) => store.call('DELETE', `${KEYS}/${idOf(key)}`)));
    expect(await asking.run({ query: '{ orders { id } }' })).toMatchObject({ closing: { code: 4401 } });
    // The service closes this socket too, although its client sends no request.
    expect((await listening.closed).code).toBe(4401);
    await placeOrder(store);
    expect(events.waiting).toBe(0);
    await expect.poll(() => held.count).toBe(0);
  });
});
