import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../src/engine/access/caller.js';
import { CredentialCache } from '../../../src/engine/access/credential-cache.js';
import { AccessConfig } from '../../../src/engine/config/slices.js';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { ANONYMOUS } from '../../../src/engine/access/principal.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { basic } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';

const PASSWORD = 'correct horse battery staple';

describe('the credential cache', () => {
  let store: TestApp;
  let kept: CredentialCache;
  beforeAll(async () => {
    store = await startApp('sqlite');
    kept = store.app.get(CredentialCache, { strict: false });
  });
  afterAll(() => store.close());

  it('remembers that a password was right only for the same texts, and only for a limited time', () => {
    kept.note(['password', '1', 'one', 'hash'], 60_000);
    expect(kept.isNoted(['password', '1', 'one', 'hash'])).toBe(true);
    for (const texts of [
      ['password', '2', 'one', 'hash'],
      ['password', '1', 'two', 'hash'],
      ['password', '1', 'one', 'changed'],
      ['password', '1,one', 'hash'],
    ]) {
      expect(kept.isNoted(texts)).toBe(false);
    }
    kept.note(['password', '1', 'one', 'hash'], 0);
    expect(kept.isNoted(['password', '1', 'one', 'hash'])).toBe(false);
    const other = new CredentialCache(
      store.app.get(CredentialChanges, { strict: false }),
      store.app.get(AccessConfig, { strict: false }),
    );
    expect(other.isNoted(['password', '1', 'one', 'hash'])).toBe(false);
  });

  it('finds the key of the administrator only in X-API-Key', () => {
    const name = kept.nameOf({ 'x-api-key': ADMIN_KEY });
    expect(kept.nameOf({ 'x-api-key': ADMIN_KEY })).toBe(name);
    expect(kept.nameOf({ authorization: ADMIN_KEY })).not.toBe(name);
    expect(kept.nameOf({ 'x-api-key': `${ADMIN_KEY}x` })).not.toBe(name);
  });

  it('computes the hash of a credential only once in a request, with an API key and with Basic', async () => {
    const body = { name: 'Ada', email: 'ada.cache@example.com', password: PASSWORD };
    expect((await store.call('POST', '/api/v1/users', { body })).status).toBe(201);
    const naming = vi.spyOn(kept, 'nameOf');
    try {
      for (const headers of [
        { 'x-api-key': ADMIN_KEY },
        { 'x-api-key': await createKey(store, ['orders:read']) },
        { authorization: basic(body.email, PASSWORD) },
      ]) {
        for (const time of ['first', 'second']) {
          naming.mockClear();
          const { status } = await store.call('GET', '/api/v1/products', { key: null, headers });
          expect([time, status, naming.mock.calls.length]).toEqual([time, 200, 1]);
        }
      }
    } finally {
      naming.mockRestore();
    }
  });

  it('refuses an expired credential at each try, even if the clock was set back', async () => {
    const caller = { headers: { 'x-api-key': 'one' }, ip: '127.0.0.1' } as Caller;
    const name = kept.nameOf(caller.headers);
    const proven = { principal: ANONYMOUS, until: Date.now() + 60_000, keptMs: 0 };
    expect(await kept.keep(name, proven, caller)).toBe(ANONYMOUS);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    const elapsed = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    try {
      expect(await kept.keep(name, proven, caller)).toBe(ANONYMOUS);
      elapsed.mockReturnValue(performance.now() + 60_000);
      for (let time = 0; time < 2; time += 1) {
        await expect(kept.keep(name, proven, caller)).rejects.toThrow('The credential has expired.');
        kept.forget(name);
        expect(kept.wasGood(name)).toBe(false);
      }
    } finally {
      clock.mockRestore();
      elapsed.mockRestore();
      kept.forget(name);
    }
  });

  it('has a maximum size: it forgets the oldest credential first', () => {
    kept.note(['the oldest'], 60_000);
    kept.note(['a second one'], 60_000);
    expect(kept.isNoted(['the oldest'])).toBe(true);
    for (let n = 1; n < 20_000; n += 1) kept.note([`many ${n}`], 60_000);
    expect(kept.isNoted(['the oldest'])).toBe(false);
    expect(kept.isNoted(['a second one'])).toBe(true);
    kept.note(['one more'], 60_000);
    expect(kept.isNoted(['a second one'])).toBe(false);
  });
});
