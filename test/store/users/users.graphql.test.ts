import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS } from '../../../src/generated/fields.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, createUser } from '../../support/fixtures/fixtures.js';
import { resultOf, type GraphqlCall } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describeOnEachEngine('users over GraphQL', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const graphql = (query: string, variables?: Record<string, unknown>, call?: GraphqlCall) =>
    resultOf(store, query, variables, call);

  describe('Query', () => {
    it('user: returns every field', async () => {
      const { id, name, email } = await createUser(store);
      const { data, errors } = await graphql(
        'query ($id: ID!) { user(id: $id) { id name email orders { id } createdAt updatedAt version } }',
        { id },
      );
      expect(errors).toBeUndefined();
      expect(data.user).toEqual({
        id: String(id),
        name,
        email,
        orders: [],
        createdAt: expect.stringMatching(INSTANT),
        updatedAt: data.user.createdAt,
        version: 1,
      });
      const named = Object.values(FIELDS).filter(({ type }) => type === 'User');
      expect(Object.keys(data.user).toSorted()).toEqual(named.map(({ field }) => field).toSorted());
    });

    it('user: is null without an error for an unknown id', async () => {
      expect(await graphql('{ user(id: "987654") { id } }')).toMatchObject({ data: { user: null } });
      expect((await graphql('{ user(id: 987654) { id } }')).errors).toBeUndefined();
    });

    it.each(['abc', '0', '-1', '1.5', ' 1', '01', '9007199254740992', '1; DROP TABLE users', ''])(
      'user: refuses the id %j',
      async (id) => {
        const { data, errors } = await graphql('query ($id: ID!) { user(id: $id) { id } }', { id });
        expect(data).toEqual({ user: null });
        expect(errors[0].extensions).toMatchObject({
          code: 'VALIDATION_FAILED',
          status: 400,
          pointer: '#/id',
        });
      },
    );

    it('me: is the user of the key, and null for a key without a user', async () => {
      const user = await createUser(store);
      const key = await createKey(store, [], user.id);
      const query = '{ me { id name email } }';
      expect((await graphql(query, undefined, { key })).data.me).toEqual({ ...user, id: String(user.id) });
      for (const other of [await createKey(store, ['users:read']), ADMIN_KEY]) {
        expect(await graphql(query, undefined, { key: other })).toMatchObject({ data: { me: null } });
      }
      const { data, errors } = await graphql(query, undefined, { key: null });
      expect([data, errors[0].extensions.code]).toEqual([{ me: null }, 'UNAUTHENTICATED']);
    });

    it('users: returns the same as REST, page by page', async () => {
      for (let n = 0; n < 5; n++) await createUser(store);
      for (const query of ['', '?page=2&limit=2', '?page=1&limit=100', '?page=99']) {
        const rest = await store.call('GET', `/api/users${query}`);
        const args = query.slice(1).replaceAll('=', ': ').replaceAll('&', ', ');
        const { data } = await graphql(`{ users${args && `(${args})`} { id name email } }`);
        expect(data.users).toEqual(
          rest.body.map((user: { id: number }) => ({ ...user, id: String(user.id) })),
        );
      }
    });

    it('users: refuses invalid arguments, with a pointer to each', async () => {
      const { data, errors } = await graphql('{ users(page: 0, limit: 101, email: "nobody") { id } }');
      expect(data).toEqual({ users: null });
      expect(
        errors[0].extensions.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
      ).toEqual(['#/email', '#/limit', '#/page']);
      for (const limit of [0, -1, 1.5, 1e9]) {
        const { errors: refused } = await graphql('query ($limit: Int) { users(limit: $limit) { id } }', {
          limit,
        });
        expect(refused).toHaveLength(1);
      }
    });

    it('users: reads null as an argument that was not given', async () => {
      await Promise.all(Array.from({ length: 21 }, () => createUser(store)));
      const { data, errors } = await graphql(
        'query ($page: Int, $limit: Int, $email: String) { users(page: $page, limit: $limit, email: $email) { id } }',
        { page: null, limit: null, email: null },
      );
      expect(errors).toBeUndefined();
      expect(data.users).toHaveLength(20);
    });
  });

  describe('Mutation', () => {
    it('createUser: stores a user that REST reads', async () => {
      const { name, email } = aUser();
      const { data, errors } = await graphql(
        'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id name email orders { id } } }',
        { name: ` ${name}\t`.replace('\t', ' '), email: `\t${email} ` },
      );
      expect(errors).toBeUndefined();
      expect(data.createUser).toEqual({ id: expect.any(String), name, email, orders: [] });
      const { body } = await store.call('GET', `/users/${data.createUser.id}`);
      expect(body).toEqual({ user: { id: Number(data.createUser.id), name, email } });
    });

    it('createUser: reports all faults at once', async () => {
      const { data, errors } = await graphql('mutation { createUser(name: " ", email: "nobody") { id } }');
      expect(data).toEqual({ createUser: null });
      expect(errors[0].path).toEqual(['createUser']);
      expect(errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
      expect(errors[0].extensions.errors).toEqual([
        expect.objectContaining({ pointer: '#/name', code: 'PATTERN' }),
        expect.objectContaining({ pointer: '#/email', code: 'PATTERN' }),
      ]);
    });

    it('createUser: refuses a taken address, as REST does', async () => {
      const { email } = await createUser(store);
      const rest = await store.call('POST', '/api/users', { body: aUser({ email }) });
      const { data, errors } = await graphql(
        'mutation ($email: String!) { createUser(name: "a", email: $email) { id } }',
        { email },
      );
      expect(data).toEqual({ createUser: null });
      expect(errors[0].message).toBe(rest.body.detail);
      expect(errors[0].extensions).toMatchObject({
        code: rest.body.code,
        status: rest.body.status,
        type: rest.body.type,
      });
    });

    it('createUser: is independent of another createUser in the same operation', async () => {
      const { email } = aUser();
      const { data, errors } = await graphql(
        `mutation { a: createUser(name: "a", email: "${email}") { email } b: createUser(name: "b", email: "${email}") { email } }`,
      );
      expect(data).toEqual({ a: { email }, b: null });
      expect(errors.map(({ path }: { path: string[] }) => path)).toEqual([['b']]);
    });

    it('updateUser: changes the given members, keeps the others, and increases the version only for a change', async () => {
      const user = await createUser(store);
      const tag = async () => (await store.call('GET', `/users/${user.id}`)).headers.get('etag');
      const before = await tag();
      const none = await graphql(`mutation { updateUser(id: ${user.id}) { name } }`);
      expect(none.data.updateUser).toEqual({ name: user.name });
      expect(await tag()).toBe(before);
      const { data } = await graphql(
        `mutation { updateUser(id: ${user.id}, name: " Other ") { name email } }`,
      );
      expect(data.updateUser).toEqual({ name: 'Other', email: user.email });
      expect(await tag()).not.toBe(before);
    });

    it('updateUser: refuses null, and is null for an unknown user', async () => {
      const { id } = await createUser(store);
      const { errors } = await graphql(`mutation { updateUser(id: ${id}, name: null, email: null) { id } }`);
      expect(
        errors[0].extensions.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
      ).toEqual(['#/email', '#/name']);
      const nobody = await graphql('mutation { updateUser(id: 987654, name: "a") { id } }');
      expect(nobody).toMatchObject({ data: { updateUser: null } });
      expect(nobody.errors).toBeUndefined();
    });
  });

  describe('access', () => {
    const NEEDED: readonly [string, 'users:read' | 'users:write'][] = [
      ['query { alias: user(id: 0) { id } }', 'users:read'],
      ['query { alias: users(limit: 0) { id } }', 'users:read'],
      ['mutation { alias: createUser(name: "", email: "") { id } }', 'users:write'],
      ['mutation { alias: updateUser(id: 0) { id } }', 'users:write'],
      ['mutation { alias: deleteUser(id: 0) { id } }', 'users:write'],
    ];

    // The arguments are also invalid. A caller without the scope gets no error about the arguments.
    it.each(NEEDED)('%s needs %s', async (operation, scope) => {
      const anonymous = await graphql(operation, undefined, { key: null });
      expect(anonymous.data).toEqual({ alias: null });
      expect(anonymous.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
      const other = scope === 'users:read' ? 'users:write' : 'users:read';
      const powerless = await graphql(operation, undefined, {
        key: await createKey(store, [other, 'orders:read']),
      });
      expect(powerless.data).toEqual({ alias: null });
      expect(powerless.errors[0].path).toEqual(['alias']);
      expect(powerless.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 });
      const able = await graphql(operation, undefined, { key: await createKey(store, [scope]) });
      expect(able.errors[0].extensions.code).toBe('VALIDATION_FAILED');
    });
  });
});
