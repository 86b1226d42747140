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

  /** The name as `q` looks for it (see `searchText`); never read. */
  @Column(text({ name: 'name_search', select: false }))
  nameSearch?: string;

  @Column(text({ nullable: true }))
  description!: string | null;

  @Column(money({ name: 'price_minor' }))
  priceMinor!: number;

  /** What an editor last said: whether it may be sold at all. */
  @Column(flag({ name: 'is_sellable' }))
  isSellable!: boolean;

  /**
   * What is shown: sellable, and not counted down to 0. Kept beside its sources, so that lists can be filtered by it
   * and the version rises when it turns.
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

/** A row of its own, so that sales neither lock nor outdate what an editor of the product has open. */
@Entity('product_stocks')
export class ProductStock {
  @Column(reference({ name: 'product_id', primary: true }))
  productId!: number;

  /** Null: not counted. */
  @Column(counter({ nullable: true }))
  quantity!: number | null;

  /** 0 as long as nobody ever set the stock. */
  @Column(version())
  version!: number;
}
