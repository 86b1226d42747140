import type { TestApp } from './app.js';

/**
 * As the administrator, creates a key with these scopes. The key belongs to the user with this id, or to no user if the
 * id is null.
 */
export async function createKey(
  store: TestApp,
  scopes: readonly string[],
  userId: number | null = null,
): Promise<string> {
  const body = { name: 'test', scopes, ...(userId !== null && { user_id: userId }) };
  const answer = await store.call('POST', '/api/api-keys', { body });
  return (answer.body as { key: string }).key;
}
