import { argon2Sync, randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { Passwords } from '../../../src/store/users/passwords.js';
import type { Call, TestApp } from './app.js';
import { createUser, type UserBody } from '../fixtures/fixtures.js';

export const PASSWORD = 'correct horse battery staple';

/** The value of `Authorization` (RFC 7617). */
export function basic(email: string, password = PASSWORD): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
}

/** A call with this e-mail address and password as its only credential. */
export function asBasic(email: string, password = PASSWORD): Call {
  return { key: null, headers: { authorization: basic(email, password) } };
}

/**
 * From now on new password hashes are cheap to create. They are cheap to verify too, because each hash contains its
 * cost. This is for test files that check many passwords and do not test the hashes.
 */
export function hashCheaply(store: TestApp): void {
  vi.spyOn(store.app.get(Passwords, { strict: false }), 'hash').mockImplementation((password) => {
    const nonce = randomBytes(16);
    const cost = { memory: 8, passes: 1, parallelism: 1 };
    const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost });
    const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    return Promise.resolve(`$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`);
  });
}

/** A user with a password. */
export async function createUserWithPassword(store: TestApp, password = PASSWORD): Promise<UserBody> {
  const user = await createUser(store);
  await store.call('PATCH', `/api/users/${user.id}`, { body: { password } });
  return user;
}
