import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Context, Precondition, Wanted } from '../../engine/contract/context.js';
import { Currency } from '../../engine/values/currency.js';
import type { CountedTable } from '../../engine/database/counted-table.js';
import { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import type { Piece } from '../../engine/database/slices.js';
import { anyOf, forUpdate, one, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import type { Act, Transaction } from '../../engine/database/transaction.js';
import { EventLog } from '../../engine/events/event-log.js';
import type { Page, Slice } from '../../generated/contract.js';
import {
  ProductListing,
  type ProductFilter,
  type ProductsSought,
  type ProductsWanted,
} from './product-listing.js';
import { Product } from './product.entity.js';
import { deleted } from './product.events.js';
import { searchText } from './search-text.js';
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

/** Everything the service knows about products. The SQL of frequent reads and of all changes is written by hand. */
@Injectable()
export class ProductsRepository {
  private readonly product: Mapping<Product>;
  private readonly table: CountedTable<Product>;

  constructor(
    @InjectRepository(Product) products: Repository<Product>,
    private readonly database: Database,
    private readonly currency: Currency,
    private readonly listing: ProductListing,
    private readonly stocks: StocksRepository,
    private readonly log: EventLog,
  ) {
    this.product = mappingOf(products.manager.dataSource, Product);
    this.table = database.countedTables.of(Product);
  }

  find(id: number): Promise<Product | null> {
    return this.table.find(id);
  }

  /**
   * A list in the order of ids is read here: every page costs the same, and the total is exact. `ProductListing` reads
   * all other lists.
   */
  list(wanted: ProductsWanted): Promise<Page<Product>> {
    return ProductListing.isPlain(wanted)
      ? this.table.page((wanted.page - 1) * wanted.limit, wanted.limit)
      : this.listing.page(wanted);
  }

  /**
   * The slice of the same list after or before a cursor. A slice costs the same at every depth, also with a filter or
   * in another order.
   */
  slice(sought: ProductsSought, piece: Piece): Promise<Slice<Product>> {
    return ProductListing.isPlain(sought)
      ? this.table.slice(piece)
      : this.listing.slice(sought, piece, () => this.table.total());
  }

  /** All products that match the filter, in the order of ids; see `ProductListing`. */
  all(filter: ProductFilter): AsyncIterable<readonly Product[]> {
    return this.listing.all(filter);
  }

  create(product: NewProduct, { origin }: Pick<Context, 'origin'>): Promise<Product> {
    return this.database.unitOfWork.run(this.creation(product), { origin });
  }

  /**
   * Changes the given members, all or none; null when there is no such product. The version rises only if something
   * really changed. If the client sends `inStock` with the value that it has already, nothing changes.
   *
   * @throws PreconditionFailed
   */
  update(
    id: number,
    wanted: Wanted<ProductChanges, Product>,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<Product | null> {
    return this.database.unitOfWork.run(this.change(id, wanted, precondition), { origin });
  }

  /**
   * Removes a product with its stock and returns it as it was; null when there is no such product.
   *
   * @throws PreconditionFailed
   */
  delete(
    id: number,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<Product | null> {
    return this.database.unitOfWork.run(this.removal(id, precondition), { origin });
  }

  /** The act of `create`. @throws ValidationFailed at once, for a price that the currency does not have */
  creation(product: NewProduct): Act<Product> {
    const priceMinor = this.currency.toMinor(product.price, { pointer: '#/price' });
    return (tx) => this.insert(tx, product, priceMinor);
  }

  /**
   * The act of `update`.
   *
   * @throws ValidationFailed at once, for a price that the currency does not have. If `wanted` is a function, the act
   *   throws it.
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
    return (tx) => this.remove(tx, id, precondition);
  }

  /** Within an act on several products: locks them in the order of ids, so that no two acts can wait for each other. */
  *keepAll(ids: readonly number[]): Steps<void> {
    yield* run(sql`SELECT id FROM products WHERE id ${anyOf(ids)} ORDER BY id ${forUpdate}`);
  }

  async findMany(ids: readonly number[]): Promise<ReadonlyMap<number, Product>> {
    const products = await this.database.reads.entities(
      this.product,
      sql`SELECT ${this.product.columns} FROM products WHERE id ${anyOf(ids)}`,
    );
    return new Map(products.map((product) => [product.id, product]));
  }

  private inMinor({ price, ...changes }: ProductChanges): ChangesInMinor {
    const priceMinor = price === undefined ? undefined : this.currency.toMinor(price, { pointer: '#/price' });
    return { ...changes, priceMinor };
  }

  private *insert(
    tx: Transaction,
    { name, description, inStock }: NewProduct,
    priceMinor: number,
  ): Steps<Product> {
    const trimmed = name.trim();
    const now = new Date();
    const row = yield* one(sql`
      INSERT INTO products
        (name, name_search, description, price_minor, is_sellable, in_stock, version, created_at, updated_at)
      VALUES
        (${trimmed}, ${searchText(trimmed)}, ${description}, ${priceMinor}, ${inStock}, ${inStock}, 1, ${now}, ${now})
      RETURNING ${this.product.columns}`);
    const product = this.product.fromRow(row as Row);
    yield* this.log.write(tx, 'product.created', product);
    return product;
  }

  private *changing(
    tx: Transaction,
    id: number,
    changesOf: (product: Product) => ChangesInMinor,
    precondition: Precondition,
  ): Steps<Product | null> {
    const product = yield* this.read(id);
    if (!product) return null;
    precondition.check(product, 'The product');
    const changes = changesOf(product);
    const name = changes.name?.trim() ?? product.name;
    const description = changes.description === undefined ? product.description : changes.description;
    const priceMinor = changes.priceMinor ?? product.priceMinor;
    const isSellable =
      changes.inStock === undefined || changes.inStock === product.inStock
        ? product.isSellable
        : changes.inStock;
    if (
      name === product.name &&
      description === product.description &&
      priceMinor === product.priceMinor &&
      isSellable === product.isSellable
    ) {
      return product;
    }
    const { quantity } = yield* this.stocks.read(id);
    const row = yield* one(sql`
      UPDATE products SET
        name = ${name}, name_search = ${searchText(name)}, description = ${description},
        price_minor = ${priceMinor}, is_sellable = ${isSellable}, in_stock = ${isSellable && quantity !== 0},
        version = version + 1, updated_at = ${new Date()}
      WHERE id = ${id} RETURNING ${this.product.columns}`);
    const changed = this.product.fromRow(row as Row);
    yield* this.log.write(tx, 'product.updated', changed);
    return changed;
  }

  private *remove(tx: Transaction, id: number, precondition: Precondition): Steps<Product | null> {
    const product = yield* this.read(id);
    if (!product) return null;
    precondition.check(product, 'The product');
    yield* run(sql`DELETE FROM products WHERE id = ${id}`);
    yield* this.log.write(tx, 'product.deleted', deleted(product));
    return product;
  }

  /**
   * Reads the product, and locks its row for this act. Every act that changes a product or its stock locks the product
   * first.
   */
  private *read(id: number): Steps<Product | null> {
    const row = yield* one(sql`SELECT ${this.product.columns} FROM products WHERE id = ${id} ${forUpdate}`);
    return row ? this.product.fromRow(row) : null;
  }
}

function constantly<T>(value: T): () => T {
  return () => value;
}
