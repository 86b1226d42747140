import { Resolver } from '@nestjs/graphql';
import { RootField } from '../../engine/graphql/field.js';
import type { OrdersSummary } from '../../generated/graphql.js';
import { OrderSums } from './order-sums.js';

@Resolver()
export class OrdersSummaryResolver {
  constructor(private readonly sums: OrderSums) {}

  @RootField('Query.ordersSummary')
  ordersSummary(): Promise<OrdersSummary> {
    return this.sums.figures();
  }
}
