import { defineFields, defineRoots, defineRows } from '../../engine/documents/row-types.js';
import { Product, ProductStock } from './product.entity.js';

/** Describes how trusted documents read products by SQL. */
defineRows('Product', Product);
defineFields({
  'Product.price': { kind: 'major', property: 'priceMinor' },
  'Product.priceMoney': { kind: 'money', property: 'priceMinor' },
  'Product.stock': { kind: 'value', entity: ProductStock, owner: 'productId', property: 'quantity' },
  'Product.change': { kind: 'nothing' },
  'Product.cursor': { kind: 'nothing' },
});
defineRoots({ 'Query.product': { kind: 'row', id: 'args' } });
