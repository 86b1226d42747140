import { Controller } from '@nestjs/common';
import { asRead, wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import { Currency, type Money } from '../../engine/values/currency.js';
import type * as dto from '../../generated/dto.js';
import { criteriaOf, type ProductsSought } from './product-listing.js';
import { ProductsRepository } from './products.repository.js';

/**
 * The operations that need another handler in version 2, because their input or their pages differ from version 1.
 * `ProductsBatchController` has the batches. `ProductsController` serves all other operations in both versions.
 */
@Controller()
export class ProductsV2Controller {
  constructor(
    private readonly products: ProductsRepository,
    private readonly currency: Currency,
  ) {}

  @Operation('listProductsV2')
  listProductsV2(query: dto.ListProductsV2Query, { position, asker }: Context) {
    const { limit, sort } = query;
    const sought: ProductsSought = { ...criteriaOf(query), sort, asker };
    return this.products.sliceOf(sought, { position, limit });
  }

  @Operation('createProductV2')
  createProductV2(
    { name, description = null, price, in_stock: inStock }: dto.ProductCreateV2,
    context: Context,
  ) {
    return this.products.create({ name, description, price: this.major(price), inStock }, context);
  }

  @Operation('replaceProductV2')
  replaceProductV2(
    { id }: dto.ReplaceProductV2Path,
    { name, description = null, price, in_stock: inStock }: dto.ProductReplaceV2,
    context: Context,
  ) {
    const changes = { name, description, price: this.major(price), inStock };
    return this.products.update(id, asRead(changes, context), context);
  }

  @Operation('updateProductV2')
  updateProductV2({ id }: dto.UpdateProductV2Path, body: dto.ProductUpdateV2, context: Context) {
    const read = ({ name, description, price, in_stock: inStock }: Partial<dto.ProductUpdateV2>) => ({
      name,
      description,
      price: price && this.major(price),
      inStock,
    });
    return this.products.update(id, wantedBy(body, context, read), context);
  }

  private major(price: Money): number {
    return this.currency.priceOf(price, '#/price');
  }
}
