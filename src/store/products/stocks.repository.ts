import { Injectable } from '@nestjs/common';
import type { Context, Precondition } from '../../engine/contract/context.js';
import type { Database } from '../../engine/database/database.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import {
  all,
  anyOf,
  forNoKeyUpdate,
  one,
  run,
  sql,
  type Row,
  type Steps,
} from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { TableParts } from '../../engine/database/table-parts.js';
import { VersionedTable } from '../../engine/database/versioned-table.js';
import { Product, ProductStock } from './product.entity.js';

/** A product, and the number of its pieces. `quantity` is null if the pieces are not counted. */
export interface Stocked {
  readonly product: Product;
  readonly quantity: number | null;
}

const MOST_PIECES = 1_000_000_000;

/**
 * Reads and changes the counted stock of products. An act that changes the stock locks the row of the product first,
 * because `inStock` of the product depends on both rows. Such an act locks several products in the order of their ids,
 * so that no two acts can end in a deadlock.
 */
@Injectable()
export class StocksRepository {
  private readonly products: VersionedTable<Product>;
  private readonly stock: Mapping<ProductStock>;
  private readonly database: Database;

  constructor(parts: TableParts) {
    this.database = parts.database;
    this.products = new VersionedTable(parts, Product);
    this.stock = mappingOf(this.database.dataSource, ProductStock);
  }

  async find(productId: number): Promise<ProductStock | null> {
    const row = await this.database.reads.one(sql`
      SELECT id AS product_id, quantity, coalesce(s.version, 0) AS version
      FROM products LEFT JOIN product_stocks s ON product_id = id WHERE id = ${productId}`);
    return row ? this.stock.fromRow(row) : null;
  }

  /** The counted quantities of these products. Products without a row of stock are missing. */
  async findQuantities(productIds: readonly number[]): Promise<ReadonlyMap<number, number | null>> {
    const stocks = await this.database.reads.entities(
      this.stock,
      sql`SELECT ${this.stock.columns} FROM product_stocks WHERE product_id ${anyOf(productIds)}`,
    );
    return new Map(stocks.map((stock) => [stock.productId, stock.quantity]));
  }

  /**
   * Sets the counted stock. The quantity null means that the stock is no longer counted. Returns null if there is no
   * such product. `inStock` of the product is updated in the same transaction. The version of the product rises only if
   * `inStock` changes.
   *
   * @throws PreconditionFailed, PreconditionRequired; the condition is about the version of the stock
   */
  set(
    productId: number,
    quantity: number | null,
    { precondition, origin }: Pick<Context, 'precondition' | 'origin'>,
  ): Promise<ProductStock | null> {
    return this.database.unitOfWork.run((tx) => this.setting(tx, productId, quantity, precondition), {
      origin,
    });
  }

  /** Within an act: the stock of a product. If the stock was never set, its version is 0. */
  *read(productId: number): Steps<ProductStock> {
    const row = yield* one(
      sql`SELECT ${this.stock.columns} FROM product_stocks WHERE product_id = ${productId}`,
    );
    return row
      ? this.stock.fromRow(row)
      : Object.assign(new ProductStock(), { productId, quantity: null, version: 0 });
  }

  /**
   * Within an act: reads products with their stock, and locks the products whose stock is counted. Products that do not
   * exist are missing in the result.
   */
  *readAndLock(productIds: readonly number[]): Steps<ReadonlyMap<number, Stocked>> {
    const found = new Map<number, Stocked>();
    for (const stocked of yield* this.stocked(productIds)) found.set(stocked.product.id, stocked);
    const counted = [...found.values()].filter(({ quantity }) => quantity !== null);
    if (counted.length === 0) return found;
    // Another act may have changed the stock before this act locked the products. So the products are read once more.
    const ids = counted.map(({ product }) => product.id);
    yield* run(sql`SELECT id FROM products WHERE id ${anyOf(ids)} ORDER BY id ${forNoKeyUpdate}`);
    for (const id of ids) found.delete(id);
    for (const stocked of yield* this.stocked(ids)) found.set(stocked.product.id, stocked);
    return found;
  }

  /**
   * Within an act: adds or takes away pieces of products that `readAndLock` has returned.
   *
   * @param changes for the id of each product, the number of pieces to add; negative to take away. A product whose
   * stock is not counted is not changed
   */
  *change(
    tx: Transaction,
    locked: ReadonlyMap<number, Stocked>,
    changes: ReadonlyMap<number, number>,
  ): Steps<void> {
    for (const [id, change] of changes) {
      const stocked = locked.get(id);
      if (stocked === undefined || stocked.quantity === null) continue;
      yield* this.write(tx, stocked.product, Math.min(stocked.quantity + change, MOST_PIECES));
    }
  }

  private *stocked(productIds: readonly number[]): Steps<readonly Stocked[]> {
    const rows = yield* all<Row & { quantity: number | null }>(sql`
      SELECT ${this.products.mapping.columns}, quantity FROM (
        SELECT p.*, s.quantity FROM products p LEFT JOIN product_stocks s ON s.product_id = p.id) stocked
      WHERE id ${anyOf(productIds)}`);
    return rows.map((row) => ({ product: this.products.mapping.fromRow(row), quantity: row.quantity }));
  }

  private *setting(
    tx: Transaction,
    productId: number,
    quantity: number | null,
    precondition: Precondition,
  ): Steps<ProductStock | null> {
    const product = yield* this.products.lock(productId);
    if (!product) return null;
    const stock = yield* this.read(productId);
    precondition.check(stock, 'The stock');
    if (stock.quantity === quantity) return stock;
    return yield* this.write(tx, product, quantity);
  }

  private *write(tx: Transaction, product: Product, quantity: number | null): Steps<ProductStock> {
    const row = yield* one(sql`
      INSERT INTO product_stocks (product_id, quantity, version) VALUES (${product.id}, ${quantity}, 1)
      ON CONFLICT (product_id) DO UPDATE SET quantity = excluded.quantity, version = product_stocks.version + 1
      RETURNING ${this.stock.columns}`);
    yield* this.products.write(tx, product, { inStock: product.isSellable && quantity !== 0 });
    return this.stock.fromRow(row as Row);
  }
}
