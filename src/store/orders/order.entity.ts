import { Column, Entity } from 'typeorm';
import { id, instant, money, reference, text, version } from '../../engine/database/columns.js';
import type { OrderItem } from './order-item.entity.js';
import type { OrderStatus } from './order-status.js';

@Entity('orders')
export class Order {
  @Column(id())
  id!: number;

  /** Null after the user was anonymised. */
  @Column(reference({ name: 'user_id', nullable: true }))
  userId!: number | null;

  @Column(text())
  status!: OrderStatus;

  /** The sum of the totals of its items. */
  @Column(money({ name: 'total_minor' }))
  totalMinor!: number;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'updated_at' }))
  updatedAt!: Date;

  /**
   * The items, in the order in which the client sent them. Undefined if the items were not read (see
   * `OrdersRepository.withItems`).
   */
  items?: readonly OrderItem[];
}
