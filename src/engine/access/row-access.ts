/**
 * Whose rows a caller may use: everybody's, or only those of the user that it is. A policy gives it (see `policy.ts`),
 * and whatever reads or changes rows of users takes it along.
 */
export class RowAccess {
  static readonly EVERYTHING = new RowAccess(null);
  /** As long as no policy has spoken. */
  static readonly NOTHING = new RowAccess(0);

  /** @param onlyOf the one user whose rows they are; null for everybody's */
  private constructor(readonly onlyOf: number | null) {}

  static of(userId: number): RowAccess {
    return new RowAccess(userId);
  }

  /** @param owner whose row it is; null or undefined when it is nobody's */
  covers(owner: unknown): boolean {
    return this.onlyOf === null || owner === this.onlyOf;
  }
}
