import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.js';
import { RateLimited, Unavailable } from '../../../src/engine/errors/errors.js';
import { HeldBytes, type Holder } from '../../../src/engine/rate-limits/held-bytes.js';
import { MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, Places } from '../../../src/engine/rate-limits/places.js';
import { parseSubscriptionLimits } from '../../../src/engine/config/subscription-limits.js';
import type { Subject } from '../../../src/engine/rate-limits/rate-limits.js';

const address = (name: string): Subject => ({ policy: 'anonymous', name, isBounded: true });
const caller = (name: string): Subject => ({ policy: 'caller', name, isBounded: true });

const placesOf = (limits: string) => new Places(loadConfig({ STORE_SUBSCRIPTION_LIMITS: limits }).limits);

describe('places for open connections', () => {
  it('are limited for each address and for each caller, and the refusal names the limit', () => {
    const places = placesOf('anonymous=2,caller=3,process=100');
    const taken = [1, 2].map(() => places.take('subscriptions', address('a')));
    expect(() => places.take('subscriptions', address('a'))).toThrow(
      new RateLimited(
        'The limit "anonymous" of subscriptions is 2 at a time, and 2 are open. End some of them first, or ask for less.',
        10,
      ),
    );
    places.take('subscriptions', address('b'));
    places.take('WebSockets', address('a'));
    for (let n = 0; n < 3; n++) places.take('subscriptions', caller('a'));
    expect(() => places.take('subscriptions', caller('a'))).toThrow(/"caller" of subscriptions is 3/);
    taken[0]?.free();
    taken[0]?.free();
    places.take('subscriptions', address('a'));
    expect(() => places.take('subscriptions', address('a'))).toThrow(RateLimited);
  });

  it('are limited in total, and anonymous clients get at most half of them', () => {
    const places = placesOf('anonymous=9,caller=9,process=10');
    const taken = Array.from({ length: 5 }, (_, n) => places.take('WebSockets', address(`${n}`)));
    expect(() => places.take('WebSockets', address('x'))).toThrow(Unavailable);
    for (let n = 0; n < 5; n++) places.take('WebSockets', caller('a'));
    expect(() => places.take('WebSockets', caller('b'))).toThrow(Unavailable);
    taken[0]?.free();
    places.take('WebSockets', caller('b'));
    expect(places.unitsOf('WebSockets')).toBe(10);
  });

  it('count a shared object once for each caller, until the last subscription of the caller has ended', () => {
    const places = placesOf('anonymous=9,caller=9,process=100');
    const shared = { weight: 5 };
    const first = places.take('subscriptions', caller('a'), [shared]);
    const second = places.take('subscriptions', caller('a'), [shared]);
    const other = places.take('subscriptions', caller('b'), [shared]);
    expect(places.unitsOf('subscriptions')).toBe(8);
    expect(() => places.take('subscriptions', caller('a'), [{ weight: 2 }])).toThrow(/This one counts as 3/);
    first.free();
    expect(places.unitsOf('subscriptions')).toBe(7);
    second.free();
    other.free();
    expect([places.unitsOf('subscriptions'), places.countSubjects('subscriptions')]).toEqual([0, 0]);
  });

  it('move from the address to the caller, and stay with the address if the caller has no free place', () => {
    const places = placesOf('anonymous=1,caller=1,process=2');
    const first = places.take('WebSockets', address('a'));
    first.moveTo(caller('a'));
    const second = places.take('WebSockets', address('a'));
    expect(() => second.moveTo(caller('a'))).toThrow(RateLimited);
    expect(() => places.take('WebSockets', address('a'))).toThrow(RateLimited);
    second.free();
    second.moveTo(caller('b'));
    first.free();
    expect([places.unitsOf('WebSockets'), places.countSubjects('WebSockets')]).toEqual([0, 0]);
  });

  it('are unlimited without rate limits, except for the limit of the process', () => {
    const places = placesOf('anonymous=1,caller=1,process=4');
    const anybody = { ...address('a'), isBounded: false };
    const known = { ...caller('a'), isBounded: false };
    places.take('WebSockets', anybody);
    places.take('WebSockets', anybody);
    expect(() => places.take('WebSockets', anybody)).toThrow(Unavailable);
    places.take('WebSockets', known);
    places.take('WebSockets', known);
    expect(() => places.take('WebSockets', known)).toThrow(Unavailable);
  });
});

describe('the messages of an address', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are counted together, also if all its places have ended meanwhile', () => {
    const places = placesOf('anonymous=9,caller=9,process=100');
    const first = places.take('WebSockets', address('a'));
    expect(first.takeMessages(MESSAGES_AT_ONCE)).toBe(true);
    first.free();
    expect(places.take('WebSockets', address('b')).takeMessages(1)).toBe(true);
    const second = places.take('WebSockets', address('a'));
    expect(second.takeMessages(1)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([second.takeMessages(MESSAGES_PER_SECOND), second.takeMessages(1)]).toEqual([true, false]);
  });

  it('are remembered only until the address may send as many again', () => {
    const places = placesOf('anonymous=9,caller=9,process=100');
    const place = places.take('WebSockets', address('a'));
    place.takeMessages(MESSAGES_PER_SECOND);
    place.free();
    vi.advanceTimersByTime(999);
    expect(places.countSubjects('WebSockets')).toBe(1);
    const again = places.take('WebSockets', address('a'));
    vi.advanceTimersByTime(5000);
    expect(places.countSubjects('WebSockets')).toBe(1);
    again.free();
    expect([places.countSubjects('WebSockets'), vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('are remembered with one timer, even if the address comes and goes again and again', () => {
    const places = placesOf('anonymous=9,caller=9,process=100');
    for (let n = 0; n < 20; n += 1) {
      const place = places.take('WebSockets', address('a'));
      place.takeMessages(MESSAGES_PER_SECOND);
      place.free();
      vi.advanceTimersByTime(100);
    }
    expect([places.countSubjects('WebSockets'), vi.getTimerCount()]).toEqual([1, 1]);
    vi.advanceTimersByTime(20_000);
    expect([places.countSubjects('WebSockets'), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('STORE_SUBSCRIPTION_LIMITS', () => {
  it('has the default values for missing parts', () => {
    expect(parseSubscriptionLimits('caller=7')).toEqual({ anonymous: 200, caller: 7, process: 20_000 });
  });

  it.each(['off', 'caller', 'caller=0', 'caller=1,caller=2', 'caller=1/min', 'address=3', ''])(
    'refuses %s',
    (text) => {
      expect(() => parseSubscriptionLimits(text)).toThrow('must be a list such as anonymous=200');
    },
  );
});

describe('waiting messages', () => {
  const MEGABYTE = 1_048_576;

  it('are limited for all clients together, and the client with the most waiting bytes is disconnected first', () => {
    const held = new HeldBytes();
    const gone: number[] = [];
    const holders = Array.from({ length: 10 }, (_, n): Holder => ({ letGo: () => gone.push(n) }));
    holders.forEach((holder, n) => held.set(holder, (n + 5) * MEGABYTE));
    expect([held.total, gone]).toEqual([95 * MEGABYTE, []]);
    held.set(holders[0] as Holder, 39 * MEGABYTE);
    expect(gone).toEqual([0]);
    expect(held.total).toBe(90 * MEGABYTE);
    for (const holder of holders) held.set(holder, 0);
    expect([held.total, held.holders]).toEqual([0, 0]);
  });
});
