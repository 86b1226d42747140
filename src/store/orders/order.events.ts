import { defineEvents } from '../../engine/events/event-kinds.js';
import type { StoreEvent } from '../../engine/events/store-event.js';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';

declare module '../../engine/events/topics.js' {
  interface EventTypes {
    /** All of these events hold the order with its items. */
    'order.created': Order;
    'order.status_changed': Order;
    /** An import has written the order again. */
    'order.updated': Order;
  }
  interface Topics {
    newOrder: StoreEvent<Order>;
    orderStatusChanged: StoreEvent<Order>;
  }
}

defineEvents<Order>({
  name: 'order',
  entity: Order,
  lists: { items: OrderItem },
  scope: 'orders:read',
  ownerOf: ({ userId }) => userId,
  topics: {
    'order.created': 'newOrder',
    'order.status_changed': 'orderStatusChanged',
    'order.updated': null,
  },
});
