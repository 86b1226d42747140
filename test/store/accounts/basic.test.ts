import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { sql } from '../../../src/engine/database/sql.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { asBasic, basic, createUserWithPassword, PASSWORD } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { open } from '../../support/clients/live.js';

describeOnEachEngine('e-mail address and password', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const me = (authorization: string, headers: Record<string, string> = {}) =>
    store.call('GET', '/api/users/me', { key: null, headers: { ...headers, authorization } });
  const statusAs = async (email: string, password = PASSWORD) => (await me(basic(email, password))).status;

  const challenge = async (headers: Record<string, string>) =>
    (await store.call('GET', '/api/users/me', { key: null, headers })).headers.get('www-authenticate');

  it('identify the user, over REST, GraphQL and WebSocket', async () => {
    const { id, email } = await createUserWithPassword(store);
    expect((await me(basic(email))).body.user.id).toBe(id);
    expect((await me(basic(` ${email.toUpperCase()} `))).body.user.id).toBe(id);
    expect((await me(basic(email).replace('Basic', 'bAsIc  '))).body.user.id).toBe(id);
    const call = { key: null, headers: { authorization: basic(email) } };
    expect(await resultOf(store, '{ me { id } }', undefined, call)).toMatchObject({
      data: { me: { id: String(id) } },
    });
    const raw = await open(store);
    raw.say({ type: 'connection_init', payload: { Authorization: basic(email) } });
    expect(await raw.hear()).toMatchObject({ type: 'connection_ack' });
    raw.say({ id: '1', type: 'subscribe', payload: { query: '{ me { id } }' } });
    expect((await raw.hear()).payload.data).toEqual({ me: { id: String(id) } });
    await store.call('PATCH', `/api/users/${id}`, { body: { password: 'another good password' } });
    raw.say({ id: '2', type: 'subscribe', payload: { query: '{ me { id } }' } });
    expect((await raw.closed).code).toBe(4401);
  });

  it('give access to the user’s own data and to nothing else', async () => {
    const order = await placeOrder(store);
    const id = order.user_id as number;
    await store.call('PATCH', `/api/users/${id}`, { body: { password: PASSWORD } });
    const { email } = (await store.call('GET', `/api/users/${id}`)).body.user;
    const status = async (method: string, path: string, body?: unknown) =>
      (await store.call(method, path, { ...asBasic(email), body })).status;
    expect(await status('GET', `/api/users/${id}`)).toBe(200);
    expect(await status('GET', `/api/orders/${order.id}`)).toBe(200);
    expect(await status('GET', `/api/users/${(await createUser(store)).id}`)).toBe(404);
    expect(await status('GET', '/api/users')).toBe(403);
    expect(await status('POST', '/api/users', aUser())).toBe(403);
    expect(await status('POST', '/api/api-keys', { name: 'phone' })).toBe(201);
    expect(await status('POST', '/api/api-keys', { name: 'phone', scopes: ['orders:read'] })).toBe(403);
  });

  it('are refused with the same message for a wrong address and for a wrong password', async () => {
    const { email } = await createUserWithPassword(store);
    const without = await createUser(store);
    const wrong = [
      basic(email, `${PASSWORD}!`),
      basic(email, ''),
      basic('nobody@example.com'),
      basic(without.email),
      basic(without.email, ''),
    ];
    for (const authorization of wrong) {
      const { status, body } = await me(authorization);
      expect([status, body.detail]).toEqual([401, 'The e-mail address or the password is wrong.']);
    }
    const malformed = [
      'Basic',
      'Basic ',
      'Basic !!!',
      `Basic ${Buffer.from(email).toString('base64')}`,
      `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}`,
      'Bearer abc',
      'Digest a="b"',
      PASSWORD,
    ];
    for (const authorization of malformed) {
      expect([authorization, (await me(authorization)).status]).toEqual([authorization, 401]);
      const products = await store.call('GET', '/api/products', { key: null, headers: { authorization } });
      expect([authorization, products.status]).toEqual([authorization, 401]);
    }
    expect(await statusAs(email)).toBe(200);
  });

  it('are refused with 400 together with another credential, even if both are valid', async () => {
    const { email } = await createUserWithPassword(store);
    const twice = await me(basic(email), { 'x-api-key': ADMIN_KEY });
    expect([twice.status, twice.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
    const raw = await open(store);
    raw.say({ type: 'connection_init', payload: { authorization: basic(email), 'x-api-key': ADMIN_KEY } });
    expect((await raw.closed).code).toBe(4400);
  });

  it('are offered in the challenge beside the other schemes, but not to scripts of a page', async () => {
    const key =
      'ApiKey realm="store", header="X-API-Key", Bearer realm="store", ' +
      'resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource"';
    expect(await challenge({})).toBe(`${key}, Basic realm="store", charset="UTF-8"`);
    expect(await challenge({ 'sec-fetch-dest': 'document' })).toContain('Basic');
    expect(await challenge({ 'sec-fetch-dest': 'empty' })).toBe(key);
  });

  describe('a password', () => {
    it('is set when the user is created, changed by PUT and PATCH, and kept when it is left out', async () => {
      const body = aUser();
      const created = await store.call('POST', '/api/users', { body: { ...body, password: PASSWORD } });
      const { id } = created.body.user;
      const path = `/api/users/${id}`;
      expect(await statusAs(body.email)).toBe(200);
      await store.call('PUT', path, { body });
      await store.call('PATCH', path, { body: { name: 'Ada King' } });
      expect(await statusAs(body.email)).toBe(200);
      for (const [method, password] of [
        ['PUT', 'the second good one'],
        ['PATCH', 'the third good one'],
      ] as const) {
        const changed = await store.call(method, path, { body: { ...body, password } });
        expect(changed.status).toBe(200);
        expect(changed.text).not.toContain('password');
        expect([await statusAs(body.email), await statusAs(body.email, password)]).toEqual([401, 200]);
      }
    });

    it('is set over GraphQL', async () => {
      const { name, email } = aUser();
      const mutation = `mutation ($p: String!) { createUser(name: "${name}", email: "${email}", password: $p) { id } }`;
      const { data } = await resultOf(store, mutation, { p: PASSWORD });
      expect(await statusAs(email)).toBe(200);
      const update = `mutation { updateUser(id: ${data.createUser.id}, password: "the second good one") { id } }`;
      await resultOf(store, update);
      expect([await statusAs(email), await statusAs(email, 'the second good one')]).toEqual([401, 200]);
    });

    it('changes nothing that is shown, so the entity tag stays the same', async () => {
      const { id } = await createUser(store);
      const tag = async () => (await store.call('GET', `/api/users/${id}`)).headers.get('etag');
      const before = await tag();
      await store.call('PATCH', `/api/users/${id}`, { body: { password: PASSWORD } });
      expect(await tag()).toBe(before);
    });

    it('is the same in composed and decomposed Unicode form', async () => {
      const { email } = await createUserWithPassword(store, 'Zürich im Schnee');
      expect(await statusAs(email, 'Zürich im Schnee'.normalize('NFD'))).toBe(200);
    });

    it.each([
      ['too short', 'short12', 'TOO_SHORT'],
      ['too long', 'x'.repeat(129), 'TOO_LONG'],
      ['very common', 'Password123!', 'TOO_COMMON'],
      ['a row of digits', '12345678', 'TOO_COMMON'],
      ['one repeated character', 'aaaaaaaaaa', 'TOO_COMMON'],
      ['a text with control characters', 'good\u0000 password', 'PATTERN'],
      ['null', null, 'WRONG_TYPE'],
    ])('is refused, with a pointer, if it is %s', async (_what, password, code) => {
      const { status, body } = await store.call('POST', '/api/users', { body: { ...aUser(), password } });
      expect([status, body.errors[0].pointer]).toEqual([400, '#/password']);
      expect(body.errors[0].code).toBe(code);
    });

    it('may not be the name (in any Unicode form) or the e-mail address of the user, even if the same request changes the name', async () => {
      const body = { name: 'Augusta Ada Bÿron'.normalize('NFD'), email: 'countess.lovelace@example.com' };
      const { id } = (await store.call('POST', '/api/users', { body })).body.user;
      const own = ['augusta ada bÿron', body.name, body.email, 'Countess.Lovelace', 'countess.lovelace1'];
      for (const password of own) {
        const given = { password, name: 'somebody else' };
        const { status } = await store.call('PATCH', `/api/users/${id}`, { body: given });
        expect([password, status]).toEqual([password, 400]);
      }
      expect((await store.call('PATCH', '/api/users/999999', { body: { password: PASSWORD } })).status).toBe(
        404,
      );
    });

    it('is stored only as an argon2id hash', async () => {
      const { id } = await createUserWithPassword(store);
      const rows = await store.app
        .get(Database, { strict: false })
        .reads.all<{ password_hash: string }>(sql`SELECT * FROM users WHERE id = ${id}`);
      expect(rows[0]?.password_hash).toMatch(
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
      );
      expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    });
  });

  it('end when the user is deleted', async () => {
    const { id, email } = await createUserWithPassword(store);
    expect(await statusAs(email)).toBe(200);
    await store.call('DELETE', `/api/users/${id}`, asBasic(email));
    expect(await statusAs(email)).toBe(401);
  });

  it('do not end the keys of the user when the password changes', async () => {
    const { id, email } = await createUserWithPassword(store);
    const key = await createKey(store, [], id);
    const changed = await store.call('PATCH', `/api/users/${id}`, {
      ...asBasic(email),
      body: { password: 'the second good one' },
    });
    expect(changed.status).toBe(200);
    expect((await store.call('GET', '/api/users/me', { key })).body.user.id).toBe(id);
  });
});
