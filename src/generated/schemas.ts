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
  readonly scopes?: KeyScopes;
  /** When it ends by itself; never when left out. */
  readonly expires_at?: string;
};

/** A page of API keys. */
export type ApiKeyList = readonly ApiKey[];

/** A page of API keys. */
export type ApiKeyPage = {
  /** What is on the page. */
  readonly data: readonly ApiKey[];
  readonly page: PageInfo;
};

/** How an API key changes its secret. */
export type ApiKeyRotate = {
  readonly overlap_seconds?: OverlapSeconds;
};

/** Whether all is done or nothing. */
export type Atomic = boolean;

/** The metadata of an authorization server (RFC 8414). */
export type AuthorizationServer = {
  /** Who tokens say that they are from. */
  readonly issuer: string;
  /** Where users are sent to. */
  readonly authorization_endpoint: string;
  /** Where tokens are got. */
  readonly token_endpoint: string;
  /** The public keys. */
  readonly jwks_uri: string;
  /** Where a client that may asks what a token is good for. */
  readonly introspection_endpoint: string;
  /** Where a client ends a token of its own. */
  readonly revocation_endpoint: string;
  /** Where users sign out. */
  readonly end_session_endpoint: string;
  /** What tokens are for; the value of `resource` that asks for a JWT. */
  readonly protected_resources: readonly string[];
  /** All scopes. */
  readonly scopes_supported: readonly string[];
  /** What an authorization request may ask for. */
  readonly response_types_supported: readonly string[];
  /** How it may be answered. */
  readonly response_modes_supported: readonly string[];
  /** How tokens can be got. */
  readonly grant_types_supported: readonly string[];
  /** How clients prove who they are. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
  /** The same for introspection. */
  readonly introspection_endpoint_auth_methods_supported: readonly string[];
  /** The same for revocation. */
  readonly revocation_endpoint_auth_methods_supported: readonly string[];
  /** The methods of PKCE, which is required. */
  readonly code_challenge_methods_supported: readonly string[];
  /** Whether each client sees users under the same name. */
  readonly subject_types_supported: readonly string[];
  /** How ID tokens are signed. */
  readonly id_token_signing_alg_values_supported: readonly string[];
  /** Whether answers name the issuer (RFC 9207). */
  readonly authorization_response_iss_parameter_supported: boolean;
  /** Whether a request may be a JWT. */
  readonly request_parameter_supported: boolean;
  /** Whether it may be an address. */
  readonly request_uri_parameter_supported: boolean;
};

/** A client of the authorization server without its secret. */
export type Client = {
  readonly id: Id;
  /** What the client calls itself in requests to the authorization server. */
  readonly client_id: string;
  readonly name: ClientName;
  /** Whether it has a secret. A public client has none. */
  readonly confidential: boolean;
  /** Where users may be sent back to, compared character by character. */
  readonly redirect_uris: readonly RedirectUri[];
  /** How it may get tokens. */
  readonly grant_types: readonly GrantType[];
  /** The most that its tokens can hold. */
  readonly scopes: readonly Scope[];
  /** Whether it may ask the authorization server what a token of anybody is good for. */
  readonly may_introspect: boolean;
  /** When it was made (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it was revoked; null as long as it is not. */
  readonly revoked_at: string | null;
};

/** A new client. */
export type ClientCreate = {
  readonly name: ClientName;
  readonly confidential?: Confidential;
  readonly redirect_uris?: RedirectUris;
  /**
   * How it may get tokens: for itself (`client_credentials`, confidential clients only), or from a user who agrees
   * (`authorization_code`), and then without the user being there (`refresh_token`, only together with it).
   */
  readonly grant_types: readonly GrantType[];
  readonly scopes?: ClientScopes;
  readonly may_introspect?: MayIntrospect;
};

/** A page of clients. */
export type ClientList = readonly Client[];

/** What users read when they are asked for their consent. */
export type ClientName = string;

/** A page of clients. */
export type ClientPage = {
  /** What is on the page. */
  readonly data: readonly Client[];
  readonly page: PageInfo;
};

/** How a client changes its secret. */
export type ClientRotate = {
  readonly overlap_seconds?: OverlapSeconds;
};

/**
 * The most that its tokens can hold. Users lend `users:read`, `users:write`, `orders:read` and `orders:write`, of what
 * is their own; the others are for tokens that the client gets for itself.
 */
export type ClientScopes = readonly Scope[];

/** Whether it can keep a secret. An app on a phone or a page in a browser cannot. */
export type Confidential = boolean;

/** The currency (ISO 4217). The store has one. */
export type Currency = string;

/**
 * The present password, which a user shows to set a new one by any other credential than Basic; a wrong one is refused with
 * 403, and tries are slowed. It says nothing without `password`, and for who sets the password of somebody else.
 */
export type CurrentPassword = string;

/** A place in the order of events; 0 is before the first one. */
export type Cursor = string;

/**
 * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at both ends
 * are removed before it is stored. Characters that nobody sees are refused: control and format characters, such as a soft hyphen
 * or a change of direction, and what has no character (the Unicode category C). Two addresses that differ in case only are the
 * same. An address that was stored before this rule stays, and is read as it is.
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

/** Events of the log, in their order. */
export type EventPageV2 = {
  /** The events. */
  readonly data: readonly EventV2[];
  readonly next: Cursor;
};

/**
 * What happened. `order.updated` is written by an import that has written the order anew; when its status is another one
 * then, there is `order.status_changed` too.
 */
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

/** Something that happened. */
export type EventV2 = {
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
  readonly data: OrderV2 | ProductV2 | UserV2 | null;
};

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

/** How a client gets tokens (RFC 6749). */
export type GrantType = 'client_credentials' | 'authorization_code' | 'refresh_token';

/** The state of the service. */
export type Health = {
  /** `ok` when the service can do its work. */
  readonly status: 'ok';
};

/** An address on this service. */
export type Href = string;

/** A date of HTTP (RFC 9110, section 5.6.7), such as `Sat, 21 Nov 2026 18:00:00 GMT`. What is none is ignored. */
export type HttpDate = string;

/** An integer made by the service; never used again after a deletion. */
export type Id = number;

/** A key in double quotes (a string of RFC 9651) or bare. */
export type IdempotencyKey = string;

/** Which user it is whom an outside issuer knows by a subject. */
export type Identity = {
  readonly id: Id;
  readonly issuer: Issuer;
  readonly subject: Subject;
  readonly user_id: Id;
  /** When it was linked (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
};

/** A new link. */
export type IdentityCreate = {
  readonly issuer: Issuer;
  readonly subject: Subject;
  readonly user_id: Id;
};

/** A page of links. */
export type IdentityList = readonly Identity[];

/** A page of links. */
export type IdentityPage = {
  /** What is on the page. */
  readonly data: readonly Identity[];
  readonly page: PageInfo;
};

/** Whether it can be ordered. */
export type InStockAtFirst = boolean;

/** What there is in one version of the interface. */
export type Index = {
  readonly version: VersionName;
  /** The resources, each with the address of its list. */
  readonly resources: readonly {
    /** The last part of its address. */
    readonly name: string;
    readonly href: Href;
    /** What GET shows there. */
    readonly title: string;
    /** The methods that the address has. */
    readonly methods: readonly string[];
  }[];
  /** The versions that are served now. */
  readonly versions: readonly {
    readonly version: VersionName;
    readonly href: Href;
  }[];
  /** Descriptions of the service, for programs and for people. */
  readonly documents: readonly {
    /** A short name. */
    readonly name: string;
    readonly href: Href;
    /** The content of the document. */
    readonly title: string;
  }[];
};

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

/** A client with its secret. */
export type IssuedClient = {
  readonly id: Id;
  /** What the client calls itself in requests to the authorization server. */
  readonly client_id: string;
  readonly name: ClientName;
  /** Whether it has a secret. A public client has none. */
  readonly confidential: boolean;
  /** Where users may be sent back to, compared character by character. */
  readonly redirect_uris: readonly RedirectUri[];
  /** How it may get tokens. */
  readonly grant_types: readonly GrantType[];
  /** The most that its tokens can hold. */
  readonly scopes: readonly Scope[];
  /** Whether it may ask the authorization server what a token of anybody is good for. */
  readonly may_introspect: boolean;
  /** When it was made (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it was revoked; null as long as it is not. */
  readonly revoked_at: string | null;
  /** What it proves with who it is; null for a public client. It cannot be shown again. */
  readonly client_secret: string | null;
};

/** An outside issuer of JWTs, as it calls itself in `iss`. */
export type Issuer = string;

/**
 * Operations one after another, all or nothing (RFC 6902), on the resource as this version shows it; a user stands at
 * the top level. What it comes to is judged as a body would be, and only members that it changes are written; a status that
 * it sets to what it is already is refused like any other that cannot come next.
 * A `test` that fails, and a pointer to nothing, are 409 with the code `PATCH_CONFLICT`. A value that stays whatever the row is
 * (of `add` or `replace` at a member, or for the whole) is judged first, before the row is looked for and any `test`; what
 * hangs on the row is judged when the row has been found and its conditions hold.
 * No operation may make the resource deeper than 32 levels (`TOO_DEEP`), and all together may copy and move 1,048,576 bytes
 * of JSON (`TOO_LARGE`).
 */
export type JsonPatch = readonly JsonPatchOperation[];

/** One operation. `add`, `replace` and `test` need a `value`, `move` and `copy` a `from`; other members are ignored. */
export type JsonPatchOperation = {
  /** The operation to apply. */
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: JsonPointer;
  /** Of `move` and `copy`, where to take it from: a place in the resource, as in `path`. */
  readonly from?: unknown;
  readonly [member: string]: unknown;
};

/** A place in the resource (RFC 6901); members named `__proto__`, `constructor` and `prototype` are refused. */
export type JsonPointer = string;

/** Public keys (RFC 7517). */
export type JsonWebKeys = {
  /** The one that signs now comes first. */
  readonly keys: readonly {
    /** The type of key. */
    readonly kty: string;
    /** The curve. */
    readonly crv: string;
    /** A coordinate. */
    readonly x: string;
    /** A coordinate. */
    readonly y: string;
    /** What tokens call it by. */
    readonly kid: string;
    /** What it is for. */
    readonly use: string;
    /** How it signs. */
    readonly alg: string;
  }[];
};

/** What the key is for, 1 to 100 characters; it stands in the log. */
export type KeyName = string;

/** What it may do besides what the user may. */
export type KeyScopes = readonly Scope[];

/** Whether it may ask what a token of anybody is good for; confidential clients only. */
export type MayIntrospect = boolean;

/** An amount of money. */
export type Money = {
  /** Minor units, such as cents; major units where the currency has no others. */
  readonly amount: number;
  readonly currency: Currency;
};

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  /** The version of the OpenAPI specification. */
  readonly openapi: string;
  /** The title and the version. */
  readonly info: {
    readonly [member: string]: unknown;
  };
  /** The operations by their paths. */
  readonly paths: {
    readonly [member: string]: unknown;
  };
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
  /**
   * When it was placed (RFC 3339, UTC, milliseconds). Orders that are placed at the same time may get their ids, and their
   * places in lists and among events, in another order than their moments.
   */
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

/** Any number of orders. */
export type OrderExport = readonly Order[];

/** Any number of orders. */
export type OrderExportV2 = readonly OrderV2[];

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

/** A line of an order, with name and price as they were when it was placed. */
export type OrderItemV2 = {
  /** The id of the product, which may have been deleted since. */
  readonly product_id: Id;
  readonly name: ProductName;
  readonly unit_price: Money;
  readonly quantity: Quantity;
  /** Price times quantity; less where an imported order had a discount. */
  readonly total: Money;
};

/** A page of orders. */
export type OrderList = readonly Order[];

/** A page of orders. */
export type OrderPage = {
  /** What is on the page. */
  readonly data: readonly OrderV2[];
  readonly page: PageInfo;
};

/** Where an order stands. */
export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

/** The status that an order is to have. */
export type OrderUpdate = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly status: OrderStatus;
  /** May be sent back as it was read; another value is refused. */
  readonly user_id?: number | null;
  /** May be sent back as it was read; another value is refused. */
  readonly total?: Amount;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as they were read; others are refused. */
  readonly items?: readonly OrderItem[];
};

/** The status that an order is to have. */
export type OrderUpdateV2 = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly status: OrderStatus;
  /** May be sent back as it was read; another value is refused. */
  readonly user_id?: number | null;
  /** May be sent back as it was read; another value is refused. */
  readonly total?: Money;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
  /** May be sent back as they were read; others are refused. */
  readonly items?: readonly OrderItemV2[];
};

/** What somebody ordered. */
export type OrderV2 = {
  readonly id: Id;
  /** Who ordered; null once the user was anonymised. */
  readonly user_id: number | null;
  readonly status: OrderStatus;
  /** The sum of the totals of the items. */
  readonly total: Money;
  /** When it was placed (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it was last changed (RFC 3339, UTC, milliseconds). */
  readonly updated_at: string;
  /** What was ordered, in the order in which it was given. */
  readonly items: readonly OrderItemV2[];
};

/** How long the present secret stays good, at most a week. */
export type OverlapSeconds = number;

/** A place in a list; only this store can read it. */
export type PageCursor = string;

/** Where the pages before and after this one begin. */
export type PageInfo = {
  /** The cursor of the next page; null when this is the last one. */
  readonly next: string | null;
  /** The cursor of the previous page; null when this is the first one. */
  readonly previous: string | null;
  /** How many items there are on all pages together; null when it is not known exactly. */
  readonly total: number | null;
};

/**
 * The password, 8 to 128 characters of any kind. What everybody tries first is refused (`TOO_COMMON`), as are name and
 * e-mail address. It is stored as a slow hash and shown nowhere. Left out, it stays as it is; a new user without one
 * uses keys.
 */
export type Password = string;

/** Preferences of a client (RFC 7240). */
export type Preferences = string;

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

/** Changes of products. */
export type ProductBatch = {
  readonly atomic?: Atomic;
  /** What is to be done, in this order. */
  readonly items: readonly ProductBatchItem[];
};

/** What became of a batch. */
export type ProductBatchAnswer = {
  /** One for each item, in their order. */
  readonly results: readonly ProductBatchResult[];
};

/** What became of a batch. */
export type ProductBatchAnswerV2 = {
  /** One for each item, in their order. */
  readonly results: readonly ProductBatchResultV2[];
};

/** A product to create, as `createProduct` takes it. */
export type ProductBatchCreate = {
  /** The operation to apply. */
  readonly op: 'create';
  readonly name: ProductName;
  readonly price: Price;
  readonly in_stock?: InStockAtFirst;
};

/** A product to create, as `createProductV2` takes it. */
export type ProductBatchCreateV2 = {
  /** The operation to apply. */
  readonly op: 'create';
  readonly name: ProductName;
  readonly description?: ProductDescription;
  readonly price: ProductPrice;
  readonly in_stock?: InStockAtFirst;
};

/** A product to delete. */
export type ProductBatchDelete = {
  /** The operation to apply. */
  readonly op: 'delete';
  readonly id: Id;
  readonly if_match?: EntityTags;
};

/** A product to delete. */
export type ProductBatchDeleteV2 = {
  /** The operation to apply. */
  readonly op: 'delete';
  readonly id: Id;
  readonly if_match?: EntityTags;
};

/**
 * One change. `if_match` is the entity tag that the client edited, as in `If-Match`. What is wrong with an item is reported for
 * all items together, or where each stands for itself (`atomic: false`) in its result.
 */
export type ProductBatchItem = ProductBatchCreate | ProductBatchUpdate | ProductBatchDelete;

/**
 * One change. `if_match` is the entity tag that the client edited, as in `If-Match`. What is wrong with an item is reported for
 * all items together, or where each stands for itself (`atomic: false`) in its result.
 */
export type ProductBatchItemV2 = ProductBatchCreateV2 | ProductBatchUpdateV2 | ProductBatchDeleteV2;

/** What became of one item. Where it was done, `product` and `etag` say how it is now; otherwise `error` says why not. */
export type ProductBatchResult = {
  /** What was to be done. */
  readonly op: 'create' | 'update' | 'delete';
  /** The status that a request of its own would have had. */
  readonly status: number;
  /** The entity tag of the product. */
  readonly etag?: string;
  readonly product?: Product;
  readonly error?: Problem;
};

/** What became of one item. Where it was done, `product` and `etag` say how it is now; otherwise `error` says why not. */
export type ProductBatchResultV2 = {
  /** What was to be done. */
  readonly op: 'create' | 'update' | 'delete';
  /** The status that a request of its own would have had. */
  readonly status: number;
  /** The entity tag of the product. */
  readonly etag?: string;
  readonly product?: ProductV2;
  readonly error?: Problem;
};

/** The members of a product to change, as `updateProduct` takes them; at least one beside `op`, `id` and `if_match`. */
export type ProductBatchUpdate = {
  /** The operation to apply. */
  readonly op: 'update';
  readonly id: Id;
  readonly if_match?: EntityTags;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
};

/** The members of a product to change, as `updateProductV2` takes them; at least one beside `op`, `id` and `if_match`. */
export type ProductBatchUpdateV2 = {
  /** The operation to apply. */
  readonly op: 'update';
  readonly id: Id;
  readonly if_match?: EntityTags;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: ProductPrice;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
};

/** Changes of products. */
export type ProductBatchV2 = {
  readonly atomic?: Atomic;
  /** What is to be done, in this order. */
  readonly items: readonly ProductBatchItemV2[];
};

/** A new product. */
export type ProductCreate = {
  readonly name: ProductName;
  readonly price: Price;
  readonly in_stock?: InStockAtFirst;
};

/** A new product. */
export type ProductCreateV2 = {
  readonly name: ProductName;
  readonly description?: ProductDescription;
  readonly price: ProductPrice;
  readonly in_stock?: InStockAtFirst;
};

/** What it is, in a few sentences; null for nothing. */
export type ProductDescription = string | null;

/** Any number of products. */
export type ProductExport = readonly Product[];

/** Any number of products. */
export type ProductExportV2 = readonly ProductV2[];

/** A page of products. */
export type ProductList = readonly (Product | ProductSelection)[];

/**
 * The name, 1 to 200 characters of which at least one is not blank, without control characters other than tab
 * and line feed. Blanks at both ends are removed before it is stored.
 */
export type ProductName = string;

/** A page of products. */
export type ProductPage = {
  /** What is on the page. */
  readonly data: readonly (ProductV2 | ProductSelectionV2)[];
  readonly page: PageInfo;
};

/** What a product is to cost. */
export type ProductPrice = {
  /** Minor units, such as cents, up to 10,000,000 major units. */
  readonly amount: number;
  readonly currency: Currency;
};

/** All that version 1 shows of a product. */
export type ProductReplace = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: ProductName;
  readonly price: Price;
  /** Whether it can be ordered. */
  readonly in_stock: boolean;
};

/** All of a product but its counted stock. */
export type ProductReplaceV2 = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: ProductName;
  readonly description?: ProductDescription;
  readonly price: ProductPrice;
  /** Whether it can be ordered. */
  readonly in_stock: boolean;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
};

/** A product reduced to the members named by `fields`. */
export type ProductSelection = {
  readonly id?: Id;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
};

/** A product reduced to the members named by `fields`. */
export type ProductSelectionV2 = {
  readonly id?: Id;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: Money;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
  /** When it was created (RFC 3339, UTC, milliseconds). */
  readonly created_at?: string;
  /** When it was last changed (RFC 3339, UTC, milliseconds). */
  readonly updated_at?: string;
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

/** The members of a product to change. */
export type ProductUpdateV2 = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: ProductPrice;
  /** Whether it can be ordered. */
  readonly in_stock?: boolean;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
};

/** Something the store sells. */
export type ProductV2 = {
  readonly id: Id;
  readonly name: ProductName;
  readonly description: ProductDescription;
  readonly price: Money;
  /** Whether it can be ordered; false when it was switched off, or its counted stock is 0. */
  readonly in_stock: boolean;
  /** When it was created (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When it was last changed; counting the stock is no change of the product (RFC 3339, UTC, milliseconds). */
  readonly updated_at: string;
};

/** The metadata of a protected resource (RFC 9728). */
export type ProtectedResource = {
  /** The interface itself. */
  readonly resource: string;
  /** What it is called. */
  readonly resource_name: string;
  /** Who gives out tokens. */
  readonly authorization_servers: readonly string[];
  /** The public keys of the authorization server. */
  readonly jwks_uri: string;
  /** All scopes. */
  readonly scopes_supported: readonly string[];
  /** Where tokens are taken from. */
  readonly bearer_methods_supported: readonly string[];
  /** For people. */
  readonly resource_documentation: string;
};

/** How many pieces. */
export type Quantity = number;

/** How well the service can do its work. */
export type Readiness = {
  /** `degraded` when something is missing that only makes it faster. */
  readonly status: 'ok' | 'degraded';
  /** What is missing. */
  readonly missing?: readonly 'redis'[];
};

/** An absolute URI without a fragment. */
export type RedirectUri = string;

/**
 * Where users may be sent back to: `https`, `http` on the same machine (`127.0.0.1`, `[::1]`, `localhost`), or for a
 * public client a scheme of its own with a dot in it (RFC 8252). At least one with `authorization_code`, none
 * without it.
 */
export type RedirectUris = readonly RedirectUri[];

/** Whether all API keys of the user end with the new password. It says nothing without `password`. */
export type RevokeKeys = boolean;

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

/** What the issuer calls somebody in `sub`. */
export type Subject = string;

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

/** Any number of users. */
export type UserExport = readonly User[];

/** Any number of users. */
export type UserExportV2 = readonly UserV2[];

/** A page of users. */
export type UserList = readonly User[];

/**
 * The name, 1 to 200 characters of which at least one is not blank, without control characters. Blanks at both ends
 * are removed before it is stored.
 */
export type UserName = string;

/** A page of users. */
export type UserPage = {
  /** What is on the page. */
  readonly data: readonly UserV2[];
  readonly page: PageInfo;
};

/** All of a user that a client may write. */
export type UserReplace = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
};

/** All of a user that a client may write. */
export type UserReplaceV2 = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
};

/** The members of a user to change. */
export type UserUpdate = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name?: UserName;
  readonly email?: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
};

/** The members of a user to change. */
export type UserUpdateV2 = {
  /** May be sent back as it was read; another value is refused. */
  readonly id?: Id;
  readonly name?: UserName;
  readonly email?: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
  /** May be sent back as it was read; another value is refused. */
  readonly created_at?: string;
  /** May be sent back as it was read; another value is refused. */
  readonly updated_at?: string;
};

/** Somebody who buys. */
export type UserV2 = {
  readonly id: Id;
  readonly name: UserName;
  readonly email: Email;
  /** When the user was created (RFC 3339, UTC, milliseconds). */
  readonly created_at: string;
  /** When the user was last changed (RFC 3339, UTC, milliseconds). */
  readonly updated_at: string;
};

/** The name of a version, as it stands in addresses. */
export type VersionName = string;
