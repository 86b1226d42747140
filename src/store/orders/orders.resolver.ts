import { Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { Currency } from '../../engine/values/currency.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import type { Flow } from '../../engine/events/flow.js';
import type { StoreEvent } from '../../engine/events/store-event.js';
import type {
  MutationCreateOrderArgs,
  MutationUpdateOrderStatusArgs,
  QueryOrderArgs,
  QueryOrdersArgs,
  QueryOrdersConnectionArgs,
  SubscriptionNewOrderArgs,
  SubscriptionOrderStatusChangedArgs,
} from '../../generated/dto.js';
import type { Money } from '../../generated/graphql.js';
import { Connections, type Connection } from '../../engine/graphql/connections.js';
import type { GraphqlContext } from '../../engine/graphql/context.js';
import { RootField, TypeField } from '../../engine/graphql/field.js';
import { batched } from '../../engine/graphql/loaders.js';
import { SubscriptionField } from '../../engine/graphql/subscription-field.js';
import type { User } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import type { OrderItem } from './order-item.entity.js';
import type { OrderFilter, OrdersSought, OrdersWanted } from './order-listing.js';
import type { Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService, type WantedOrder } from './orders.service.js';
import { whoOrders } from './who-orders.js';

@Resolver('Order')
export class OrdersResolver {
  private readonly findUsers = (ids: readonly number[]) => this.users.findMany(ids);
  private readonly findItems = (ids: readonly number[]) => this.repository.findItems(ids);

  constructor(
    private readonly repository: OrdersRepository,
    private readonly service: OrdersService,
    private readonly users: UsersRepository,
    private readonly currency: Currency,
    private readonly feed: EventFeed,
    private readonly connections: Connections,
  ) {}

  @RootField('Query.order')
  order({ id }: QueryOrderArgs, { reach }: GraphqlContext): Promise<Order | null> {
    return this.repository.find(id, reach);
  }

  @RootField('Query.orders')
  async orders(
    { page, limit, sort, status, userId, createdAfter, createdBefore }: QueryOrdersArgs,
    { reach, asker }: GraphqlContext,
  ): Promise<readonly Order[]> {
    const filter: Omit<OrderFilter, 'asker'> = { status, userId, createdAfter, createdBefore };
    if (page === 1 && !sort && Object.values(filter).every((part) => part === undefined)) {
      return this.repository.newest(limit, reach);
    }
    const wanted: OrdersWanted = {
      ...filter,
      page,
      limit,
      sort: sort ?? ['-id'],
      pagePlace: { pointer: '#/page' },
      asker,
    };
    const { items } = await this.repository.list(wanted, reach);
    return items;
  }

  @RootField('Query.ordersConnection')
  ordersConnection(
    args: QueryOrdersConnectionArgs,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Connection<Order>> {
    const { sort = ['-id'], status, userId, createdAfter, createdBefore } = args;
    const sought: Omit<OrdersSought, 'asker'> = { sort, status, userId, createdAfter, createdBefore };
    return this.connections.of(args, sought, context, info, (piece) =>
      this.repository.slice({ ...sought, asker: context.asker }, piece, context.reach),
    );
  }

  @SubscriptionField('Subscription.newOrder')
  newOrder(
    { after }: SubscriptionNewOrderArgs,
    { ownRows, asker }: GraphqlContext,
  ): Promise<Flow<StoreEvent<Order>>> {
    return this.feed.follow('newOrder', after, asker, ownRows);
  }

  @SubscriptionField('Subscription.orderStatusChanged')
  orderStatusChanged(
    { after, orderId }: SubscriptionOrderStatusChangedArgs,
    { ownRows, asker }: GraphqlContext,
  ): Promise<Flow<StoreEvent<Order>>> {
    const only = orderId == null ? ownRows : { member: 'id', value: orderId };
    return this.feed.follow('orderStatusChanged', after, asker, only);
  }

  @RootField('Mutation.createOrder')
  createOrder({ userId, items }: MutationCreateOrderArgs, context: GraphqlContext): Promise<Order> {
    const wanted: WantedOrder = {
      userId: whoOrders(userId, context.principal, pointerOf('user')),
      lines: items.map(({ productId, quantity }) => ({ productId, quantity })),
      pointerOf,
    };
    return this.service.place(wanted, context);
  }

  @RootField('Mutation.updateOrderStatus')
  updateOrderStatus(
    { id, status }: MutationUpdateOrderStatusArgs,
    context: GraphqlContext,
  ): Promise<Order | null> {
    return this.service.changeStatus(id, status, context);
  }

  @TypeField('Order.total')
  total({ totalMinor }: Order): number {
    return this.currency.toMajor(totalMinor);
  }

  @TypeField('Order.totalMoney')
  totalMoney({ totalMinor }: Order): Money {
    return { amount: totalMinor, currency: this.currency.code };
  }

  @TypeField('Order.user')
  async user({ userId }: Order, _args: unknown, context: GraphqlContext): Promise<User | null> {
    return userId === null ? null : batched(context, this.findUsers, userId);
  }

  @TypeField('Order.items')
  async items({ id, items }: Order, _args: unknown, context: GraphqlContext): Promise<readonly OrderItem[]> {
    return items ?? (await batched(context, this.findItems, id)) ?? [];
  }
}

const pointerOf: WantedOrder['pointerOf'] = (member) =>
  member === 'user'
    ? '#/userId'
    : `#/items/${member.line}/${member.of === 'product' ? 'productId' : 'quantity'}`;
