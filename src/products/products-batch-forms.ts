import { Injectable } from '@nestjs/common';
import { Currency } from '../currency.js';
import { ValidationFailed } from '../errors.js';
import { asRead, type Wanted } from '../contract/context.js';
import { sentBackIn } from '../contract/sent-back.js';
import { validate } from '../contract/validate.js';
import { ProductCreate, ProductCreateV2, ProductUpdate, ProductUpdateV2 } from '../generated/dto.js';
import type * as schemas from '../generated/schemas.js';
import type { Product } from './product.entity.js';
import { ProductV1, ProductV2 } from './product.representation.js';
import type { NewProduct, ProductChanges } from './products.repository.js';

/** What an item may send back as it was read; the id says which product is meant. */
const SHOWN = ['created_at', 'updated_at'];

export type Plain = Readonly<Record<string, unknown>>;

/** How a version writes the items of a batch, and what became of them. */
export interface BatchForm<P> {
  readonly version: 'v1' | 'v2';
  readonly path: string;
  /** @throws ValidationFailed */
  creationIn(members: Plain): NewProduct;
  /** @throws ValidationFailed */
  changesIn(members: Plain): Wanted<ProductChanges, Product>;
  present(product: Product): P;
}

@Injectable()
export class BatchFormV1 implements BatchForm<schemas.Product> {
  readonly version = 'v1';
  readonly path = '/api/v1/products/batch';

  constructor(private readonly representation: ProductV1) {}

  creationIn(members: Plain): NewProduct {
    const { name, price, in_stock: inStock } = accepted(ProductCreate, members);
    return { name, price, inStock, description: null };
  }

  changesIn(members: Plain): ProductChanges {
    const { name, price, in_stock: inStock } = accepted(ProductUpdate, members);
    return { name, price, inStock };
  }

  present(product: Product): schemas.Product {
    return this.representation.present(product);
  }
}

@Injectable()
export class BatchFormV2 implements BatchForm<schemas.ProductV2> {
  readonly version = 'v2';
  readonly path = '/api/v2/products/batch';

  constructor(
    private readonly representation: ProductV2,
    private readonly currency: Currency,
  ) {}

  creationIn(members: Plain): NewProduct {
    const { name, description = null, price, in_stock: inStock } = accepted(ProductCreateV2, members);
    return { name, description, price: this.currency.priceOf(price, '#/price'), inStock };
  }

  changesIn(members: Plain): Wanted<ProductChanges, Product> {
    const { name, description, price, in_stock: inStock } = accepted(ProductUpdateV2, members);
    const changes = {
      name,
      description,
      price: price && this.currency.priceOf(price, '#/price'),
      inStock,
    };
    const present = (product: unknown) => this.representation.present(product as Product);
    return asRead(changes, { sentBack: sentBackIn(members, SHOWN, present) });
  }

  present(product: Product): schemas.ProductV2 {
    return this.representation.present(product);
  }
}

/** @throws ValidationFailed as a request of its own would be refused */
export function accepted<T extends object>(dto: new () => T, members: Plain): T {
  const result = validate(dto, members, 'body');
  if ('faults' in result) throw new ValidationFailed(result.faults);
  return result.value;
}
