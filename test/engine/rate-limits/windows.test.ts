import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseQuotas } from '../../../src/engine/config/quotas.js';
import { networkOf } from '../../../src/engine/rate-limits/network.js';
import { Windows } from '../../../src/engine/rate-limits/windows.js';

describe('Windows', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('gives all requested units, or none', () => {
    const windows = new Windows({ units: 10, seconds: 1 });
    expect(windows.take('a', 7)).toEqual({ isTaken: true, left: 3, resetsAt: 1000 });
    expect(windows.take('a', 4)).toEqual({ isTaken: false, left: 3, resetsAt: 1000 });
    expect(windows.take('a', 3)).toEqual({ isTaken: true, left: 0, resetsAt: 1000 });
    expect([windows.isSpent('a'), windows.isSpent('b')]).toEqual([true, false]);
    vi.advanceTimersByTime(1000);
    expect(windows.isSpent('a')).toBe(false);
    expect(windows.take('a', 11)).toEqual({ isTaken: false, left: 10, resetsAt: 2000 });
  });

  it('gives back at most the units that were taken', () => {
    const windows = new Windows({ units: 2, seconds: 1 });
    windows.giveBack('a');
    windows.take('a', 1);
    windows.giveBack('a');
    windows.giveBack('a');
    expect(windows.take('a', 1).left).toBe(1);
  });

  it('takes over the count of all instances, which Redis returns', () => {
    const windows = new Windows({ units: 10, seconds: 60 });
    windows.take('a', 1);
    windows.learn('a', 4, 59_990);
    expect(windows.take('a', 1)).toEqual({ isTaken: true, left: 3, resetsAt: 60_000 });
    vi.advanceTimersByTime(60_000);
    windows.learn('a', 9, 119_000);
    expect(windows.take('a', 1)).toEqual({ isTaken: true, left: 8, resetsAt: 119_000 });
  });

  it('forgets windows that have ended, and the oldest windows when there are too many', () => {
    const windows = new Windows({ units: 1, seconds: 1 }, 1000);
    for (let i = 0; i < 5000; i += 1) windows.take(`first ${i}`, 1);
    expect(windows.size).toBe(1000);
    expect([windows.isSpent('first 3999'), windows.isSpent('first 4000')]).toEqual([false, true]);
    vi.advanceTimersByTime(1000);
    for (let i = 0; i < 1000; i += 1) windows.take(`second ${i}`, 1);
    expect(windows.size).toBe(1000);
    vi.advanceTimersByTime(1000);
    for (let i = 0; i < 600; i += 1) windows.take(`third ${i}`, 1);
    expect(windows.size).toBe(600);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['', 'unknown'],
    ['somebody', 'unknown'],
    ['1:'.repeat(100), 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('STORE_RATE_LIMIT', () => {
  it('names quotas, and missing quotas have default values', () => {
    expect(parseQuotas('off')).toBeNull();
    const anonymous = { units: 5, seconds: 1 };
    expect(parseQuotas('anonymous=5/s')).toEqual({ anonymous, caller: { units: 1200, seconds: 60 } });
    expect(parseQuotas('caller=9/h, anonymous=5/s')).toEqual({
      anonymous,
      caller: { units: 9, seconds: 3600 },
    });
  });

  it.each([
    '',
    'on',
    'anonymous',
    'anonymous=0/s',
    'anonymous=1/day',
    'caller=-1/s',
    'x=1/s',
    'caller=1/s,caller=2/s',
  ])('refuses «%s»', (text) => {
    expect(() => parseQuotas(text)).toThrow(
      'must be off, or a list such as anonymous=120/min,caller=1200/min',
    );
  });
});
