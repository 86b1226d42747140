/**
 * The rows that a caller may use: all rows, or only the rows of its own user. A policy determines the row access (see
 * `policy.ts`). Every part that reads or changes rows of users gets the row access.
 */
export class RowAccess {
  static readonly EVERYTHING = new RowAccess(null);
  /** The row access of a request before a policy has decided. */
  static readonly NOTHING = new RowAccess(0);

  /** @param onlyOf the only user whose rows the caller may use; null for all rows */
  private constructor(readonly onlyOf: number | null) {}

  static of(userId: number): RowAccess {
    return new RowAccess(userId);
  }

  /** @param owner the id of the owner of the row; null or undefined when the row has no owner */
  covers(owner: unknown): boolean {
    return this.onlyOf === null || owner === this.onlyOf;
  }
}
