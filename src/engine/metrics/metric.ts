/** A metric. Its name, unit and labels are an interface for operators: dashboards and alerts use them. */
export interface Metric {
  /** Without `_total`, which the samples of a counter have at the end. */
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The unit, which is also the end of the name; null for a number without a unit. */
  readonly unit: 'seconds' | 'bytes' | null;
  /** The names of the labels, with the values that each may have. */
  readonly labels: Readonly<Record<string, string>>;
  readonly help: string;
}
