import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from '../../../src/engine/graphql/pace.js';

describe('the executions for subscribers', () => {
  let pace: Pace;
  let begun: number[];
  let now: number;
  beforeEach(() => {
    pace = new Pace();
    begun = [];
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Takes all its time in this turn of the event loop, but after several promises, as executions on SQLite do. */
  const promised = async (n: number, ms: number): Promise<void> => {
    begun.push(n);
    for (let step = 0; step < ms; step += 1) {
      await Promise.resolve();
      now += 1;
    }
  };
  /** Asks for the next result as soon as it has the last one, as a reader of old events does. */
  const reader = async (): Promise<void> => {
    for (let n = 0; n < 6; n += 1) await pace.run(() => promised(n, 4));
  };
  /** Waits for the database until `answer` is called. */
  const answers: (() => void)[] = [];
  const waiting = (n: number): Promise<void> => {
    begun.push(n);
    return new Promise((resolve) => answers.push(resolve));
  };
  const all = <T>(count: number, work: (n: number) => T) =>
    Array.from({ length: count }, (_, n) => pace.run(() => work(n)) as T);

  it('take 10 ms of a turn of the event loop, also if they take their time in promises', async () => {
    const next = nextTurn();
    const done = all(6, (n) => promised(n, 4));
    await next;
    expect(begun).toEqual([0, 1, 2]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    await Promise.all(done);
  });

  it('take 10 ms of a turn of the event loop if they need no promises', async () => {
    all(6, (n) => {
      begun.push(n);
      now += 5;
    });
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('take 10 ms of a turn, even if each one begins only when another one has ended', async () => {
    const next = nextTurn();
    const read = reader();
    await next;
    expect(begun).toEqual([0, 1, 2]);
    await read;
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('wait for the database at most eight at a time, in order', async () => {
    const done = all(10, waiting);
    expect(begun).toEqual([0]);
    // The first execution did not end in its turn, so the others do not wait for it.
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(pace.queued).toBe(2);
    answers[3]?.();
    await nextTurn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const answer of answers) answer();
    await nextTurn();
    for (const answer of answers) answer();
    await Promise.all(done);
    expect(begun).toHaveLength(10);
  });

  it('go on after one of them has failed', async () => {
    const results = await Promise.allSettled([
      pace.run(() => Promise.reject(new Error('The database is gone'))),
      pace.run(() => Promise.resolve('a result')),
      pace.run(() => {
        throw new Error('A bug');
      }),
      pace.run(() => 'another result'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
