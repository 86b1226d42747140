/** The texts of the GraphQL operations that are measured. */
export const GRAPHQL_QUERY = '{ products(limit: 20) { id name price inStock } }';
export const USER_QUERY =
  'query ($id: ID!) { user(id: $id) { id name email orders { id total status createdAt } } }';
export const ORDERS_QUERY = '{ orders { id total status createdAt } }';
export const NEW_ORDER_QUERY = 'subscription { newOrder { id total status createdAt } }';
