import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Orders1763700000004 } from '../database/migrations/1763700000004-orders.js';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';

/** What was bought. */
@Module({
  imports: [DatabaseModule.forFeature({ entities: [Order, OrderItem], migrations: [Orders1763700000004] })],
})
export class OrdersModule {}
