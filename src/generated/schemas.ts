// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

/** Major units of the store's currency. */
export type Amount = number;

/** An API key without its secret. */
export type ApiKey = {
  readonly id: Id;
  readonly name: KeyName;
  readonly user_id: KeyOwner;
  readonly scopes: GrantedScopes;
  readonly created_at: CreatedAt;
  readonly expires_at: ExpiresAt;
  readonly last_used_at: LastUsedAt;
  readonly revoked_at: RevokedAt;
};

/** A new API key. */
export type ApiKeyCreate = {
  readonly name: KeyName;
  /** The user of the key. If a user without `admin` leaves it out, the key belongs to that user. If an administrator leaves it out, the key belongs to a client of the interface. */
  readonly user_id?: Id;
  readonly scopes?: KeyScopes;
  /** The expiry time. If it is left out, the key never expires. */
  readonly expires_at?: string;
};

/** A page of API keys. */
export type ApiKeyList = readonly ApiKey[];

/** A page of API keys. */
export type ApiKeyPage = {
  /** The items of the page. */
  readonly data: readonly ApiKey[];
  readonly page: PageInfo;
};

/** The rotation of the secret of an API key. */
export type ApiKeyRotate = {
  readonly overlap_seconds?: OverlapSeconds;
};

/** Whether all items succeed or nothing is written. */
export type Atomic = boolean;

/** The metadata of an authorization server (RFC 8414). */
export type AuthorizationServer = {
  /** The issuer that tokens name. */
  readonly issuer: string;
  /** The address at which users sign in and agree. */
  readonly authorization_endpoint: string;
  /** The address at which clients get tokens. */
  readonly token_endpoint: string;
  /** The address of the public keys. */
  readonly jwks_uri: string;
  /** The address at which a permitted client asks about the state of a token. */
  readonly introspection_endpoint: string;
  /** The address at which a client ends its own token. */
  readonly revocation_endpoint: string;
  /** The address at which users sign out. */
  readonly end_session_endpoint: string;
  /** The resources that tokens are for. A `resource` with this value asks for a JWT. */
  readonly protected_resources: readonly string[];
  /** All scopes. */
  readonly scopes_supported: MetadataValues;
  /** The response types of an authorization request. */
  readonly response_types_supported: MetadataValues;
  /** The ways in which the response is returned. */
  readonly response_modes_supported: MetadataValues;
  /** The ways in which clients get tokens. */
  readonly grant_types_supported: MetadataValues;
  /** The ways in which clients authenticate. */
  readonly token_endpoint_auth_methods_supported: MetadataValues;
  /** The ways in which clients authenticate for introspection. */
  readonly introspection_endpoint_auth_methods_supported: MetadataValues;
  /** The ways in which clients authenticate for revocation. */
  readonly revocation_endpoint_auth_methods_supported: MetadataValues;
  /** The methods of PKCE, which is required. */
  readonly code_challenge_methods_supported: MetadataValues;
  /** Whether all clients see a user under the same name. */
  readonly subject_types_supported: MetadataValues;
  /** The signature algorithms of ID tokens. */
  readonly id_token_signing_alg_values_supported: MetadataValues;
  /** Whether authorization responses name the issuer (RFC 9207). */
  readonly authorization_response_iss_parameter_supported: boolean;
  /** Whether an authorization request may be sent as a JWT. */
  readonly request_parameter_supported: boolean;
  /** Whether an authorization request may be sent as a URI of the request. */
  readonly request_uri_parameter_supported: boolean;
};

/** Whether the client may ask the authorization server about the state of any client's token. */
export type CanIntrospect = boolean;

/** A client of the authorization server without its secret. */
export type Client = {
  readonly id: Id;
  readonly client_id: ClientId;
  readonly name: ClientName;
  readonly confidential: IsConfidential;
  readonly redirect_uris: KnownRedirectUris;
  readonly grant_types: GrantTypes;
  readonly scopes: MaximumScopes;
  readonly may_introspect: CanIntrospect;
  readonly created_at: CreatedAt;
  readonly revoked_at: RevokedAt;
};

/** A new client. */
export type ClientCreate = {
  readonly name: ClientName;
  readonly confidential?: Confidential;
  readonly redirect_uris?: RedirectUris;
  /**
   * The ways in which the client may get tokens: for itself (`client_credentials`, confidential clients only); from a user
   * who agrees (`authorization_code`); and later without the user (`refresh_token`, only together with
   * `authorization_code`).
   */
  readonly grant_types: readonly GrantType[];
  readonly scopes?: ClientScopes;
  readonly may_introspect?: MayIntrospect;
};

/** The name of the client in requests to the authorization server. */
export type ClientId = string;

/** A page of clients. */
export type ClientList = readonly Client[];

/** The name that users read when they are asked for their consent. */
export type ClientName = string;

/** A page of clients. */
export type ClientPage = {
  /** The items of the page. */
  readonly data: readonly Client[];
  readonly page: PageInfo;
};

/** The rotation of the secret of a client. */
export type ClientRotate = {
  readonly overlap_seconds?: OverlapSeconds;
};

/**
 * The maximum set of scopes for the tokens of the client. Users can grant `users:read`, `users:write`, `orders:read` and
 * `orders:write` for their own data. The other scopes are for tokens that the client gets for itself.
 */
export type ClientScopes = readonly Scope[];

/** Whether the client can keep a secret. An app on a phone or a page in a browser cannot. */
export type Confidential = boolean;

/** The time of creation (RFC 3339, UTC, milliseconds). */
export type CreatedAt = string;

/** The caller that a credential belongs to, and the rights of the credential. */
export type Credential = {
  /** Whether the credential belongs to a program or to a user. */
  readonly kind: 'client' | 'user';
  /** The name of the program, the API key or the user. */
  readonly name: string;
  readonly user_id: KeyOwner;
  /** The scopes of the credential for all rows. The scope `admin` includes all others. */
  readonly scopes: readonly Scope[];
  /** The scopes of the credential for the user's own rows; null if the credential needs no scopes for these rows. */
  readonly own_scopes: readonly Scope[] | null;
  readonly expires_at: ExpiresAt;
};

/** The currency (ISO 4217). The store has one currency. */
export type Currency = string;

/**
 * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password is
 * refused with 403, and attempts are slowed down. This value is ignored with Basic, without `password`, and when the
 * caller sets the password of another user.
 */
export type CurrentPassword = string;

/** A place in the order of events; 0 is before the first event. */
export type Cursor = string;

/**
 * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
 * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
 * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
 * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
 */
export type Email = string;

/** The value of `If-Match` and of `If-None-Match`. */
export type EntityTags = string;

/** The record of one change. */
export type Event = {
  readonly cursor: Cursor;
  readonly type: EventType;
  readonly entity: EventEntity;
  readonly entity_id: Id;
  readonly version: EventVersion;
  readonly occurred_at: OccurredAt;
  readonly actor: EventActor;
  /** The resource as it was at that time; null for a user whose name and e-mail address were removed. */
  readonly data: Order | Product | User | null;
};

/** The author of the change. */
export type EventActor = {
  /** A client of the interface, a user, the service itself, or a caller without a credential. */
  readonly kind: 'anonymous' | 'client' | 'user' | 'service';
  /** The user, if the caller may read users or is that user; otherwise null. */
  readonly user_id: number | null;
};

/** The kind of the resource that changed. */
export type EventEntity = 'order' | 'product' | 'user';

/** Events of the log, in order. */
export type EventPage = {
  /** The events. */
  readonly data: readonly Event[];
  readonly next: Cursor;
};

/** Events of the log, in order. */
export type EventPageV2 = {
  /** The events. */
  readonly data: readonly EventV2[];
  readonly next: Cursor;
};

/**
 * The kind of change. An import writes `order.updated` when it has written the order again. If the status of the order
 * has changed, it also writes `order.status_changed`.
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

/** The record of one change. */
export type EventV2 = {
  readonly cursor: Cursor;
  readonly type: EventType;
  readonly entity: EventEntity;
  readonly entity_id: Id;
  readonly version: EventVersion;
  readonly occurred_at: OccurredAt;
  readonly actor: EventActor;
  /** The resource as it was at that time; null for a user whose name and e-mail address were removed. */
  readonly data: OrderV2 | ProductV2 | UserV2 | null;
};

/** The version of the resource after the change. It never decreases from one event of a resource to the next. An import can write two events with the same version. */
export type EventVersion = number;

/** The expiry time; null if there is none. */
export type ExpiresAt = string | null;

/** One fault of a request, in its body (`pointer`) or in a parameter (`parameter`). */
export type Fault = {
  /** The place in the body, as the fragment form of a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** The path, query or header parameter. */
  readonly parameter?: string;
  readonly code: ProblemCode;
  /** The fault, in words. */
  readonly detail: string;
};

/** The way in which a client gets tokens (RFC 6749). */
export type GrantType = 'client_credentials' | 'authorization_code' | 'refresh_token';

/** The ways in which the client may get tokens. */
export type GrantTypes = readonly GrantType[];

/** The scopes of the key, in addition to the rights of the user. */
export type GrantedScopes = readonly Scope[];

/** Whether each written row gets an event. */
export type HasEvents = boolean;

/**
 * Whether each row of the file is a line of an order, and repeats the values of its order. Only for orders in CSV.
 * If one row of an order is refused, all rows of this order are refused.
 */
export type HasOrderLines = boolean;

/** The state of the service. */
export type Health = {
  /** `ok` when the service can do its work. */
  readonly status: 'ok';
};

/** An address on this service. */
export type Href = string;

/** A date of HTTP (RFC 9110, section 5.6.7), such as `Sat, 21 Nov 2026 18:00:00 GMT`. A value that is not a date is ignored. */
export type HttpDate = string;

/** An integer that the service assigns. It is never used again after a deletion. */
export type Id = number;

/** An identity is the subject (`sub`) of a user at an outside issuer. */
export type Identity = {
  readonly id: Id;
  readonly issuer: Issuer;
  readonly subject: Subject;
  readonly user_id: Id;
  readonly created_at: CreatedAt;
};

/** A new identity. */
export type IdentityCreate = {
  readonly issuer: Issuer;
  readonly subject: Subject;
  readonly user_id: Id;
};

/** A page of identities. */
export type IdentityList = readonly Identity[];

/** A page of identities. */
export type IdentityPage = {
  /** The items of the page. */
  readonly data: readonly Identity[];
  readonly page: PageInfo;
};

/** An import of the rows of a file, which the service does in the background. */
export type Import = {
  readonly id: Id;
  /** The kind of the rows in the file. */
  readonly kind: 'products' | 'users' | 'orders';
  /** The format of the file. */
  readonly format: 'csv' | 'ndjson';
  /** Whether the import only checks the rows and writes nothing. */
  readonly rehearsal: boolean;
  /** Whether each written row gets an event. */
  readonly events: boolean;
  /** Whether each row of the file is a line of an order. */
  readonly order_lines: boolean;
  /** The name of the source of the rows. */
  readonly source: string;
  /**
   * The state of the import. `uploading`: parts are missing; `waiting`: earlier imports come first; `done`: all rows were
   * read, and refused rows are counted; `failed`: `problem` says why, and how to go on.
   */
  readonly state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** The reason why the import failed, and how to go on; null if it did not fail. */
  readonly problem: string | null;
  /**
   * The line of the file at which the import failed: the line that cannot be read, or the first row that was not put
   * into the store. Null if the import did not fail, or if the line is not known.
   */
  readonly problem_line: number | null;
  /** The number of bytes of the parts. */
  readonly bytes: RowCount;
  /** The number of parts of the file. */
  readonly parts: RowCount;
  /** The number of rows without a fault of their own. These rows are put into the store. */
  readonly rows: RowCount;
  /** The number of the rows in `rows` that are done. */
  readonly rows_done: RowCount;
  /** The number of rows that were read from the file. */
  readonly read: RowCount;
  /** The number of lines of orders that were read. */
  readonly order_items: RowCount;
  /** The number of rows that were created. */
  readonly created: RowCount;
  /** The number of rows that were updated. */
  readonly updated: RowCount;
  /** The number of rows that the store has already, with the same values. */
  readonly unchanged: RowCount;
  /** The number of rows that were imported before and then deleted in the store. */
  readonly skipped: RowCount;
  /** The number of rows that repeat an earlier row of the file. */
  readonly repeated: RowCount;
  /** The number of rows that were refused. */
  readonly refused: RowCount;
  readonly created_at: CreatedAt;
  /** The time at which the import began to read the file; null if it has not begun yet, or ended without reading. */
  readonly started_at: string | null;
  /** The time at which the import ended; null before. */
  readonly ended_at: string | null;
};

/** A new import. */
export type ImportCreate = {
  /** The kind of the rows in the file. */
  readonly kind: 'products' | 'users' | 'orders';
  /** The format of the file. */
  readonly format: 'csv' | 'ndjson';
  /**
   * The rules by which the columns of the file become members of rows, as YAML or JSON, as in a mapping file of
   * `store import`. Without rules, the columns have the names of the members.
   */
  readonly mapping?: string;
  /** The name of the source of the rows. It replaces `source` of the mapping. Without both, the name is `store`. */
  readonly source?: string;
  readonly rehearsal?: IsRehearsal;
  readonly events?: HasEvents;
  readonly order_lines?: HasOrderLines;
};

/** One page of a list. */
export type ImportPage = {
  /** The items of the page. */
  readonly data: readonly Import[];
  readonly page: PageInfo;
};

/** A part of the file of an import. */
export type ImportPart = {
  /** The number of the part. */
  readonly number: number;
  /** The text of the part. A part may end anywhere, also inside a row. */
  readonly text: string;
  readonly last?: IsLastPart;
};

/** A fault of a refused row. */
export type ImportRefusal = {
  readonly id: Id;
  /** The line of the file in which the row begins. */
  readonly line: RowCount;
  /** The column of the fault; empty if the whole row has the fault. */
  readonly column: string;
  /** The value that was refused. */
  readonly value: string;
  /** The reason of the refusal. */
  readonly detail: string;
  /** Whether this line has to be corrected (`fault`), or the row depends on another fault that is listed (`consequence`). */
  readonly code: 'fault' | 'consequence';
};

/** One page of a list. */
export type ImportRefusalPage = {
  /** The items of the page. */
  readonly data: readonly ImportRefusal[];
  readonly page: PageInfo;
};

/** Whether the product can be ordered. */
export type InStockAtFirst = boolean;

/** The resources and documents of one version of the interface. */
export type Index = {
  readonly version: VersionName;
  /** The resources, each with its address. */
  readonly resources: readonly {
    /** The last part of its address. */
    readonly name: string;
    readonly href: Href;
    /** The content that GET shows there. */
    readonly title: string;
    /** The methods of the address. */
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

/** Whether the client has a secret. A public client has none. */
export type IsConfidential = boolean;

/** Whether this is the last part of the file. */
export type IsLastPart = boolean;

/** Whether the import only checks the rows and writes nothing. */
export type IsRehearsal = boolean;

/** An API key with its secret. */
export type IssuedApiKey = {
  readonly id: Id;
  readonly name: KeyName;
  readonly user_id: KeyOwner;
  readonly scopes: GrantedScopes;
  readonly created_at: CreatedAt;
  readonly expires_at: ExpiresAt;
  readonly last_used_at: LastUsedAt;
  readonly revoked_at: RevokedAt;
  /** The value to send in `X-API-Key`. It cannot be shown again. */
  readonly key: string;
};

/** A client with its secret. */
export type IssuedClient = {
  readonly id: Id;
  readonly client_id: ClientId;
  readonly name: ClientName;
  readonly confidential: IsConfidential;
  readonly redirect_uris: KnownRedirectUris;
  readonly grant_types: GrantTypes;
  readonly scopes: MaximumScopes;
  readonly may_introspect: CanIntrospect;
  readonly created_at: CreatedAt;
  readonly revoked_at: RevokedAt;
  /** The secret of the client; null for a public client. It cannot be shown again. */
  readonly client_secret: string | null;
};

/** An outside issuer of JWTs, by its name in `iss`. */
export type Issuer = string;

/**
 * Operations on the representation of the resource in this version (RFC 6902). They are applied in order, all or none. The
 * members of a user are at the top level. The result is validated like a body, and only members that the patch changes are
 * written. If the patch sets a status to its present value, the patch is refused like any other status change that is not
 * possible. If a `test` fails, or a pointer leads to nothing, the response is 409 with the code `PATCH_CONFLICT`. Some
 * values do not depend on the row: the values of `add` and `replace` at a member, or for the whole resource. They are
 * validated first, before the row is read and before any `test`. Everything that depends on the row is validated after the
 * row is found and the conditions of the request hold. No operation may make the resource deeper than 32 levels
 * (`TOO_DEEP`). All operations together may copy and move 1,048,576 characters of JSON (`TOO_LARGE`).
 */
export type JsonPatch = readonly JsonPatchOperation[];

/** One operation. `add`, `replace` and `test` need a `value`; `move` and `copy` need a `from`. Other members are ignored. */
export type JsonPatchOperation = {
  /** The operation to apply. */
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: JsonPointer;
  /** The source of `move` and `copy`: a place in the resource, as in `path`. */
  readonly from?: unknown;
  readonly [member: string]: unknown;
};

/** A place in the resource (RFC 6901); members named `__proto__`, `constructor` and `prototype` are refused. */
export type JsonPointer = string;

/** Public keys (RFC 7517). */
export type JsonWebKeys = {
  /** The keys. The present signing key comes first. */
  readonly keys: readonly {
    /** The type of key. */
    readonly kty: string;
    /** The curve. */
    readonly crv: string;
    /** A coordinate. */
    readonly x: string;
    /** A coordinate. */
    readonly y: string;
    /** The id of the key in tokens. */
    readonly kid: string;
    /** The purpose of the key. */
    readonly use: string;
    /** The signature algorithm of the key. */
    readonly alg: string;
  }[];
};

/** The purpose of the key, 1 to 100 characters. It is written to the log. */
export type KeyName = string;

/** The user of the key; null for a key of a client of the interface. */
export type KeyOwner = number | null;

/** The scopes of the key, in addition to the rights of the user. */
export type KeyScopes = readonly Scope[];

/** The addresses to which users may be sent back. They are compared character by character. */
export type KnownRedirectUris = readonly RedirectUri[];

/** The time of the last use, to about a minute; null if there was none. */
export type LastUsedAt = string | null;

/** The maximum set of scopes for the tokens of the client. */
export type MaximumScopes = readonly Scope[];

/** Whether the client may ask about the state of any client's token; confidential clients only. */
export type MayIntrospect = boolean;

/** Values that the authorization server supports. */
export type MetadataValues = readonly string[];

/** One line for each sample, with lines of comments that describe each metric. */
export type Metrics = string;

/** An amount of money. */
export type Money = {
  /** The amount in minor units, such as cents; in major units if the currency has no minor units. */
  readonly amount: number;
  readonly currency: Currency;
};

/** A number of orders. */
export type NumberOfOrders = number;

/** The time of the change (RFC 3339, UTC, milliseconds). */
export type OccurredAt = string;

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

/** An order of a user. */
export type Order = {
  readonly id: Id;
  readonly user_id: OrderOwner;
  readonly status: OrderStatus;
  /** The sum of the totals of the items. */
  readonly total: Amount;
  /**
   * The time of the order (RFC 3339, UTC, milliseconds). If orders are placed at the same time, the sequence of
   * their ids, and of their places in lists and among events, can differ from the sequence of their times.
   */
  readonly created_at: CreatedAt;
  /** The lines of the order, in the order in which they were given. */
  readonly items: readonly OrderItem[];
};

/** A new order. */
export type OrderCreate = {
  /** The user who orders. It may be left out when the credential belongs to a user; then this user orders. */
  readonly user_id?: Id;
  /** The products to order. The same product may be in several lines. */
  readonly items: readonly OrderItemCreate[];
};

/** Any number of orders. */
export type OrderExport = readonly Order[];

/** Any number of orders. */
export type OrderExportV2 = readonly OrderV2[];

/** A line of an order, with the name and the price at the time of the order. */
export type OrderItem = {
  /** The id of the product. The product may have been deleted since. */
  readonly product_id: Id;
  readonly name: ProductName;
  readonly unit_price: Price;
  readonly quantity: Quantity;
  /** Price times quantity. It can differ in an imported order, for example after a discount. */
  readonly total: Amount;
};

/** A product and the number of pieces. */
export type OrderItemCreate = {
  /** The id of the product. */
  readonly product_id: Id;
  readonly quantity: Quantity;
};

/** A line of an order, with the name and the price at the time of the order. */
export type OrderItemV2 = {
  /** The id of the product. The product may have been deleted since. */
  readonly product_id: Id;
  readonly name: ProductName;
  readonly unit_price: Money;
  readonly quantity: Quantity;
  /** Price times quantity. It can differ in an imported order, for example after a discount. */
  readonly total: Money;
};

/** A page of orders. */
export type OrderList = readonly Order[];

/** The user of the order; null after the user was anonymised. */
export type OrderOwner = number | null;

/** A page of orders. */
export type OrderPage = {
  /** The items of the page. */
  readonly data: readonly OrderV2[];
  readonly page: PageInfo;
};

/** The status of an order. */
export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

/** The new status of an order. */
export type OrderUpdate = {
  readonly id?: UnchangedId;
  readonly status: OrderStatus;
  readonly user_id?: UnchangedOwner;
  /** A client may send back the value that it read. Another value is refused. */
  readonly total?: Amount;
  readonly created_at?: UnchangedTime;
  /** A client may send back the values that it read. Other values are refused. */
  readonly items?: readonly OrderItem[];
};

/** The new status of an order. */
export type OrderUpdateV2 = {
  readonly id?: UnchangedId;
  readonly status: OrderStatus;
  readonly user_id?: UnchangedOwner;
  /** A client may send back the value that it read. Another value is refused. */
  readonly total?: Money;
  readonly created_at?: UnchangedTime;
  readonly updated_at?: UnchangedTime;
  /** A client may send back the values that it read. Other values are refused. */
  readonly items?: readonly OrderItemV2[];
};

/** An order of a user. */
export type OrderV2 = {
  readonly id: Id;
  readonly user_id: OrderOwner;
  readonly status: OrderStatus;
  /** The sum of the totals of the items. */
  readonly total: Money;
  /** The time of the order (RFC 3339, UTC, milliseconds). */
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
  /** The lines of the order, in the order in which they were given. */
  readonly items: readonly OrderItemV2[];
};

/** The orders of one day in UTC. */
export type OrdersOfDay = {
  /** The day (RFC 3339, UTC). */
  readonly date: string;
  /** The number of orders that were placed on this day, whatever their present status. */
  readonly orders: NumberOfOrders;
  /**
   * The sum of the totals of the orders that were placed on this day and are neither cancelled nor refunded now. So the
   * revenue of a day shrinks when one of its orders is cancelled later. A sum above the highest amount is shown as the
   * highest amount.
   */
  readonly revenue: Money;
};

/** The orders of one minute. */
export type OrdersOfMinute = {
  /** The beginning of the minute (RFC 3339, UTC, milliseconds). */
  readonly start: string;
  /** The number of orders that were placed in this minute, whatever their present status. */
  readonly orders: NumberOfOrders;
};

/** The orders in one status. */
export type OrdersOfStatus = {
  readonly status: OrderStatus;
  /** The number of orders that are in this status now. */
  readonly orders: NumberOfOrders;
  /** The sum of the totals of these orders. A sum above the highest amount is shown as the highest amount. */
  readonly total: Money;
};

/** All orders of the store in figures, which are true at one place of the log of events. */
export type OrdersSummary = {
  /** The time of the figures (RFC 3339, UTC, milliseconds). The last minute and the last day of the lists contain it. */
  readonly at: string;
  /** A place in the log of events. The figures contain all events up to this place. Later events change the figures. */
  readonly cursor: Cursor;
  /** The sums of each status, in the order of the values of `OrderStatus`. */
  readonly statuses: readonly OrdersOfStatus[];
  /** The last 60 minutes, the earliest first. The last one is not over yet. */
  readonly minutes: readonly OrdersOfMinute[];
  /** The last 30 days in UTC, the earliest first. The last one is not over yet. */
  readonly days: readonly OrdersOfDay[];
};

/** The number of seconds for which the present secret stays valid, at most a week. */
export type OverlapSeconds = number;

/** The cursors of the pages before and after this one. */
export type PageInfo = {
  /** The cursor of the next page; null when this is the last one. */
  readonly next: string | null;
  /** The cursor of the previous page; null when this is the first one. */
  readonly previous: string | null;
  /** The number of items on all pages; null when it is not known exactly. */
  readonly total: number | null;
};

/**
 * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
 * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
 * change. A user without a password needs another credential, such as an API key.
 */
export type Password = string;

/** Preferences of a client (RFC 7240). With `return=minimal` the status is 204, or 201 with `Location`, and the `ETag` is present. Unknown preferences are ignored. */
export type Preferences = string;

/** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
export type Price = number;

/** Problem details (RFC 9457). */
export type Problem = {
  /** Names the kind of problem and leads to its description. */
  readonly type: string;
  /** The kind of problem in a few words. */
  readonly title: string;
  readonly status: ProblemStatus;
  /** The fault in this request, and how to correct it. */
  readonly detail: string;
  /** The path of the request. */
  readonly instance: string;
  readonly code: ProblemCode;
  /** The id of the request in the service's log. */
  readonly request_id: string;
  /** The trace of the request, if the service records traces. Not in answers of version 1. */
  readonly trace_id?: string;
  /** The faults of the request, at most the first hundred. */
  readonly errors?: readonly Fault[];
};

/** The code is stable. New codes may be added; no code is renamed. */
export type ProblemCode = string;

/** The status code of the response. */
export type ProblemStatus = number;

/** A kind of problem. */
export type ProblemType = {
  /** The identifier of the kind of problem. */
  readonly type: string;
  readonly code: ProblemCode;
  /** The kind of problem in a few words. */
  readonly title: string;
  readonly status: ProblemStatus;
  /** The cause of the problem, and the remedy. */
  readonly description: string;
};

/** A product that the store sells. */
export type Product = {
  readonly id: Id;
  readonly name: ProductName;
  readonly price: Price;
  /** Whether the product can be ordered. It is false if a client set it to false, or if the counted stock is 0. */
  readonly in_stock: boolean;
};

/** Changes of products. */
export type ProductBatch = {
  readonly atomic?: Atomic;
  /** The changes to make, in this order. */
  readonly items: readonly ProductBatchItem[];
};

/** The results of a batch. */
export type ProductBatchAnswer = {
  /** One result for each item, in the order of the items. */
  readonly results: readonly ProductBatchResult[];
};

/** The results of a batch. */
export type ProductBatchAnswerV2 = {
  /** One result for each item, in the order of the items. */
  readonly results: readonly ProductBatchResultV2[];
};

/** A product to create, as in `createProduct`. */
export type ProductBatchCreate = {
  /** The operation to apply. */
  readonly op: 'create';
  readonly name: ProductName;
  readonly price: Price;
  readonly in_stock?: InStockAtFirst;
};

/** A product to create, as in `createProductV2`. */
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

/**
 * One change. `if_match` is the entity tag of the representation that the client edited, as in `If-Match`. By default, the
 * validation faults of all items are reported together. With `atomic: false`, the faults of an item are in its result.
 */
export type ProductBatchItem = ProductBatchCreate | ProductBatchUpdate | ProductBatchDelete;

/**
 * One change. `if_match` is the entity tag of the representation that the client edited, as in `If-Match`. By default, the
 * validation faults of all items are reported together. With `atomic: false`, the faults of an item are in its result.
 */
export type ProductBatchItemV2 = ProductBatchCreateV2 | ProductBatchUpdateV2 | ProductBatchDelete;

/** The result of one item. After a creation or an update, `product` and `etag` show the product as it is now. If the item failed, `error` says why. */
export type ProductBatchResult = {
  /** The operation of the item. */
  readonly op: 'create' | 'update' | 'delete';
  readonly status: ProductBatchStatus;
  /** The entity tag of the product. */
  readonly etag?: string;
  readonly product?: Product;
  readonly error?: Problem;
};

/** The result of one item. After a creation or an update, `product` and `etag` show the product as it is now. If the item failed, `error` says why. */
export type ProductBatchResultV2 = {
  /** The operation of the item. */
  readonly op: 'create' | 'update' | 'delete';
  readonly status: ProductBatchStatus;
  /** The entity tag of the product. */
  readonly etag?: string;
  readonly product?: ProductV2;
  readonly error?: Problem;
};

/** The status that a separate request would have. */
export type ProductBatchStatus = number;

/** The members of a product to change, as in `updateProduct`; at least one beside `op`, `id` and `if_match`. */
export type ProductBatchUpdate = {
  /** The operation to apply. */
  readonly op: 'update';
  readonly id: Id;
  readonly if_match?: EntityTags;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
};

/** The members of a product to change, as in `updateProductV2`; at least one beside `op`, `id` and `if_match`. */
export type ProductBatchUpdateV2 = {
  /** The operation to apply. */
  readonly op: 'update';
  readonly id: Id;
  readonly if_match?: EntityTags;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: ProductPrice;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
  /** A client may send back the value that it read. Another value is refused. */
  readonly created_at?: CreatedAt;
  /** A client may send back the value that it read. Another value is refused. */
  readonly updated_at?: UpdatedAt;
};

/** Changes of products. */
export type ProductBatchV2 = {
  readonly atomic?: Atomic;
  /** The changes to make, in this order. */
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

/** The description, in a few sentences; null for none. */
export type ProductDescription = string | null;

/** Any number of products. */
export type ProductExport = readonly Product[];

/** Any number of products. */
export type ProductExportV2 = readonly ProductV2[];

/** A page of products. */
export type ProductList = readonly (Product | ProductSelection)[];

/**
 * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
 * feed. Blanks at both ends are removed before it is stored.
 */
export type ProductName = string;

/** A page of products. */
export type ProductPage = {
  /** The items of the page. */
  readonly data: readonly (ProductV2 | ProductSelectionV2)[];
  readonly page: PageInfo;
};

/** The price of a product. */
export type ProductPrice = {
  /** The amount in minor units, such as cents, up to 10,000,000 major units. */
  readonly amount: number;
  readonly currency: Currency;
};

/** All members of a product that version 1 shows. */
export type ProductReplace = {
  readonly id?: UnchangedId;
  readonly name: ProductName;
  readonly price: Price;
  /** Whether the product can be ordered. */
  readonly in_stock: boolean;
};

/** All members of a product except its counted stock. */
export type ProductReplaceV2 = {
  readonly id?: UnchangedId;
  readonly name: ProductName;
  readonly description?: ProductDescription;
  readonly price: ProductPrice;
  /** Whether the product can be ordered. */
  readonly in_stock: boolean;
  readonly created_at?: UnchangedTime;
  readonly updated_at?: UnchangedTime;
};

/** A product reduced to the members named by `fields`. */
export type ProductSelection = {
  readonly id?: Id;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
};

/** A product reduced to the members named by `fields`. */
export type ProductSelectionV2 = {
  readonly id?: Id;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: Money;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
  readonly created_at?: CreatedAt;
  readonly updated_at?: UpdatedAt;
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
  readonly id?: UnchangedId;
  readonly name?: ProductName;
  readonly price?: Price;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
};

/** The members of a product to change. */
export type ProductUpdateV2 = {
  readonly id?: UnchangedId;
  readonly name?: ProductName;
  readonly description?: ProductDescription;
  readonly price?: ProductPrice;
  /** Whether the product can be ordered. */
  readonly in_stock?: boolean;
  readonly created_at?: UnchangedTime;
  readonly updated_at?: UnchangedTime;
};

/** A product that the store sells. */
export type ProductV2 = {
  readonly id: Id;
  readonly name: ProductName;
  readonly description: ProductDescription;
  readonly price: Money;
  /** Whether the product can be ordered. It is false if a client set it to false, or if the counted stock is 0. */
  readonly in_stock: boolean;
  readonly created_at: CreatedAt;
  /** The time of the last change (RFC 3339, UTC, milliseconds). A change of the counted stock is a change of the product only if it changes `in_stock`. */
  readonly updated_at: UpdatedAt;
};

/** The metadata of a protected resource (RFC 9728). */
export type ProtectedResource = {
  /** The interface itself. */
  readonly resource: string;
  /** The name of the interface. */
  readonly resource_name: string;
  /** The authorization servers that issue tokens. */
  readonly authorization_servers: readonly string[];
  /** The public keys of the authorization server. */
  readonly jwks_uri: string;
  /** All scopes. */
  readonly scopes_supported: MetadataValues;
  /** The parts of a request that can carry a token. */
  readonly bearer_methods_supported: readonly string[];
  /** The documentation for people. */
  readonly resource_documentation: string;
};

/** The number of pieces. */
export type Quantity = number;

/** The degree to which the service can do its work. */
export type Readiness = {
  /** `degraded` when Redis is configured but cannot be reached. */
  readonly status: 'ok' | 'degraded';
  /** The missing parts. */
  readonly missing?: readonly 'redis'[];
};

/** An absolute URI without a fragment. */
export type RedirectUri = string;

/**
 * The addresses to which users may be sent back. The scheme is `https`, or `http` on the same machine (`127.0.0.1`,
 * `[::1]`, `localhost`), or, for a public client, a scheme of its own with a dot (RFC 8252). At least one address is
 * required with `authorization_code`; none is allowed without it.
 */
export type RedirectUris = readonly RedirectUri[];

/** The refused rows, with the reason of each refusal. */
export type RefusedRows = string;

/** Whether a new password also ends all API keys of the user. It is ignored without `password`. */
export type RevokeKeys = boolean;

/** The time of revocation; null if there was none. */
export type RevokedAt = string | null;

/** A number of rows. */
export type RowCount = number;

/** A permission of a credential. `admin` includes all permissions. */
export type Scope =
  | 'products:read'
  | 'products:write'
  | 'users:read'
  | 'users:write'
  | 'orders:read'
  | 'orders:write'
  | 'events:read'
  | 'admin';

/** A key that signs the JWTs of the authorization server, without its private part. */
export type SigningKey = {
  readonly id: Id;
  /** The name of the key in the JWTs that it signs. */
  readonly kid: string;
  readonly created_at: CreatedAt;
  /** The time until which the key verifies. Null for the key that signs now. */
  readonly good_until: string | null;
};

/** A rotation of the signing keys. */
export type SigningKeyCreate = {
  readonly overlap_seconds?: SigningOverlapSeconds;
};

/** A page of signing keys. */
export type SigningKeyPage = {
  /** The items of the page. */
  readonly data: readonly SigningKey[];
  readonly page: PageInfo;
};

/** The number of seconds for which the earlier keys verify. With 0, their JWTs end at once. */
export type SigningOverlapSeconds = number;

/** The number of pieces; null when the stock is not counted. */
export type StockQuantity = number | null;

/** The issuer's name for a user, in `sub`. */
export type Subject = string;

/** A client may send back the value that it read. Another value is refused. */
export type UnchangedId = Id;

/** A client may send back the value that it read. Another value is refused. */
export type UnchangedOwner = OrderOwner;

/** A client may send back the value that it read. Another value is refused. */
export type UnchangedTime = string;

/** The time of the last change (RFC 3339, UTC, milliseconds). */
export type UpdatedAt = string;

/** A user of the store, who places orders. */
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

/** One user, under the member `user`. */
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
 * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
 * removed before it is stored.
 */
export type UserName = string;

/** A page of users. */
export type UserPage = {
  /** The items of the page. */
  readonly data: readonly UserV2[];
  readonly page: PageInfo;
};

/** All members of a user that a client may write. */
export type UserReplace = {
  readonly id?: UnchangedId;
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
};

/** All members of a user that a client may write. */
export type UserReplaceV2 = {
  readonly id?: UnchangedId;
  readonly name: UserName;
  readonly email: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
  readonly created_at?: UnchangedTime;
  readonly updated_at?: UnchangedTime;
};

/** The members of a user to change. */
export type UserUpdate = {
  readonly id?: UnchangedId;
  readonly name?: UserName;
  readonly email?: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
};

/** The members of a user to change. */
export type UserUpdateV2 = {
  readonly id?: UnchangedId;
  readonly name?: UserName;
  readonly email?: Email;
  readonly password?: Password;
  readonly current_password?: CurrentPassword;
  readonly revoke_keys?: RevokeKeys;
  readonly created_at?: UnchangedTime;
  readonly updated_at?: UnchangedTime;
};

/** A user of the store, who places orders. */
export type UserV2 = {
  readonly id: Id;
  readonly name: UserName;
  readonly email: Email;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
};

/** The name of a version, as in its addresses. */
export type VersionName = string;
