import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Passwords } from '../../../src/store/users/passwords.js';
import { ADMIN_KEY, startApp, type Call, type TestApp } from '../../support/clients/app.js';
import {
  asBasic,
  basic,
  createUserWithPassword,
  hashCheaply,
  PASSWORD,
} from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, type UserBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { asBearer, userTokenOf } from '../../support/clients/tokens.js';

const NEW = 'another good password';

interface Given {
  readonly password: string;
  readonly current_password?: string;
  readonly revoke_keys?: boolean;
}

/** Every operation by which a user sets a password. Each returns whether the password was set. */
const DOORS: Readonly<
  Record<string, (store: TestApp, user: UserBody, given: Given, call: Call) => Promise<boolean>>
> = {
  ...Object.fromEntries(
    ['/api/v1', '/api', '/api/v2'].flatMap((root) => [
      [
        `PATCH ${root}`,
        async (store: TestApp, { id }: UserBody, body: Given, call: Call) =>
          wasSet((await store.call('PATCH', `${root}/users/${id}`, { ...call, body })).status),
      ],
      [
        `PUT ${root}`,
        async (store: TestApp, { id, name, email }: UserBody, given: Given, call: Call) => {
          const body = { name, email, ...given };
          return wasSet((await store.call('PUT', `${root}/users/${id}`, { ...call, body })).status);
        },
      ],
    ]),
  ),
  updateUser: async (store, { id }, given, call) => {
    const text = `mutation ($p: String!, $c: String, $r: Boolean) {
      updateUser(id: ${id}, password: $p, currentPassword: $c, revokeKeys: $r) { id } }`;
    const variables = {
      p: given.password,
      ...(given.current_password !== undefined && { c: given.current_password }),
      ...(given.revoke_keys !== undefined && { r: given.revoke_keys }),
    };
    const { data, errors } = await resultOf(store, text, variables, call);
    if (data.updateUser === null) expect(errors[0].extensions.code).toBe('FORBIDDEN');
    return data.updateUser !== null;
  },
};

function wasSet(status: number): boolean {
  expect([200, 403]).toContain(status);
  return status === 200;
}

describeOnEachEngine('a new password', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine, {
      STORE_RATE_LIMIT: 'anonymous=1000/min,caller=5000/min',
      STORE_TRUST_PROXY: 'true',
    });
    hashCheaply(store);
  });
  afterAll(() => store.close());

  const isGood = async (call: Call): Promise<boolean> =>
    (await store.call('GET', '/api/users/me', call)).status === 200;

  for (const [door, set] of Object.entries(DOORS)) {
    it(`can be set by the user only with the present password: ${door}`, async () => {
      const user = await createUserWithPassword(store);
      const short = { key: await createKey(store, [], user.id) };
      const strong = { key: await createKey(store, ['users:write'], user.id) };
      const jwt = asBearer(await userTokenOf(store, user.id));
      for (const call of [short, strong, jwt]) {
        expect(await set(store, user, { password: NEW }, call)).toBe(false);
        expect(await set(store, user, { password: NEW, current_password: 'not this one' }, call)).toBe(false);
      }
      expect(await isGood(asBasic(user.email))).toBe(true);
      expect(await isGood(asBasic(user.email, NEW))).toBe(false);
      expect(await set(store, user, { password: NEW, current_password: PASSWORD }, short)).toBe(true);
      expect(await isGood(asBasic(user.email, NEW))).toBe(true);
      expect(await isGood(asBasic(user.email))).toBe(false);
      expect(await set(store, user, { password: PASSWORD }, asBasic(user.email, NEW))).toBe(true);
      expect(await isGood(asBasic(user.email))).toBe(true);
    });

    it(`can be set by a program that sends the present password: ${door}`, async () => {
      const user = await createUserWithPassword(store);
      const program = asBearer(await userTokenOf(store, user.id, 'users:write'));
      expect(await set(store, user, { password: NEW, current_password: PASSWORD }, program)).toBe(true);
      expect(await isGood(asBasic(user.email, NEW))).toBe(true);
      // The new password ends the tokens of the user.
      expect(await isGood(program)).toBe(false);
    });

    it(`ends the keys of the user only on request: ${door}`, async () => {
      const user = await createUserWithPassword(store);
      const bystander = { key: await createKey(store, [], (await createUser(store)).id) };
      const keys = [
        { key: await createKey(store, [], user.id) },
        { key: await createKey(store, [], user.id) },
      ];
      expect(await set(store, user, { password: NEW }, asBasic(user.email))).toBe(true);
      for (const key of [...keys, bystander]) expect(await isGood(key)).toBe(true);
      const given = { password: PASSWORD, revoke_keys: true };
      expect(await set(store, user, given, asBasic(user.email, NEW))).toBe(true);
      for (const key of keys) expect(await isGood(key)).toBe(false);
      expect(await isGood(bystander)).toBe(true);
      expect(await isGood({ key: await createKey(store, [], user.id) })).toBe(true);
    });

    it(`can be set without the present password by another caller with users:write, but not by the user: ${door}`, async () => {
      const user = await createUser(store);
      const own = { key: await createKey(store, [], user.id) };
      expect(await set(store, user, { password: NEW }, own)).toBe(false);
      expect(await set(store, user, { password: NEW, current_password: NEW }, own)).toBe(false);
      expect(await isGood(asBasic(user.email, NEW))).toBe(false);
      const other = await createUser(store);
      const manager = { key: await createKey(store, ['users:write'], other.id) };
      expect(await set(store, user, { password: NEW }, manager)).toBe(true);
      expect(await isGood(asBasic(user.email, NEW))).toBe(true);
      expect(await set(store, user, { password: PASSWORD }, { key: ADMIN_KEY })).toBe(true);
      expect(await isGood(asBasic(user.email))).toBe(true);
    });
  }

  it('cannot be set with a key alone; the refusal gives the reason, and the key can change the name', async () => {
    const user = await createUserWithPassword(store);
    const key = await createKey(store, [], user.id);
    const path = `/api/users/${user.id}`;
    expect((await store.call('PATCH', path, { key, body: { name: 'Ada King' } })).status).toBe(200);
    const refused = await store.call('PATCH', path, { key, body: { name: 'Eve', password: NEW } });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'A new password needs the present one. Send the present password in a Basic credential, or beside the new password.',
    ]);
    const pointer = '#/current_password';
    expect(refused.body.errors).toEqual([
      { pointer, code: 'REQUIRED', detail: 'must be the present password' },
    ]);
    const wrong = await store.call('PATCH', path, {
      key,
      body: { password: NEW, current_password: 'other' },
    });
    expect([wrong.status, wrong.body.errors]).toEqual([
      403,
      [{ pointer, code: 'WRONG_PASSWORD', detail: 'is not the present password' }],
    ]);
    const { errors } = await resultOf(
      store,
      `mutation { updateUser(id: ${user.id}, password: "${NEW}", currentPassword: "other") { id } }`,
      {},
      { key },
    );
    expect(errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', pointer: '#/currentPassword' });
    expect((await store.call('GET', path)).body.user.name).toBe('Ada King');
    const patch = [{ op: 'add', path: '/current_password', value: PASSWORD }];
    const headers = { 'content-type': 'application/json-patch+json', authorization: basic(user.email) };
    const byPatch = await store.call('PATCH', path, { key: null, headers, body: patch });
    expect([byPatch.status, byPatch.body.errors[0].pointer]).toEqual([400, '#/current_password']);
  });

  /** From now on each check of a password waits for `release`. `begun` resolves when the first check begins. */
  const holdChecks = () => {
    const passwords = store.app.get(Passwords, { strict: false });
    const isRight = passwords.isRight.bind(passwords);
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spy = vi.spyOn(passwords, 'isRight').mockImplementation(async (password, hash) => {
      begun.resolve();
      await released.promise;
      return isRight(password, hash);
    });
    const release = (): void => {
      spy.mockRestore();
      released.resolve();
    };
    return { begun: begun.promise, release, count: () => spy.mock.calls.length };
  };

  it.each<[what: string, call: (user: UserBody) => Promise<Call>, given: object, status: number]>([
    ['Basic', async ({ email }) => asBasic(email), {}, 401],
    [
      'a key',
      async ({ id }) => ({ key: await createKey(store, [], id) }),
      { current_password: PASSWORD },
      403,
    ],
  ])(
    'is not replaced by a caller whose old password was checked before the change: %s',
    async (_what, call, given, status) => {
      const user = await createUserWithPassword(store);
      const path = `/api/users/${user.id}`;
      const caller = await call(user);
      const checks = holdChecks();
      const late = store.call('PATCH', path, { ...caller, body: { password: 'of an attacker', ...given } });
      await checks.begun;
      await store.call('PATCH', path, { body: { password: NEW } });
      checks.release();
      expect((await late).status).toBe(status);
      expect(await isGood(asBasic(user.email, NEW))).toBe(true);
    },
  );

  it('is not replaced by a request that began earlier and was still hashing another password', async () => {
    const user = await createUserWithPassword(store);
    const path = `/api/users/${user.id}`;
    const caller = asBasic(user.email);
    expect(await isGood(caller)).toBe(true);
    const passwords = store.app.get(Passwords, { strict: false });
    const spy = vi.spyOn(passwords, 'hash');
    const hash = spy.getMockImplementation() as (password: string) => Promise<string>;
    spy.mockImplementationOnce(async (password) => {
      await store.call('PATCH', path, { body: { password: NEW } });
      return hash(password);
    });
    const late = await store.call('PATCH', path, { ...caller, body: { password: 'of an attacker' } });
    expect(late.status).toBe(401);
    expect(await isGood(asBasic(user.email, NEW))).toBe(true);
  });

  it('cannot be set by guesses: all attempts for an account from an address wait in one queue, whatever key they have', async () => {
    const user = await createUserWithPassword(store);
    const stolen = await createKey(store, [], user.id);
    const keys = [stolen];
    for (let i = 0; i < 3; i += 1) {
      const { body } = await store.call('POST', '/api/v2/api-keys', { key: stolen, body: { name: 'more' } });
      keys.push(body.key as string);
    }
    const guess = (key: string | undefined, current_password: string, headers = {}) =>
      store.call('PATCH', `/api/users/${user.id}`, {
        key: key as string,
        headers,
        body: { password: NEW, current_password },
      });
    const checks = holdChecks();
    const statuses: number[] = [];
    const guesses = Array.from({ length: 12 }, async (_value, i) => {
      statuses.push((await guess(keys[i % 4], `guess ${i}`)).status);
    });
    await expect.poll(() => statuses).toEqual([503, 503, 503, 503]);
    // A new e-mail address makes no new queue, and Basic has no queue of its own.
    const email = `new.${user.email}`;
    await store.call('PATCH', `/api/users/${user.id}`, { key: stolen, body: { email } });
    const byBasic = await store.call('GET', '/api/v2/users/me', asBasic(email, 'guess'));
    expect([byBasic.status, byBasic.headers.get('retry-after')]).toEqual([503, '1']);
    expect(checks.count()).toBe(1);
    // The user at another address does not wait for these attempts.
    const own = guess(keys[0], PASSWORD, { 'x-forwarded-for': '192.0.2.7' });
    await expect.poll(() => checks.count()).toBe(2);
    checks.release();
    expect((await own).status).toBe(200);
    await Promise.all(guesses);
    expect(statuses.slice(4)).toEqual(Array.from({ length: 8 }, () => 403));
  });
});
