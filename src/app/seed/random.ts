/**
 * Numbers that look random (xorshift over a mixed seed). They depend only on the seed, so every machine gets the same
 * numbers. Each row has its own sequence, so that a row does not depend on the rows that were made before it.
 */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    let state = 0x9e3779b9;
    for (const seed of seeds) state = mix(state ^ seed);
    this.#state = state === 0 ? 1 : state;
  }

  /** An integer that is at least 0 and less than `limit`. */
  below(limit: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (mix(state) >>> 0) % limit;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
