import type { DataSource } from 'typeorm';
import { BulkInsert } from '../../engine/database/bulk.js';
import { timeOfImportedChange } from '../../engine/database/change-time.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { forUpdate, one, run, sql, type Row, type Steps } from '../../engine/database/sql.js';
import { Product, ProductStock } from '../products/product.entity.js';
import { searchText } from '../../engine/values/search-text.js';
import type { ProductData } from './prepare.js';
import type { Changing, Target } from './target.js';

export class ProductsTarget implements Target<ProductData> {
  readonly #products: BulkInsert<Product>;
  readonly #stocks: BulkInsert<ProductStock>;
  readonly #mapping: Mapping<Product>;

  constructor(dataSource: DataSource) {
    this.#products = new BulkInsert(dataSource, Product);
    this.#stocks = new BulkInsert(dataSource, ProductStock);
    this.#mapping = mappingOf(dataSource, Product);
  }

  // oxlint-disable-next-line require-yield -- a product refers to nothing
  *resolve(rows: readonly Changing[]): Steps<readonly ProductData[]> {
    return rows.map(({ data }) => data as ProductData);
  }

  *insert(rows: readonly { id: number; row: ProductData }[]): Steps<void> {
    const now = Date.now();
    const products = rows.map(({ id, row }) => {
      const isSellable = row.inStock ?? true;
      const createdAt = row.createdAt ?? now;
      return {
        id,
        name: row.name,
        nameSearch: searchText(row.name),
        description: row.description ?? null,
        priceMinor: row.priceMinor,
        isSellable,
        inStock: isSellable && row.stock !== 0,
        version: 1,
        createdAt: new Date(createdAt),
        updatedAt: new Date(row.updatedAt ?? createdAt),
      };
    });
    const stocks = rows.flatMap(({ id, row: { stock } }) =>
      stock === null || stock === undefined ? [] : { productId: id, quantity: stock, version: 1 },
    );
    yield* run(this.#products.of(products));
    yield* run(this.#stocks.of(stocks));
  }

  *update(id: number, row: ProductData): Steps<boolean> {
    const { columns, fromRow } = this.#mapping;
    const found = yield* one(sql`SELECT ${columns} FROM products WHERE id = ${id} ${forUpdate}`);
    if (!found) return false;
    const product = fromRow(found);
    const quantity = yield* this.#setStock(id, row.stock);
    const isSellable = row.inStock ?? product.isSellable;
    const description = row.description === undefined ? product.description : row.description;
    yield* run(sql`
      UPDATE products SET
        name = ${row.name}, name_search = ${searchText(row.name)}, description = ${description},
        price_minor = ${row.priceMinor}, is_sellable = ${isSellable}, in_stock = ${isSellable && quantity !== 0},
        version = version + 1, created_at = ${new Date(row.createdAt ?? product.createdAt)},
        updated_at = ${timeOfImportedChange(product.updatedAt, row.updatedAt)}
      WHERE id = ${id}`);
    return false;
  }

  /** Sets the counted stock, unless `quantity` is undefined. Returns the stock after that. */
  *#setStock(id: number, quantity: number | null | undefined): Steps<number | null> {
    const stored = yield* one<Row & { quantity: number | null }>(
      sql`SELECT quantity FROM product_stocks WHERE product_id = ${id}`,
    );
    const before = stored?.quantity ?? null;
    if (quantity === undefined || quantity === before) return before;
    yield* run(sql`
      INSERT INTO product_stocks (product_id, quantity, version) VALUES (${id}, ${quantity}, 1)
      ON CONFLICT (product_id) DO UPDATE SET quantity = excluded.quantity, version = product_stocks.version + 1`);
    return quantity;
  }
}
