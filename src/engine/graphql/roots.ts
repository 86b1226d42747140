/** The types of the root fields of an operation. */
export const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);
