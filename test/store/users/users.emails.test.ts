import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, createUser } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { tally } from '../../support/fixtures/tally.js';

/** Each line is one address in several spellings. */
const SAME: readonly [string, ...string[]][] = [
  ['ada@example.com', 'ADA@example.com', 'ada@EXAMPLE.Com'],
  // These are the composed and the decomposed form.
  ['\u00e9mile@example.com', 'e\u0301mile@example.com', '\u00c9MILE@example.com', 'E\u0301MILE@example.com'],
  // Full width.
  ['bob@example.com', '\uff42\uff4f\uff42@example.com', '\uff22\uff2f\uff22@example.com'],
  ['stra\u00dfe@example.com', 'STRASSE@example.com', 'stra\u1e9ee@example.com'],
  ['\u0130z@example.com', 'i\u0307z@example.com'],
  // With and without a final sigma.
  [
    '\u03bf\u03b4\u03bf\u03c2@example.com',
    '\u039f\u0394\u039f\u03a3@example.com',
    '\u03bf\u03b4\u03bf\u03c3@example.com',
  ],
  ['\ufb01x@example.com', 'FIX@example.com'],
];

/** Addresses of the maximum length, with characters that become longer when they are normalised. */
const LONG = [
  `${'\ufdfa'.repeat(126)}@${'\ufdfa'.repeat(127)}`,
  `${String.fromCodePoint(...Array.from({ length: 126 }, (_, n) => 0x3300 + n))}@${String.fromCodePoint(...Array.from({ length: 127 }, (_, n) => 0xfbd3 + n))}`,
  `${'\u{1f9db}'.repeat(126)}@${'\u0390'.repeat(127)}`,
];

/**
 * Invisible characters, and characters that look different on each machine: an address with such a character can look
 * like another address.
 */
const UNSEEN: Readonly<Record<string, string>> = {
  'a soft hyphen': '\u00ad',
  'a change of direction': '\u202e',
  'an isolated change of direction': '\u2066',
  'an Arabic letter mark': '\u061c',
  'a blank without width': '\u200b',
  'a joiner': '\u200d',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a mark of an annotation': '\ufff9',
  'a tag character': '\u{e0041}',
  'an invisible sign of music': '\u{1d173}',
  'a control character': '\u0085',
  'a character of private use': '\ue000',
  'an unassigned code point': '\u0378',
  'a noncharacter': '\uffff',
  'a blank of another width': '\u3000',
  'a line separator': '\u2028',
};

describeOnEachEngine('the e-mail address of a user', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it.each(SAME)('%s belongs to one user, in any spelling', async (first, ...others) => {
    const user = await createUser(store, { email: first });
    expect(user.email).toBe(first);
    for (const email of others) {
      const taken = await store.call('POST', '/api/users', { body: aUser({ email }) });
      expect([email, taken.status, taken.body.code]).toEqual([email, 409, 'EMAIL_TAKEN']);
      expect(taken.body.detail).toContain(email);
      const found = await store.call('GET', `/api/users?email=${encodeURIComponent(email)}`);
      expect(found.body).toEqual([user]);
      const same = await resultOf(store, 'query ($email: String) { users(email: $email) { id } }', { email });
      expect(same.data.users).toEqual([{ id: String(user.id) }]);
    }
  });

  it.each(LONG)('may have the length that the contract allows, with any characters: %s', async (email) => {
    const user = await createUser(store, { email });
    expect(user.email).toBe(email);
    const again = await store.call('POST', '/api/users', { body: aUser({ email }) });
    expect(again.body.code).toBe('EMAIL_TAKEN');
  });

  it.each(Object.entries(UNSEEN))('is refused with %s, over REST and GraphQL', async (_what, character) => {
    const user = await createUser(store);
    const found = `email=${encodeURIComponent(`a${character}b@example.com`)}`;
    for (const email of [`a${character}b@example.com`, `ab@exam${character}ple.com`]) {
      const body = aUser({ email });
      for (const [method, path] of [
        ['POST', '/api/v1/users'],
        ['POST', '/api/v2/users'],
        ['PUT', `/api/v1/users/${user.id}`],
        ['PATCH', `/api/v2/users/${user.id}`],
      ] as const) {
        const answer = await store.call(method, path, { body });
        expect([answer.status, answer.body.errors]).toMatchObject([
          400,
          [{ pointer: '#/email', code: 'PATTERN' }],
        ]);
      }
      const { errors } = await resultOf(
        store,
        'mutation ($id: ID!, $email: String!) { createUser(name: "a", email: $email) { id } updateUser(id: $id, email: $email) { id } }',
        { id: user.id, email },
      );
      expect(errors).toMatchObject([
        { path: ['createUser'], extensions: { code: 'VALIDATION_FAILED' } },
        { path: ['updateUser'], extensions: { code: 'VALIDATION_FAILED' } },
      ]);
    }
    for (const version of ['v1', 'v2']) {
      expect((await store.call('GET', `/api/${version}/users?${found}`)).status).toBe(400);
    }
    expect((await store.call('GET', `/api/users/${user.id}`)).body).toEqual({ user });
  });

  it.each([
    '\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a',
    '\u0905\u091c\u092f@\u0921\u093e\u091f\u093e.\u092d\u093e\u0930\u0924',
    '\u0645\u062b\u0627\u0644@example.com',
    'o\u2019neil+shop@example.com',
    '\u{1f9db}@example.com',
  ])('may have any script: %s', async (email) => {
    expect((await createUser(store, { email })).email).toBe(email);
  });

  it('is reported as taken only to callers who may set it, and the report does not name its user', async () => {
    const [ada, bob] = [await createUser(store), await createUser(store)];
    const key = await createKey(store, [], bob.id);
    const change = { body: { email: ada.email } };
    const told = await store.call('PATCH', `/api/users/${bob.id}`, { ...change, key });
    expect([told.status, told.body.code, told.body.errors]).toEqual([409, 'EMAIL_TAKEN', undefined]);
    expect(told.body.detail).toBe(`Another user has the e-mail address ${ada.email}.`);
    // Each attempt counts against the limit of requests.
    expect(told.headers.get('ratelimit')).toMatch(/^"caller";r=\d+/);
    const anonymous = await store.call('PATCH', `/api/users/${bob.id}`, { ...change, key: null });
    expect(anonymous.status).toBe(401);
    // A caller who may not create users is refused before the service checks whether the address is taken.
    const made = await store.call('POST', '/api/users', { body: aUser({ email: ada.email }), key });
    expect([made.status, made.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('cannot be taken from another user by an update', async () => {
    const [ada, bob] = [await createUser(store), await createUser(store)];
    const email = ada.email.toUpperCase();
    for (const [method, body] of [
      ['PUT', { name: 'Bob', email }],
      ['PATCH', { email }],
    ] as const) {
      const answer = await store.call(method, `/api/users/${bob.id}`, { body });
      expect([answer.status, answer.body.code]).toEqual([409, 'EMAIL_TAKEN']);
    }
    const { errors } = await resultOf(
      store,
      'mutation ($id: ID!, $email: String) { updateUser(id: $id, email: $email) { id } }',
      { id: bob.id, email },
    );
    expect(errors[0].extensions).toMatchObject({ code: 'EMAIL_TAKEN', status: 409 });
    expect((await store.call('GET', `/api/users/${bob.id}`)).body).toEqual({ user: bob });
  });

  it('can be spelt in another way by its user, and this counts as a change', async () => {
    const user = await createUser(store);
    const path = `/api/users/${user.id}`;
    const before = await store.call('GET', path);
    const email = user.email.toUpperCase();
    const { status, body, headers } = await store.call('PATCH', path, { body: { email } });
    expect(status).toBe(200);
    expect(body.user.email).toBe(email);
    expect(headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('is free again after its user changed it or was deleted', async () => {
    const user = await createUser(store);
    await store.call('PATCH', `/api/users/${user.id}`, { body: { email: aUser().email } });
    const second = await createUser(store, { email: user.email });
    await store.call('DELETE', `/api/users/${second.id}`);
    const third = await createUser(store, { email: user.email });
    expect(third.id).toBeGreaterThan(second.id);
  });

  it('is given to exactly one of twenty concurrent users, over both protocols', async () => {
    const { email } = aUser();
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const spelt = n % 2 === 0 ? email : email.toUpperCase();
        if (n % 4 < 2) {
          const { status, body } = await store.call('POST', '/api/users', { body: aUser({ email: spelt }) });
          return status === 201 ? 'created' : body.code;
        }
        const { data, errors } = await resultOf(
          store,
          'mutation ($email: String!) { createUser(name: "a", email: $email) { id } }',
          { email: spelt },
        );
        return data.createUser ? 'created' : errors[0].extensions.code;
      }),
    );
    expect(tally(results)).toEqual({ created: 1, EMAIL_TAKEN: 19 });
    const { headers } = await store.call('GET', `/api/users?email=${email}`);
    expect(headers.get('x-total-count')).toBe('1');
  });

  it('cannot be exchanged by two users at the same time: both changes are refused', async () => {
    for (let n = 0; n < 10; n++) {
      const [ada, bob] = [await createUser(store), await createUser(store)];
      const answers = await Promise.all([
        store.call('PATCH', `/api/users/${ada.id}`, { body: { email: bob.email } }),
        store.call('PATCH', `/api/users/${bob.id}`, { body: { email: ada.email } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    }
  });
});
