import { defineEvents } from '../../engine/events/event-kinds.js';
import type { StoreEvent } from '../../engine/events/store-event.js';
import { Product } from './product.entity.js';

declare module '../../engine/events/topics.js' {
  interface EventTypes {
    'product.created': Product;
    /**
     * The row of the product has changed, also when a sale changed `inStock`. The number of pieces is not in this
     * event; see `ProductStock`.
     */
    'product.updated': Product;
    'product.deleted': Product;
  }
  interface Topics {
    productChanged: StoreEvent<Product>;
  }
}

defineEvents<Product>({
  name: 'product',
  entity: Product,
  scope: null,
  topics: {
    'product.created': 'productChanged',
    'product.updated': 'productChanged',
    'product.deleted': 'productChanged',
  },
});
