import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Passwords } from '../../../src/store/users/passwords.js';
import { delayAfter, LoginThrottle } from '../../../src/store/users/login-throttle.js';
import { Unavailable } from '../../../src/engine/errors/errors.js';

const wrong = () => Promise.resolve(false);
const right = () => Promise.resolve(true);

describe('delayAfter', () => {
  it('is zero at first, then doubles, and has a maximum', () => {
    expect([0, 4, 5, 6, 7, 50].map(delayAfter)).toEqual([0, 0, 250, 500, 1000, 10_000]);
  });
});

describe('attempts', () => {
  it('for one account from one address run one after the other, and a ninth attempt is refused', async () => {
    const tries = new LoginThrottle();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let running = 0;
    const held = () => {
      running += 1;
      return promise;
    };
    const begun = Array.from({ length: 8 }, () => tries.run('ada 10.0.0.1', held));
    await expect(tries.run('ada 10.0.0.1', held)).rejects.toThrow(Unavailable);
    expect(running).toBe(1);
    // Attempts from another address, and for another account, do not wait for these attempts.
    expect(await tries.run('ada 10.0.0.2', right)).toBe(true);
    expect(await tries.run('eve 10.0.0.1', wrong)).toBe(false);
    resolve(true);
    expect(await Promise.all(begun)).toEqual(begun.map(() => true));
    expect(running).toBe(8);
  });

  it('that end with an error block no other attempt', async () => {
    const tries = new LoginThrottle();
    await expect(tries.run('ada', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(await tries.run('ada', right)).toBe(true);
  });
});

describe('the memory use of the login throttle', () => {
  it('does not grow with invented names of accounts', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const tries = new LoginThrottle();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 10_000; n += 1)
      await tries.run(Buffer.alloc(4_000, `${n} `).toString('latin1'), wrong);
    collectGarbage();
    // All the names together have 40 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(await tries.run('ada 10.0.0.1', right)).toBe(true);
  });
});

describe('passwords', () => {
  it('are hashed with a new salt each time, and can be verified', async () => {
    const passwords = new Passwords();
    const hashes = [await passwords.hash('one'), await passwords.hash('one')] as const;
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(await passwords.isRight('one', hashes[0])).toBe(true);
    expect(await passwords.isRight('two', hashes[0])).toBe(false);
    expect(await passwords.isRight('one', null)).toBe(false);
  });

  it('are neither checked nor hashed while too many are waiting, and are checked again afterwards', async () => {
    const passwords = new Passwords();
    const begun = Array.from({ length: 52 }, () => passwords.hash('x'));
    await expect(passwords.isRight('x', null)).rejects.toThrow(Unavailable);
    await expect(passwords.hash('x')).rejects.toThrow(Unavailable);
    expect(await Promise.all(begun)).toHaveLength(52);
    expect(await passwords.isRight('x', null)).toBe(false);
  });
});
