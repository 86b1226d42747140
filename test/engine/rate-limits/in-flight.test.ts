import { describe, expect, it } from 'vitest';
import { InFlight } from '../../../src/engine/rate-limits/in-flight.js';

describe('the requests under way', () => {
  it('are counted again from 0 when all of them have ended', () => {
    const inFlight = new InFlight(2);
    for (let round = 0; round < 3; round += 1) {
      expect([1, 2, 3].map(() => inFlight.enter('a'))).toEqual([true, true, false]);
      inFlight.leave('a');
      inFlight.leave('a');
    }
  });

  it('keep the names of callers with running requests, and a bounded number of other names', () => {
    const inFlight = new InFlight(1);
    inFlight.enter('running');
    for (let n = 0; n < 5_000; n += 1) {
      inFlight.enter(`a${n}`);
      inFlight.leave(`a${n}`);
      expect(inFlight.size).toBeLessThanOrEqual(1_002);
    }
    expect(inFlight.enter('running')).toBe(false);
    inFlight.leave('running');
    expect(inFlight.enter('running')).toBe(true);
  });
});
