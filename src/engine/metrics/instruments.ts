/*
 * The instruments with which the parts of the service count. Most parts make their own instruments and show them as
 * fields (see src/app/instruments.ts). So these parts know neither the registry nor the names of metrics. The parts
 * also count if a test makes them without the application. An observation costs a few nanoseconds, because an
 * instrument has no labels to look up (ADR 44).
 */

export class Counter {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }
}

/** One counter for each value of a label. All values are known at the start, so a client cannot add a value. */
export class Counters<V extends string> {
  readonly #counters: ReadonlyMap<V, Counter>;

  constructor(values: readonly V[]) {
    this.#counters = new Map(values.map((value) => [value, new Counter()]));
  }

  /** Ignores a value that was not named at the start. */
  add(value: V, count = 1): void {
    this.#counters.get(value)?.add(count);
  }

  *entries(): Iterable<readonly [V, number]> {
    for (const [value, counter] of this.#counters) yield [value, counter.value];
  }
}

/** A trace. Its id is made only if somebody reads it. */
export interface ExemplarTrace {
  readonly id: string;
}

/** A value of a histogram, with the trace that explains it. */
interface Exemplar {
  trace: ExemplarTrace;
  value: number;
}

/** The distribution of a value, as counts between fixed bounds. */
export class Histogram {
  /**
   * For each bound, the number of values up to this bound that are above the bound before it. The last count has the
   * values above all bounds.
   */
  readonly counts: Float64Array;
  sum = 0;
  /**
   * For each count, the last of its values that belongs to a recorded trace; null if no value belongs to a recorded
   * trace.
   */
  exemplars: (Exemplar | undefined)[] | null = null;

  /** @param bounds in ascending order */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** @param trace the trace in which the value was measured, if the trace is recorded */
  observe(value: number, trace?: ExemplarTrace): void {
    const { bounds, counts } = this;
    const { length } = bounds;
    let index = 0;
    while (index < length && value > (bounds[index] as number)) index += 1;
    counts[index] = (counts[index] as number) + 1;
    this.sum += value;
    if (trace === undefined) return;
    const known = (this.exemplars ??= [])[index];
    if (known === undefined) this.exemplars[index] = { trace, value };
    else {
      known.trace = trace;
      known.value = value;
    }
  }
}
