export interface Page<R> {
  rows: readonly R[];
  total: number;
}

/**
 * A table whose migration called `createCounts`: any page in the order of ids, and the exact number of rows,
 * cost about the same however large the table and however far the page.
 */
export abstract class CountedTable {
  /** At most `limit` rows after the first `offset`, and the total, both of one moment. */
  abstract page<R>(offset: number, limit: number): Promise<Page<R>>;

  abstract total(): Promise<number>;
}

export abstract class CountedTables {
  /** To be called once, by the repository that owns the table. `columns` has to name `id`. */
  abstract of(table: string, columns: readonly string[]): CountedTable;

  abstract stop(): Promise<void>;
}
