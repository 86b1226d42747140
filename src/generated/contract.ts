// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type {
  DeleteProductPath,
  GetProblemTypePath,
  GetProductPath,
  GetProductStockPath,
  ListProductsQuery,
  ProductCreate,
  ProductReplace,
  ProductStockReplace,
  ProductUpdate,
  ReplaceProductPath,
  SetProductStockPath,
  UpdateProductPath,
} from './dto.js';
import type { EntityName } from './operations.js';
import type * as schemas from './schemas.js';

/** Filled by the features: `declare module '../generated/contract.js' { interface Entities { Product: Product } }`. */
export interface Entities {}
export type Entity<K extends EntityName> = K extends keyof Entities ? Entities[K] : never;

export interface Page<T> {
  readonly items: readonly T[];
  /** Null where it is not known exactly. */
  readonly total: number | null;
}

/** One method for each operation; `C` is what the application passes along: principal, request id and so on. */
export interface Contract<C> {
  /** Create a product */
  createProduct(body: ProductCreate, context: C): Promise<Entity<'Product'>>;
  /** Delete a product */
  deleteProduct(path: DeleteProductPath, context: C): Promise<void>;
  /** The contract of the GraphQL interface */
  getGraphqlSchema(context: C): Promise<string>;
  /** Is the process alive */
  getLiveness(context: C): Promise<schemas.Health>;
  /** This document as JSON */
  getOpenApiJson(context: C): Promise<schemas.OpenApiDocument>;
  /** This document */
  getOpenApiYaml(context: C): Promise<string>;
  /** What a kind of problem means */
  getProblemType(path: GetProblemTypePath, context: C): Promise<schemas.ProblemType>;
  /** Get one product */
  getProduct(path: GetProductPath, context: C): Promise<Entity<'Product'>>;
  /** Get the counted stock of a product */
  getProductStock(path: GetProductStockPath, context: C): Promise<Entity<'ProductStock'>>;
  /** Can the service do its work */
  getReadiness(context: C): Promise<schemas.Health>;
  /** List products */
  listProducts(query: ListProductsQuery, context: C): Promise<Page<Entity<'Product'>>>;
  /** Replace a product */
  replaceProduct(path: ReplaceProductPath, body: ProductReplace, context: C): Promise<Entity<'Product'>>;
  /** Set the counted stock of a product */
  setProductStock(
    path: SetProductStockPath,
    body: ProductStockReplace,
    context: C,
  ): Promise<Entity<'ProductStock'>>;
  /** Update a product partly */
  updateProduct(path: UpdateProductPath, body: ProductUpdate, context: C): Promise<Entity<'Product'>>;
}

/** What a representation must produce, by version and entity. */
export interface Represented {
  readonly v1: { readonly Product: schemas.Product; readonly ProductStock: schemas.ProductStock };
}
