import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import { Currency } from '../../engine/values/currency.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import type { Order } from './order.entity.js';

@Injectable()
@Represents('v1', 'Order')
export class OrderV1 implements Representation<'v1', 'Order'> {
  constructor(private readonly currency: Currency) {}

  present({ id, userId, status, totalMinor, createdAt, items }: Order): Represented['v1']['Order'] {
    if (items === undefined) throw new TypeError(`The items of order ${id} were not read.`);
    return {
      id,
      user_id: userId,
      status,
      total: this.currency.toMajor(totalMinor),
      created_at: isoOf(createdAt),
      items: items.map((item) => ({
        product_id: item.productId,
        name: item.name,
        unit_price: this.currency.toMajor(item.unitPriceMinor),
        quantity: item.quantity,
        total: this.currency.toMajor(item.totalMinor),
      })),
    };
  }
}

@Injectable()
@Represents('v2', 'Order')
export class OrderV2 implements Representation<'v2', 'Order'> {
  constructor(private readonly currency: Currency) {}

  present({
    id,
    userId,
    status,
    totalMinor,
    createdAt,
    updatedAt,
    items,
  }: Order): Represented['v2']['Order'] {
    if (items === undefined) throw new TypeError(`The items of order ${id} were not read.`);
    return {
      id,
      user_id: userId,
      status,
      total: this.currency.toMoney(totalMinor),
      created_at: isoOf(createdAt),
      updated_at: isoOf(updatedAt),
      items: items.map((item) => ({
        product_id: item.productId,
        name: item.name,
        unit_price: this.currency.toMoney(item.unitPriceMinor),
        quantity: item.quantity,
        total: this.currency.toMoney(item.totalMinor),
      })),
    };
  }
}
