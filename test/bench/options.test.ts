import { describe, expect, it } from 'vitest';
import { HELP, readOptions } from '../../bench/options.ts';
import { watchingUsers } from '../../bench/watchers.ts';

const URL = 'postgres://postgres@127.0.0.1/postgres';
const rowsWith = (...args: string[]): readonly string[] => [...(readOptions(args)?.only ?? [])];

describe('the options of the benchmark', () => {
  it('--postgres adds only the rows on PostgreSQL, and not the ladder', () => {
    expect(rowsWith('--postgres', URL)).toEqual([...rowsWith(), 'orders-postgres', 'fan-out-postgres']);
    expect(rowsWith('--postgres', URL, '--except', 'page')).not.toContain('page');
    expect(rowsWith('--only', 'ladder')).toEqual(['ladder']);
  });

  it('are explained: the help names each row that --only takes', () => {
    for (const name of [...rowsWith('--postgres', URL), 'ladder']) expect(HELP).toContain(name);
    expect(Math.max(...HELP.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

describe('the users who wait for their own orders', () => {
  it('are at most 100, and only users for whom the benchmark places no orders', () => {
    expect(watchingUsers(100_000)).toEqual(Array.from({ length: 100 }, (_, index) => 5 + index));
    expect(watchingUsers(200)).toEqual(Array.from({ length: 16 }, (_, index) => 5 + index));
    expect(() => watchingUsers(40)).toThrow('Watchers need 50 products or more, not 40');
  });
});
