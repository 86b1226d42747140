import { Injectable } from '@nestjs/common';
import { Currency } from '../../engine/values/currency.js';
import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import { asRead, type Wanted } from '../../engine/contract/context.js';
import { formsOf } from '../../engine/contract/representation.js';
import { sentBackIn } from '../../engine/contract/read-only-echo.js';
import { kindFaults, validateApart } from '../../engine/contract/apart.js';
import {
  ProductBatch,
  ProductBatchV2,
  type ProductBatchCreate,
  type ProductBatchCreateV2,
  type ProductBatchDelete,
  type ProductBatchUpdate,
  type ProductBatchUpdateV2,
} from '../../generated/dto.js';
import { PLAIN, type Forms } from '../../generated/plain.js';
import type * as schemas from '../../generated/schemas.js';
import type { Product } from './product.entity.js';
import type { NewProduct, ProductChanges } from './products.repository.js';

/**
 * The read-only members that an update of version 2 may contain. Their values must be those of the product. The id is
 * not in this list, because it names the product.
 */
const SHOWN = ['created_at', 'updated_at'];

/** The members that name the operation, the product and a condition. An update must have at least one other member. */
const NAMING: ReadonlySet<string> = new Set(['op', 'id', 'if_match']);

export type Plain = Readonly<Record<string, unknown>>;

/** The id of the product, and the entity tags with which it was read. */
export interface Named {
  readonly id: number;
  readonly tags: string | undefined;
}

interface Update extends Named {
  readonly op: 'update';
  readonly changes: Wanted<ProductChanges, Product>;
}

/** An item that is valid. */
export type Item =
  { readonly op: 'create'; readonly product: NewProduct } | Update | (Named & { readonly op: 'delete' });

/** The form in which a version writes the items of a batch, and their results. */
export interface BatchForm<P> {
  readonly version: 'v1' | 'v2';
  readonly path: string;
  /** @throws ValidationFailed with the same faults as a single request */
  itemIn(item: Plain): Item;
  /** The faults of `op`, the member that says what to do with an item. */
  kindFaults(item: Plain): readonly Fault[];
  present(product: Product): P;
}

const LIST_V1 = [ProductBatch, 'items'] as const;
const LIST_V2 = [ProductBatchV2, 'items'] as const;

@Injectable()
export class BatchFormV1 implements BatchForm<schemas.Product> {
  readonly version = 'v1';
  readonly path = '/api/v1/products/batch';

  private readonly forms: Forms;

  constructor(private readonly currency: Currency) {
    this.forms = formsOf(currency);
  }

  itemIn(plain: Plain): Item {
    const item = accepted(LIST_V1, plain, this.currency) as
      ProductBatchCreate | ProductBatchUpdate | ProductBatchDelete;
    if (item.op === 'create') {
      const { op, name, price, in_stock: inStock } = item;
      return { op, product: { name, price, inStock, description: null } };
    }
    const named = { id: item.id, tags: item.if_match };
    if (item.op === 'delete') return { op: item.op, ...named };
    const { op, name, price, in_stock: inStock } = item;
    return { op, ...named, changes: { name, price, inStock } };
  }

  kindFaults(item: Plain): readonly Fault[] {
    return kindFaults(LIST_V1, item);
  }

  present(product: Product): schemas.Product {
    return PLAIN.v1.Product(product, this.forms);
  }
}

@Injectable()
export class BatchFormV2 implements BatchForm<schemas.ProductV2> {
  readonly version = 'v2';
  readonly path = '/api/v2/products/batch';

  private readonly forms: Forms;

  constructor(private readonly currency: Currency) {
    this.forms = formsOf(currency);
  }

  itemIn(plain: Plain): Item {
    const item = accepted(LIST_V2, plain, this.currency) as
      ProductBatchCreateV2 | ProductBatchUpdateV2 | ProductBatchDelete;
    if (item.op === 'create') {
      const { op, name, description = null, price, in_stock: inStock } = item;
      return { op, product: { name, description, price: this.currency.priceOf(price, '#/price'), inStock } };
    }
    const named = { id: item.id, tags: item.if_match };
    if (item.op === 'delete') return { op: item.op, ...named };
    const { op, name, description, price, in_stock: inStock } = item;
    const changes = {
      name,
      description,
      price: price && this.currency.priceOf(price, '#/price'),
      inStock,
    };
    const present = (product: unknown) => ({ ...this.present(product as Product) });
    return { op, ...named, changes: asRead(changes, { sentBack: sentBackIn(plain, SHOWN, present) }) };
  }

  kindFaults(item: Plain): readonly Fault[] {
    return kindFaults(LIST_V2, item);
  }

  present(product: Product): schemas.ProductV2 {
    return PLAIN.v2.Product(product, this.forms);
  }
}

const NO_CHANGE: Fault = { pointer: '#', code: 'TOO_FEW', detail: 'must have at least one member to change' };

/** @throws ValidationFailed */
function accepted(list: Parameters<typeof validateApart>[0], item: Plain, currency: Currency): object {
  const isEmpty = item['op'] === 'update' && Object.keys(item).every((name) => NAMING.has(name));
  const result = validateApart(list, item, currency);
  if ('value' in result && !isEmpty) return result.value;
  throw new ValidationFailed([...(isEmpty ? [NO_CHANGE] : []), ...('faults' in result ? result.faults : [])]);
}
