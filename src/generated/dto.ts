// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import { Optional, Required, shape } from './members.js';
import {
  boolean,
  each,
  integer,
  list,
  maxItems,
  maxLength,
  maximum,
  minItems,
  minLength,
  minimum,
  multipleOf,
  nullable,
  number,
  oneOf,
  pattern,
  text,
  uniqueItems,
} from './rules.js';

/** The header parameters of `deleteProduct`. */
export class DeleteProductHeaders {
  static readonly shape = shape({ 'If-Match': {} });

  /** The entity tag that the client edited (RFC 9110, section 13.1.1); when the resource changed since, the answer is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;
}

/** The path parameters of `deleteProduct`. */
export class DeleteProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `getProblemType`. */
export class GetProblemTypePath {
  static readonly shape = shape({ code: {} });

  /** The code of a problem in lower case with hyphens, as it stands at the end of its `type`. */
  @Required(
    text,
    minLength(1),
    maxLength(60),
    pattern(
      /^[a-z]+(-[a-z]+)*$/u,
      'must be words of small letters with hyphens between them, such as not-found',
    ),
  )
  code!: string;
}

/** The header parameters of `getProduct`. */
export class GetProductHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** Entity tags that the client holds (RFC 9110, section 13.1.2); when the current one is among them the answer is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getProduct`. */
export class GetProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `getProductStock`. */
export class GetProductStockHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** Entity tags that the client holds (RFC 9110, section 13.1.2); when the current one is among them the answer is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getProductStock`. */
export class GetProductStockPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `listProducts`. */
export class ListProductsQuery {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 20 },
    sort: {},
    q: {},
    in_stock: {},
    min_price: {},
    max_price: {},
    fields: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** How many items a page has. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /**
   * Keys to sort by, the first one first; a leading `-` turns a key round. Text is sorted by code point.
   * Equal rows are in ascending order of id.
   */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text, whatever the case and the accents. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are (`true`) or are not (`false`) in stock. */
  @Optional(boolean)
  in_stock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  min_price?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  max_price?: number;

  /** Only these members of each product, in the order of the full representation. */
  @Optional(list, maxItems(4), each(text, oneOf('id', 'name', 'price', 'in_stock')), minItems(1), uniqueItems)
  fields?: ('id' | 'name' | 'price' | 'in_stock')[];
}

/** The arguments of `Mutation.createProduct`. */
export class MutationCreateProductArgs {
  static readonly shape = shape({ name: {}, price: {}, inStock: { default: true }, description: {} });

  /** The name, of which at least one character is not blank; blanks at both ends are removed. */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether it can be ordered. */
  @Optional(boolean)
  inStock!: boolean;

  /** What it is, in a few sentences. */
  @Optional(
    nullable(text, maxLength(5000), pattern(/^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u)),
  )
  description?: string | null;
}

/** The arguments of `Mutation.deleteProduct`. */
export class MutationDeleteProductArgs {
  static readonly shape = shape({ id: { inner: { id: true } } });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The arguments of `Mutation.replaceProduct`. */
export class MutationReplaceProductArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    name: {},
    price: {},
    inStock: {},
    description: {},
  });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The name, of which at least one character is not blank; blanks at both ends are removed. */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether it can be ordered. Writing what is shown changes nothing about the stock. */
  @Required(boolean)
  inStock!: boolean;

  /** What it is, in a few sentences; null for nothing. */
  @Optional(
    nullable(text, maxLength(5000), pattern(/^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u)),
  )
  description?: string | null;
}

/** The arguments of `Mutation.setProductStock`. */
export class MutationSetProductStockArgs {
  static readonly shape = shape({ id: { inner: { id: true } }, quantity: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The number of pieces; null, or nothing, when the stock is not to be counted. */
  @Optional(nullable(integer, minimum(0), maximum(1000000000)))
  quantity?: number | null;
}

/** The arguments of `Mutation.updateProduct`. */
export class MutationUpdateProductArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    name: {},
    price: {},
    inStock: {},
    description: {},
  });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The name, of which at least one character is not blank; blanks at both ends are removed. */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** Major units of the store's currency. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price?: number;

  /** Whether it can be ordered. Writing what is shown changes nothing about the stock. */
  @Optional(boolean)
  inStock?: boolean;

  /** What it is, in a few sentences; null removes it. */
  @Optional(
    nullable(text, maxLength(5000), pattern(/^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u)),
  )
  description?: string | null;
}

/** A new product. */
export class ProductCreate {
  static readonly shape = shape({ name: {}, price: {}, in_stock: { default: true } });

  /**
   * The name, 1 to 200 characters of which at least one is not blank, without control characters other than tab
   * and line feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. In a currency without minor units (JPY) decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether it can be ordered. */
  @Optional(boolean)
  in_stock!: boolean;
}

/** All that version 1 shows of a product. */
export class ProductReplace {
  static readonly shape = shape({ id: {}, name: {}, price: {}, in_stock: {} });

  /** May be sent back as it was read; another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters of which at least one is not blank, without control characters other than tab
   * and line feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. In a currency without minor units (JPY) decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether it can be ordered. */
  @Required(boolean)
  in_stock!: boolean;
}

/** The counted stock of a product. */
export class ProductStockReplace {
  static readonly shape = shape({ quantity: {} });

  /** The number of pieces; null when the stock is not counted. */
  @Required(nullable(integer, minimum(0), maximum(1000000000)))
  quantity!: number | null;
}

/** The members of a product to change. */
export class ProductUpdate {
  static readonly shape = shape({ id: {}, name: {}, price: {}, in_stock: {} }, { minMembers: 1 });

  /** May be sent back as it was read; another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters of which at least one is not blank, without control characters other than tab
   * and line feed. Blanks at both ends are removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** Major units of the store's currency. In a currency without minor units (JPY) decimals are refused. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price?: number;

  /** Whether it can be ordered. */
  @Optional(boolean)
  in_stock?: boolean;
}

/** The arguments of `Query.product`. */
export class QueryProductArgs {
  static readonly shape = shape({ id: { inner: { id: true } } });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The arguments of `Query.products`. */
export class QueryProductsArgs {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 20 },
    sort: {},
    q: {},
    inStock: {},
    minPrice: {},
    maxPrice: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** How many products a page has. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Keys to sort by, the first one first; equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text, whatever the case and the accents. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are, or are not, in stock. */
  @Optional(boolean)
  inStock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  minPrice?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  maxPrice?: number;
}

/** The header parameters of `replaceProduct`. */
export class ReplaceProductHeaders {
  static readonly shape = shape({ 'If-Match': {} });

  /** The entity tag that the client edited (RFC 9110, section 13.1.1); when the resource changed since, the answer is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;
}

/** The path parameters of `replaceProduct`. */
export class ReplaceProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `setProductStock`. */
export class SetProductStockHeaders {
  static readonly shape = shape({ 'If-Match': {} });

  /** The entity tag that the client edited (RFC 9110, section 13.1.1); when the resource changed since, the answer is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;
}

/** The path parameters of `setProductStock`. */
export class SetProductStockPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateProduct`. */
export class UpdateProductHeaders {
  static readonly shape = shape({ 'If-Match': {} });

  /** The entity tag that the client edited (RFC 9110, section 13.1.1); when the resource changed since, the answer is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;
}

/** The path parameters of `updateProduct`. */
export class UpdateProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}
