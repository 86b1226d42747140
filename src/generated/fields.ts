// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import {
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
import type { Dto } from './members.js';
import type { Scope } from './operations.js';

export type RootField =
  | 'Mutation.createOrder'
  | 'Mutation.createProduct'
  | 'Mutation.createUser'
  | 'Mutation.deleteProduct'
  | 'Mutation.deleteUser'
  | 'Mutation.replaceProduct'
  | 'Mutation.setProductStock'
  | 'Mutation.updateOrderStatus'
  | 'Mutation.updateProduct'
  | 'Mutation.updateUser'
  | 'Query.latestCursor'
  | 'Query.me'
  | 'Query.order'
  | 'Query.orders'
  | 'Query.ordersConnection'
  | 'Query.product'
  | 'Query.products'
  | 'Query.productsConnection'
  | 'Query.user'
  | 'Query.users'
  | 'Query.usersConnection'
  | 'Subscription.newOrder'
  | 'Subscription.orderStatusChanged'
  | 'Subscription.productChanged';

export interface Field {
  readonly type: string;
  readonly field: string;
  /** Null only for fields that are not at the root: whoever may see their object may see them. */
  readonly access: 'public' | { readonly scopes: readonly Scope[]; readonly owner: string | null } | null;
  readonly cost: number;
  readonly list: ListSize | null;
  readonly args: Dto | null;
}

/** How many items a list returns, so that the cost of what hangs on them is known. */
export interface ListSize {
  readonly assumedSize: number | null;
  /** The largest of those that are given counts. */
  readonly slicingArguments: readonly string[];
  /** The fields of what is returned that hold the items; empty where the field itself is the list. */
  readonly sizedFields: readonly string[];
}

export const FIELDS: Readonly<Record<string, Field>> = {
  'Money.amount': { type: 'Money', field: 'amount', access: null, cost: 0, list: null, args: null },
  'Money.currency': { type: 'Money', field: 'currency', access: null, cost: 0, list: null, args: null },
  'Mutation.createOrder': {
    type: 'Mutation',
    field: 'createOrder',
    access: { scopes: ['orders:write'], owner: 'args.userId' },
    cost: 10,
    list: null,
    args: MutationCreateOrderArgs,
  },
  'Mutation.createProduct': {
    type: 'Mutation',
    field: 'createProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationCreateProductArgs,
  },
  'Mutation.createUser': {
    type: 'Mutation',
    field: 'createUser',
    access: { scopes: ['users:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationCreateUserArgs,
  },
  'Mutation.deleteProduct': {
    type: 'Mutation',
    field: 'deleteProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationDeleteProductArgs,
  },
  'Mutation.deleteUser': {
    type: 'Mutation',
    field: 'deleteUser',
    access: { scopes: ['users:write'], owner: 'args.id' },
    cost: 10,
    list: null,
    args: MutationDeleteUserArgs,
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
  'Mutation.updateOrderStatus': {
    type: 'Mutation',
    field: 'updateOrderStatus',
    access: { scopes: ['orders:write'], owner: 'row.userId' },
    cost: 10,
    list: null,
    args: MutationUpdateOrderStatusArgs,
  },
  'Mutation.updateProduct': {
    type: 'Mutation',
    field: 'updateProduct',
    access: { scopes: ['products:write'], owner: null },
    cost: 10,
    list: null,
    args: MutationUpdateProductArgs,
  },
  'Mutation.updateUser': {
    type: 'Mutation',
    field: 'updateUser',
    access: { scopes: ['users:write'], owner: 'args.id' },
    cost: 10,
    list: null,
    args: MutationUpdateUserArgs,
  },
  'Order.createdAt': { type: 'Order', field: 'createdAt', access: null, cost: 0, list: null, args: null },
  'Order.cursor': { type: 'Order', field: 'cursor', access: null, cost: 0, list: null, args: null },
  'Order.id': { type: 'Order', field: 'id', access: null, cost: 0, list: null, args: null },
  'Order.items': {
    type: 'Order',
    field: 'items',
    access: null,
    cost: 1,
    list: { assumedSize: 10, slicingArguments: [], sizedFields: [] },
    args: null,
  },
  'Order.status': { type: 'Order', field: 'status', access: null, cost: 0, list: null, args: null },
  'Order.total': { type: 'Order', field: 'total', access: null, cost: 0, list: null, args: null },
  'Order.totalMoney': { type: 'Order', field: 'totalMoney', access: null, cost: 1, list: null, args: null },
  'Order.updatedAt': { type: 'Order', field: 'updatedAt', access: null, cost: 0, list: null, args: null },
  'Order.user': {
    type: 'Order',
    field: 'user',
    access: { scopes: ['users:read'], owner: 'parent.userId' },
    cost: 1,
    list: null,
    args: null,
  },
  'Order.userId': { type: 'Order', field: 'userId', access: null, cost: 0, list: null, args: null },
  'Order.version': { type: 'Order', field: 'version', access: null, cost: 0, list: null, args: null },
  'OrderConnection.edges': {
    type: 'OrderConnection',
    field: 'edges',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'OrderConnection.nodes': {
    type: 'OrderConnection',
    field: 'nodes',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'OrderConnection.pageInfo': {
    type: 'OrderConnection',
    field: 'pageInfo',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'OrderConnection.totalCount': {
    type: 'OrderConnection',
    field: 'totalCount',
    access: null,
    cost: 5,
    list: null,
    args: null,
  },
  'OrderEdge.cursor': { type: 'OrderEdge', field: 'cursor', access: null, cost: 0, list: null, args: null },
  'OrderEdge.node': { type: 'OrderEdge', field: 'node', access: null, cost: 1, list: null, args: null },
  'OrderItem.name': { type: 'OrderItem', field: 'name', access: null, cost: 0, list: null, args: null },
  'OrderItem.product': { type: 'OrderItem', field: 'product', access: null, cost: 1, list: null, args: null },
  'OrderItem.productId': {
    type: 'OrderItem',
    field: 'productId',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'OrderItem.quantity': {
    type: 'OrderItem',
    field: 'quantity',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'OrderItem.total': { type: 'OrderItem', field: 'total', access: null, cost: 0, list: null, args: null },
  'OrderItem.totalMoney': {
    type: 'OrderItem',
    field: 'totalMoney',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'OrderItem.unitPrice': {
    type: 'OrderItem',
    field: 'unitPrice',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'OrderItem.unitPriceMoney': {
    type: 'OrderItem',
    field: 'unitPriceMoney',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'PageInfo.endCursor': {
    type: 'PageInfo',
    field: 'endCursor',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'PageInfo.hasNextPage': {
    type: 'PageInfo',
    field: 'hasNextPage',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'PageInfo.hasPreviousPage': {
    type: 'PageInfo',
    field: 'hasPreviousPage',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'PageInfo.startCursor': {
    type: 'PageInfo',
    field: 'startCursor',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'Product.change': { type: 'Product', field: 'change', access: null, cost: 0, list: null, args: null },
  'Product.createdAt': { type: 'Product', field: 'createdAt', access: null, cost: 0, list: null, args: null },
  'Product.cursor': { type: 'Product', field: 'cursor', access: null, cost: 0, list: null, args: null },
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
  'Product.version': { type: 'Product', field: 'version', access: null, cost: 0, list: null, args: null },
  'ProductConnection.edges': {
    type: 'ProductConnection',
    field: 'edges',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'ProductConnection.nodes': {
    type: 'ProductConnection',
    field: 'nodes',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'ProductConnection.pageInfo': {
    type: 'ProductConnection',
    field: 'pageInfo',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'ProductConnection.totalCount': {
    type: 'ProductConnection',
    field: 'totalCount',
    access: null,
    cost: 5,
    list: null,
    args: null,
  },
  'ProductEdge.cursor': {
    type: 'ProductEdge',
    field: 'cursor',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'ProductEdge.node': { type: 'ProductEdge', field: 'node', access: null, cost: 1, list: null, args: null },
  'Query.latestCursor': {
    type: 'Query',
    field: 'latestCursor',
    access: 'public',
    cost: 0,
    list: null,
    args: null,
  },
  'Query.me': {
    type: 'Query',
    field: 'me',
    access: { scopes: ['users:read'], owner: 'row.id' },
    cost: 1,
    list: null,
    args: null,
  },
  'Query.order': {
    type: 'Query',
    field: 'order',
    access: { scopes: ['orders:read'], owner: 'row.userId' },
    cost: 1,
    list: null,
    args: QueryOrderArgs,
  },
  'Query.orders': {
    type: 'Query',
    field: 'orders',
    access: { scopes: ['orders:read'], owner: 'row.userId' },
    cost: 1,
    list: { assumedSize: 100, slicingArguments: ['limit'], sizedFields: [] },
    args: QueryOrdersArgs,
  },
  'Query.ordersConnection': {
    type: 'Query',
    field: 'ordersConnection',
    access: { scopes: ['orders:read'], owner: 'row.userId' },
    cost: 1,
    list: { assumedSize: 20, slicingArguments: ['first', 'last'], sizedFields: ['edges', 'nodes'] },
    args: QueryOrdersConnectionArgs,
  },
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
    list: { assumedSize: 20, slicingArguments: ['limit'], sizedFields: [] },
    args: QueryProductsArgs,
  },
  'Query.productsConnection': {
    type: 'Query',
    field: 'productsConnection',
    access: 'public',
    cost: 1,
    list: { assumedSize: 20, slicingArguments: ['first', 'last'], sizedFields: ['edges', 'nodes'] },
    args: QueryProductsConnectionArgs,
  },
  'Query.user': {
    type: 'Query',
    field: 'user',
    access: { scopes: ['users:read'], owner: 'args.id' },
    cost: 1,
    list: null,
    args: QueryUserArgs,
  },
  'Query.users': {
    type: 'Query',
    field: 'users',
    access: { scopes: ['users:read'], owner: null },
    cost: 1,
    list: { assumedSize: 20, slicingArguments: ['limit'], sizedFields: [] },
    args: QueryUsersArgs,
  },
  'Query.usersConnection': {
    type: 'Query',
    field: 'usersConnection',
    access: { scopes: ['users:read'], owner: null },
    cost: 1,
    list: { assumedSize: 20, slicingArguments: ['first', 'last'], sizedFields: ['edges', 'nodes'] },
    args: QueryUsersConnectionArgs,
  },
  'Subscription.newOrder': {
    type: 'Subscription',
    field: 'newOrder',
    access: { scopes: ['orders:read'], owner: 'row.userId' },
    cost: 1,
    list: null,
    args: SubscriptionNewOrderArgs,
  },
  'Subscription.orderStatusChanged': {
    type: 'Subscription',
    field: 'orderStatusChanged',
    access: { scopes: ['orders:read'], owner: 'row.userId' },
    cost: 1,
    list: null,
    args: SubscriptionOrderStatusChangedArgs,
  },
  'Subscription.productChanged': {
    type: 'Subscription',
    field: 'productChanged',
    access: 'public',
    cost: 1,
    list: null,
    args: SubscriptionProductChangedArgs,
  },
  'User.createdAt': { type: 'User', field: 'createdAt', access: null, cost: 0, list: null, args: null },
  'User.email': { type: 'User', field: 'email', access: null, cost: 0, list: null, args: null },
  'User.id': { type: 'User', field: 'id', access: null, cost: 0, list: null, args: null },
  'User.name': { type: 'User', field: 'name', access: null, cost: 0, list: null, args: null },
  'User.orders': {
    type: 'User',
    field: 'orders',
    access: { scopes: ['orders:read'], owner: 'parent.id' },
    cost: 1,
    list: { assumedSize: 100, slicingArguments: ['limit'], sizedFields: [] },
    args: UserOrdersArgs,
  },
  'User.updatedAt': { type: 'User', field: 'updatedAt', access: null, cost: 0, list: null, args: null },
  'User.version': { type: 'User', field: 'version', access: null, cost: 0, list: null, args: null },
  'UserConnection.edges': {
    type: 'UserConnection',
    field: 'edges',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'UserConnection.nodes': {
    type: 'UserConnection',
    field: 'nodes',
    access: null,
    cost: 1,
    list: null,
    args: null,
  },
  'UserConnection.pageInfo': {
    type: 'UserConnection',
    field: 'pageInfo',
    access: null,
    cost: 0,
    list: null,
    args: null,
  },
  'UserConnection.totalCount': {
    type: 'UserConnection',
    field: 'totalCount',
    access: null,
    cost: 5,
    list: null,
    args: null,
  },
  'UserEdge.cursor': { type: 'UserEdge', field: 'cursor', access: null, cost: 0, list: null, args: null },
  'UserEdge.node': { type: 'UserEdge', field: 'node', access: null, cost: 1, list: null, args: null },
};
