import type { TestApp } from './app.js';

export interface ClientBody {
  id: number;
  client_id: string;
  client_secret: string | null;
  redirect_uris: string[];
}

/** The body of a request that makes a client. */
export function aClient(overrides: Record<string, unknown> = {}) {
  return {
    name: 'Courier app',
    grant_types: ['client_credentials'],
    scopes: ['orders:read'],
    ...overrides,
  };
}

/** A client that is really there, made by the administrator. */
export async function createClient(
  store: TestApp,
  overrides: Record<string, unknown> = {},
): Promise<ClientBody> {
  return (await store.call('POST', '/api/clients', { body: aClient(overrides) })).body as ClientBody;
}
