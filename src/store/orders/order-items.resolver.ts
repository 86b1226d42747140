import { Resolver } from '@nestjs/graphql';
import { Currency } from '../../engine/values/currency.js';
import type { Money } from '../../generated/graphql.js';
import type { GraphqlContext } from '../../engine/graphql/context.js';
import { TypeField } from '../../engine/graphql/field.js';
import { batched } from '../../engine/graphql/loaders.js';
import type { Product } from '../products/product.entity.js';
import { ProductsRepository } from '../products/products.repository.js';
import type { OrderItem } from './order-item.entity.js';

@Resolver('OrderItem')
export class OrderItemsResolver {
  private readonly findProducts = (ids: readonly number[]) => this.products.findMany(ids);

  constructor(
    private readonly products: ProductsRepository,
    private readonly currency: Currency,
  ) {}

  @TypeField('OrderItem.product')
  product({ productId }: OrderItem, _args: unknown, context: GraphqlContext): Promise<Product | null> {
    return batched(context, this.findProducts, productId);
  }

  @TypeField('OrderItem.unitPrice')
  unitPrice({ unitPriceMinor }: OrderItem): number {
    return this.currency.toMajor(unitPriceMinor);
  }

  @TypeField('OrderItem.unitPriceMoney')
  unitPriceMoney({ unitPriceMinor }: OrderItem): Money {
    return { amount: unitPriceMinor, currency: this.currency.code };
  }

  @TypeField('OrderItem.total')
  total({ totalMinor }: OrderItem): number {
    return this.currency.toMajor(totalMinor);
  }

  @TypeField('OrderItem.totalMoney')
  totalMoney({ totalMinor }: OrderItem): Money {
    return { amount: totalMinor, currency: this.currency.code };
  }
}
