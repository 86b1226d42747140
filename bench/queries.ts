import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// The texts of the GraphQL operations that are measured.

export const GRAPHQL_QUERY = '{ products(limit: 20) { id name price inStock } }';
const USER_FIELDS = '{ id name email orders { id total status createdAt } }';
export const USER_QUERY = `query ($id: ID!) { user(id: $id) ${USER_FIELDS} }`;
export const ORDERS_QUERY = '{ orders { id total status createdAt } }';
/** A query with the selection of `USER_QUERY`. Its text is different for each name. */
export const userText = (name: string, id: number): string =>
  `query ${name} { user(id: "${id}") ${USER_FIELDS} }`;
export const NEW_ORDER_QUERY = 'subscription { newOrder { id total status createdAt } }';
/** The hash of the trusted document that selects the same as `USER_QUERY`. */
export const USER_DOCUMENT = createHash('sha256')
  .update(readFileSync(new URL('../documents/user-with-orders.graphql', import.meta.url)))
  .digest('hex');
