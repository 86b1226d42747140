/** Random numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** Mulberry32. The same seed gives the same numbers, so a failure can be repeated. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random integers from 0 up to, but not including, a bound. The same seed gives the same numbers. */
export function integersFrom(seed: number): (below: number) => number {
  const random = randomFrom(seed);
  return (below) => Math.floor(random() * below);
}
