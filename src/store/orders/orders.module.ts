import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Orders1763700000004 } from '../../engine/database/migrations/1763700000004-orders.js';
import { OrderSums1763700000020 } from '../../engine/database/migrations/1763700000020-order-sums.js';
import { ProductsModule } from '../products/products.module.js';
import { UsersModule } from '../users/users.module.js';
import { OrderItem } from './order-item.entity.js';
import { OrderItemsResolver } from './order-items.resolver.js';
import { OrderListing } from './order-listing.js';
import { OrderSumsRepository } from './order-sums.repository.js';
import { Order } from './order.entity.js';
import './order.rows.js';
import { OrderV1, OrderV2 } from './order.representation.js';
import { OrdersController } from './orders.controller.js';
import { OrdersSummaryController } from './orders-summary.controller.js';
import { OrdersSummaryResolver } from './orders-summary.resolver.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersResolver } from './orders.resolver.js';
import { OrdersService } from './orders.service.js';
import { UserOrdersResolver } from './user-orders.resolver.js';

declare module '../../generated/contract.js' {
  interface Features {
    orders: {
      entities: { Order: Order; OrderItem: OrderItem };
      controllers: OrdersController | OrdersSummaryController;
      resolvers: OrdersResolver | OrdersSummaryResolver | OrderItemsResolver | UserOrdersResolver;
      /** All of these events hold the order with its items. `order.updated`: an import has written the order again. */
      events: { 'order.created': Order; 'order.status_changed': Order; 'order.updated': Order };
    };
  }
}

/** The orders of the store, with their items. */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [Order, OrderItem],
      migrations: [Orders1763700000004, OrderSums1763700000020],
    }),
    ProductsModule,
    UsersModule,
  ],
  controllers: [OrdersController, OrdersSummaryController],
  providers: [
    OrdersRepository,
    OrderListing,
    OrderSumsRepository,
    OrdersService,
    OrdersResolver,
    OrdersSummaryResolver,
    OrderItemsResolver,
    UserOrdersResolver,
    OrderV1,
    OrderV2,
  ],
})
export class OrdersModule {}
