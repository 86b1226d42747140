import { Controller } from '@nestjs/common';
import { wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import { found } from '../../engine/errors/errors.js';
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
import type { Export, Page } from '../../generated/contract.js';
import type { Product, ProductStock } from './product.entity.js';
import { criteriaOf } from './product-listing.js';
import { ProductsRepository } from './products.repository.js';
import { StocksRepository } from './stocks.repository.js';

declare module '../../engine/contract/complete.js' {
  interface Controllers {
    products: ProductsController;
  }
}

type Handled =
  | 'listProducts'
  | 'exportProducts'
  | 'createProduct'
  | 'getProduct'
  | 'replaceProduct'
  | 'updateProduct'
  | 'deleteProduct'
  | 'getProductStock'
  | 'setProductStock';

@Controller()
export class ProductsController implements Pick<Operations, Handled> {
  constructor(
    private readonly products: ProductsRepository,
    private readonly stocks: StocksRepository,
  ) {}

  @Operation('listProducts')
  listProducts(query: ListProductsQuery, { asker }: Context): Promise<Page<Product>> {
    const { page, limit, sort } = query;
    return this.products.list({ ...criteriaOf(query), placeOf: parameterOf, asker, page, limit, sort });
  }

  @Operation('exportProducts')
  // oxlint-disable-next-line typescript/require-await -- what it throws is an answer
  async exportProducts(query: ExportProductsQuery, { asker }: Context): Promise<Export<Product>> {
    return { batches: this.products.allOf({ ...criteriaOf(query), placeOf: parameterOf, asker }) };
  }

  @Operation('createProduct')
  createProduct({ name, price, in_stock: inStock }: ProductCreate, context: Context): Promise<Product> {
    return this.products.create({ name, price, inStock, description: null }, context);
  }

  @Operation('getProduct')
  async getProduct({ id }: GetProductPath): Promise<Product> {
    return found(await this.products.find(id), 'product', id);
  }

  @Operation('replaceProduct')
  async replaceProduct({ id }: ReplaceProductPath, body: ProductReplace, context: Context): Promise<Product> {
    return found(await this.products.update(id, changesIn(body), context), 'product', id);
  }

  @Operation('updateProduct')
  async updateProduct({ id }: UpdateProductPath, body: ProductUpdate, context: Context): Promise<Product> {
    return found(await this.products.update(id, wantedBy(body, context, changesIn), context), 'product', id);
  }

  @Operation('deleteProduct')
  async deleteProduct({ id }: DeleteProductPath, context: Context): Promise<void> {
    found(await this.products.delete(id, context), 'product', id);
  }

  @Operation('getProductStock')
  async getProductStock({ id }: GetProductStockPath): Promise<ProductStock> {
    return found(await this.stocks.find(id), 'product', id);
  }

  @Operation('setProductStock')
  async setProductStock(
    { id }: SetProductStockPath,
    { quantity }: ProductStockReplace,
    context: Context,
  ): Promise<ProductStock> {
    return found(await this.stocks.set(id, quantity, context), 'product', id);
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
