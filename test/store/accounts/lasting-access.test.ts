import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { Credentials } from '../../../src/engine/access/credentials.js';
import { FIELDS } from '../../../src/generated/fields.js';
import { bodyOf } from '../../../testkit/contract/relations.js';
import { filledPath } from '../../../testkit/contract/good-requests.js';
import { flat } from '../../../testkit/contract/schemas.js';
import type { Operation, Schema } from '../../../testkit/contract/model.js';
import { startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword, hashCheaply } from '../../support/clients/basic.js';
import { openAs } from '../../support/clients/live.js';
import {
  goodDocument,
  goodPathValues,
  RELATED_OPERATIONS,
  relatedOperation,
  requestsTo,
} from '../../support/clients/requests.js';
import {
  describeOnEachEngine,
  migratedDatabase,
  type FreshDatabase,
} from '../../support/fixtures/database.js';
import { createUser, type UserBody } from '../../support/fixtures/fixtures.js';
import { resultOf } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';

/*
 * An instance may use facts about credentials that are a second old. But an act that gives lasting access checks the
 * credential with the facts of the database. Otherwise an ended credential could make a credential that does not end.
 */

const NEW = 'another good password';

function members(schema: Schema | undefined): readonly (readonly [string, Schema])[] {
  return Object.entries(flat(schema ?? {}).properties ?? {});
}

/** Whether an operation answers with a secret, stores a password, or gives an identity access to the rows of a user. */
function givesAccess(operation: Operation): boolean {
  const answers = [...(operation.responses.get(operation.success)?.content.values() ?? [])];
  return (
    answers.flatMap(members).some(([, member]) => 'x-shown-once' in member) ||
    members(bodyOf(operation)).some(([name]) => name === 'password') ||
    operation.makes?.entity === 'Identity'
  );
}

const GIVING = RELATED_OPERATIONS.filter(givesAccess).map(({ id }) => id);
const GIVING_FIELDS = Object.keys(FIELDS).filter((name) => GIVING.includes(name.replace('Mutation.', '')));

it('the operations that give lasting access are found in the contract', () => {
  for (const id of ['createApiKey', 'rotateApiKey', 'createClient', 'rotateClientSecret', 'createIdentity'])
    expect(GIVING).toEqual(expect.arrayContaining([id, `${id}V2`]));
  for (const id of ['createUser', 'replaceUser', 'updateUser']) expect(GIVING).toContain(id);
  expect(GIVING_FIELDS).toEqual(['Mutation.createUser', 'Mutation.updateUser']);
});

describeOnEachEngine('an act that gives lasting access', (engine) => {
  let database: FreshDatabase;
  /** Credentials end here. */
  let left: TestApp;
  /** For this instance, the second in which it may use old facts is never over. */
  let right: TestApp;
  beforeAll(async () => {
    database = await migratedDatabase(engine);
    left = await startApp(engine, { STORE_DATABASE_URL: database.url });
    right = await startApp(engine, { STORE_DATABASE_URL: database.url });
    for (const store of [left, right]) hashCheaply(store);
    vi.spyOn(right.app.get(CredentialChanges, { strict: false }), 'isFresh').mockReturnValue(true);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await right.close();
    await left.close();
    await database.drop();
  });

  /** A key of the administrator that has ended, although the right instance still accepts it. */
  const endedKey = async (): Promise<string> => {
    const key = await createKey(left, ['admin']);
    const use = async () => (await right.call('GET', '/api/v2/credential', { key })).status;
    expect(await use()).toBe(200);
    await left.call('DELETE', `/api/v2/api-keys/${key.split('_')[1]}`);
    expect(await use()).toBe(200);
    return key;
  };

  /** A user whose old password the right instance still accepts, and who has no keys. */
  const userWithNewPassword = async (): Promise<{ user: UserBody; old: Call }> => {
    const user = await createUserWithPassword(left);
    const old = asBasic(user.email);
    const use = async () => (await right.call('GET', '/api/v2/users/me', old)).status;
    expect(await use()).toBe(200);
    const body = { password: NEW, revoke_keys: true };
    await left.call('PATCH', `/api/v2/users/${user.id}`, { ...old, body });
    expect(await use()).toBe(200);
    return { user, old };
  };

  const isGood = async (call: Call): Promise<boolean> =>
    (await left.call('GET', '/api/v2/users/me', call)).status === 200;

  it.each(GIVING)('is refused after the end of the credential at another instance: %s', async (id) => {
    const operation = relatedOperation(id);
    const key = await endedKey();
    const send = async (call: Call) => {
      const path = filledPath(operation.path, await goodPathValues(left, id));
      const body = await requestsTo(left).body(operation, withPassword(operation));
      return right.call(operation.method, path, { ...call, body });
    };
    expect((await send({ key })).body).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect((await send({})).status).toBe(operation.success);
  });

  it.each(GIVING_FIELDS)('is refused in the same way in GraphQL: %s', async (name) => {
    const text = () => goodDocument(left, name, { password: NEW });
    const { data, errors } = await resultOf(right, await text(), {}, { key: await endedKey() });
    expect([data, errors[0].extensions.code]).toEqual([{ field: null }, 'UNAUTHENTICATED']);
    expect(await resultOf(right, await text())).not.toHaveProperty('errors');
  });

  it('is refused in the same way on an open WebSocket, and over server-sent events', async () => {
    const key = await createKey(left, ['admin']);
    const raw = await openAs(right, key);
    onTestFinished(() => raw.socket.terminate());
    await left.call('DELETE', `/api/v2/api-keys/${key.split('_')[1]}`);
    const query = await goodDocument(left, 'Mutation.createUser', { password: NEW });
    raw.say({ type: 'subscribe', id: '1', payload: { query } });
    const { payload } = (await raw.hear()) as {
      payload: { errors: { extensions: { code: string } }[] };
    };
    expect(payload.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const response = await fetch(`${right.url}/graphql/stream`, {
      method: 'POST',
      headers: {
        'x-api-key': await endedKey(),
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('"code":"UNAUTHENTICATED"')]);
  });

  it('is refused with a password that was replaced at another instance', async () => {
    const { user, old } = await userWithNewPassword();
    const path = `/api/v2/users/${user.id}`;
    const key = await right.call('POST', '/api/v2/api-keys', { ...old, body: { name: 'stay' } });
    const taken = await right.call('PATCH', path, { ...old, body: { password: 'of an attacker' } });
    expect([key.status, taken.status]).toEqual([401, 401]);
    expect(await isGood(asBasic(user.email, NEW))).toBe(true);
    expect(await isGood(asBasic(user.email, 'of an attacker'))).toBe(false);
    const { body } = await left.call('GET', `/api/v2/api-keys?user_id=${user.id}`);
    expect(body.data).toEqual([]);
  });

  it('makes no key that survives a new password which ends all keys at the same moment', async () => {
    const user = await createUserWithPassword(left);
    const [old, body] = [asBasic(user.email), { password: NEW, revoke_keys: true }];
    afterConfirm(right, () => left.call('PATCH', `/api/v2/users/${user.id}`, { ...old, body }));
    const made = await right.call('POST', '/api/v2/api-keys', { ...old, body: { name: 'stay' } });
    expect(made.status).toBe(401);
    const keys = await left.call('GET', `/api/v2/api-keys?user_id=${user.id}`);
    expect(keys.body.data).toEqual([]);
  });

  it('makes a key if the credential of somebody else ends at the same moment, also with an Idempotency-Key', async () => {
    const [user, other] = [await createUser(left), await createUserWithPassword(left)];
    const key = await createKey(left, [], user.id);
    afterConfirm(right, () =>
      left.call('PATCH', `/api/v2/users/${other.id}`, { body: { password: NEW, revoke_keys: true } }),
    );
    const call = { key, headers: { 'idempotency-key': 'one' }, body: { name: 'next' } };
    const [made, again] = [
      await right.call('POST', '/api/v2/api-keys', call),
      await right.call('POST', '/api/v2/api-keys', call),
    ];
    expect([made.status, again.status, again.body.key]).toEqual([201, 201, made.body.key]);
    expect(await isGood({ key: made.body.key as string })).toBe(true);
  });

  it('does not replace a password that was set after the last check of the old one', async () => {
    const user = await createUserWithPassword(left);
    const path = `/api/v2/users/${user.id}`;
    const old = asBasic(user.email);
    afterConfirm(right, () => left.call('PATCH', path, { ...old, body: { password: NEW } }));
    const late = await right.call('PATCH', path, { ...old, body: { password: 'of an attacker' } });
    expect([late.status, late.body.detail]).toEqual([
      403,
      'The password was changed while this request was in progress.',
    ]);
    expect(await isGood(asBasic(user.email, NEW))).toBe(true);
  });
});

function withPassword(operation: Operation): object {
  return members(bodyOf(operation)).some(([name]) => name === 'password') ? { password: NEW } : {};
}

/** Runs `change` after the next check of a credential for an act that gives lasting access, and before this act. */
function afterConfirm(store: TestApp, change: () => Promise<unknown>): void {
  const credentials = store.app.get(Credentials, { strict: false });
  const confirmNow = credentials.confirmNow.bind(credentials);
  const spy = vi.spyOn(credentials, 'confirmNow').mockImplementationOnce(async (...caller) => {
    const number = await confirmNow(...caller);
    await change();
    return number;
  });
  onTestFinished(() => spy.mockRestore());
}
