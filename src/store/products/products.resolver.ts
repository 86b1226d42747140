import { Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { Currency } from '../../engine/values/currency.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import type { Flow } from '../../engine/events/flow.js';
import type { StoreEvent } from '../../engine/events/store-event.js';
import type { Soon } from '../../generated/contract.js';
import type * as dto from '../../generated/dto.js';
import type { Money } from '../../generated/graphql.js';
import { Connections, type Connection } from '../../engine/graphql/connections.js';
import type { GraphqlContext } from '../../engine/graphql/context.js';
import { RootField, TypeField } from '../../engine/graphql/field.js';
import { batched } from '../../engine/graphql/loaders.js';
import { SubscriptionField } from '../../engine/graphql/subscription-field.js';
import type { Product } from './product.entity.js';
import { criteriaOf, type ProductsSought } from './product-listing.js';
import { ProductsRepository } from './products.repository.js';
import { StocksRepository } from './stocks.repository.js';

@Resolver('Product')
export class ProductsResolver {
  private readonly findQuantities = (ids: readonly number[]) => this.stocks.findQuantities(ids);

  constructor(
    private readonly repository: ProductsRepository,
    private readonly stocks: StocksRepository,
    private readonly currency: Currency,
    private readonly feed: EventFeed,
    private readonly connections: Connections,
  ) {}

  @RootField('Query.product')
  product({ id }: dto.QueryProductArgs): Soon<Product | null> {
    return this.repository.find(id);
  }

  @RootField('Query.products')
  async products(args: dto.QueryProductsArgs, { asker }: GraphqlContext) {
    const { page, limit, sort } = args;
    const sought: ProductsSought = { ...criteriaOf(args), sort, placeOf: pointerTo, asker };
    const { items } = await this.repository.list({ ...sought, page, limit });
    return items;
  }

  @RootField('Query.productsConnection')
  productsConnection(
    args: dto.QueryProductsConnectionArgs,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Connection<Product>> {
    const { first, after, last, before, sort } = args;
    const sought = { ...criteriaOf(args), sort };
    return this.connections.of({ first, after, last, before }, sought, context, info, (piece) =>
      this.repository.sliceOf({ ...sought, placeOf: pointerTo, asker: context.asker }, piece),
    );
  }

  @SubscriptionField('Subscription.productChanged')
  productChanged(
    { after, productId }: dto.SubscriptionProductChangedArgs,
    { asker }: GraphqlContext,
  ): Promise<Flow<StoreEvent<Product>>> {
    const only = productId == null ? null : { member: 'id', value: productId };
    return this.feed.follow('productChanged', after, asker, only);
  }

  @RootField('Mutation.createProduct')
  createProduct(
    { name, price, inStock, description = null }: dto.MutationCreateProductArgs,
    context: GraphqlContext,
  ): Promise<Product> {
    return this.repository.create({ name, price, inStock, description }, context);
  }

  @RootField('Mutation.replaceProduct')
  replaceProduct(
    { id, name, price, inStock, description = null }: dto.MutationReplaceProductArgs,
    context: GraphqlContext,
  ) {
    return this.repository.update(id, { name, price, inStock, description }, context);
  }

  @RootField('Mutation.updateProduct')
  updateProduct(
    { id, name, price, inStock, description }: dto.MutationUpdateProductArgs,
    context: GraphqlContext,
  ): Promise<Product | null> {
    return this.repository.update(id, { name, price, inStock, description }, context);
  }

  @RootField('Mutation.deleteProduct')
  deleteProduct({ id }: dto.MutationDeleteProductArgs, context: GraphqlContext): Promise<Product | null> {
    return this.repository.delete(id, context);
  }

  @RootField('Mutation.setProductStock')
  async setProductStock(
    { id, quantity = null }: dto.MutationSetProductStockArgs,
    context: GraphqlContext,
  ): Promise<Product | null> {
    const stock = await this.stocks.set(id, quantity, context);
    return stock && this.repository.find(id);
  }

  @TypeField('Product.price')
  price({ priceMinor }: Product): number {
    return this.currency.toMajor(priceMinor);
  }

  @TypeField('Product.priceMoney')
  priceMoney({ priceMinor }: Product): Money {
    return { amount: priceMinor, currency: this.currency.code };
  }

  @TypeField('Product.stock')
  stock({ id }: Product, _args: unknown, context: GraphqlContext): Promise<number | null> {
    return batched(context, this.findQuantities, id);
  }
}

function pointerTo(argument: string) {
  return { pointer: `#/${argument}` };
}
