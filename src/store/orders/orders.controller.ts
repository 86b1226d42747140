import { Controller } from '@nestjs/common';
import { RowAccess } from '../../engine/access/row-access.js';
import { wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type {
  ExportOrdersQuery,
  GetOrderPath,
  ListOrdersQuery,
  ListOrdersV2Query,
  ListUserOrdersPath,
  ListUserOrdersQuery,
  ListUserOrdersV2Path,
  ListUserOrdersV2Query,
  OrderCreate,
  OrderUpdate,
  UpdateOrderPath,
} from '../../generated/dto.js';
import type { Asker } from '../../engine/database/asker.js';
import { momentOf } from '../../engine/values/moment.js';
import { UsersRepository } from '../users/users.repository.js';
import type { OrdersSought } from './order-listing.js';
import type { Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService, requireAllowed, type WantedOrder } from './orders.service.js';
import { whoOrders } from './who-orders.js';

@Controller()
export class OrdersController {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly service: OrdersService,
    private readonly users: UsersRepository,
  ) {}

  @Operation('listOrders')
  async listOrders(query: ListOrdersQuery, { reach, asker }: Context) {
    const { page, limit } = query;
    const wanted = { ...soughtIn(query, asker), page, limit, pagePlace: { parameter: 'page' } };
    const orders = await this.orders.list(wanted, reach);
    return { ...orders, items: await this.orders.withItems(orders.items) };
  }

  @Operation('listOrdersV2')
  async listOrdersV2(query: ListOrdersV2Query, { reach, position, asker }: Context) {
    const { limit } = query;
    const slice = await this.orders.slice(soughtIn(query, asker), { position, limit }, reach);
    return { ...slice, items: await this.orders.withItems(slice.items) };
  }

  @Operation('exportOrders')
  exportOrders(query: ExportOrdersQuery, { reach, asker }: Context) {
    return { batches: this.orders.all(soughtIn(query, asker), reach) };
  }

  @Operation('listUserOrders')
  async listUserOrders({ id }: ListUserOrdersPath, { page, limit }: ListUserOrdersQuery, { asker }: Context) {
    if (!(await this.users.find(id))) return null;
    const orders = await this.orders.listOf(id, { page, limit }, { pagePlace: { parameter: 'page' }, asker });
    return { ...orders, items: await this.orders.withItems(orders.items) };
  }

  @Operation('listUserOrdersV2')
  async listUserOrdersV2(
    { id }: ListUserOrdersV2Path,
    { limit }: ListUserOrdersV2Query,
    { position, asker }: Context,
  ) {
    if (!(await this.users.find(id))) return null;
    // The access to the user of the path is already checked by the policy of the operation.
    const slice = await this.orders.slice(
      { ...soughtIn({}, asker), userId: id },
      { position, limit },
      RowAccess.of(id),
    );
    return { ...slice, items: await this.orders.withItems(slice.items) };
  }

  @Operation('createOrder')
  createOrder({ user_id, items }: OrderCreate, context: Context) {
    const wanted: WantedOrder = {
      userId: whoOrders(user_id, context.principal, pointerOf('user')),
      lines: items.map(({ product_id: productId, quantity }) => ({ productId, quantity })),
      pointerOf,
    };
    return this.service.place(wanted, context);
  }

  @Operation('getOrder')
  async getOrder({ id }: GetOrderPath, { reach }: Context) {
    const order = await this.orders.find(id, reach);
    return order && ((await this.orders.withItems([order]))[0] as Order);
  }

  @Operation('updateOrder')
  updateOrder({ id }: UpdateOrderPath, body: OrderUpdate, context: Context) {
    const status = wantedBy(body, context, (update: Partial<OrderUpdate>) => {
      if (update.status !== undefined) requireAllowed(update.status, context.reach);
      return update.status;
    });
    return this.service.changeStatus(id, status, context);
  }
}

const pointerOf: WantedOrder['pointerOf'] = (member) =>
  member === 'user'
    ? '#/user_id'
    : `#/items/${member.line}/${member.of === 'product' ? 'product_id' : 'quantity'}`;

function soughtIn(
  {
    sort,
    status,
    user_id: userId,
    created_after: createdAfter,
    created_before: createdBefore,
  }: Partial<Omit<ListOrdersQuery, 'page' | 'limit' | 'format'>>,
  asker: Asker,
): OrdersSought {
  return {
    asker,
    sort,
    status,
    userId,
    createdAfter: momentIn(createdAfter),
    createdBefore: momentIn(createdBefore),
  };
}

function momentIn(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : (momentOf(text) ?? undefined);
}
