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

it('a sweep checks each credential at most once, and the next sweep begins with the others', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const credentials = { principalOf: () => principalWith() } as unknown as Credentials;
  const connections = new ConnectionCredentials(credentials);
  try {
    const hold = async (n: number) => {
      const { credential } = await connections.hold({ ...CALLER, ip: `192.0.2.${n}` }, newListener());
      return vi.spyOn(credential, 'confirm');
    };
    const checks = [await hold(0)];
    const sweep = (): number[] => {
      for (const check of checks) check.mockClear();
      vi.advanceTimersByTime(1_000);
      return checks.map(({ mock }) => mock.calls.length);
    };
    expect(sweep()).toEqual([0]);
    expect(sweep()).toEqual([1]);
    for (let n = 1; n < 150; n += 1) checks.push(await hold(n));
    sweep();
    const [first, second] = [sweep(), sweep()];
    for (const counts of [first, second]) {
      expect(Math.max(...counts)).toBe(1);
      expect(counts.filter((count) => count === 1)).toHaveLength(100);
    }
    expect(first.map((count, n) => count + (second[n] ?? 0))).not.toContain(0);
  } finally {
    connections.onModuleDestroy();
    vi.useRealTimers();
  }
});
