// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { Entity } from './contract.js';
import type {
  MutationCreateProductArgs,
  MutationDeleteProductArgs,
  MutationReplaceProductArgs,
  MutationSetProductStockArgs,
  MutationUpdateProductArgs,
  QueryProductArgs,
  QueryProductsArgs,
} from './dto.js';

/** Filled by the application, as `Entities` is. */
export interface GraphqlContext {}

/** What resolvers see and return for the values of an enum, by their names in the schema. */
export const ENUM_VALUES = {
  ProductSort: {
    ID_ASC: 'id',
    ID_DESC: '-id',
    NAME_ASC: 'name',
    NAME_DESC: '-name',
    PRICE_ASC: 'price',
    PRICE_DESC: '-price',
  },
} as const;

import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: number; output: number | string };
  String: { input: string; output: string };
  Boolean: { input: boolean; output: boolean };
  Int: { input: number; output: number };
  Float: { input: number; output: number };
  /** A moment: RFC 3339, UTC, milliseconds, such as `2026-11-21T08:44:54.000Z`. */
  DateTime: { input: Date; output: Date };
  /** An integer up to 9,007,199,254,740,991 (2^53 - 1), since `Int` ends at 2^31 - 1. */
  SafeInt: { input: number; output: number };
};

/** Reading. A row that does not exist, or that the caller may not see, is null without an error. */
export type Query = {
  /** The product with this id. */
  readonly product: Maybe<Product>;
  /**
   * One page of products, in ascending order of id unless `sort` says otherwise; a page past the end is empty.
   * With a filter or a sort, `page` × `limit` may be at most 100,000.
   */
  readonly products: Maybe<ReadonlyArray<Product>>;
};

/**
 * Changing. A product that does not exist is null without an error. Every mutation field stands for itself: what one
 * of them did stays done when another one fails.
 */
export type Mutation = {
  /** Stores a new product. Its stock is not counted until `setProductStock` says so. */
  readonly createProduct: Maybe<Product>;
  /** Replaces all of a product but its counted stock: a description that is left out is removed. */
  readonly replaceProduct: Maybe<Product>;
  /** Changes what is given and leaves the rest as it is. Null is refused where a product always has a value. */
  readonly updateProduct: Maybe<Product>;
  /** Removes a product for good, with its stock, and returns what it was; its id is never used again. */
  readonly deleteProduct: Maybe<Product>;
  /** Sets the number of pieces of a product, or stops counting them. */
  readonly setProductStock: Maybe<Product>;
};

/** Something the store sells. */
export type Product = {
  /** An integer made by the service, as text; never used again after a deletion. */
  readonly id: Scalars['ID']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** Major units of the store's currency. */
  readonly price: Scalars['Float']['output'];
  /** The price with its currency, in minor units. */
  readonly priceMoney: Money;
  /** Whether it can be ordered; false when it was switched off, or its counted stock is 0. */
  readonly inStock: Scalars['Boolean']['output'];
  /** The number of pieces; null when the stock is not counted. */
  readonly stock: Maybe<Scalars['Int']['output']>;
  /** What it is, in a few sentences. */
  readonly description: Maybe<Scalars['String']['output']>;
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed; counting the stock is no change of the product. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** An amount of money. */
export type Money = {
  /** Minor units, such as cents. */
  readonly amount: Scalars['SafeInt']['output'];
  /** The currency (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/** The orders in which products can be listed; text is sorted by code point. */
export type ProductSort =
  /** Ascending by id. */
  | 'id'
  /** Descending by id. */
  | '-id'
  /** Ascending by name. */
  | 'name'
  /** Descending by name. */
  | '-name'
  /** The cheapest first. */
  | 'price'
  /** The dearest first. */
  | '-price';

export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<
  TResult,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<unknown, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, unknown, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<
  TResult,
  TKey extends string,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> =
  | ((...args: unknown[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<
  TTypes,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
> = (parent: TParent, context: TContext, info: GraphQLResolveInfo) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  obj: T,
  context: TContext,
  info: GraphQLResolveInfo,
) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<
  TResult = Record<PropertyKey, never>,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Product: ResolverTypeWrapper<Entity<'Product'>>;
  Money: ResolverTypeWrapper<Money>;
  ProductSort: ResolverTypeWrapper<ProductSort>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  SafeInt: Scalars['SafeInt']['output'];
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Boolean: Scalars['Boolean']['output'];
  Float: Scalars['Float']['output'];
  Mutation: Record<PropertyKey, never>;
  Product: Entity<'Product'>;
  Money: Money;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], unknown> {
  name: 'DateTime';
}

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], unknown> {
  name: 'SafeInt';
}

export type QueryResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query'],
> = {
  product: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, QueryProductArgs>;
  products: Resolver<
    Maybe<ReadonlyArray<ResolversTypes['Product']>>,
    ParentType,
    ContextType,
    QueryProductsArgs
  >;
};

export type MutationResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation'],
> = {
  createProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationCreateProductArgs
  >;
  replaceProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationReplaceProductArgs
  >;
  updateProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationUpdateProductArgs
  >;
  deleteProduct: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationDeleteProductArgs
  >;
  setProductStock: Resolver<
    Maybe<ResolversTypes['Product']>,
    ParentType,
    ContextType,
    MutationSetProductStockArgs
  >;
};

export type ProductResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product'],
> = {
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  price: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  priceMoney: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  inStock: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  stock: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  description: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MoneyResolvers<
  ContextType = GraphqlContext,
  ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money'],
> = {
  amount: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currency: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProductSortResolvers = {
  ID_ASC: 'id';
  ID_DESC: '-id';
  NAME_ASC: 'name';
  NAME_DESC: '-name';
  PRICE_ASC: 'price';
  PRICE_DESC: '-price';
};

export type Resolvers<ContextType = GraphqlContext> = {
  DateTime: GraphQLScalarType;
  SafeInt: GraphQLScalarType;
  Query: QueryResolvers<ContextType>;
  Mutation: MutationResolvers<ContextType>;
  Product: ProductResolvers<ContextType>;
  Money: MoneyResolvers<ContextType>;
  ProductSort: ProductSortResolvers;
};
