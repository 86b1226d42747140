import type { TestApp } from './app.js';

/** Creates a key with these scopes as the administrator, for a client or for a user. */
export async function createKey(
  store: TestApp,
  scopes: readonly string[],
  userId: number | null = null,
): Promise<string> {
  const body = { name: 'test', scopes, ...(userId !== null && { user_id: userId }) };
  const answer = await store.call('POST', '/api/api-keys', { body });
  return (answer.body as { key: string }).key;
}
