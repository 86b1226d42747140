import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, createUser } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';

describeOnEachEngine('users over REST', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const etagOf = async (id: number): Promise<string> =>
    (await store.call('GET', `/api/users/${id}`)).headers.get('etag') as string;

  describe('createUser', () => {
    it('answers 201 with a body that has only the member `user`, and with the URL of the user in Location', async () => {
      const { email } = aUser();
      const { status, headers, body } = await store.call('POST', '/api/users', {
        body: { name: 'Ada Lovelace', email },
      });
      expect(status).toBe(201);
      expect(body).toEqual({ user: { id: expect.any(Number), name: 'Ada Lovelace', email } });
      expect(headers.get('location')).toBe(`/api/users/${body.user.id}`);
      const read = await store.call('GET', headers.get('location') as string);
      expect(read.body).toEqual(body);
      expect(read.headers.get('etag')).toBe(headers.get('etag'));
    });

    it('answers with the prefix of the request in Location', async () => {
      const { headers, body } = await store.call('POST', '/api/v1/users', { body: aUser() });
      expect(headers.get('location')).toBe(`/api/v1/users/${body.user.id}`);
    });

    it('removes blanks at both ends, and keeps the case of the address', async () => {
      const { body } = await store.call('POST', '/api/users', {
        body: { name: '  Grace Hopper ', email: ' \tGrace.Hopper@Example.COM ' },
      });
      expect(body.user).toMatchObject({ name: 'Grace Hopper', email: 'Grace.Hopper@Example.COM' });
    });

    it('reports all faults at once, each with its pointer', async () => {
      const { status, body } = await store.call('POST', '/api/users', {
        body: { name: ' ', email: 'nobody', password: 'x', id: 3 },
      });
      expect(status).toBe(400);
      expect(body.code).toBe('VALIDATION_FAILED');
      expect(
        body.errors
          .map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
          .toSorted(),
      ).toEqual(['#/email PATTERN', '#/id UNKNOWN_MEMBER', '#/name PATTERN', '#/password TOO_SHORT']);
    });

    it.each([
      ['no name', { email: 'a@b.example' }, '#/name', 'REQUIRED'],
      ['no e-mail address', { name: 'a' }, '#/email', 'REQUIRED'],
      ['null as the name', { name: null, email: 'a@b.example' }, '#/name', 'WRONG_TYPE'],
      ['a number as the e-mail address', { name: 'a', email: 1 }, '#/email', 'WRONG_TYPE'],
      ['a name of 201 characters', { name: 'x'.repeat(201), email: 'a@b.example' }, '#/name', 'TOO_LONG'],
      ['a line feed in a name', { name: 'a\nb', email: 'a@b.example' }, '#/name', 'PATTERN'],
      ['a NUL', { name: 'a', email: 'a\u0000@b.example' }, '#/email', 'PATTERN'],
      ['a lone surrogate', '{"name":"a","email":"a\\ud800@b.example"}', '#/email', 'PATTERN'],
      ['two @', { name: 'a', email: 'a@b@c.example' }, '#/email', 'PATTERN'],
      ['two dots', { name: 'a', email: 'a..b@c.example' }, '#/email', 'PATTERN'],
      ['a blank inside', { name: 'a', email: 'a b@c.example' }, '#/email', 'PATTERN'],
      ['a name in the address', { name: 'a', email: 'A <a@b.example>' }, '#/email', 'PATTERN'],
      ['255 characters', { name: 'a', email: `${'a'.repeat(245)}@b.example` }, '#/email', 'TOO_LONG'],
      ['a duplicate member', '{"name":"a","name":"b","email":"a@b.example"}', '#/name', 'DUPLICATE_MEMBER'],
      ['a prototype', '{"name":"a","email":"a@b.example","__proto__":{}}', '#/__proto__', 'UNKNOWN_MEMBER'],
      [
        'the envelope of the answer',
        { user: { name: 'a', email: 'a@b.example' } },
        '#/user',
        'UNKNOWN_MEMBER',
      ],
      ['a list', [], '#', 'WRONG_TYPE'],
      ['null', 'null', '#', 'WRONG_TYPE'],
    ])('refuses %s and stores nothing', async (_what, user, pointer, code) => {
      const total = async () => (await store.call('GET', '/api/users?limit=1')).headers.get('x-total-count');
      const before = await total();
      const { status, body } = await store.call('POST', '/api/users', { body: user });
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
      expect(await total()).toBe(before);
    });
  });

  describe('one user', () => {
    it('is the same at all its addresses, with the same entity tag', async () => {
      const user = await createUser(store);
      const answers = await Promise.all(
        ['/users', '/api/users', '/api/v1/users'].map((root) => store.call('GET', `${root}/${user.id}`)),
      );
      for (const { status, body, headers } of answers) {
        expect(status).toBe(200);
        expect(body).toEqual({ user });
        expect(headers.get('etag')).toBe(answers[0]?.headers.get('etag'));
        expect(headers.get('cache-control')).toBe('private, no-cache');
        expect(headers.get('vary')).toContain('Accept');
      }
    });

    it('answers HEAD like GET below /users and /api/users, without the body', async () => {
      const { id } = await createUser(store);
      for (const path of [`/users/${id}`, `/api/users/${id}`]) {
        const [get, head] = [await store.call('GET', path), await store.call('HEAD', path)];
        expect(head.status).toBe(200);
        expect(head.text).toBe('');
        for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
          expect(head.headers.get(name)).toBe(get.headers.get(name));
        }
      }
    });

    it('is 304 below /users and /api/users while nothing has changed', async () => {
      const { id } = await createUser(store);
      const etag = await etagOf(id);
      for (const path of [`/users/${id}`, `/api/users/${id}`]) {
        for (const held of [etag, `"other", W/${etag}`, '*']) {
          const { status } = await store.call('GET', path, { headers: { 'if-none-match': held } });
          expect(status).toBe(304);
        }
      }
      await store.call('PATCH', `/api/users/${id}`, { body: { name: 'Other' } });
      const fresh = await store.call('GET', `/users/${id}`, { headers: { 'if-none-match': etag } });
      expect(fresh.status).toBe(200);
      expect(fresh.body.user.name).toBe('Other');
    });

    it.each(['/users', '/api/users', '/api/v1/users'])('%s/{id} is 404 for an unknown user', async (root) => {
      const { status, body } = await store.call('GET', `${root}/987654`);
      expect(status).toBe(404);
      expect(body.detail).toContain('987654');
    });

    it.each(['0', '-1', '01', '1.0', '1e0', '9007199254740992', 'x', '1%00', '%27'])(
      'refuses %s as an id',
      async (id) => {
        for (const root of ['/users', '/api/users']) {
          const { status, body } = await store.call('GET', `${root}/${id}`);
          expect(status).toBe(400);
          expect(body.errors).toEqual([expect.objectContaining({ parameter: 'id' })]);
        }
      },
    );

    it.each([
      ['POST', '/users/1', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/users/1', 'GET, HEAD, OPTIONS'],
      ['POST', '/api/users/1', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
      ['PUT', '/api/users', 'GET, HEAD, POST, OPTIONS'],
      ['POST', '/api/users/me', 'GET, HEAD, OPTIONS'],
      ['PUT', '/api/users/me', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/api/v1/users/me', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/api/users/me', 'GET, HEAD, OPTIONS'],
      ['POST', '/api/users/1/orders', 'GET, HEAD, OPTIONS'],
    ])('%s %s is 405 and lists the methods', async (method, path, allow) => {
      const { status, headers } = await store.call(method, path, { body: {} });
      expect(status).toBe(405);
      expect(headers.get('allow')).toBe(allow);
      const options = await store.call('OPTIONS', path, { key: null });
      expect(options.headers.get('allow')).toBe(allow);
    });
  });

  describe('replaceUser and updateUser', () => {
    it('need the name and the e-mail address for PUT, and at least one member for PATCH', async () => {
      const { id } = await createUser(store);
      const put = await store.call('PUT', `/api/users/${id}`, { body: {} });
      expect(put.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
        '#/email',
        '#/name',
      ]);
      const patch = await store.call('PATCH', `/api/users/${id}`, { body: {} });
      expect(patch.status).toBe(400);
      expect(patch.body.errors).toEqual([expect.objectContaining({ pointer: '#' })]);
    });

    it('accept the unchanged id, and no other id', async () => {
      const user = await createUser(store);
      for (const method of ['PUT', 'PATCH']) {
        const same = await store.call(method, `/api/users/${user.id}`, { body: user });
        expect(same.status).toBe(200);
        const other = await store.call(method, `/api/users/${user.id}`, {
          body: { ...user, id: user.id + 1 },
        });
        expect(other.body.errors).toEqual([expect.objectContaining({ pointer: '#/id', code: 'READ_ONLY' })]);
      }
    });

    it('keep the version if nothing has changed', async () => {
      const user = await createUser(store);
      const before = await etagOf(user.id);
      await store.call('PUT', `/api/users/${user.id}`, { body: { ...user, name: ` ${user.name} ` } });
      await store.call('PATCH', `/api/users/${user.id}`, { body: { email: user.email } });
      expect(await etagOf(user.id)).toBe(before);
    });

    it('refuse a write if another client changed the user first', async () => {
      const { id } = await createUser(store);
      const etag = await etagOf(id);
      const stale = { 'if-match': etag };
      await store.call('PATCH', `/api/users/${id}`, { body: { name: 'First' }, headers: stale });
      const answers = await Promise.all([
        store.call('PATCH', `/api/users/${id}`, { body: { name: 'Second' }, headers: stale }),
        store.call('PUT', `/api/users/${id}`, { body: aUser(), headers: stale }),
        store.call('DELETE', `/api/users/${id}`, { headers: stale }),
        store.call('DELETE', `/api/users/${id}?anonymise=true`, {
          headers: { 'if-match': `W/${await etagOf(id)}` },
        }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([412, 412, 412, 412]);
      expect((await store.call('GET', `/users/${id}`)).body.user.name).toBe('First');
    });
  });

  describe('getMe', () => {
    it('returns the user of the key, with the same entity tag as /api/users/{id}', async () => {
      const user = await createUser(store);
      const key = await createKey(store, [], user.id);
      const { status, body, headers } = await store.call('GET', '/api/users/me', { key });
      expect(status).toBe(200);
      expect(body).toEqual({ user });
      expect(headers.get('etag')).toBe(await etagOf(user.id));
      expect(headers.get('cache-control')).toBe('private, no-cache');
      const held = { 'if-none-match': headers.get('etag') as string };
      expect((await store.call('GET', '/api/v1/users/me', { key, headers: held })).status).toBe(304);
      expect((await store.call('HEAD', '/api/v1/users/me', { key })).status).toBe(200);
    });

    it('is 404 for a key without a user, and 401 without a key', async () => {
      const client = await createKey(store, ['users:read']);
      expect((await store.call('GET', '/api/users/me', { key: client })).status).toBe(404);
      expect((await store.call('GET', '/api/users/me')).status).toBe(404);
      const anonymous = await store.call('GET', '/api/users/me', { key: null });
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get('www-authenticate')).not.toBeNull();
    });
  });

  describe('access', () => {
    const OPERATIONS: readonly [string, string, 'users:read' | 'users:write'][] = [
      ['GET', '/api/users', 'users:read'],
      ['GET', '/api/users/0', 'users:read'],
      ['GET', '/users/0', 'users:read'],
      ['HEAD', '/users/0', 'users:read'],
      ['HEAD', '/api/users', 'users:read'],
      ['POST', '/api/users', 'users:write'],
      ['PUT', '/api/users/0', 'users:write'],
      ['PATCH', '/api/users/0', 'users:write'],
      ['DELETE', '/api/users/0', 'users:write'],
    ];
    const OTHER = { 'users:read': 'users:write', 'users:write': 'users:read' } as const;

    // Most of these requests are also invalid: an empty body, or the id 0. A caller without the scope gets no error
    // about that.
    it.each(OPERATIONS)('%s %s needs %s', async (method, path, scope) => {
      const call = { ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: {} }) };
      const anonymous = await store.call(method, path, { ...call, key: null });
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get('www-authenticate')).not.toBeNull();
      const key = await createKey(store, [OTHER[scope], 'orders:read', 'orders:write', 'products:write']);
      const powerless = await store.call(method, path, { ...call, key });
      expect(powerless.status).toBe(403);
      expect(powerless.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
      const able = await store.call(method, path, { ...call, key: await createKey(store, [scope]) });
      expect(able.status).toBe(path.endsWith('users') && method !== 'POST' ? 200 : 400);
    });
  });
});
