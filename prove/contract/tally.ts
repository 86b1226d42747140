/** Counts the answers by operation (or root field) and outcome. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  count(what: string, outcome: string | number): void {
    const counts = this.#counts.get(what) ?? new Map<string, number>();
    this.#counts.set(what, counts);
    counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1);
  }

  has(what: string, outcome: string | number): boolean {
    return this.#counts.get(what)?.has(String(outcome)) === true;
  }

  /** A line for each operation, with the number of answers for each outcome. */
  table(): string {
    const width = Math.max(0, ...[...this.#counts.keys()].map(({ length }) => length));
    return [...this.#counts]
      .map(([what, counts]) => {
        const cells = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
        return `${what.padEnd(width)}  ${cells.map(([outcome, count]) => `${outcome} ${count}`).join('  ')}`;
      })
      .join('\n');
  }
}
