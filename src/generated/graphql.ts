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

/** The application adds its members by declaration merging, as to `Features`. */
export interface GraphqlContext {}

/** The values of an enum that resolvers see and return, by their names in the schema. */
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
  /** A moment in the format of RFC 3339. The service writes it in UTC with milliseconds, such as `2026-11-21T08:44:54.000Z`. */
  DateTime: { input: Date; output: Date };
  /** An integer up to 9,007,199,254,740,991 (2^53 - 1). `Int` ends at 2^31 - 1. */
  SafeInt: { input: number; output: number };
};

/**
 * Reads. A row that does not exist, or that the caller may not see, is null without an error. An argument that is null
 * counts as not given.
 *
 * These limits hold for an operation on every transport. It may have 65,536 characters, 4,000 lines, 2,000 tokens,
 * brackets 128 levels deep, 20 root fields, 30 aliases and 50 directives. With every fragment written out, it may have
 * 2,000 selections. Its selections may be 8 levels deep and its cost may be 5,000 (`@cost`), unless the service has other
 * settings. Its fields with the same response name may make 500,000 pairs that have to be compared. Its variables together
 * may have 2,000 values and 65,536 characters, and may be 32 levels deep. The same limits hold for its extensions. An
 * operation that exceeds a limit is refused with `GRAPHQL_LIMIT_EXCEEDED` before anything is executed. The check of a text
 * stops after 20 errors. The check of variables and arguments reports the first hundred faults. Errors of an execution
 * have locations if the text has 200 lines or fewer.
 *
 * Introspection has its own cost: about 1 for each type, field and argument that it can return. This cost may be at most
 * 5,000. The introspection query of most tools costs about 800. The cost of introspection counts in the request limits
 * like every other cost. Introspection may be deeper than other selections. But `fields`, `inputFields`, `interfaces` and
 * `possibleTypes` may be nested only two deep.
 *
 * The body of a POST request may have 262,144 bytes. A message of a WebSocket may have 262,144 bytes too. A WebSocket
 * may have 50 operations at a time.
 *
 * A list with a filter or a sort passes over many rows. The service reads one such list at a time for each caller, also if
 * one operation has several of them. Callers take turns. For such a list, `RATE_LIMITED` can mean that 40 lists of the
 * caller are waiting already. `UNAVAILABLE` can mean that too many lists of all callers are waiting, that this list has
 * waited for 10 seconds, or that its reading took over 5 seconds. In the last case, the message says how to make the list
 * cheaper.
 */
export type Query = {
  /** The product with this id. */
  readonly product: Maybe<Product>;
  /**
   * One page of products, in ascending order of id, or in the order of `sort`. A page past the end is empty. With a filter
   * or a sort, `page` × `limit` may be at most 100,000.
   */
  readonly products: Maybe<ReadonlyArray<Product>>;
  /**
   * The products that `products` lists, with the same filters and sort keys. A cursor replaces the number of the page. A
   * client that reads by cursors gets a product exactly once if this product keeps its place in the sort order. This holds
   * even if other products are created or deleted meanwhile. The cost is the same at every place in the list.
   */
  readonly productsConnection: Maybe<ProductConnection>;
  /** The user with this id. */
  readonly user: Maybe<User>;
  /** The user that the credential belongs to. It is null for an API client that is not a user. */
  readonly me: Maybe<User>;
  /** One page of users, in ascending order of id. A page past the end is empty. */
  readonly users: Maybe<ReadonlyArray<User>>;
  /** The users that `users` lists. A cursor replaces the number of the page. */
  readonly usersConnection: Maybe<UserConnection>;
  /** The order with this id. */
  readonly order: Maybe<Order>;
  /**
   * The cursor of the newest event. A client can first ask for this cursor, then read the present data, and then subscribe
   * to the events after the cursor. So it misses no event.
   */
  readonly latestCursor: Maybe<Scalars['ID']['output']>;
  /**
   * One page of orders, the newest first, or in the order of `sort`. A page past the end is empty. `page` × `limit` may be
   * at most 100,000. A user without `orders:read` finds only its own orders, with and without a filter.
   */
  readonly orders: Maybe<ReadonlyArray<Order>>;
  /**
   * The orders that `orders` lists, the newest first, or in the order of `sort`. A cursor replaces the number of the page.
   * A user without `orders:read` finds only its own orders, with and without a filter.
   */
  readonly ordersConnection: Maybe<OrderConnection>;
  /**
   * All orders of the store in figures: the number and the total of the orders in each status, the orders placed in each
   * minute of the last hour, and the orders and the revenue of each of the last days (UTC). All lists are complete: they
   * contain minutes and days without orders too. The service keeps these sums together with the orders. So a read of the
   * sums takes the same time for any number of orders.
   *
   * All figures are true at the same place of the log of events, `cursor`: they contain every event up to this place, and
   * none after it. A client that reads the figures, and then subscribes after `cursor`, misses nothing and counts nothing
   * twice. An import that writes no events changes the figures without an event.
   *
   * The figures are about the orders of all users. A user without `orders:read` is refused, even if the user has orders.
   */
  readonly ordersSummary: Maybe<OrdersSummary>;
};

/**
 * Changes. A row that does not exist is null without an error. Mutation fields are independent: a change by one of them is
 * kept if another one fails.
 *
 * An operation can set one password. An operation that sets two is refused with `GRAPHQL_LIMIT_EXCEEDED`, and nothing is
 * executed.
 *
 * A client can send the same operation again, and the change is made only once. For this, the operation must have only one
 * mutation field, and a key of its own in `extensions.idempotencyKey`, or over HTTP in the header `Idempotency-Key`, as in
 * REST. The second result shows the first result again, with the fields that the second request selects, and
 * `extensions.idempotentReplayed` is true. Objects that are nested in the second result have their present values.
 */
export type Mutation = {
  /** Stores a new product. Its stock is not counted until `setProductStock` sets it. */
  readonly createProduct: Maybe<Product>;
  /** Replaces all of a product except its counted stock. Without the argument `description`, the description is removed. */
  readonly replaceProduct: Maybe<Product>;
  /** Changes the given fields and leaves the others as they are. Null is refused for a field that always has a value. */
  readonly updateProduct: Maybe<Product>;
  /** Removes a product and its stock permanently. Returns the product as it was, without the stock. Its id is never used again. */
  readonly deleteProduct: Maybe<Product>;
  /** Sets the number of pieces of a product, or stops counting them. */
  readonly setProductStock: Maybe<Product>;
  /**
   * Stores a new user. No two users have the same e-mail address. Case is ignored. `EMAIL_TAKEN` says that another user
   * has the address, but not which user.
   */
  readonly createUser: Maybe<User>;
  /**
   * Changes the given fields and leaves the others as they are. Null is refused, except for `expectedVersion`.
   *
   * With Basic, a user can set a new password directly. With any other credential, such as an API key or the token of a
   * program, the user must add the present password (`currentPassword`). Otherwise the error is `FORBIDDEN`, so that a
   * short-lived key does not give lasting access. A caller with `users:write` can set the password of another user, and
   * the first password of a user. A new password ends the previous one at once. It also ends the sign-ins, access tokens,
   * refresh tokens and JWTs that this service issued for the user, and the JWTs of linked issuers that were issued before.
   * API keys stay valid; `revokeKeys` ends them as well.
   *
   * An e-mail address of another user is refused with `EMAIL_TAKEN`, also if a user changes its own address. The error
   * says nothing else about the other user.
   */
  readonly updateUser: Maybe<User>;
  /**
   * Removes a user permanently, with the API keys and the identities of the user, and returns the user as it was. All
   * sign-ins and tokens end. The id is never used again. A user who has orders is not removed (`USER_HAS_ORDERS`), unless
   * `anonymise` keeps the orders without the user.
   */
  readonly deleteUser: Maybe<User>;
  /**
   * Places an order: takes the quantities out of stock and stores the order, all or nothing. If a line cannot be supplied,
   * the error is `OUT_OF_STOCK`, and `extensions.errors` names every such line. A user may order for itself. An order for
   * another user needs `orders:write`. If no product has the given `productId`, or no user has the given `userId`, the
   * error is `VALIDATION_FAILED`, with `UNKNOWN` in `extensions.errors`.
   */
  readonly createOrder: Maybe<Order>;
  /**
   * Moves an order to another status. A status that cannot come next is refused with `ILLEGAL_STATUS`, and the message
   * names the possible statuses. Cancelling puts counted pieces back into stock. Without `orders:write`, a user may only
   * cancel its own orders, and only as long as they are pending.
   */
  readonly updateOrderStatus: Maybe<Order>;
};

/**
 * Events, sent as they happen: over WebSocket (graphql-transport-ws) at `/graphql`, and as server-sent events at
 * `/graphql/stream`. If a connection breaks, the client can continue after its last event, and misses none. Each event has
 * a cursor: the field `cursor` of the returned object, and `extensions.cursor`. The argument `after` continues after a
 * cursor, without a gap or a duplicate. Some clients send their operations again automatically. Such a client gives the
 * cursor in the payload of `connection_init` instead: `{"resume": {"newOrder": "41"}}`. If both cursors are given, the
 * later cursor counts. The payload of `connection_ack` has the cursor of the newest event at that time:
 * `{"cursor": "45"}`. A client that has not received an event can continue after this cursor. Events are kept for some
 * days. A cursor is refused with `CURSOR_EXPIRED` if an event after it is no longer kept.
 *
 * These numbers of WebSockets may be open at a time: 200 for an address without a valid credential, 2,000 for a caller,
 * 20,000 in a process of the service. All callers without a credential together may have half of the places of a process.
 * The same numbers limit subscriptions, on WebSockets and event streams together. A subscription counts as one. Its
 * selection, printed without comments, adds one for each 100 characters. Its variables add one for each 100 characters.
 * The cost of one event adds one for each 5. If a caller has several subscriptions with the same selection, the selection
 * counts only once. If the variables are the same too, the variables and the cost count only once. A caller with too many
 * subscriptions gets the error `RATE_LIMITED`. If a caller has too many WebSockets, the next handshake gets 429, or the
 * WebSocket is closed with 1013 after `connection_init`. The client then closes WebSockets, ends subscriptions, or
 * subscribes to smaller selections. If the process is full, the service closes the socket with 1013 (503 on a handshake),
 * and ends a stream without `complete`. The client then connects again later, and continues after its last cursor. The
 * numbers are settings of the service.
 *
 * A socket may send 500 messages and control frames at once, and 50 per second. All sockets of a caller together may send
 * 5,000 at once, and 250 per second. Operations are not among them, because the request limits count operations. A message
 * counts once more for each 65,536 bytes. Above these limits, the service closes the socket with 1008. Before
 * `connection_ack`, a message may have 16,384 bytes. A page of another origin may open neither a WebSocket nor an event
 * stream (403 by `Origin`), unless a setting of the service allows it.
 */
export type Subscription = {
  /**
   * Every order that is placed, with its values at that time. The event is published after the order is stored, so that a
   * subscriber can read the order. A user without `orders:read` gets only its own orders.
   */
  readonly newOrder: Maybe<Order>;
  /**
   * Every change of the status of an order, with the order as it was after the change. If an order was paid, shipped and
   * delivered while a subscriber was away, the subscriber gets three events. A user without `orders:read` gets only events
   * of its own orders.
   */
  readonly orderStatusChanged: Maybe<Order>;
  /**
   * Every product that is created, changed or deleted, with its values at that time. `change` says which of the three
   * happened. A change of the counted stock, for example by a sale, is a change of the product only if it changes
   * `inStock`. `stock` is the number at the time when the event is sent.
   */
  readonly productChanged: Maybe<Product>;
};

/** A product that the store sells. */
export type Product = {
  /** An integer made by the service, as text. It is never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** The version rises with every change of the product. `expectedVersion` is compared with it. */
  readonly version: Scalars['Int']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** The price, in major units of the store's currency. */
  readonly price: Scalars['Float']['output'];
  /** The price with its currency, in minor units. */
  readonly priceMoney: Money;
  /** Whether the product can be ordered. It is false if a client set it to false, or if the counted stock is 0. */
  readonly inStock: Scalars['Boolean']['output'];
  /** The number of pieces. It is null if the stock is not counted, and for a product that was deleted. */
  readonly stock: Maybe<Scalars['Int']['output']>;
  /** A description in a few sentences. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** The time of creation. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The time of the last change. A change of the counted stock is a change of the product only if it changes `inStock`. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** The change that the event reports. It is null everywhere except in subscriptions. */
  readonly change: Maybe<ProductChange>;
  /** The cursor of the event, for the argument `after`. It is null everywhere except in subscriptions. */
  readonly cursor: Maybe<Scalars['ID']['output']>;
};

/** The kind of change of the product. */
export type ProductChange =
  /** The product is new. */
  | 'created'
  /** A field of the product shows another value than before. */
  | 'updated'
  /** The product was deleted. The event shows it as it was. */
  | 'deleted';

/** A person who buys. */
export type User = {
  /** An integer made by the service, as text. It is never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** The version rises with every change of the user. `expectedVersion` is compared with it. */
  readonly version: Scalars['Int']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** The e-mail address. No two users have the same address. Case is ignored. */
  readonly email: Scalars['String']['output'];
  /** The newest orders of the user, the newest first. The list is null if the caller may not see the orders. */
  readonly orders: Maybe<ReadonlyArray<Order>>;
  /** The time of creation. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The time of the last change. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** An order of a user. */
export type Order = {
  /** An integer made by the service, as text. It is never used again. */
  readonly id: Scalars['ID']['output'];
  /** The version rises with every change of the order. `expectedVersion` is compared with it. */
  readonly version: Scalars['Int']['output'];
  /** The sum of the totals of the items, in major units of the store's currency. */
  readonly total: Scalars['Float']['output'];
  /** The total with its currency, in minor units. */
  readonly totalMoney: Money;
  /** The status of the order: one of the values of `OrderStatus`. */
  readonly status: Scalars['String']['output'];
  /** The id of the user who ordered. It is null if the user was deleted with `anonymise`. */
  readonly userId: Maybe<Scalars['ID']['output']>;
  /** The user who ordered. It is null if the user was deleted with `anonymise`, or if the caller may not see the user. */
  readonly user: Maybe<User>;
  /** The lines of the order, in the sequence in which they were given. */
  readonly items: ReadonlyArray<OrderItem>;
  /**
   * The time of the order. If several orders are placed at the same time, the sequences of ids, of lists and of events can
   * differ from the sequence of times.
   */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The time of the last change. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** The cursor of the event, for the argument `after`. It is null everywhere except in subscriptions. */
  readonly cursor: Maybe<Scalars['ID']['output']>;
};

/** A line of an order, with the name and the price as they were when the order was placed. */
export type OrderItem = {
  /** The id of the product. The product may have been deleted since. */
  readonly productId: Scalars['ID']['output'];
  /** The product as it is now. It is null after the product was deleted. */
  readonly product: Maybe<Product>;
  /** The name of the product when it was ordered. */
  readonly name: Scalars['String']['output'];
  /** The price of one piece, in major units of the store's currency. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The price of one piece with its currency, in minor units. */
  readonly unitPriceMoney: Money;
  /** The number of pieces. */
  readonly quantity: Scalars['Int']['output'];
  /**
   * The price times the quantity, in major units of the store's currency. In an imported order, the total can be another
   * amount, for example after a discount.
   */
  readonly total: Scalars['Float']['output'];
  /** The total with its currency, in minor units. */
  readonly totalMoney: Money;
};

/**
 * The status of an order. `pending` can become `paid` or `cancelled`. `paid` can become `shipped`, `cancelled` or
 * `refunded`. `shipped` can become `delivered`. `delivered` can become `refunded`.
 */
export type OrderStatus =
  /** The order was placed. */
  | 'pending'
  /** The order was paid. */
  | 'paid'
  /** The order is on its way to the user. */
  | 'shipped'
  /** The order has arrived. */
  | 'delivered'
  /** The order was cancelled. Counted pieces are in stock again. */
  | 'cancelled'
  /** The order was refunded: the user has the money back. */
  | 'refunded';

/** The sort keys of a list of orders. */
export type OrderSort =
  /** Ascending by id. */
  | 'id'
  /** Descending by id. */
  | '-id'
  /** The earliest first. */
  | 'created_at'
  /** The latest first. */
  | '-created_at';

/** A slice of a list of products, in the form of the GraphQL Cursor Connections Specification. */
export type ProductConnection = {
  /** The products with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<ProductEdge>;
  /** The same products without the cursors. */
  readonly nodes: ReadonlyArray<Product>;
  /** The cursors at both ends of the slice, and whether more edges follow or precede. */
  readonly pageInfo: PageInfo;
  /** The number of products in the list. It is null if a filter matches more than 10,000. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** A product at its place in a list. */
export type ProductEdge = {
  /**
   * The cursor of this place. It is valid for this list only: with the same filter and sort, and for callers who may see
   * the same rows.
   */
  readonly cursor: Scalars['String']['output'];
  /** The product. */
  readonly node: Product;
};

/** A slice of a list of users, in the form of the GraphQL Cursor Connections Specification. */
export type UserConnection = {
  /** The users with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<UserEdge>;
  /** The same users without the cursors. */
  readonly nodes: ReadonlyArray<User>;
  /** The cursors at both ends of the slice, and whether more edges follow or precede. */
  readonly pageInfo: PageInfo;
  /** The number of users in the list. It is null if a search matches more than 10,000. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** A user at its place in a list. */
export type UserEdge = {
  /**
   * The cursor of this place. It is valid for this list only: with the same filter and sort, and for callers who may see
   * the same rows.
   */
  readonly cursor: Scalars['String']['output'];
  /** The user. */
  readonly node: User;
};

/** A slice of a list of orders, in the form of the GraphQL Cursor Connections Specification. */
export type OrderConnection = {
  /** The orders with their cursors, in the order of the list. */
  readonly edges: ReadonlyArray<OrderEdge>;
  /** The same orders without the cursors. */
  readonly nodes: ReadonlyArray<Order>;
  /** The cursors at both ends of the slice, and whether more edges follow or precede. */
  readonly pageInfo: PageInfo;
  /** The number of orders in the list. It is null for more than 10,000, except in the list of all orders of the store. */
  readonly totalCount: Maybe<Scalars['Int']['output']>;
};

/** An order at its place in a list. */
export type OrderEdge = {
  /**
   * The cursor of this place. It is valid for this list only: with the same filter and sort, and for callers who may see
   * the same rows.
   */
  readonly cursor: Scalars['String']['output'];
  /** The order. */
  readonly node: Order;
};

/** The cursors at both ends of a slice, and whether more edges follow or precede. */
export type PageInfo = {
  /** Whether an edge follows the last edge. With `before`, it is always true, also if the edges that followed were deleted. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether an edge precedes the first edge. With `after`, it is always true, also if the edges that preceded were deleted. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first edge. It is null if there is no edge. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
  /** The cursor of the last edge. It is null if there is no edge. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
};

/** An amount of money. */
export type Money = {
  /** Minor units, such as cents. */
  readonly amount: Scalars['SafeInt']['output'];
  /** The currency (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/** The sort keys of a list of products. Text is sorted by code point. */
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
  /** The most expensive first. */
  | '-price';

/** All orders of the store in figures, which are true at one place of the log of events. */
export type OrdersSummary = {
  /** The time of the figures. The last minute and the last day of the lists contain it. */
  readonly at: Scalars['DateTime']['output'];
  /**
   * A place in the log of events. The figures contain all events up to this place. Later events change the
   * figures.
   */
  readonly cursor: Scalars['String']['output'];
  /** The sums of each status, in the order of the values of `OrderStatus`. */
  readonly statuses: ReadonlyArray<OrdersOfStatus>;
  /** The last 60 minutes, the earliest first. The last one is not over yet. */
  readonly minutes: ReadonlyArray<OrdersOfMinute>;
  /** The last 30 days in UTC, the earliest first. The last one is not over yet. */
  readonly days: ReadonlyArray<OrdersOfDay>;
};

/** The orders in one status. */
export type OrdersOfStatus = {
  /** The status. */
  readonly status: OrderStatus;
  /** The number of orders that are in this status now. */
  readonly orders: Scalars['SafeInt']['output'];
  /** The sum of the totals of these orders. A sum above the highest amount is shown as the highest amount. */
  readonly total: Money;
};

/** The orders of one minute. */
export type OrdersOfMinute = {
  /** The beginning of the minute in UTC. */
  readonly start: Scalars['DateTime']['output'];
  /** The number of orders that were placed in this minute, whatever their present status. */
  readonly orders: Scalars['SafeInt']['output'];
};

/** The orders of one day in UTC. */
export type OrdersOfDay = {
  /** The day in UTC, such as `2026-11-21`. */
  readonly date: Scalars['String']['output'];
  /** The number of orders that were placed on this day, whatever their present status. */
  readonly orders: Scalars['SafeInt']['output'];
  /**
   * The sum of the totals of the orders that were placed on this day and are neither cancelled nor refunded now. So the
   * revenue of a day shrinks when one of its orders is cancelled later. A sum above the highest amount is shown as the
   * highest amount.
   */
  readonly revenue: Money;
};

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
  OrdersSummary: ResolverTypeWrapper<
    Omit<OrdersSummary, 'statuses'> & { statuses: ReadonlyArray<ResolversTypes['OrdersOfStatus']> }
  >;
  OrdersOfStatus: ResolverTypeWrapper<
    Omit<OrdersOfStatus, 'status'> & { status: ResolversTypes['OrderStatus'] }
  >;
  OrdersOfMinute: ResolverTypeWrapper<OrdersOfMinute>;
  OrdersOfDay: ResolverTypeWrapper<OrdersOfDay>;
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
  OrdersSummary: Omit<OrdersSummary, 'statuses'> & {
    statuses: ReadonlyArray<ResolversParentTypes['OrdersOfStatus']>;
  };
  OrdersOfStatus: OrdersOfStatus;
  OrdersOfMinute: OrdersOfMinute;
  OrdersOfDay: OrdersOfDay;
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
  ordersSummary: Resolver<Maybe<ResolversTypes['OrdersSummary']>, ParentType, ContextType>;
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

export type OrdersSummaryResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrdersSummary'] = ResolversParentTypes['OrdersSummary'],
> = {
  at: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  statuses: Resolver<ReadonlyArray<ResolversTypes['OrdersOfStatus']>, ParentType, ContextType>;
  minutes: Resolver<ReadonlyArray<ResolversTypes['OrdersOfMinute']>, ParentType, ContextType>;
  days: Resolver<ReadonlyArray<ResolversTypes['OrdersOfDay']>, ParentType, ContextType>;
};

export type OrdersOfStatusResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrdersOfStatus'] = ResolversParentTypes['OrdersOfStatus'],
> = {
  status: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  orders: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  total: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
};

export type OrdersOfMinuteResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrdersOfMinute'] = ResolversParentTypes['OrdersOfMinute'],
> = {
  start: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  orders: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type OrdersOfDayResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['OrdersOfDay'] = ResolversParentTypes['OrdersOfDay'],
> = {
  date: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orders: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  revenue: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
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
  OrdersSummary: OrdersSummaryResolvers<ContextType>;
  OrdersOfStatus: OrdersOfStatusResolvers<ContextType>;
  OrdersOfMinute: OrdersOfMinuteResolvers<ContextType>;
  OrdersOfDay: OrdersOfDayResolvers<ContextType>;
};
