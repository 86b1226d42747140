import { defineFields, defineRoots, defineRows } from '../../engine/documents/row-types.js';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';

/** Describes how trusted documents read orders by SQL. */
defineRows('Order', Order);
defineRows('OrderItem', OrderItem);
defineFields({
  'Order.total': { kind: 'major', property: 'totalMinor' },
  'Order.totalMoney': { kind: 'money', property: 'totalMinor' },
  'Order.user': { kind: 'row', property: 'userId' },
  'Order.items': { kind: 'rows', owner: 'orderId', order: 'position', limit: null },
  'Order.cursor': { kind: 'nothing' },
  'OrderItem.product': { kind: 'row', property: 'productId' },
  'OrderItem.unitPrice': { kind: 'major', property: 'unitPriceMinor' },
  'OrderItem.unitPriceMoney': { kind: 'money', property: 'unitPriceMinor' },
  'OrderItem.total': { kind: 'major', property: 'totalMinor' },
  'OrderItem.totalMoney': { kind: 'money', property: 'totalMinor' },
  'User.orders': { kind: 'rows', owner: 'userId', order: '-id', limit: 'limit' },
});
defineRoots({
  'Query.order': { kind: 'row', id: 'args' },
  // Other pages, filters and sort orders need more than one statement.
  'Query.orders': { kind: 'rows', order: '-id', limit: 'limit', only: { page: 1 } },
});
