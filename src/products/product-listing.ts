import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Currency } from '../currency.js';
import type { Reads } from '../database/reads.js';
import { raw, type Row, type Value } from '../database/sql.js';
import { ValidationFailed } from '../errors.js';
import type { ListProductsQuery } from '../generated/dto.js';
import type { Product } from './product.entity.js';
import { containing } from './search-text.js';

export interface ProductsWanted {
  readonly page: number;
  readonly limit: number;
  readonly sort: ListProductsQuery['sort'] | undefined;
  readonly q: string | undefined;
  readonly inStock: boolean | undefined;
  /** Major units, as is the highest price. */
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
}

const EXACT_UP_TO = 10_000;
const DEEPEST_ROW = 100_000;

/**
 * Lists with a filter or in another order than that of ids. What they cost grows with what has to be passed over, so
 * they reach only so deep, and totals are exact only up to 10,000.
 */
export class ProductListing {
  constructor(
    private readonly products: Repository<Product>,
    private readonly reads: Reads,
    private readonly currency: Currency,
  ) {}

  static isPlain({ sort, q, inStock, minPrice, maxPrice }: ProductsWanted): boolean {
    return [sort, q, inStock, minPrice, maxPrice].every((part) => part === undefined);
  }

  /** @throws ValidationFailed when the page is too deep */
  async page(wanted: ProductsWanted): Promise<{ rows: readonly Row[]; total: number | null }> {
    const { page, limit } = wanted;
    if (page * limit > DEEPEST_ROW) {
      const detail =
        `must be at most ${Math.floor(DEEPEST_ROW / limit)} at limit ${limit} in a filtered or sorted list: ` +
        'narrow the filter, for example by price';
      throw new ValidationFailed([{ parameter: 'page', code: 'TOO_LARGE', detail }]);
    }
    const matching = this.matching(wanted);
    const counted = matching
      .clone()
      .select('1')
      .limit(EXACT_UP_TO + 1);
    const [text, values] = counted.getQueryAndParameters();
    const count = await this.reads.one<{ n: number }>(
      raw(`SELECT count(*) AS n FROM (${text}) matching`, values as Value[]),
    );
    const total = count === undefined || count.n > EXACT_UP_TO ? null : count.n;
    const sorted = this.sorted(matching, wanted.sort ?? []);
    const rows = await this.reads.all(
      raw(
        ...(sorted
          .offset((page - 1) * limit)
          .limit(limit)
          .getQueryAndParameters() as [string, Value[]]),
      ),
    );
    return { rows, total };
  }

  private matching({ q, inStock, minPrice, maxPrice }: ProductsWanted): SelectQueryBuilder<Product> {
    const query = this.products.createQueryBuilder('p').select('p.*');
    if (q !== undefined) query.andWhere(`p.nameSearch LIKE :q ESCAPE '\\'`, { q: containing(q) });
    if (inStock !== undefined) query.andWhere('p.inStock = :inStock', { inStock });
    if (minPrice !== undefined) {
      query.andWhere('p.priceMinor >= :from', {
        from: this.currency.toMinor(minPrice, { parameter: 'min_price' }),
      });
    }
    if (maxPrice !== undefined) {
      query.andWhere('p.priceMinor <= :to', {
        to: this.currency.toMinor(maxPrice, { parameter: 'max_price' }),
      });
    }
    return query;
  }

  private sorted(query: SelectQueryBuilder<Product>, keys: readonly string[]): SelectQueryBuilder<Product> {
    const properties = { id: 'p.id', name: 'p.name', price: 'p.priceMinor' } as const;
    for (const key of keys) {
      const property = properties[key.replace(/^-/, '') as keyof typeof properties];
      query.addOrderBy(property, key.startsWith('-') ? 'DESC' : 'ASC');
    }
    return keys.some((key) => /^-?id$/.test(key)) ? query : query.addOrderBy('p.id', 'ASC');
  }
}
