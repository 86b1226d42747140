// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { Entity } from './contract.js';
import type {
  MutationCreateOrderArgs,
  MutationCreateProductArgs,
  MutationCreateUserArgs,
  MutationDeleteProductArgs,
  MutationDeleteUserArgs,
  MutationReplaceProductArgs,
  MutationSetProductStockArgs,
  MutationUpdateOrderStatusArgs,
  MutationUpdateProductArgs,
  MutationUpdateUserArgs,
  OrderItemInput,
  QueryOrderArgs,
  QueryOrdersArgs,
  QueryOrdersConnectionArgs,
  QueryProductArgs,
  QueryProductsArgs,
  QueryProductsConnectionArgs,
  QueryUserArgs,
  QueryUsersArgs,
  QueryUsersConnectionArgs,
  SubscriptionNewOrderArgs,
  SubscriptionOrderStatusChangedArgs,
  SubscriptionProductChangedArgs,
  UserOrdersArgs,
} from './dto.js';

/** Filled by the application, as `Entities` is. */
export interface GraphqlContext {}

/** What resolvers see and return for the values of an enum, by their names in the schema. */
export const ENUM_VALUES = {
  OrderSort: { ID_ASC: 'id', ID_DESC: '-id', CREATED_AT_ASC: 'created_at', CREATED_AT_DESC: '-created_at' },
  OrderStatus: {
    pending: 'pending',
    paid: 'paid',
    shipped: 'shipped',
    delivered: 'delivered',
    cancelled: 'cancelled',
    refunded: 'refunded',
  },
  ProductSort: {
    ID_ASC: 'id',
    ID_DESC: '-id',
    NAME_ASC: 'name',
    NAME_DESC: '-name',
    PRICE_ASC: 'price',
    PRICE_DESC: '-price',
  },
} as const;

import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: number; output: number | string };
  String: { input: string; output: string };
  Boolean: { input: boolean; output: boolean };
  Int: { input: number; output: number };
  Float: { input: number; output: number };
  /** A moment: RFC 3339, UTC, milliseconds, such as `2026-11-21T08:44:54.000Z`. */
  DateTime: { input: Date; output: Date };
  /** An integer up to 9,007,199,254,740,991 (2^53 - 1), since `Int` ends at 2^31 - 1. */
  SafeInt: { input: number; output: number };
};

/**
 * Reading. A row that does not exist, or that the caller may not see, is null without an error. An argument that is null
 * counts as not given.
 *
 * An operation, whatever it comes by, may have 65,536 characters in 4,000 lines, 2,000 tokens, brackets 128 levels deep, 20 root fields,
 * 30 aliases, 50 directives and, with every fragment written out, 2,000 selections; it may go 8 levels deep and cost 5,000 (`@cost`), where
 * the service is not set otherwise. Its fields of one name may make 500,000 pairs to be compared. Its variables, and its extensions, may
 * have 2,000 values with 65,536 characters, 32 levels deep. The limit that is exceeded is `GRAPHQL_LIMIT_EXCEEDED` before anything is
 * executed. A text is read as far as its first 20 errors; variables and arguments have their first hundred faults told. Locations stand in
 * errors of an execution when the text has 200 lines or less.
 *
 * Introspection has a cost of its own: 1 for each type, field and argument that it can return, at most 5,000. The query of most tools has
 * about 800. It is counted like the other against the limits of requests. Introspection may be deeper than other selections, but lists of
 * fields, interfaces and inputs may not stand three deep in one another.
 *
 * The body of a POST, and a message of a WebSocket, may have 262,144 bytes; a WebSocket has 50 operations at a time.
 *
 * Lists with a filter or a sort pass over rows. They are done one at a time for each caller, those of one operation too, and callers
 * take turns. `UNAVAILABLE` says that too many of all callers wait, or that a list took over 5 seconds, and how to make it cheaper;
 * `RATE_LIMITED` that 40 of the caller wait already.
 */
export type Query = {
  /** The product with this id. */
  readonly product: Maybe<Product>;
  /**
   * One page of products, in ascending order of id unless `sort` says otherwise; a page past the end is empty.
   * With a filter or a sort, `page` × `limit` may be at most 100,000.
   */
  readonly products: Maybe<ReadonlyArray<Product>>;
  /**
   * The products that `products` lists, with the same filters and orders, from a place in the list instead of by pages: walking
   * by cursors repeats and skips nothing under inserts and deletes, and costs the same however deep.
   */
  readonly productsConnection: Maybe<ProductConnection>;
  /** The user with this id. */
  readonly user: Maybe<User>;
  /** The user whom the credential belongs to; null for a client of the interface that is no user. */
  readonly me: Maybe<User>;
  /** One page of users, in ascending order of id; a page past the end is empty. */
  readonly users: Maybe<ReadonlyArray<User>>;
  /** The users that `users` lists, from a place in the list instead of by pages. */
  readonly usersConnection: Maybe<UserConnection>;
  /** The order with this id. */
  readonly order: Maybe<Order>;
  /** The cursor of the newest event: to read what there is, then to subscribe to what came after, ask for the cursor first. */
  readonly latestCursor: Maybe<Scalars['ID']['output']>;
  /**
   * One page of orders, the newest first unless `sort` says otherwise; a page past the end is empty. `page` × `limit` may
   * be at most 100,000. A user without `orders:read` finds its own orders only, with and without a filter.
   */
  readonly orders: Maybe<ReadonlyArray<Order>>;
  /**
   * The orders that `orders` lists, the newest first unless `sort` says otherwise, from a place in the list instead of by
   * pages. A user without `orders:read` finds its own orders only, with and without a filter.
   */
  readonly ordersConnection: Maybe<OrderConnection>;
};

/**
 * Changing. A row that does not exist is null without an error. Every mutation field stands for itself: what one
 * of them did stays done when another one fails.
 *
 * An operation can set one password. Two are `GRAPHQL_LIMIT_EXCEEDED`, and nothing is executed.
 *
 * An operation with one mutation can be sent again without being done again: with a key of its own in
 * `extensions.idempotencyKey`, or over HTTP in the header `Idempotency-Key`, as for the operations of REST. The result is that
 * of the first time, in the present selection, and `extensions.idempotentReplayed` is true; what hangs on it is as it is now.
 */
export type Mutation = {
  /** Stores a new product. Its stock is not counted until `setProductStock` says so. */
  readonly createProduct: Maybe<Product>;
  /** Replaces all of a product but its counted stock: a description that is left out is removed. */
  readonly replaceProduct: Maybe<Product>;
  /** Changes what is given and leaves the rest as it is. Null is refused where a product always has a value. */
  readonly updateProduct: Maybe<Product>;
  /** Removes a product for good, with its stock, and returns what it was without that; its id is never used again. */
  readonly deleteProduct: Maybe<Product>;
  /** Sets the number of pieces of a product, or stops counting them. */
  readonly setProductStock: Maybe<Product>;
  /** Stores a new user. No two users have the same e-mail address, whatever its case; `EMAIL_TAKEN` tells that somebody has it, and not who. */
  readonly createUser: Maybe<User>;
  /**
   * Changes what is given and leaves the rest as it is. Null is refused.
   *
   * A new password is set by the user by Basic, or by any other credential of the user together with the present one
   * (`currentPassword`); otherwise it is `FORBIDDEN`, so that a short-lived key makes no lasting access. Who holds `users:write` sets that
   * of somebody else, and the first one of a user. A program that acts in the name of the user cannot set it. It ends at once
   * the password before, and the sign-ins, access tokens, refresh tokens and JWTs that this service gave out for the user.
   * API keys and tokens of other issuers stay; `revokeKeys` ends the API keys as well.
   *
   * An e-mail address that another user has is `EMAIL_TAKEN`, also for who changes the own one, and says nothing else of that user.
   */
  readonly updateUser: Maybe<User>;
  /**
   * Removes a user for good and returns who it was; the id is never used again. A user who has orders is refused with
   * `USER_HAS_ORDERS`, unless they are to be kept without saying whose they were.
   */
  readonly deleteUser: Maybe<User>;
  /**
   * Places an order: takes the quantities out of stock and stores it, all or nothing. What cannot be had is
   * `OUT_OF_STOCK`, and `errors` names every such line. A user orders for itself; for another one it takes `orders:write`.
   * A `productId` or `userId` that belongs to nothing is `VALIDATION_FAILED`, with `UNKNOWN` in `errors`.
   */
  readonly createOrder: Maybe<Order>;
  /**
   * Moves an order to another status. What cannot come next is `ILLEGAL_STATUS`, and the message names what can.
   * Cancelling puts counted pieces back into stock. Without `orders:write` a user may cancel its own orders as long as they
   * are pending, and nothing else.
   */
  readonly updateOrderStatus: Maybe<Order>;
};

/**
 * What happens, pushed as it happens, over graphql-transport-ws on the same path. Nothing is lost when a connection is: each event has
 * a cursor (the field `cursor` of what it brings, and `extensions.cursor`), and `after` goes on behind it, with neither a
 * gap nor a duplicate. Clients that send their operations again by themselves say it in the payload of `connection_init`
 * instead, `{"resume": {"newOrder": "41"}}`; where both say something, the later position holds. The acknowledgement names the
 * cursor to begin with, `{"cursor": "40"}`. Events are kept for some days: when something after a cursor is gone, it is
 * refused with `CURSOR_EXPIRED`.
 *
 * So many WebSockets may be open at a time: 200 of an address that proves nothing, 2,000 of a caller, 20,000 in a process of the service. The same
 * figures bound subscriptions, on WebSockets and event streams together. A subscription counts as one. A selection that you have not
 * subscribed to yet counts one more for each 100 characters of its text, as it is printed without comments, and one for each 5 of its
 * cost. When you have too many the error is `RATE_LIMITED` (429 on a handshake): end some, or ask for less. When the process is full
 * the socket is closed with 1013 (503 on a handshake), and a stream ends without `complete`: come back later, after your last cursor.
 * The figures are settings of the service.
 *
 * A socket may send 500 messages and control frames at once, and 50 a second, besides operations, which the limits of requests
 * count; a message counts once more for each 65,536 bytes. Then it is closed with 1008. Before `connection_ack` a message may have 16,384 bytes.
 * The page of another site may open neither a WebSocket nor an event stream (403 by `Origin`), unless the service is set to let it.
 */
export type Subscription = {
  /**
   * Every order that is placed, as it was placed: published after it was stored, so that whoever hears of an order can
   * read it. A user without `orders:read` hears of its own orders only.
   */
  readonly newOrder: Maybe<Order>;
  /**
   * Every change of the status of an order, with the order as it was then: what was paid, shipped and delivered while a
   * subscriber was away are three events. A user without `orders:read` hears of its own orders only.
   */
  readonly orderStatusChanged: Maybe<Order>;
  /**
   * Every product that is created, changed or deleted, as it was then; `change` says which. A sale is a change only where
   * it turns `inStock`; `stock` is what it is now.
   */
  readonly productChanged: Maybe<Product>;
};

/** Something the store sells. */
export type Product = {
  /** An integer made by the service, as text; never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** Rises with every change of the product; what `expectedVersion` compares. */
  readonly version: Scalars['Int']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** Major units of the store's currency. */
  readonly price: Scalars['Float']['output'];
  /** The price with its currency, in minor units. */
  readonly priceMoney: Money;
  /** Whether it can be ordered; false when it was switched off, or its counted stock is 0. */
  readonly inStock: Scalars['Boolean']['output'];
  /** The number of pieces; null when the stock is not counted, and of a product that was deleted. */
  readonly stock: Maybe<Scalars['Int']['output']>;
  /** What it is, in a few sentences. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed; counting the stock is no change of the product. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** By what event it came: what happened to it. Null everywhere but in `productChanged`. */
  readonly change: Maybe<ProductChange>;
  /** By what event it came: the cursor behind which to go on. Null everywhere but in `productChanged`. */
  readonly cursor: Maybe<Scalars['ID']['output']>;
};

/** What happened to a product. */
export type ProductChange =
  /** It is new. */
  | 'created'
  /** What it shows is other than before. */
  | 'updated'
  /** It is gone; the event shows what it was. */
  | 'deleted';

/** Somebody who buys. */
export type User = {
  /** An integer made by the service, as text; never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** Rises with every change of the user; what `expectedVersion` compares. */
  readonly version: Scalars['Int']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** The e-mail address; no two users have the same, whatever its case. */
  readonly email: Scalars['String']['output'];
  /** The newest orders of the user, the newest first; null where the caller may not see them. */
  readonly orders: Maybe<ReadonlyArray<Order>>;
  /** When the user was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the user was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** What somebody ordered. */
export type Order = {
  /** An integer made by the service, as text; never used again. */
  readonly id: Scalars['ID']['output'];
  /** Rises with every change of the order; what `expectedVersion` compares. */
  readonly version: Scalars['Int']['output'];
  /** Major units of the store's currency: the sum of the totals of the items. */
  readonly total: Scalars['Float']['output'];
  /** The total with its currency, in minor units. */
  readonly totalMoney: Money;
  /** Where the order stands: one of the values of `OrderStatus`. */
  readonly status: Scalars['String']['output'];
  /** The id of who ordered; null once the user was anonymised. */
  readonly userId: Maybe<Scalars['ID']['output']>;
  /** Who ordered; null once the user was anonymised, and where the caller may not see it. */
  readonly user: Maybe<User>;
  /** What was ordered, in the order in which it was given. */
  readonly items: ReadonlyArray<OrderItem>;
  /**
   * When it was placed. Orders that are placed at the same time may get their ids, and their places in lists and among events, in
   * another order than their moments.
   */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** By what event it came: the cursor behind which to go on. Null everywhere but in subscriptions. */
  readonly cursor: Maybe<Scalars['ID']['output']>;
};

/** A line of an order, with name and price as they were when it was placed. */
export type OrderItem = {
  /** The id of the product, which may have been deleted since. */
  readonly productId: Scalars['ID']['output'];
  /** The product as it is now; null once it was deleted. */
  readonly product: Maybe<Product>;
  /** The name of the product when it was ordered. */
  readonly name: Scalars['String']['output'];
  /** Major units of the store's currency, for one piece. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The price of one piece with its currency, in minor units. */
  readonly unitPriceMoney: Money;
  /** How many pieces. */
  readonly quantity: Scalars['Int']['output'];
  /** Major units of the store's currency: price times quantity; less where an imported order had a discount. */
  readonly total: Scalars['Float']['output'];
  /** The total with its currency, in minor units. */
  readonly totalMoney: Money;
};

/**
 * Where an order stands. From `pending` it can become `paid` or `cancelled`, from `paid` `shipped`, `cancelled` or
 * `refunded`, from `shipped` `delivered`, from `delivered` `refunded`.
 */
export type OrderStatus =
  /** It was placed. */
  | 'pending'
  /** It was paid. */
  | 'paid'
  /** It is on its way. */
  | 'shipped'
  /** It has arrived. */
  | 'delivered'
  /** It was called off; counted pieces are in stock again. */
  | 'cancelled'
  /** The money was given back. */
  | 'refunded';

/** The orders in which orders can be listed. */
export type OrderSort =
  /** Ascending by id. */
  | 'id'
  /** Descending by id. */
  | '-id'
  /** The earliest first. */
  | 'created_at'
  /** The latest first. */
  | '-created_at';

/** Some of the products of a list, by the GraphQL Cursor Connections Specification. */
export type ProductConnection = {
  /** The products with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<ProductEdge>;
  /** The same products alone. */
  readonly nodes: ReadonlyArray<Product>;
  /** What there is beside them. */
  readonly pageInfo: PageInfo;
  /** How many products the list has; null where a filter lets through more than 10,000. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** A product at its place in a list. */
export type ProductEdge = {
  /** The place. It holds for this list only: with the same filter and order, and for callers who may see the same. */
  readonly cursor: Scalars['String']['output'];
  /** The product. */
  readonly node: Product;
};

/** Some of the users of a list, by the GraphQL Cursor Connections Specification. */
export type UserConnection = {
  /** The users with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<UserEdge>;
  /** The same users alone. */
  readonly nodes: ReadonlyArray<User>;
  /** What there is beside them. */
  readonly pageInfo: PageInfo;
  /** How many users the list has. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** A user at its place in a list. */
export type UserEdge = {
  /** The place. It holds for this list only: with the same filter and order, and for callers who may see the same. */
  readonly cursor: Scalars['String']['output'];
  /** The user. */
  readonly node: User;
};

/** Some of the orders of a list, by the GraphQL Cursor Connections Specification. */
export type OrderConnection = {
  /** The orders with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<OrderEdge>;
  /** The same orders alone. */
  readonly nodes: ReadonlyArray<Order>;
  /** What there is beside them. */
  readonly pageInfo: PageInfo;
  /** How many orders the list has; null where a filter lets through more than 10,000. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** An order at its place in a list. */
export type OrderEdge = {
  /** The place. It holds for this list only: with the same filter and order, and for callers who may see the same. */
  readonly cursor: Scalars['String']['output'];
  /** The order. */
  readonly node: Order;
};

/** What there is beside the edges of a connection. */
export type PageInfo = {
  /** Whether something comes behind the last edge; with `before`, whether something did: it may have been deleted since. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether something comes before the first edge; with `after`, whether something did: it may have been deleted since. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge; null when there is none. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
  /** The cursor of the last edge; null when there is none. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
};

/** An amount of money. */
export type Money = {
  /** Minor units, such as cents. */
  readonly amount: Scalars['SafeInt']['output'];
  /** The currency (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/** The orders in which products can be listed; text is sorted by code point. */
export type ProductSort =
  /** Ascending by id. */
  | 'id'
  /** Descending by id. */
  | '-id'
  /** Ascending by name. */
  | 'name'
  /** Descending by name. */
  | '-name'
  /** The cheapest first. */
  | 'price'
  /** The dearest first. */
  | '-price';

export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<
  TResult,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<unknown, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, unknown, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<
  TResult,
  TKey extends string,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> =
  | ((...args: unknown[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<
  TTypes,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
> = (parent: TParent, context: TContext, info: GraphQLResolveInfo) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  obj: T,
  context: TContext,
  info: GraphQLResolveInfo,
) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<
  TResult = Record<PropertyKey, never>,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Product: ResolverTypeWrapper<Entity<'Product'>>;
  ProductChange: ProductChange;
  User: ResolverTypeWrapper<Entity<'User'>>;
  Order: ResolverTypeWrapper<Entity<'Order'>>;
  OrderItem: ResolverTypeWrapper<Entity<'OrderItem'>>;
  OrderItemInput: OrderItemInput;
  OrderStatus: ResolverTypeWrapper<OrderStatus>;
  OrderSort: ResolverTypeWrapper<OrderSort>;
  ProductConnection: ResolverTypeWrapper<
    Omit<ProductConnection, 'edges' | 'nodes'> & {
      edges: ReadonlyArray<ResolversTypes['ProductEdge']>;
      nodes: ReadonlyArray<ResolversTypes['Product']>;
    }
  >;
  ProductEdge: ResolverTypeWrapper<Omit<ProductEdge, 'node'> & { node: ResolversTypes['Product'] }>;
  UserConnection: ResolverTypeWrapper<
    Omit<UserConnection, 'edges' | 'nodes'> & {
      edges: ReadonlyArray<ResolversTypes['UserEdge']>;
      nodes: ReadonlyArray<ResolversTypes['User']>;
    }
  >;
  UserEdge: ResolverTypeWrapper<Omit<UserEdge, 'node'> & { node: ResolversTypes['User'] }>;
  OrderConnection: ResolverTypeWrapper<
    Omit<OrderConnection, 'edges' | 'nodes'> & {
      edges: ReadonlyArray<ResolversTypes['OrderEdge']>;
      nodes: ReadonlyArray<ResolversTypes['Order']>;
    }
  >;
  OrderEdge: ResolverTypeWrapper<Omit<OrderEdge, 'node'> & { node: ResolversTypes['Order'] }>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Money: ResolverTypeWrapper<Money>;
  ProductSort: ResolverTypeWrapper<ProductSort>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  SafeInt: Scalars['SafeInt']['output'];
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  Float: Scalars['Float']['output'];
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  Product: Entity<'Product'>;
  User: Entity<'User'>;
  Order: Entity<'Order'>;
  OrderItem: Entity<'OrderItem'>;
  OrderItemInput: OrderItemInput;
  ProductConnection: Omit<ProductConnection, 'edges' | 'nodes'> & {
    edges: ReadonlyArray<ResolversParentTypes['ProductEdge']>;
    nodes: ReadonlyArray<ResolversParentTypes['Product']>;
  };
  ProductEdge: Omit<ProductEdge, 'node'> & { node: ResolversParentTypes['Product'] };
  UserConnection: Omit<UserConnection, 'edges' | 'nodes'> & {
    edges: ReadonlyArray<ResolversParentTypes['UserEdge']>;
    nodes: ReadonlyArray<ResolversParentTypes['User']>;
  };
  UserEdge: Omit<UserEdge, 'node'> & { node: ResolversParentTypes['User'] };
  OrderConnection: Omit<OrderConnection, 'edges' | 'nodes'> & {
    edges: ReadonlyArray<ResolversParentTypes['OrderEdge']>;
    nodes: ReadonlyArray<ResolversParentTypes['Order']>;
  };
  OrderEdge: Omit<OrderEdge, 'node'> & { node: ResolversParentTypes['Order'] };
  PageInfo: PageInfo;
  Money: Money;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], unknown> {
  name: 'DateTime';
}

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], unknown> {
  name: 'SafeInt';
}

export type QueryResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query'],
> = {
  product: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, QueryProductArgs>;
  products: Resolver<
    Maybe<ReadonlyArray<ResolversTypes['Product']>>,
    ParentType,
    ContextType,
    QueryProductsArgs
  >;
  productsConnection: Resolver<
    Maybe<ResolversTypes['ProductConnection']>,
    ParentType,
    ContextType,
    QueryProductsConnectionArgs
  >;
  user: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, QueryUserArgs>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  users: Resolver<Maybe<ReadonlyArray<ResolversTypes['User']>>, ParentType, ContextType, QueryUsersArgs>;
  usersConnection: Resolver<
    Maybe<ResolversTypes['UserConnection']>,
    ParentType,
    ContextType,
    QueryUsersConnectionArgs
  >;
  order: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, QueryOrderArgs>;
  latestCursor: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  orders: Resolver<Maybe<ReadonlyArray<ResolversTypes['Order']>>, ParentType, ContextType, QueryOrdersArgs>;
  ordersConnection: Resolver<
    Maybe<ResolversTypes['OrderConnection']>,
    ParentType,
    ContextType,
    QueryOrdersConnectionArgs
  >;
};

export type MutationResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation'],
> = {
  createProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationCreateProductArgs
  >;
  replaceProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationReplaceProductArgs
  >;
  updateProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationUpdateProductArgs
  >;
  deleteProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationDeleteProductArgs
  >;
  setProductStock: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationSetProductStockArgs
  >;
  createUser: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, MutationCreateUserArgs>;
  updateUser: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, MutationUpdateUserArgs>;
  deleteUser: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, MutationDeleteUserArgs>;
  createOrder: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, MutationCreateOrderArgs>;
  updateOrderStatus: Resolver<
    Maybe<ResolversTypes['Order']>,
    ParentType,
    ContextType,
    MutationUpdateOrderStatusArgs
  >;
};

export type SubscriptionResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription'],
> = {
  newOrder: SubscriptionResolver<
    Maybe<ResolversTypes['Order']>,
    'newOrder',
    ParentType,
    ContextType,
    SubscriptionNewOrderArgs
  >;
  orderStatusChanged: SubscriptionResolver<
    Maybe<ResolversTypes['Order']>,
    'orderStatusChanged',
    ParentType,
    ContextType,
    SubscriptionOrderStatusChangedArgs
  >;
  productChanged: SubscriptionResolver<
    Maybe<ResolversTypes['Product']>,
    'productChanged',
    ParentType,
    ContextType,
    SubscriptionProductChangedArgs
  >;
};

export type ProductResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product'],
> = {
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  priceMoney: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  inStock: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  stock: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  description: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  change: Resolver<Maybe<ResolversTypes['ProductChange']>, ParentType, ContextType>;
  cursor: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type UserResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User'],
> = {
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orders: Resolver<Maybe<ReadonlyArray<ResolversTypes['Order']>>, ParentType, ContextType, UserOrdersArgs>;
  createdAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type OrderResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order'],
> = {
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  totalMoney: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  status: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  userId: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  user: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  items: Resolver<ReadonlyArray<ResolversTypes['OrderItem']>, ParentType, ContextType>;
  createdAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type OrderItemResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrderItem'] = ResolversParentTypes['OrderItem'],
> = {
  productId: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  product: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitPrice: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  unitPriceMoney: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  quantity: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  totalMoney: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type OrderStatusResolvers = {
  pending: 'pending';
  paid: 'paid';
  shipped: 'shipped';
  delivered: 'delivered';
  cancelled: 'cancelled';
  refunded: 'refunded';
};

export type OrderSortResolvers = {
  ID_ASC: 'id';
  ID_DESC: '-id';
  CREATED_AT_ASC: 'created_at';
  CREATED_AT_DESC: '-created_at';
};

export type ProductConnectionResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['ProductConnection'] = ResolversParentTypes['ProductConnection'],
> = {
  edges: Resolver<ReadonlyArray<ResolversTypes['ProductEdge']>, ParentType, ContextType>;
  nodes: Resolver<ReadonlyArray<ResolversTypes['Product']>, ParentType, ContextType>;
  pageInfo: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ProductEdgeResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['ProductEdge'] = ResolversParentTypes['ProductEdge'],
> = {
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
};

export type UserConnectionResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['UserConnection'] = ResolversParentTypes['UserConnection'],
> = {
  edges: Resolver<ReadonlyArray<ResolversTypes['UserEdge']>, ParentType, ContextType>;
  nodes: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType>;
  pageInfo: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type UserEdgeResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['UserEdge'] = ResolversParentTypes['UserEdge'],
> = {
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type OrderConnectionResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrderConnection'] = ResolversParentTypes['OrderConnection'],
> = {
  edges: Resolver<ReadonlyArray<ResolversTypes['OrderEdge']>, ParentType, ContextType>;
  nodes: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType>;
  pageInfo: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type OrderEdgeResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrderEdge'] = ResolversParentTypes['OrderEdge'],
> = {
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node: Resolver<ResolversTypes['Order'], ParentType, ContextType>;
};

export type PageInfoResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo'],
> = {
  hasNextPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MoneyResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money'],
> = {
  amount: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currency: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProductSortResolvers = {
  ID_ASC: 'id';
  ID_DESC: '-id';
  NAME_ASC: 'name';
  NAME_DESC: '-name';
  PRICE_ASC: 'price';
  PRICE_DESC: '-price';
};

export type Resolvers<ContextType = GraphqlContext> = {
  DateTime: GraphQLScalarType;
  SafeInt: GraphQLScalarType;
  Query: QueryResolvers<ContextType>;
  Mutation: MutationResolvers<ContextType>;
  Subscription: SubscriptionResolvers<ContextType>;
  Product: ProductResolvers<ContextType>;
  User: UserResolvers<ContextType>;
  Order: OrderResolvers<ContextType>;
  OrderItem: OrderItemResolvers<ContextType>;
  OrderStatus: OrderStatusResolvers;
  OrderSort: OrderSortResolvers;
  ProductConnection: ProductConnectionResolvers<ContextType>;
  ProductEdge: ProductEdgeResolvers<ContextType>;
  UserConnection: UserConnectionResolvers<ContextType>;
  UserEdge: UserEdgeResolvers<ContextType>;
  OrderConnection: OrderConnectionResolvers<ContextType>;
  OrderEdge: OrderEdgeResolvers<ContextType>;
  PageInfo: PageInfoResolvers<ContextType>;
  Money: MoneyResolvers<ContextType>;
  ProductSort: ProductSortResolvers;
};
