import type { CredentialChanges } from './credential-changes.js';

const MOST_REMEMBERED = 10_000;

/**
 * Caches what the database says about the subjects of credentials, until a fact about credentials changes. The next new
 * token of the same subject then needs no statement.
 */
export class CredentialFactCache<V> {
  private readonly values = new Map<string, V>();
  private number = -1;

  constructor(private readonly changes: CredentialChanges) {}

  /** `changes` must be fresh, as they are whenever a principal is requested. */
  async of(name: string, find: () => Promise<V>): Promise<V> {
    const { number } = this.changes;
    if (number !== this.number) {
      this.values.clear();
      this.number = number;
    }
    if (this.values.has(name)) return this.values.get(name) as V;
    const value = await find();
    // A value that was read during a change may be outdated, and is not kept.
    if (this.number === number && this.changes.number === number) {
      if (this.values.size >= MOST_REMEMBERED) this.values.clear();
      this.values.set(name, value);
    }
    return value;
  }
}
