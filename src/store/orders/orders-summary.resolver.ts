import { Resolver } from '@nestjs/graphql';
import { RootField } from '../../engine/graphql/field.js';
import type { OrdersSummary } from '../../generated/graphql.js';
import { OrderSumsRepository } from './order-sums.repository.js';

@Resolver()
export class OrdersSummaryResolver {
  constructor(private readonly sums: OrderSumsRepository) {}

  @RootField('Query.ordersSummary', { isChanging: true })
  ordersSummary(): Promise<OrdersSummary> {
    return this.sums.figures();
  }
}
