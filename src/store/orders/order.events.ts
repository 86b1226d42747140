import { defineEvents } from '../../engine/events/event-kinds.js';
import { OrderItem } from './order-item.entity.js';
import { Order } from './order.entity.js';

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
