import { Resolver } from '@nestjs/graphql';
import type { UserOrdersArgs } from '../../generated/dto.js';
import type { GraphqlContext } from '../../engine/graphql/context.js';
import { TypeField } from '../../engine/graphql/field.js';
import { batched } from '../../engine/graphql/loaders.js';
import type { User } from '../users/user.entity.js';
import type { Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';

type Find = (userIds: readonly number[]) => Promise<ReadonlyMap<number, readonly Order[]>>;

/** The field `User.orders`. It is in this folder, because the code of `users` must not import the code of `orders`. */
@Resolver('User')
export class UserOrdersResolver {
  /** One function for each value of `limit`, because `batched` gathers the ids that come with the same function. */
  private readonly finds = new Map<number, Find>();

  constructor(private readonly repository: OrdersRepository) {}

  @TypeField('User.orders')
  orders({ id }: User, { limit }: UserOrdersArgs, context: GraphqlContext): Promise<readonly Order[]> {
    return batched(context, this.findNewest(limit), id).then((orders) => orders ?? []);
  }

  private findNewest(limit: number): Find {
    const find = this.finds.get(limit) ?? ((ids) => this.repository.findNewestOf(ids, limit));
    this.finds.set(limit, find);
    return find;
  }
}
