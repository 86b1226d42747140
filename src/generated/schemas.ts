// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

/** Major units of the store's currency. */
export type Amount = number;

/** An API key without its secret. */
export type ApiKey = {
  readonly id: Id;
  readonly name: KeyName;
  /** Whose key it is; null for that of a client of the interface. */
  readonly user_id: number | null;
  /** What it may do besides what the user may. */
  readonly scopes: readonly Scope[];
  /** When it was made (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it ends by itself; null for never. */
  readonly expires_at: string | null;
  /** When it was used last, within a minute or so; null for never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null as long as it is not. */
  readonly revoked_at: string | null;
};

/** A new API key. */
export type ApiKeyCreate = {
  readonly name: KeyName;
  /** Whose key it is to be. Left out by a user without `admin`, its own; else that of a client. */
  readonly user_id?: Id;
  /** What it may do besides what the user may. */
  readonly scopes?: readonly Scope[];
  /** When it ends by itself; never when left out. */
  readonly expires_at?: string;
};

/** A page of API keys. */
export type ApiKeyList = readonly ApiKey[];

/** How an API key changes its secret. */
export type ApiKeyRotate = {
  /** How long the present secret stays good, at most a week. */
  readonly overlap_seconds?: number;
};

/** A place in the order of events; 0 is before the first one. */
export type Cursor = string;

/**
 * An e-mail address (RFC 5321, without quoted local parts and address literals). Blanks at both ends are removed before
 * it is stored. Two addresses that differ in case only are the same.
 */
export type Email = string;

/** The value of `If-Match` and of `If-None-Match`. */
export type EntityTags = string;

/** Something that happened. */
export type Event = {
  readonly cursor: Cursor;
  readonly type: EventType;
  /** To what kind of thing it happened. */
  readonly entity: 'order' | 'product' | 'user';
  readonly entity_id: Id;
  /** Rises from each event of an order, product or user to its next one. */
  readonly version: number;
  /** When it happened (RFC 3339, UTC, milliseconds). */
  readonly occurred_at: string;
  readonly actor: EventActor;
  /** What it happened to, as it was then; null for a user whose name and e-mail address were removed. */
  readonly data: Order | Product | User | null;
};

/** Who did it. */
export type EventActor = {
  /** A client of the interface, a user, or the service itself. */
  readonly kind: 'anonymous' | 'client' | 'user' | 'service';
  /** The user, for who may read users, or is that user; otherwise null. */
  readonly user_id: number | null;
};

/** Events of the log, in their order. */
export type EventPage = {
  /** The events. */
  readonly data: readonly Event[];
  readonly next: Cursor;
};

/** What happened. */
export type EventType =
  | 'order.created'
  | 'order.status_changed'
  | 'order.updated'
  | 'product.created'
  | 'product.updated'
  | 'product.deleted'
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'user.anonymised';

/** One fault of a request, in its body (`pointer`) or in a parameter (`parameter`). */
export type Fault = {
  /** Where in the body, as the fragment form of a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** The path, query or header parameter. */
  readonly parameter?: string;
  readonly code: ProblemCode;
  /** What is wrong with it. */
  readonly detail: string;
};

/** The state of the service. */
export type Health = {
  /** `ok` when the service can do its work. */
  readonly status: 'ok';
};

/** An integer made by the service; never used again after a deletion. */
export type Id = number;

/** A key in double quotes (a string of RFC 9651) or bare. */
export type IdempotencyKey = string;

/** An API key with its secret. */
export type IssuedApiKey = {
  readonly id: Id;
  readonly name: KeyName;
  /** Whose key it is; null for that of a client of the interface. */
  readonly user_id: number | null;
  /** What it may do besides what the user may. */
  readonly scopes: readonly Scope[];
  /** When it was made (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it ends by itself; null for never. */
  readonly expires_at: string | null;
  /** When it was used last, within a minute or so; null for never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null as long as it is not. */
  readonly revoked_at: string | null;
  /** What to send in `X-API-Key`. It cannot be shown again. */
  readonly key: string;
};

/** What the key is for, 1 to 100 characters; it stands in the log. */
export type KeyName = string;

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  /** The version of the OpenAPI specification. */
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: unknown;
  readonly [member: string]: unknown;
};

/** What somebody ordered. */
export type Order = {
  readonly id: Id;
  /** Who ordered; null once the user was anonymised. */
  readonly user_id: number | null;
  readonly status: OrderStatus;
  /** The sum of the totals of the items. */
  readonly total: Amount;
  /** When it was placed (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** What was ordered, in the order in which it was given. */
  readonly items: readonly OrderItem[];
};

/** A new order. */
export type OrderCreate = {
  /** Who orders. May be left out when the credential belongs to a user, who then orders. */
  readonly user_id?: Id;
  /** What is ordered; the same product may stand in several lines. */
  readonly items: readonly OrderItemCreate[];
};

/** A line of an order, with name and price as they were when it was placed. */
export type OrderItem = {
  /** The id of the product, which may have been deleted since. */
  readonly product_id: Id;
  readonly name: ProductName;
  readonly unit_price: Price;
  readonly quantity: Quantity;
  /** Price times quantity; less where an imported order had a discount. */
  readonly total: Amount;
};

/** How many pieces of what. */
export type OrderItemCreate = {
  /** The id of the product. */
  readonly product_id: Id;
  readonly quantity: Quantity;
};

/** A page of orders. */
export type OrderList = readonly Order[];

/** Where an order stands. */
export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

/** The status that an order is to have. */
export type OrderUpdate = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly status: OrderStatus;
};

/**
 * The password, 8 to 128 characters of any kind. What everybody tries first is refused (`TOO_COMMON`), as are name and
 * e-mail address. It is stored as a slow hash and shown nowhere. Left out, it stays as it is; a new user without one
 * uses keys.
 */
export type Password = string;

/** Major units of the store's currency. In a currency without minor units (JPY) decimals are refused. */
export type Price = number;

/** Problem details (RFC 9457). */
export type Problem = {
  /** Names the kind of problem and leads to its description. */
  readonly type: string;
  /** The kind of problem in a few words. */
  readonly title: string;
  readonly status: ProblemStatus;
  /** What is wrong this time and how to put it right. */
  readonly detail: string;
  /** The path that was asked for. */
  readonly instance: string;
  readonly code: ProblemCode;
  /** Names the request in the service's log. */
  readonly request_id: string;
  /** Every fault of the request; the first hundred if there are more. */
  readonly errors?: readonly Fault[];
};

/** Stable; new codes may be added, none is ever renamed. */
export type ProblemCode = string;

/** The status code of the answer. */
export type ProblemStatus = number;

/** A kind of problem. */
export type ProblemType = {
  /** Names the kind of problem. */
  readonly type: string;
  readonly code: ProblemCode;
  /** The kind of problem in a few words. */
  readonly title: string;
  readonly status: ProblemStatus;
  /** When it occurs and what can be done about it. */
  readonly description: string;
};

/** Something the store sells. */
export type Product = {
  readonly id: Id;
  readonly name: ProductName;
  readonly price: Price;
  /** Whether it can be ordered; false when it was switched off, or its counted stock is 0. */
  readonly in_stock: boolean;
};

/** A new product. */
export type ProductCreate = {
  readonly name: ProductName;
  readonly price: Price;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
};

/** A page of products. */
export type ProductList = readonly (Product | ProductSelection)[];

/**
 * The name, 1 to 200 characters of which at least one is not blank, without control characters other than tab
 * and line feed. Blanks at both ends are removed before it is stored.
 */
export type ProductName = string;

/** All that version 1 shows of a product. */
export type ProductReplace = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: ProductName;
  readonly price: Price;
  /** Whether it can be ordered. */
  readonly in_stock: boolean;
};

/** A product reduced to the members named by `fields`. */
export type ProductSelection = {
  readonly id?: Id;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
};

/** The counted stock of a product. */
export type ProductStock = {
  readonly quantity: StockQuantity;
};

/** The counted stock of a product. */
export type ProductStockReplace = {
  readonly quantity: StockQuantity;
};

/** The members of a product to change. */
export type ProductUpdate = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
};

/** How many pieces. */
export type Quantity = number;

/** What a credential may do; `admin` holds all of them. */
export type Scope =
  | 'products:read'
  | 'products:write'
  | 'users:read'
  | 'users:write'
  | 'orders:read'
  | 'orders:write'
  | 'events:read'
  | 'admin';

/** The number of pieces; null when the stock is not counted. */
export type StockQuantity = number | null;

/** Somebody who buys. */
export type User = {
  readonly id: Id;
  readonly name: UserName;
  readonly email: Email;
};

/** A new user. */
export type UserCreate = {
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
};

/** One user, under the key `user`. */
export type UserEnvelope = {
  readonly user: User;
};

/** A page of users. */
export type UserList = readonly User[];

/**
 * The name, 1 to 200 characters of which at least one is not blank, without control characters. Blanks at both ends
 * are removed before it is stored.
 */
export type UserName = string;

/** All of a user that a client may write. */
export type UserReplace = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
};

/** The members of a user to change. */
export type UserUpdate = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name?: UserName;
  readonly email?: Email;
  readonly password?: Password;
};
