import { Column, Entity } from 'typeorm';
import {
  counter,
  flag,
  id,
  instant,
  money,
  reference,
  text,
  version,
} from '../../engine/database/columns.js';
import { defineChanges } from '../../engine/events/event-kinds.js';
import type { PlainRow } from '../../generated/plain.js';

@Entity('products')
export class Product implements PlainRow<'v1', 'Product'>, PlainRow<'v2', 'Product'> {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /**
   * The name in the form for searches: without case and accents (see `searchText`). `q` is compared with it. The column
   * is only searched, and never read into an entity.
   */
  @Column(text({ name: 'name_search', select: false }))
  nameSearch?: string;

  @Column(text({ nullable: true }))
  description!: string | null;

  @Column(money({ name: 'price_minor' }))
  priceMinor!: number;

  /** Whether the product may be sold. An editor sets this; sales do not change it. */
  @Column(flag({ name: 'is_sellable' }))
  isSellable!: boolean;

  /**
   * The value that clients see: the product is sellable, and its counted stock is not 0. It follows from `isSellable`
   * and `ProductStock.quantity`, and is stored as well. So lists can be filtered by it, and the version rises when it
   * changes.
   */
  @Column(flag({ name: 'in_stock' }))
  inStock!: boolean;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'updated_at' }))
  updatedAt!: Date;
}

defineChanges(Product, 'product', 'productChanged');

/**
 * The counted stock of a product. It has a row and a version of its own. So a sale that does not change `inStock` does
 * not raise the version of the product, and an editor who has read the product can still save it.
 */
@Entity('product_stocks')
export class ProductStock implements PlainRow<'v2', 'ProductStock'> {
  @Column(reference({ name: 'product_id', primary: true }))
  productId!: number;

  /** Null when the stock is not counted. */
  @Column(counter({ nullable: true }))
  quantity!: number | null;

  /** 0 if the stock was never set. */
  @Column(version())
  version!: number;
}
