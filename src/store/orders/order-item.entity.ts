import { Column, Entity } from 'typeorm';
import { counter, flag, money, reference, text } from '../../engine/database/columns.js';

declare module '../../generated/contract.js' {
  interface Entities {
    OrderItem: OrderItem;
  }
}

/** A line of an order. It never changes. Its name and price are those at the moment of the order. */
@Entity('order_items')
export class OrderItem {
  @Column(reference({ name: 'order_id', primary: true }))
  orderId!: number;

  /** Counted from 1. */
  @Column(counter({ primary: true }))
  position!: number;

  /** It stays when the product is deleted, because ids are never used again. */
  @Column(reference({ name: 'product_id' }))
  productId!: number;

  @Column(text())
  name!: string;

  @Column(money({ name: 'unit_price_minor' }))
  unitPriceMinor!: number;

  @Column(counter())
  quantity!: number;

  /** Price times quantity. Imported orders may differ, because they may have had discounts. */
  @Column(money({ name: 'total_minor' }))
  totalMinor!: number;

  /** Whether its pieces were taken out of counted stock. If so, they go back when the order is cancelled. */
  @Column(flag({ name: 'from_stock' }))
  fromStock!: boolean;
}
