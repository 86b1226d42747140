// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import {
  MutationCreateProductArgs,
  MutationDeleteProductArgs,
  MutationReplaceProductArgs,
  MutationSetProductStockArgs,
  MutationUpdateProductArgs,
  QueryProductArgs,
  QueryProductsArgs,
} from './dto.js';
import type { Dto } from './members.js';
import type { Scope } from './operations.js';

export type RootField =
  | 'Mutation.createProduct'
  | 'Mutation.deleteProduct'
  | 'Mutation.replaceProduct'
  | 'Mutation.setProductStock'
  | 'Mutation.updateProduct'
  | 'Query.product'
  | 'Query.products';

export interface Field {
  readonly type: string;
  readonly field: string;
  /** Null only for fields that are not at the root: whoever may see their object may see them. */
  readonly access: 'public' | { readonly scopes: readonly Scope[]; readonly owner: string | null } | null;
  readonly cost: number;
  readonly list: { readonly assumedSize: number | null; readonly slicingArgument: string | null } | null;
  readonly args: Dto | null;
}

export const FIELDS: Readonly<Record<string, Field>> = {
  'Money.amount': { type: 'Money', field: 'amount', access: null, cost: 0, list: null, args: null },
  'Money.currency': { type: 'Money', field: 'currency', access: null, cost: 0, list: null, args: null },
  'Mutation.createProduct': {
    type: 'Mutation',
    field: 'createProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationCreateProductArgs,
  },
  'Mutation.deleteProduct': {
    type: 'Mutation',
    field: 'deleteProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationDeleteProductArgs,
  },
  'Mutation.replaceProduct': {
    type: 'Mutation',
    field: 'replaceProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationReplaceProductArgs,
  },
  'Mutation.setProductStock': {
    type: 'Mutation',
    field: 'setProductStock',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationSetProductStockArgs,
  },
  'Mutation.updateProduct': {
    type: 'Mutation',
    field: 'updateProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationUpdateProductArgs,
  },
  'Product.createdAt': { type: 'Product', field: 'createdAt', access: null, cost: 0, list: null, args: null },
  'Product.description': {
    type: 'Product',
    field: 'description',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'Product.id': { type: 'Product', field: 'id', access: null, cost: 0, list: null, args: null },
  'Product.inStock': { type: 'Product', field: 'inStock', access: null, cost: 0, list: null, args: null },
  'Product.name': { type: 'Product', field: 'name', access: null, cost: 0, list: null, args: null },
  'Product.price': { type: 'Product', field: 'price', access: null, cost: 0, list: null, args: null },
  'Product.priceMoney': {
    type: 'Product',
    field: 'priceMoney',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'Product.stock': { type: 'Product', field: 'stock', access: null, cost: 2, list: null, args: null },
  'Product.updatedAt': { type: 'Product', field: 'updatedAt', access: null, cost: 0, list: null, args: null },
  'Query.product': {
    type: 'Query',
    field: 'product',
    access: 'public',
    cost: 1,
    list: null,
    args: QueryProductArgs,
  },
  'Query.products': {
    type: 'Query',
    field: 'products',
    access: 'public',
    cost: 1,
    list: { assumedSize: 20, slicingArgument: 'limit' },
    args: QueryProductsArgs,
  },
};
