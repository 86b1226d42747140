import { Column, Entity } from 'typeorm';
import { counter, flag, money, reference, text } from '../../engine/database/columns.js';

/**
 * A line of an order, with the name and the price of the product at the moment of the order. No request changes a line.
 * An import can replace the lines of an order.
 */
@Entity('order_items')
export class OrderItem {
  @Column(reference({ name: 'order_id', primary: true }))
  orderId!: number;

  /** The number of the line in its order, counted from 1. */
  @Column(counter({ primary: true }))
  position!: number;

  /** The id stays when the product is deleted. No other product can get it, because ids are never used again. */
  @Column(reference({ name: 'product_id' }))
  productId!: number;

  @Column(text())
  name!: string;

  @Column(money({ name: 'unit_price_minor' }))
  unitPriceMinor!: number;

  @Column(counter())
  quantity!: number;

  /** Price times quantity. In an imported order, the total may be different, for example after a discount. */
  @Column(money({ name: 'total_minor' }))
  totalMinor!: number;

  /**
   * Whether the pieces of this line were taken out of counted stock. If so, and if the stock of the product is still
   * counted, the pieces go back when the order is cancelled.
   */
  @Column(flag({ name: 'from_stock' }))
  fromStock!: boolean;
}
