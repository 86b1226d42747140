// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type {
  AddImportPartPath,
  ApiKeyCreate,
  ApiKeyRotate,
  CancelImportPath,
  ClientCreate,
  ClientRotate,
  DeleteIdentityPath,
  DeleteProductPath,
  DeleteUserPath,
  DeleteUserQuery,
  EndSignInsPath,
  ExportOrdersQuery,
  ExportProductsQuery,
  GetApiKeyPath,
  GetClientPath,
  GetIdentityPath,
  GetImportPath,
  GetOrderPath,
  GetProblemTypePath,
  GetProductPath,
  GetProductStockPath,
  GetRefusedRowsPath,
  GetSigningKeyPath,
  GetUserByShortAddressPath,
  GetUserPath,
  IdentityCreate,
  ImportCreate,
  ImportPart,
  ListApiKeysQuery,
  ListApiKeysV2Query,
  ListClientsQuery,
  ListClientsV2Query,
  ListEventsQuery,
  ListEventsV2Query,
  ListIdentitiesQuery,
  ListIdentitiesV2Query,
  ListImportRefusalsPath,
  ListImportRefusalsQuery,
  ListImportsQuery,
  ListOrdersQuery,
  ListOrdersV2Query,
  ListProductsQuery,
  ListProductsV2Query,
  ListSigningKeysQuery,
  ListUserOrdersPath,
  ListUserOrdersQuery,
  ListUserOrdersV2Path,
  ListUserOrdersV2Query,
  ListUsersQuery,
  ListUsersV2Query,
  OrderCreate,
  OrderUpdate,
  ProductBatch,
  ProductBatchV2,
  ProductCreate,
  ProductCreateV2,
  ProductReplace,
  ProductReplaceV2,
  ProductStockReplace,
  ProductUpdate,
  ProductUpdateV2,
  ReplaceProductPath,
  ReplaceProductV2Path,
  ReplaceUserPath,
  RevokeApiKeyPath,
  RevokeClientPath,
  RevokeSigningKeyPath,
  RotateApiKeyPath,
  RotateClientSecretPath,
  SetProductStockPath,
  SigningKeyCreate,
  UpdateOrderPath,
  UpdateProductPath,
  UpdateProductV2Path,
  UpdateUserPath,
  UserCreate,
  UserReplace,
  UserUpdate,
} from './dto.js';
import type { EntityName } from './operations.js';
import type * as schemas from './schemas.js';

/**
 * Each feature declares its parts, in its module:
 * `declare module '../../generated/contract.js' { interface Features { products: { entities: { Product: Product };
 * controllers: ProductsController; resolvers: ProductsResolver } } }`. See `topics.ts` for `events`.
 */
export interface Features {}
/** The parts of one kind, of all features that have them. */
export type PartsOf<P extends string> = {
  [F in keyof Features]: Features[F] extends { readonly [N in P]: infer T } ? T : never;
}[keyof Features];
export type Entity<K extends EntityName> =
  PartsOf<'entities'> extends infer U ? (U extends { readonly [N in K]: infer E } ? E : never) : never;

/** The result of a handler. A handler that needs no promise makes none. */
export type Soon<T> = T | Promise<T>;

export interface Page<T> {
  readonly items: readonly T[];
  /** Null if the number is not known exactly. */
  readonly total: number | null;
  /** The number of rows that the pages of the list can reach; absent if they reach all rows. */
  readonly reach?: number;
}

/**
 * The place where a slice of a list begins: after a row, or before it. Without a key, it is the start or the end of the
 * list.
 */
export interface Position {
  readonly isBackwards: boolean;
  /** The values by which the row is sorted, with its id as the last one. */
  readonly key: readonly (string | number)[] | null;
}

export interface Slice<T> extends Page<T> {
  readonly next: Position | null;
  readonly previous: Position | null;
  /**
   * The values by which a row of the slice is sorted. They are the `key` of the positions directly after and before
   * the row.
   */
  readonly keyOf: (item: T) => Position['key'];
}

/** Any number of rows. They are in an object, because the framework would send an iterable as it is. */
export interface Export<T> {
  readonly batches: AsyncIterable<readonly T[]>;
}

/**
 * One method for each operation that has a handler of its own. `C` is the context that the application passes on:
 * principal, request id and so on.
 */
export interface Contract<C> {
  /** Send a part of the file */
  addImportPart(path: AddImportPartPath, body: ImportPart, context: C): Soon<Entity<'Import'> | null>;
  /** Cancel an import */
  cancelImport(path: CancelImportPath, context: C): Soon<Entity<'Import'> | null>;
  /** Change many products at once */
  changeProducts(body: ProductBatch, context: C): Soon<schemas.ProductBatchAnswer>;
  /** Change many products at once */
  changeProductsV2(body: ProductBatchV2, context: C): Soon<schemas.ProductBatchAnswerV2>;
  /** Make an API key */
  createApiKey(body: ApiKeyCreate, context: C): Soon<Entity<'IssuedApiKey'>>;
  /** Make a client */
  createClient(body: ClientCreate, context: C): Soon<Entity<'IssuedClient'>>;
  /** Create an identity */
  createIdentity(body: IdentityCreate, context: C): Soon<Entity<'Identity'>>;
  /** Create an import */
  createImport(body: ImportCreate, context: C): Soon<Entity<'Import'>>;
  /** Place an order */
  createOrder(body: OrderCreate, context: C): Soon<Entity<'Order'>>;
  /** Create a product */
  createProduct(body: ProductCreate, context: C): Soon<Entity<'Product'>>;
  /** Create a product */
  createProductV2(body: ProductCreateV2, context: C): Soon<Entity<'Product'>>;
  /** Rotate the signing keys */
  createSigningKey(body: SigningKeyCreate, context: C): Soon<Entity<'StoredKey'>>;
  /** Create a user */
  createUser(body: UserCreate, context: C): Soon<Entity<'User'>>;
  /** Delete an identity */
  deleteIdentity(path: DeleteIdentityPath, context: C): Soon<unknown>;
  /** Delete a product */
  deleteProduct(path: DeleteProductPath, context: C): Soon<unknown>;
  /** Delete a user */
  deleteUser(path: DeleteUserPath, query: DeleteUserQuery, context: C): Soon<unknown>;
  /** Sign a user out everywhere */
  endSignIns(path: EndSignInsPath, context: C): Soon<unknown>;
  /** Export orders */
  exportOrders(query: ExportOrdersQuery, context: C): Soon<Export<Entity<'Order'>>>;
  /** Export products */
  exportProducts(query: ExportProductsQuery, context: C): Soon<Export<Entity<'Product'>>>;
  /** Export users */
  exportUsers(context: C): Soon<Export<Entity<'User'>>>;
  /** Get one API key */
  getApiKey(path: GetApiKeyPath, context: C): Soon<Entity<'ApiKey'> | null>;
  /** Get the metadata of the authorization server */
  getAuthorizationServerMetadata(context: C): Soon<schemas.AuthorizationServer>;
  /** Get one client */
  getClient(path: GetClientPath, context: C): Soon<Entity<'Client'> | null>;
  /** Get the credential of the request */
  getCredential(context: C): Soon<schemas.Credential>;
  /** The contract of the GraphQL interface */
  getGraphqlSchema(context: C): Soon<string>;
  /** Get one identity */
  getIdentity(path: GetIdentityPath, context: C): Soon<Entity<'Identity'> | null>;
  /** Get one import */
  getImport(path: GetImportPath, context: C): Soon<Entity<'Import'> | null>;
  /** Get the index of version 1 */
  getIndex(context: C): Soon<schemas.Index>;
  /** Get the index of version 2 */
  getIndexV2(context: C): Soon<schemas.Index>;
  /** Check whether the process is alive */
  getLiveness(context: C): Soon<schemas.Health>;
  /** Get the user of the credential */
  getMe(context: C): Soon<Entity<'User'>>;
  /** Get the metrics of the process */
  getMetrics(context: C): Soon<schemas.Metrics>;
  /** This document as JSON */
  getOpenApiJson(context: C): Soon<schemas.OpenApiDocument>;
  /** Version 1 of this document as JSON */
  getOpenApiV1Json(context: C): Soon<schemas.OpenApiDocument>;
  /** Version 2 of this document as JSON */
  getOpenApiV2Json(context: C): Soon<schemas.OpenApiDocument>;
  /** This document */
  getOpenApiYaml(context: C): Soon<string>;
  /** Get the same metadata at the address of OpenID Connect */
  getOpenIdConfiguration(context: C): Soon<schemas.AuthorizationServer>;
  /** Get one order */
  getOrder(path: GetOrderPath, context: C): Soon<Entity<'Order'> | null>;
  /** Get the summary of the orders */
  getOrdersSummary(context: C): Soon<schemas.OrdersSummary>;
  /** Get one kind of problem */
  getProblemType(path: GetProblemTypePath, context: C): Soon<schemas.ProblemType>;
  /** Get one product */
  getProduct(path: GetProductPath, context: C): Soon<Entity<'Product'> | null>;
  /** Get the counted stock of a product */
  getProductStock(path: GetProductStockPath, context: C): Soon<Entity<'ProductStock'> | null>;
  /** Get the issuers of tokens for this interface */
  getProtectedResourceMetadata(context: C): Soon<schemas.ProtectedResource>;
  /** Check whether the service can do its work */
  getReadiness(context: C): Soon<schemas.Readiness>;
  /** Download the refused rows */
  getRefusedRows(path: GetRefusedRowsPath, context: C): Soon<schemas.RefusedRows | null>;
  /** Get one signing key */
  getSigningKey(path: GetSigningKeyPath, context: C): Soon<Entity<'StoredKey'> | null>;
  /** Get the public keys for tokens */
  getSigningKeys(context: C): Soon<schemas.JsonWebKeys>;
  /** Get one user */
  getUser(path: GetUserPath, context: C): Soon<Entity<'User'> | null>;
  /** Get one user by the short address */
  getUserByShortAddress(path: GetUserByShortAddressPath, context: C): Soon<Entity<'User'> | null>;
  /** List API keys */
  listApiKeys(query: ListApiKeysQuery, context: C): Soon<Page<Entity<'ApiKey'>>>;
  /** List API keys */
  listApiKeysV2(query: ListApiKeysV2Query, context: C): Soon<Slice<Entity<'ApiKey'>>>;
  /** List clients */
  listClients(query: ListClientsQuery, context: C): Soon<Page<Entity<'Client'>>>;
  /** List clients */
  listClientsV2(query: ListClientsV2Query, context: C): Soon<Slice<Entity<'Client'>>>;
  /** Read or follow the events */
  listEvents(query: ListEventsQuery, context: C): Soon<schemas.EventPage>;
  /** Read or follow the events */
  listEventsV2(query: ListEventsV2Query, context: C): Soon<schemas.EventPageV2>;
  /** List identities */
  listIdentities(query: ListIdentitiesQuery, context: C): Soon<Page<Entity<'Identity'>>>;
  /** List identities */
  listIdentitiesV2(query: ListIdentitiesV2Query, context: C): Soon<Slice<Entity<'Identity'>>>;
  /** List import refusals */
  listImportRefusals(
    path: ListImportRefusalsPath,
    query: ListImportRefusalsQuery,
    context: C,
  ): Soon<Slice<Entity<'ImportRefusal'>> | null>;
  /** List imports */
  listImports(query: ListImportsQuery, context: C): Soon<Slice<Entity<'Import'>>>;
  /** List orders */
  listOrders(query: ListOrdersQuery, context: C): Soon<Page<Entity<'Order'>>>;
  /** List orders */
  listOrdersV2(query: ListOrdersV2Query, context: C): Soon<Slice<Entity<'Order'>>>;
  /** List products */
  listProducts(query: ListProductsQuery, context: C): Soon<Page<Entity<'Product'>>>;
  /** List products */
  listProductsV2(query: ListProductsV2Query, context: C): Soon<Slice<Entity<'Product'>>>;
  /** List signing keys */
  listSigningKeys(query: ListSigningKeysQuery, context: C): Soon<Slice<Entity<'StoredKey'>>>;
  /** List the orders of a user */
  listUserOrders(
    path: ListUserOrdersPath,
    query: ListUserOrdersQuery,
    context: C,
  ): Soon<Page<Entity<'Order'>> | null>;
  /** List the orders of a user */
  listUserOrdersV2(
    path: ListUserOrdersV2Path,
    query: ListUserOrdersV2Query,
    context: C,
  ): Soon<Slice<Entity<'Order'>> | null>;
  /** List users */
  listUsers(query: ListUsersQuery, context: C): Soon<Page<Entity<'User'>>>;
  /** List users */
  listUsersV2(query: ListUsersV2Query, context: C): Soon<Slice<Entity<'User'>>>;
  /** Replace a product */
  replaceProduct(path: ReplaceProductPath, body: ProductReplace, context: C): Soon<Entity<'Product'> | null>;
  /** Replace a product */
  replaceProductV2(
    path: ReplaceProductV2Path,
    body: ProductReplaceV2,
    context: C,
  ): Soon<Entity<'Product'> | null>;
  /** Replace a user */
  replaceUser(path: ReplaceUserPath, body: UserReplace, context: C): Soon<Entity<'User'> | null>;
  /** Revoke an API key */
  revokeApiKey(path: RevokeApiKeyPath, context: C): Soon<Entity<'ApiKey'> | null>;
  /** Revoke a client */
  revokeClient(path: RevokeClientPath, context: C): Soon<Entity<'Client'> | null>;
  /** Revoke a signing key */
  revokeSigningKey(path: RevokeSigningKeyPath, context: C): Soon<Entity<'StoredKey'> | null>;
  /** Give an API key a new secret */
  rotateApiKey(path: RotateApiKeyPath, body: ApiKeyRotate, context: C): Soon<Entity<'IssuedApiKey'> | null>;
  /** Give a client a new secret */
  rotateClientSecret(
    path: RotateClientSecretPath,
    body: ClientRotate,
    context: C,
  ): Soon<Entity<'IssuedClient'> | null>;
  /** Set the counted stock of a product */
  setProductStock(
    path: SetProductStockPath,
    body: ProductStockReplace,
    context: C,
  ): Soon<Entity<'ProductStock'> | null>;
  /** Move an order to another status */
  updateOrder(path: UpdateOrderPath, body: OrderUpdate, context: C): Soon<Entity<'Order'> | null>;
  /** Update a product partly */
  updateProduct(path: UpdateProductPath, body: ProductUpdate, context: C): Soon<Entity<'Product'> | null>;
  /** Update a product partly */
  updateProductV2(
    path: UpdateProductV2Path,
    body: ProductUpdateV2,
    context: C,
  ): Soon<Entity<'Product'> | null>;
  /** Update a user partly */
  updateUser(path: UpdateUserPath, body: UserUpdate, context: C): Soon<Entity<'User'> | null>;
}

/** The type that a representation must produce, by version and entity. */
export interface Represented {
  readonly v1: {
    readonly ApiKey: schemas.ApiKey;
    readonly Client: schemas.Client;
    readonly Identity: schemas.Identity;
    readonly IssuedApiKey: schemas.IssuedApiKey;
    readonly IssuedClient: schemas.IssuedClient;
    readonly Order: schemas.Order;
    readonly Product: schemas.Product;
    readonly ProductStock: schemas.ProductStock;
    readonly User: schemas.User;
  };
  readonly v2: {
    readonly ApiKey: schemas.ApiKey;
    readonly Client: schemas.Client;
    readonly Identity: schemas.Identity;
    readonly Import: schemas.Import;
    readonly ImportRefusal: schemas.ImportRefusal;
    readonly IssuedApiKey: schemas.IssuedApiKey;
    readonly IssuedClient: schemas.IssuedClient;
    readonly Order: schemas.OrderV2;
    readonly Product: schemas.ProductV2;
    readonly ProductStock: schemas.ProductStock;
    readonly StoredKey: schemas.SigningKey;
    readonly User: schemas.UserV2;
  };
}
