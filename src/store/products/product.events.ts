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

/**
 * The product in the event of its deletion. The deletion counts as one more version, so that the events of a product
 * have an order.
 */
export function deleted(product: Product): Product {
  return Object.assign(new Product(), product, { version: product.version + 1 });
}
