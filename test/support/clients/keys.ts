import type { TestApp } from './app.js';

/** A key with these scopes, of a client or of a user, made by the administrator. */
export async function createKey(
  store: TestApp,
  scopes: readonly string[],
  userId: number | null = null,
): Promise<string> {
  const body = { name: 'test', scopes, ...(userId !== null && { user_id: userId }) };
  const answer = await store.call('POST', '/api/api-keys', { body });
  return (answer.body as { key: string }).key;
}
