// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

/** The value of `If-Match` and of `If-None-Match`. */
export type EntityTags = string;

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

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  /** The version of the OpenAPI specification. */
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: unknown;
  readonly [member: string]: unknown;
};

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

/** The number of pieces; null when the stock is not counted. */
export type StockQuantity = number | null;
