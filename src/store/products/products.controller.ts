import { Controller } from '@nestjs/common';
import { wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type {
  DeleteProductPath,
  ExportProductsQuery,
  GetProductPath,
  GetProductStockPath,
  ListProductsQuery,
  ProductCreate,
  ProductReplace,
  ProductStockReplace,
  ProductUpdate,
  ReplaceProductPath,
  SetProductStockPath,
  UpdateProductPath,
} from '../../generated/dto.js';
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
  listProducts(query: ListProductsQuery, { asker }: Context) {
    const { page, limit, sort } = query;
    return this.products.list({ ...criteriaOf(query), placeOf: parameterOf, asker, page, limit, sort });
  }

  @Operation('exportProducts')
  exportProducts(query: ExportProductsQuery, { asker }: Context) {
    return { batches: this.products.allOf({ ...criteriaOf(query), placeOf: parameterOf, asker }) };
  }

  @Operation('createProduct')
  createProduct({ name, price, in_stock: inStock }: ProductCreate, context: Context) {
    return this.products.create({ name, price, inStock, description: null }, context);
  }

  @Operation('getProduct')
  getProduct({ id }: GetProductPath) {
    return this.products.find(id);
  }

  @Operation('replaceProduct')
  replaceProduct({ id }: ReplaceProductPath, body: ProductReplace, context: Context) {
    return this.products.update(id, changesIn(body), context);
  }

  @Operation('updateProduct')
  updateProduct({ id }: UpdateProductPath, body: ProductUpdate, context: Context) {
    return this.products.update(id, wantedBy(body, context, changesIn), context);
  }

  @Operation('deleteProduct')
  deleteProduct({ id }: DeleteProductPath, context: Context) {
    return this.products.delete(id, context);
  }

  @Operation('getProductStock')
  getProductStock({ id }: GetProductStockPath) {
    return this.stocks.find(id);
  }

  @Operation('setProductStock')
  setProductStock({ id }: SetProductStockPath, { quantity }: ProductStockReplace, context: Context) {
    return this.stocks.set(id, quantity, context);
  }
}

const PARAMETERS = { page: 'page', minPrice: 'min_price', maxPrice: 'max_price' } as const;

/** The places of inputs in the request, in both versions. */
export function parameterOf(input: keyof typeof PARAMETERS) {
  return { parameter: PARAMETERS[input] };
}

/** Version 1 does not show the description and the counted stock. So it does not change them. */
function changesIn({ name, price, in_stock: inStock }: ProductUpdate) {
  return { name, price, inStock };
}
