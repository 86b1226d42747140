/** The types whose fields stand at the root of an operation. */
export const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);
