import type { Call, TestApp } from './app.js';
import { createUser, type UserBody } from '../fixtures/fixtures.js';

export const PASSWORD = 'correct horse battery staple';

/** The value of `Authorization` (RFC 7617). */
export function basic(email: string, password = PASSWORD): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
}

/** A call without another credential. */
export function asBasic(email: string, password = PASSWORD): Call {
  return { key: null, headers: { authorization: basic(email, password) } };
}

/** A user with a password. */
export async function createUserWithPassword(store: TestApp, password = PASSWORD): Promise<UserBody> {
  const user = await createUser(store);
  await store.call('PATCH', `/api/users/${user.id}`, { body: { password } });
  return user;
}
