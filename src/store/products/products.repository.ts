import { Injectable } from '@nestjs/common';
import type { Context, Precondition, Wanted } from '../../engine/contract/context.js';
import { Currency } from '../../engine/values/currency.js';
import type { Piece } from '../../engine/database/slices.js';
import { anyOf, forUpdate, run, sql, type Steps } from '../../engine/database/sql.js';
import { TableParts } from '../../engine/database/table-parts.js';
import type { Act, Transaction } from '../../engine/database/transaction.js';
import { VersionedTable } from '../../engine/database/versioned-table.js';
import type { Page, Slice, Soon } from '../../generated/contract.js';
import {
  ProductListing,
  type ProductFilter,
  type ProductsSought,
  type ProductsWanted,
} from './product-listing.js';
import { Product } from './product.entity.js';
import { searchText } from '../../engine/values/search-text.js';
import { StocksRepository } from './stocks.repository.js';

export interface NewProduct {
  readonly name: string;
  /** Major units. */
  readonly price: number;
  readonly inStock: boolean;
  readonly description: string | null;
}

/** A member that is undefined stays as it is. */
export type ProductChanges = { readonly [K in keyof NewProduct]?: NewProduct[K] | undefined };

type ChangesInMinor = Omit<ProductChanges, 'price'> & { readonly priceMinor: number | undefined };

/** Reads and writes products. */
@Injectable()
export class ProductsRepository extends VersionedTable<Product> {
  constructor(
    parts: TableParts,
    private readonly currency: Currency,
    private readonly listing: ProductListing,
    private readonly stocks: StocksRepository,
  ) {
    super(parts, Product, { trimmed: ['name'], derived: ({ name }) => ({ nameSearch: searchText(name) }) });
  }

  /**
   * The list of all products in the order of ids is read here: every page costs the same, and the total is exact.
   * `ProductListing` reads all other lists.
   */
  list(wanted: ProductsWanted): Soon<Page<Product>> {
    return ProductListing.isWithoutCriteria(wanted) ? this.page(wanted) : this.listing.page(wanted);
  }

  /**
   * A slice of a list of products, after or before a cursor. A slice costs the same at every depth, also with a filter
   * or another sort order.
   */
  sliceOf(sought: ProductsSought, piece: Piece): Promise<Slice<Product>> {
    return ProductListing.isWithoutCriteria(sought)
      ? this.slice(piece)
      : this.listing.slice(sought, piece, () => this.total());
  }

  /** All products that match the filter, in the order of ids; see `ProductListing`. */
  allOf(filter: ProductFilter): AsyncIterable<readonly Product[]> {
    return this.listing.all(filter);
  }

  override create(product: NewProduct, { origin }: Pick<Context, 'origin'>): Promise<Product> {
    return this.database.unitOfWork.run(this.creation(product), { origin });
  }

  /**
   * Changes the given members, all or none; null when there is no such product. The version rises only if something
   * really changed. If the client sends the value that `inStock` already has, `isSellable` stays as it is.
   *
   * @throws PreconditionFailed, PreconditionRequired
   * @throws ValidationFailed for a price that the currency does not have
   * @throws ValidationFailed or PatchConflict from `wanted`, if it is a function and the request does not fit the
   *   product
   */
  override update(
    id: number,
    wanted: Wanted<ProductChanges, Product>,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<Product | null> {
    return this.database.unitOfWork.run(this.change(id, wanted, precondition), { origin });
  }

  /** The act of `create`. @throws ValidationFailed before the act runs, for a price that the currency does not have */
  creation({ name, description, inStock, price }: NewProduct): Act<Product> {
    const priceMinor = this.currency.toMinor(price, { pointer: '#/price' });
    const values = { name, description, priceMinor, inStock, isSellable: inStock };
    return (tx) => this.insert(tx, values);
  }

  /**
   * The act of `update`.
   *
   * @throws ValidationFailed before the act runs, for a price that the currency does not have. If `wanted` is a
   *   function, the act throws this error. The act also throws the other errors of `update`.
   */
  change(
    id: number,
    wanted: Wanted<ProductChanges, Product>,
    precondition: Precondition,
  ): Act<Product | null> {
    const changes =
      typeof wanted === 'function'
        ? (product: Product) => this.inMinor(wanted(product))
        : constantly(this.inMinor(wanted));
    return (tx) => this.changing(tx, id, changes, precondition);
  }

  /** The act of `delete`. */
  removal(id: number, precondition: Precondition): Act<Product | null> {
    return (tx) => this.deleting(tx, id, precondition);
  }

  /** Within an act on several products: locks them in the order of ids, so that no two acts can end in a deadlock. */
  *lockAll(ids: readonly number[]): Steps<void> {
    yield* run(sql`SELECT id FROM products WHERE id ${anyOf(ids)} ORDER BY id ${forUpdate}`);
  }

  private inMinor({ price, ...changes }: ProductChanges): ChangesInMinor {
    const priceMinor = price === undefined ? undefined : this.currency.toMinor(price, { pointer: '#/price' });
    return { ...changes, priceMinor };
  }

  private *changing(
    tx: Transaction,
    id: number,
    changesOf: (product: Product) => ChangesInMinor,
    precondition: Precondition,
  ): Steps<Product | null> {
    const product = yield* this.lockAndCheck(id, precondition);
    if (!product) return null;
    const { inStock, ...changes } = changesOf(product);
    const isSellable = inStock === undefined || inStock === product.inStock ? product.isSellable : inStock;
    const { quantity } = yield* this.stocks.read(id);
    return yield* this.write(tx, product, {
      ...changes,
      isSellable,
      inStock: isSellable && quantity !== 0,
    });
  }
}

function constantly<T>(value: T): () => T {
  return () => value;
}
