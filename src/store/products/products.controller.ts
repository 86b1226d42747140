import { Controller } from '@nestjs/common';
import { wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { criteriaOf } from './product-listing.js';
import { ProductsRepository } from './products.repository.js';
import { StocksRepository } from './stocks.repository.js';

@Controller()
export class ProductsController {
  constructor(
    private readonly products: ProductsRepository,
    private readonly stocks: StocksRepository,
  ) {}

  @Operation('listProducts')
  listProducts(query: dto.ListProductsQuery, { asker }: Context) {
    const { page, limit, sort } = query;
    return this.products.list({ ...criteriaOf(query), asker, page, limit, sort });
  }

  @Operation('exportProducts')
  exportProducts(query: dto.ExportProductsQuery, { asker }: Context) {
    return { batches: this.products.allOf({ ...criteriaOf(query), asker }) };
  }

  @Operation('createProduct')
  createProduct({ name, price, in_stock: inStock }: dto.ProductCreate, context: Context) {
    return this.products.create({ name, price, inStock, description: null }, context);
  }

  @Operation('getProduct')
  getProduct({ id }: dto.GetProductPath) {
    return this.products.find(id);
  }

  @Operation('replaceProduct')
  replaceProduct({ id }: dto.ReplaceProductPath, body: dto.ProductReplace, context: Context) {
    return this.products.update(id, changesIn(body), context);
  }

  @Operation('updateProduct')
  updateProduct({ id }: dto.UpdateProductPath, body: dto.ProductUpdate, context: Context) {
    return this.products.update(id, wantedBy(body, context, changesIn), context);
  }

  @Operation('deleteProduct')
  deleteProduct({ id }: dto.DeleteProductPath, context: Context) {
    return this.products.delete(id, context);
  }

  @Operation('getProductStock')
  getProductStock({ id }: dto.GetProductStockPath) {
    return this.stocks.find(id);
  }

  @Operation('setProductStock')
  setProductStock({ id }: dto.SetProductStockPath, { quantity }: dto.ProductStockReplace, context: Context) {
    return this.stocks.set(id, quantity, context);
  }
}

/** Version 1 does not show the description and the counted stock. So an update by version 1 does not change them. */
function changesIn({ name, price, in_stock: inStock }: dto.ProductUpdate) {
  return { name, price, inStock };
}
