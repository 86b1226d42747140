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

declare module '../../generated/contract.js' {
  interface Entities {
    Product: Product;
    ProductStock: ProductStock;
  }
}

@Entity('products')
export class Product {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /** The name in the form in which `q` is compared with it (see `searchText`). It is never read. */
  @Column(text({ name: 'name_search', select: false }))
  nameSearch?: string;

  @Column(text({ nullable: true }))
  description!: string | null;

  @Column(money({ name: 'price_minor' }))
  priceMinor!: number;

  /** The last setting by an editor: whether the product may be sold at all. */
  @Column(flag({ name: 'is_sellable' }))
  isSellable!: boolean;

  /**
   * The value that is shown: sellable, and not counted down to 0. It is stored beside its sources, so that lists can be
   * filtered by it, and so that the version rises when it changes.
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

/**
 * The stock has a row and a version of its own, so that a sale does not outdate the product that an editor has open.
 */
@Entity('product_stocks')
export class ProductStock {
  @Column(reference({ name: 'product_id', primary: true }))
  productId!: number;

  /** Null when the stock is not counted. */
  @Column(counter({ nullable: true }))
  quantity!: number | null;

  /** 0 until the stock was set for the first time. */
  @Column(version())
  version!: number;
}
