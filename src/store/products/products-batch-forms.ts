import { Injectable } from '@nestjs/common';
import { Currency } from '../../engine/values/currency.js';
import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import { asRead, type Wanted } from '../../engine/contract/context.js';
import { sentBackIn } from '../../engine/contract/read-only-echo.js';
import { validate } from '../../engine/contract/validate.js';
import {
  ProductBatchCreate,
  ProductBatchCreateV2,
  ProductBatchDelete,
  ProductBatchUpdate,
  ProductBatchUpdateV2,
} from '../../generated/dto.js';
import type * as schemas from '../../generated/schemas.js';
import type { Product } from './product.entity.js';
import { ProductV1, ProductV2 } from './product.representation.js';
import type { NewProduct, ProductChanges } from './products.repository.js';

/** The members that an item may send back as they were read. The id is no such member, because it names the product. */
const SHOWN = ['created_at', 'updated_at'];

/** The members of an update that are not changes. */
const NAMING: ReadonlySet<string> = new Set(['op', 'id', 'if_match']);

export type Plain = Readonly<Record<string, unknown>>;

/** The id of the product, and the entity tags with which it was read. */
export interface Named {
  readonly id: number;
  readonly tags: string | undefined;
}

interface Update extends Named {
  readonly changes: Wanted<ProductChanges, Product>;
}

/** The form in which a version writes the items of a batch, and their results. */
export interface BatchForm<P> {
  readonly version: 'v1' | 'v2';
  readonly path: string;
  /** @throws ValidationFailed with the same faults as a single request */
  creationIn(item: Plain): NewProduct;
  /** @throws ValidationFailed */
  updateIn(item: Plain): Update;
  present(product: Product): P;
}

@Injectable()
export class BatchFormV1 implements BatchForm<schemas.Product> {
  readonly version = 'v1';
  readonly path = '/api/v1/products/batch';

  constructor(private readonly representation: ProductV1) {}

  creationIn(item: Plain): NewProduct {
    const { name, price, in_stock: inStock } = accepted(ProductBatchCreate, item);
    return { name, price, inStock, description: null };
  }

  updateIn(item: Plain): Update {
    const { id, if_match: tags, name, price, in_stock: inStock } = updateOf(ProductBatchUpdate, item);
    return { id, tags, changes: { name, price, inStock } };
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

  creationIn(item: Plain): NewProduct {
    const { name, description = null, price, in_stock: inStock } = accepted(ProductBatchCreateV2, item);
    return { name, description, price: this.currency.priceOf(price, '#/price'), inStock };
  }

  updateIn(item: Plain): Update {
    const update = updateOf(ProductBatchUpdateV2, item);
    const { id, if_match: tags, name, description, price, in_stock: inStock } = update;
    const changes = {
      name,
      description,
      price: price && this.currency.priceOf(price, '#/price'),
      inStock,
    };
    const present = (product: unknown) => this.representation.present(product as Product);
    return { id, tags, changes: asRead(changes, { sentBack: sentBackIn(item, SHOWN, present) }) };
  }

  present(product: Product): schemas.ProductV2 {
    return this.representation.present(product);
  }
}

/** @throws ValidationFailed */
export function removalIn(item: Plain): Named {
  const { id, if_match: tags } = accepted(ProductBatchDelete, item);
  return { id, tags };
}

const NO_CHANGE: Fault = { pointer: '#', code: 'TOO_FEW', detail: 'must have at least one member to change' };

function updateOf<T extends object>(dto: new () => T, item: Plain): T {
  const isEmpty = Object.keys(item).every((name) => NAMING.has(name));
  return accepted(dto, item, isEmpty ? [NO_CHANGE] : []);
}

function accepted<T extends object>(dto: new () => T, item: Plain, more: readonly Fault[] = []): T {
  const result = validate(dto, item, 'body');
  if ('value' in result && more.length === 0) return result.value;
  throw new ValidationFailed([...more, ...('faults' in result ? result.faults : [])]);
}
