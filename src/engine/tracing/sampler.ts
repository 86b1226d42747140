import { Bucket } from '../rate-limits/bucket.js';
import type { TraceParent } from './trace-parent.js';

/** The samplers of OpenTelemetry (`OTEL_TRACES_SAMPLER`). */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/**
 * The maximum number of traces per second that are recorded because a caller wants it. Anybody can send `traceparent`,
 * so callers together must not be able to cause more work than this.
 */
const WANTED_PER_SECOND = 100;

/** Decides which traces are recorded. */
export class Sampler {
  private readonly ratio: number;
  private readonly isParentBased: boolean;
  private readonly wanted = new Bucket(WANTED_PER_SECOND, WANTED_PER_SECOND);

  /** @param argument the share of traces, for the two samplers with a ratio */
  constructor(name: SamplerName, argument: number) {
    this.isParentBased = name.startsWith('parentbased_');
    this.ratio = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : argument;
  }

  /**
   * @param parent the caller's part of the trace; null if the request begins the trace. With a sampler that is based on
   *   the parent, the flag of the parent decides. With `traceidratio`, the trace id decides. If callers want more than
   *   `WANTED_PER_SECOND` traces, the other traces are treated like traces that begin here.
   */
  isRecorded(parent: TraceParent | null): boolean {
    if (parent === null) return this.isDrawn();
    const isWanted = this.isParentBased ? parent.isSampled : shareOf(parent) < this.ratio;
    if (!isWanted) return false;
    return this.ratio === 1 || this.wanted.take(1) || this.isDrawn();
  }

  private isDrawn(): boolean {
    return this.ratio === 1 || (this.ratio > 0 && Math.random() < this.ratio);
  }
}

/**
 * A number from 0 up to 1, from the random end of the trace id. All instances of this service compute the same number
 * for a trace.
 */
function shareOf({ traceId }: TraceParent): number {
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52;
}
