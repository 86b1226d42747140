/** A set of measurements in three numbers. The median is not affected by the outliers of a noisy machine. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws RangeError for an empty list */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('There is no median of nothing');
  const ascending = values.toSorted((a, b) => a - b);
  const middle = (ascending.length - 1) / 2;
  const lower = ascending[Math.floor(middle)] as number;
  const upper = ascending[Math.ceil(middle)] as number;
  return { median: (lower + upper) / 2, min: ascending[0] as number, max: ascending.at(-1) as number };
}

/**
 * The ratio of each pair of measurements of the same round. A disturbance that lasts longer than a round affects both
 * measurements, and cancels out.
 */
export function ratioOf(numerators: readonly number[], denominators: readonly number[]): Spread {
  if (numerators.length !== denominators.length) throw new RangeError('Ratios need pairs');
  return spreadOf(numerators.map((numerator, round) => numerator / (denominators[round] as number)));
}

/** The second value of each pair minus the first value. */
export function differenceOf(left: readonly number[], right: readonly number[]): Spread {
  if (left.length !== right.length) throw new RangeError('Differences need pairs');
  return spreadOf(right.map((value, round) => value - (left[round] as number)));
}

/**
 * The share of one part in the time of the whole work, in per cent. The values in `left` are from the work as it is.
 * The values in `right` are from the same work with `repetitions` more runs of this part.
 */
export function shareOf(left: readonly number[], right: readonly number[], repetitions: number): Spread {
  const { median, min, max } = ratioOf(right, left);
  const inPercent = (ratio: number): number => (100 * (ratio - 1)) / repetitions;
  return { median: inPercent(median), min: inPercent(min), max: inPercent(max) };
}

/**
 * The target of a row: at least this share of the speed of LIMIT, or at most this value in the unit of the row.
 */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export function isReached(target: Target, value: number): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
