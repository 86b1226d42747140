import { expect, it, vi } from 'vitest';
import type { Caller } from '../../../src/engine/access/caller.js';
import { ConnectionCredentials } from '../../../src/engine/access/connection-credentials.js';
import type { Credentials } from '../../../src/engine/access/credentials.js';
import { Unauthenticated } from '../../../src/engine/errors/errors.js';
import { ANONYMOUS, type Principal } from '../../../src/engine/access/principal.js';

const CALLER = { headers: { 'x-api-key': 'a' }, ip: '192.0.2.1' } as unknown as Caller;

function principalWith(...scopes: string[]): Principal {
  return { ...ANONYMOUS, kind: 'client', id: 'key 1', scopes: new Set(scopes) } as unknown as Principal;
}

const newListener = () => vi.fn<(error: Error) => void>();

it('a change of rights ends the connections that have the earlier rights, and no others', async () => {
  let present = principalWith('orders:read');
  const credentials = { principalOf: () => present } as unknown as Credentials;
  const connections = new ConnectionCredentials(credentials);
  try {
    const [ended, endedToo, notEnded] = [newListener(), newListener(), newListener()];
    const first = await connections.hold(CALLER, ended);
    const second = await connections.hold(CALLER, endedToo);
    expect(second.credential).toBe(first.credential);
    present = principalWith('orders:read', 'orders:write');
    const third = await connections.hold(CALLER, notEnded);
    await expect(first.credential.confirm()).rejects.toThrow(Unauthenticated);
    await third.credential.confirm();
    expect([ended, endedToo, notEnded].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
    for (const handle of [first, second, third]) handle.release();
    expect(connections.count).toBe(0);
  } finally {
    connections.onModuleDestroy();
  }
});
