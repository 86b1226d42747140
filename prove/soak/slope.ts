const SECONDS_OF_AN_HOUR = 3_600;
/** With a probability of 95 %, the real slope differs from the estimate by at most this number of standard errors. */
const ERRORS = 2;

export interface Point {
  readonly seconds: number;
  readonly value: number;
}

/** The growth in an hour, with its error. */
export interface Slope {
  readonly perHour: number;
  /** Half of the width of the interval in which the slope lies (95 %). */
  readonly error: number;
}

/** `proved`: the growth is at most the bound. `broken`: the growth is above. `open`: the samples do not decide. */
export type Verdict = 'proved' | 'broken' | 'open';

/**
 * The slope of the straight line through the points, by least squares. Successive samples of memory use are not
 * independent: a garbage collection changes many of them at once. So this function treats the samples as an
 * autoregressive process of order 1. It returns a larger error if successive samples correlate.
 */
export function slopeOf(points: readonly Point[]): Slope {
  const count = points.length;
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / count;
  const [x, y] = [mean(({ seconds }) => seconds), mean(({ value }) => value)];
  const spread = points.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  const slope = points.reduce((sum, { seconds, value }) => sum + (seconds - x) * (value - y), 0) / spread;
  const rests = points.map(({ seconds, value }) => value - y - slope * (seconds - x));
  const squares = rests.reduce((sum, rest) => sum + rest ** 2, 0);
  const error = Math.sqrt(squares / Math.max(1, count - 2) / spread);
  const neighbours = rests.slice(1).reduce((sum, rest, index) => sum + rest * (rests[index] as number), 0);
  const correlation = squares === 0 ? 0 : Math.min(0.95, Math.max(0, neighbours / squares));
  const inflation = Math.sqrt((1 + correlation) / (1 - correlation));
  return {
    perHour: slope * SECONDS_OF_AN_HOUR,
    error: ERRORS * error * inflation * SECONDS_OF_AN_HOUR,
  };
}

export function verdictOn({ perHour, error }: Slope, bound: number): Verdict {
  if (perHour + error <= bound) return 'proved';
  return perHour - error > bound ? 'broken' : 'open';
}
