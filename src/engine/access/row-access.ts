/**
 * The rows that a caller may use: all rows, or only those of its own user. A policy determines it (see `policy.ts`).
 * Every part that reads or changes rows of users gets it.
 */
export class RowAccess {
  static readonly EVERYTHING = new RowAccess(null);
  /** Used before a policy has decided. */
  static readonly NOTHING = new RowAccess(0);

  /** @param onlyOf the only user whose rows the caller may use; null for all rows */
  private constructor(readonly onlyOf: number | null) {}

  static of(userId: number): RowAccess {
    return new RowAccess(userId);
  }

  /** @param owner the owner of the row; null or undefined when it has none */
  covers(owner: unknown): boolean {
    return this.onlyOf === null || owner === this.onlyOf;
  }
}
