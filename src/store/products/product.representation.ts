import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import { Currency } from '../../engine/values/currency.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import type { Product, ProductStock } from './product.entity.js';

@Injectable()
@Represents('v1', 'Product')
export class ProductV1 implements Representation<'v1', 'Product'> {
  constructor(private readonly currency: Currency) {}

  present(product: Product): Represented['v1']['Product'] {
    return {
      id: product.id,
      name: product.name,
      price: this.currency.toMajor(product.priceMinor),
      in_stock: product.inStock,
    };
  }
}

@Injectable()
@Represents('v2', 'Product')
export class ProductV2 implements Representation<'v2', 'Product'> {
  constructor(private readonly currency: Currency) {}

  present(product: Product): Represented['v2']['Product'] {
    return {
      id: product.id,
      name: product.name,
      description: product.description,
      price: this.currency.toMoney(product.priceMinor),
      in_stock: product.inStock,
      created_at: isoOf(product.createdAt),
      updated_at: isoOf(product.updatedAt),
    };
  }
}

@Injectable()
@Represents(['v1', 'v2'], 'ProductStock')
export class ProductStockV1 implements Representation<'v1', 'ProductStock'> {
  present(stock: ProductStock): Represented['v1']['ProductStock'] {
    return { quantity: stock.quantity };
  }
}
