// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import {
  DeleteProductHeaders,
  DeleteProductPath,
  GetProblemTypePath,
  GetProductHeaders,
  GetProductPath,
  GetProductStockHeaders,
  GetProductStockPath,
  ListProductsQuery,
  ProductCreate,
  ProductReplace,
  ProductStockReplace,
  ProductUpdate,
  ReplaceProductHeaders,
  ReplaceProductPath,
  SetProductStockHeaders,
  SetProductStockPath,
  UpdateProductHeaders,
  UpdateProductPath,
} from './dto.js';
import type { Dto } from './members.js';

export type OperationId =
  | 'createProduct'
  | 'deleteProduct'
  | 'getGraphqlSchema'
  | 'getLiveness'
  | 'getOpenApiJson'
  | 'getOpenApiYaml'
  | 'getProblemType'
  | 'getProduct'
  | 'getProductStock'
  | 'getReadiness'
  | 'listProducts'
  | 'replaceProduct'
  | 'setProductStock'
  | 'updateProduct';
export type EntityName = 'Product' | 'ProductStock';
export type Version = 'v1';

/** Every scope that a security scheme lists. */
export const SCOPES = ['products:read', 'products:write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export type ParameterKind =
  | { readonly type: 'string' | 'integer' | 'number' | 'boolean' }
  | {
      readonly type: 'array';
      readonly items: 'string' | 'integer' | 'number' | 'boolean';
      readonly separator: ',';
    };

export interface Parameters {
  readonly dto: Dto;
  readonly kinds: Readonly<Record<string, ParameterKind>>;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As it stands in the contract, without the server. */
  readonly template: string;
  /** Every address, in the router's syntax. */
  readonly paths: readonly string[];
  /** What the first server of the path names. */
  readonly version: Version | null;
  readonly tag: string;
  /** One of these must be satisfied, in all its schemes; none: public. An empty one: a credential is optional. */
  readonly security: readonly (readonly { readonly scheme: string; readonly scopes: readonly Scope[] }[])[];
  /** The member that names the owning user, such as `path.id`. */
  readonly owner: string | null;
  readonly path: Parameters | null;
  readonly query: Parameters | null;
  /** Named as in the contract; in a request the case does not matter. */
  readonly headers: Parameters | null;
  readonly body: {
    readonly dto: Dto;
    readonly mediaTypes: readonly string[];
    readonly required: boolean;
    /** Members that may be sent back as they were read, but not be set. */
    readonly readOnly: readonly string[];
  } | null;
  readonly answer: {
    readonly status: number;
    readonly mediaTypes: readonly string[];
    readonly shape: 'entity' | 'page' | 'plain' | 'none';
    readonly entity: EntityName | null;
    /** The one member of the body that holds the entity, when it is wrapped. */
    readonly key: string | null;
    /** The operation that shows what was created. */
    readonly locationOf: OperationId | null;
    readonly headers: readonly string[];
  };
  /** All documented ones. */
  readonly statuses: readonly number[];
}

/** Answered by the framework: no handler. */
export interface Derived {
  readonly id: string;
  readonly method: 'HEAD' | 'OPTIONS';
  readonly paths: readonly string[];
  readonly statuses: readonly number[];
}

export const OPERATIONS: { readonly [K in OperationId]: Operation } = {
  createProduct: {
    id: 'createProduct',
    method: 'POST',
    template: '/products',
    paths: ['/api/v1/products', '/api/products'],
    version: 'v1',
    tag: 'products',
    security: [[{ scheme: 'apiKey', scopes: ['products:write'] }]],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: { dto: ProductCreate, mediaTypes: ['application/json'], required: true, readOnly: [] },
    answer: {
      status: 201,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'Product',
      key: null,
      locationOf: 'getProduct',
      headers: ['Location', 'ETag', 'X-Request-Id'],
    },
    statuses: [201, 400, 401, 403, 406, 408, 413, 414, 415, 431, 500, 503],
  },
  deleteProduct: {
    id: 'deleteProduct',
    method: 'DELETE',
    template: '/products/{id}',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    version: 'v1',
    tag: 'products',
    security: [[{ scheme: 'apiKey', scopes: ['products:write'] }]],
    owner: null,
    path: { dto: DeleteProductPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: DeleteProductHeaders, kinds: { 'If-Match': { type: 'string' } } },
    body: null,
    answer: {
      status: 204,
      mediaTypes: [],
      shape: 'none',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [204, 400, 401, 403, 404, 408, 412, 414, 431, 500, 503],
  },
  getGraphqlSchema: {
    id: 'getGraphqlSchema',
    method: 'GET',
    template: '/schema.graphql',
    paths: ['/schema.graphql'],
    version: null,
    tag: 'documents',
    security: [],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['text/plain'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500],
  },
  getLiveness: {
    id: 'getLiveness',
    method: 'GET',
    template: '/health/live',
    paths: ['/health/live'],
    version: null,
    tag: 'health',
    security: [],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500],
  },
  getOpenApiJson: {
    id: 'getOpenApiJson',
    method: 'GET',
    template: '/openapi.json',
    paths: ['/openapi.json'],
    version: null,
    tag: 'documents',
    security: [],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500],
  },
  getOpenApiYaml: {
    id: 'getOpenApiYaml',
    method: 'GET',
    template: '/openapi.yaml',
    paths: ['/openapi.yaml'],
    version: null,
    tag: 'documents',
    security: [],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/yaml'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500],
  },
  getProblemType: {
    id: 'getProblemType',
    method: 'GET',
    template: '/problems/{code}',
    paths: ['/problems/:code'],
    version: null,
    tag: 'documents',
    security: [],
    owner: null,
    path: { dto: GetProblemTypePath, kinds: { code: { type: 'string' } } },
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 404, 406, 408, 414, 431, 500],
  },
  getProduct: {
    id: 'getProduct',
    method: 'GET',
    template: '/products/{id}',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    version: 'v1',
    tag: 'products',
    security: [],
    owner: null,
    path: { dto: GetProductPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: GetProductHeaders, kinds: { 'If-None-Match': { type: 'string' } } },
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'Product',
      key: null,
      locationOf: null,
      headers: ['ETag', 'Cache-Control', 'X-Request-Id'],
    },
    statuses: [200, 304, 400, 401, 404, 406, 408, 414, 431, 500, 503],
  },
  getProductStock: {
    id: 'getProductStock',
    method: 'GET',
    template: '/products/{id}/stock',
    paths: ['/api/v1/products/:id/stock', '/api/products/:id/stock'],
    version: 'v1',
    tag: 'products',
    security: [],
    owner: null,
    path: { dto: GetProductStockPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: GetProductStockHeaders, kinds: { 'If-None-Match': { type: 'string' } } },
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'ProductStock',
      key: null,
      locationOf: null,
      headers: ['ETag', 'X-Request-Id'],
    },
    statuses: [200, 304, 400, 401, 404, 406, 408, 414, 431, 500, 503],
  },
  getReadiness: {
    id: 'getReadiness',
    method: 'GET',
    template: '/health/ready',
    paths: ['/health/ready'],
    version: null,
    tag: 'health',
    security: [],
    owner: null,
    path: null,
    query: null,
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'plain',
      entity: null,
      key: null,
      locationOf: null,
      headers: ['X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500, 503],
  },
  listProducts: {
    id: 'listProducts',
    method: 'GET',
    template: '/products',
    paths: ['/api/v1/products', '/api/products'],
    version: 'v1',
    tag: 'products',
    security: [],
    owner: null,
    path: null,
    query: {
      dto: ListProductsQuery,
      kinds: {
        page: { type: 'integer' },
        limit: { type: 'integer' },
        sort: { type: 'array', items: 'string', separator: ',' },
        q: { type: 'string' },
        in_stock: { type: 'boolean' },
        min_price: { type: 'number' },
        max_price: { type: 'number' },
        fields: { type: 'array', items: 'string', separator: ',' },
      },
    },
    headers: null,
    body: null,
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'page',
      entity: 'Product',
      key: null,
      locationOf: null,
      headers: ['Link', 'X-Total-Count', 'Cache-Control', 'X-Request-Id'],
    },
    statuses: [200, 400, 401, 406, 408, 414, 431, 500, 503],
  },
  replaceProduct: {
    id: 'replaceProduct',
    method: 'PUT',
    template: '/products/{id}',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    version: 'v1',
    tag: 'products',
    security: [[{ scheme: 'apiKey', scopes: ['products:write'] }]],
    owner: null,
    path: { dto: ReplaceProductPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: ReplaceProductHeaders, kinds: { 'If-Match': { type: 'string' } } },
    body: { dto: ProductReplace, mediaTypes: ['application/json'], required: true, readOnly: ['id'] },
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'Product',
      key: null,
      locationOf: null,
      headers: ['ETag', 'X-Request-Id'],
    },
    statuses: [200, 400, 401, 403, 404, 406, 408, 412, 413, 414, 415, 431, 500, 503],
  },
  setProductStock: {
    id: 'setProductStock',
    method: 'PUT',
    template: '/products/{id}/stock',
    paths: ['/api/v1/products/:id/stock', '/api/products/:id/stock'],
    version: 'v1',
    tag: 'products',
    security: [[{ scheme: 'apiKey', scopes: ['products:write'] }]],
    owner: null,
    path: { dto: SetProductStockPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: SetProductStockHeaders, kinds: { 'If-Match': { type: 'string' } } },
    body: { dto: ProductStockReplace, mediaTypes: ['application/json'], required: true, readOnly: [] },
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'ProductStock',
      key: null,
      locationOf: null,
      headers: ['ETag', 'X-Request-Id'],
    },
    statuses: [200, 400, 401, 403, 404, 406, 408, 412, 413, 414, 415, 431, 500, 503],
  },
  updateProduct: {
    id: 'updateProduct',
    method: 'PATCH',
    template: '/products/{id}',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    version: 'v1',
    tag: 'products',
    security: [[{ scheme: 'apiKey', scopes: ['products:write'] }]],
    owner: null,
    path: { dto: UpdateProductPath, kinds: { id: { type: 'integer' } } },
    query: null,
    headers: { dto: UpdateProductHeaders, kinds: { 'If-Match': { type: 'string' } } },
    body: { dto: ProductUpdate, mediaTypes: ['application/json'], required: true, readOnly: ['id'] },
    answer: {
      status: 200,
      mediaTypes: ['application/json'],
      shape: 'entity',
      entity: 'Product',
      key: null,
      locationOf: null,
      headers: ['ETag', 'X-Request-Id'],
    },
    statuses: [200, 400, 401, 403, 404, 406, 408, 412, 413, 414, 415, 431, 500, 503],
  },
};

export const DERIVED: readonly Derived[] = [
  {
    id: 'headProduct',
    method: 'HEAD',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    statuses: [200, 304, 400, 401, 404, 406, 408, 414, 431, 500, 503],
  },
  {
    id: 'headProductStock',
    method: 'HEAD',
    paths: ['/api/v1/products/:id/stock', '/api/products/:id/stock'],
    statuses: [200, 304, 400, 401, 404, 406, 408, 414, 431, 500, 503],
  },
  {
    id: 'headProducts',
    method: 'HEAD',
    paths: ['/api/v1/products', '/api/products'],
    statuses: [200, 400, 401, 406, 408, 414, 431, 500, 503],
  },
  {
    id: 'optionsProduct',
    method: 'OPTIONS',
    paths: ['/api/v1/products/:id', '/api/products/:id'],
    statuses: [204, 400, 401, 408, 414, 431, 500],
  },
  {
    id: 'optionsProductStock',
    method: 'OPTIONS',
    paths: ['/api/v1/products/:id/stock', '/api/products/:id/stock'],
    statuses: [204, 400, 401, 408, 414, 431, 500],
  },
  {
    id: 'optionsProducts',
    method: 'OPTIONS',
    paths: ['/api/v1/products', '/api/products'],
    statuses: [204, 400, 401, 408, 414, 431, 500],
  },
];

/** Tells apart builds whose contracts differ: from SHA-256 over the bytes of both. */
export const CONTRACT_DIGEST = 'df8eb293';
