/**
 * The instruments with which the parts of the service count. A part makes its own instruments and shows them as fields.
 * So a part knows neither the registry nor the names of metrics, and a part that a test makes by hand counts too. An
 * observation costs a few nanoseconds, because an instrument has no labels to look up (ADR 44).
 */
export class Counter {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }
}

/** The distribution of a value, as counts between fixed bounds. */
export class Histogram {
  /** The number of values up to each bound and above the bound before it. The last count has the values above all. */
  readonly counts: Float64Array;
  sum = 0;

  /** @param bounds in ascending order */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    const { length } = bounds;
    let index = 0;
    while (index < length && value > (bounds[index] as number)) index += 1;
    counts[index] = (counts[index] as number) + 1;
    this.sum += value;
  }
}
