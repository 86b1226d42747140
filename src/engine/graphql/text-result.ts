import type { GraphQLFormattedError } from 'graphql';

/** The result of a query, from `CompiledOperations`. */
export interface TextResult {
  /** As JSON. */
  readonly data: string;
  /** The errors in their public form; undefined if there are none. */
  readonly errors: readonly GraphQLFormattedError[] | undefined;
}
