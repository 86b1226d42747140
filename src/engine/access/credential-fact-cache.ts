import type { CredentialChanges } from './credential-changes.js';

const MOST_REMEMBERED = 10_000;

/**
 * What the database says of those whom credentials name, for as long as nothing changes that credentials hang on: the
 * next new token of the same subject then costs no statement.
 */
export class CredentialFactCache<V> {
  private readonly values = new Map<string, V>();
  private number = -1;

  constructor(private readonly changes: CredentialChanges) {}

  /** `changes` are fresh, as they are whenever a principal is asked for. */
  async of(name: string, find: () => Promise<V>): Promise<V> {
    const { number } = this.changes;
    if (number !== this.number) {
      this.values.clear();
      this.number = number;
    }
    if (this.values.has(name)) return this.values.get(name) as V;
    const value = await find();
    // What was read while something changed may be older than that.
    if (this.number === number && this.changes.number === number) {
      if (this.values.size >= MOST_REMEMBERED) this.values.clear();
      this.values.set(name, value);
    }
    return value;
  }
}
