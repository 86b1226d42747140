import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Context, Precondition } from '../contract/context.js';
import { Currency } from '../currency.js';
import type { CountedTable } from '../database/counted-table.js';
import { Database } from '../database/database.js';
import { mappingOf, type Mapping } from '../database/mapping.js';
import { anyOf, forUpdate, one, run, sql, type Row, type Steps, type Transaction } from '../database/sql.js';
import { EventLog } from '../events/event-log.js';
import type { Page } from '../generated/contract.js';
import { ProductListing, type ProductFilter, type ProductsWanted } from './product-listing.js';
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

/** What is undefined stays as it is. */
export type ProductChanges = { readonly [K in keyof NewProduct]?: NewProduct[K] | undefined };

/** Everything the service knows about products. Reads on the hot paths and all writes are SQL by hand. */
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

  /** In the order of ids every page costs the same and the total is exact; see `ProductListing` for the rest. */
  list(wanted: ProductsWanted): Promise<Page<Product>> {
    return ProductListing.isPlain(wanted)
      ? this.table.page((wanted.page - 1) * wanted.limit, wanted.limit)
      : this.listing.page(wanted);
  }

  /** All that the filter lets through, in the order of ids; see `ProductListing`. */
  all(filter: ProductFilter): AsyncIterable<readonly Product[]> {
    return this.listing.all(filter);
  }

  create(product: NewProduct, { origin }: Pick<Context, 'origin'>): Promise<Product> {
    const priceMinor = this.currency.toMinor(product.price, { pointer: '#/price' });
    return this.database.unitOfWork.run((tx) => this.insert(tx, product, priceMinor), { origin });
  }

  /**
   * Changes what is given, all or nothing; null when there is no such product. The version rises only if
   * something really changed. Writing `inStock` as it is shown says nothing about the stock.
   *
   * @throws PreconditionFailed
   */
  update(
    id: number,
    changes: ProductChanges,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<Product | null> {
    const priceMinor =
      changes.price === undefined ? undefined : this.currency.toMinor(changes.price, { pointer: '#/price' });
    const act = (tx: Transaction) => this.change(tx, id, { ...changes, priceMinor }, precondition);
    return this.database.unitOfWork.run(act, { origin });
  }

  /** Removes a product with its stock and returns it as it was; null when there is none. @throws PreconditionFailed */
  delete(
    id: number,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<Product | null> {
    return this.database.unitOfWork.run((tx) => this.remove(tx, id, precondition), { origin });
  }

  async findMany(ids: readonly number[]): Promise<ReadonlyMap<number, Product>> {
    const rows = await this.database.reads.all(
      sql`SELECT ${this.product.columns} FROM products WHERE id ${anyOf(ids)}`,
    );
    return new Map(rows.map(this.product.fromRow).map((product) => [product.id, product]));
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

  private *change(
    tx: Transaction,
    id: number,
    changes: Omit<ProductChanges, 'price'> & { readonly priceMinor: number | undefined },
    precondition: Precondition,
  ): Steps<Product | null> {
    const product = yield* this.read(id);
    if (!product) return null;
    precondition.check(product, 'The product');
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

  /** Keeps the row for this act: whoever changes a product, or its stock, takes the product first. */
  private *read(id: number): Steps<Product | null> {
    const row = yield* one(sql`SELECT ${this.product.columns} FROM products WHERE id = ${id} ${forUpdate}`);
    return row ? this.product.fromRow(row) : null;
  }
}
