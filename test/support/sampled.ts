import { inject } from 'vitest';
import type { Needed } from './needs.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the long tests run, with all cases (`vitest.config.ts`). */
    allCases: boolean;
  }
}

const hasAll = inject('allCases');

/**
 * The cases of a test in a `*.sampled.test.ts` file: all of them in the long tests, and otherwise at most this many,
 * spread evenly over the list.
 */
export function sampled<T>(cases: readonly T[], most: number): readonly T[] {
  if (hasAll || cases.length <= most) return cases;
  return Array.from({ length: most }, (_, n) => cases[Math.floor((n * cases.length) / most)] as T);
}

/** The cases of a test in a `*.sampled.test.ts` file: all of them in the long tests, and otherwise one of each kind. */
export function oneOfEach<T>(cases: readonly T[], kindOf: (one: T) => string): readonly T[] {
  return hasAll ? cases : firstOfEach(cases, kindOf);
}

/** One case of each kind. */
export function firstOfEach<T>(cases: readonly T[], kindOf: (one: T) => string): readonly T[] {
  return [...Map.groupBy(cases, kindOf).values()].map(([first]) => first as T);
}

/** The options of a test in a `*.sampled.test.ts` file. With them, only the long tests include this test. */
export const onlyLong: Needed = hasAll
  ? {}
  : { skip: true, meta: { needs: 'a long run: npm run test:long runs them' } };

/**
 * The number of repetitions in a test of a `*.sampled.test.ts` file: all of them in the long tests, otherwise a few.
 */
export function times(all: number, few: number): number {
  return hasAll ? all : few;
}
