import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { Currency } from '../currency.js';
import { mappingOf, type Mapping } from '../database/mapping.js';
import { Scans } from '../database/scans.js';
import { raw, type Value } from '../database/sql.js';
import { ValidationFailed, type Fault } from '../errors.js';
import type { Page } from '../generated/contract.js';
import type { ListProductsQuery } from '../generated/dto.js';
import { Product } from './product.entity.js';
import { containing } from './search-text.js';

/** What may be wrong although the contract lets it through. */
type Input = 'page' | 'minPrice' | 'maxPrice';

export interface ProductsWanted {
  readonly page: number;
  readonly limit: number;
  readonly sort: ListProductsQuery['sort'] | undefined;
  readonly q: string | undefined;
  readonly inStock: boolean | undefined;
  /** Major units, as is the highest price. */
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  /** Where in the request an input stands, for its fault. */
  readonly placeOf: (input: Input) => Pick<Fault, 'pointer' | 'parameter'>;
}

interface Prices {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const EXACT_UP_TO = 10_000;
const DEEPEST_ROW = 100_000;

/**
 * Lists with a filter or in another order than that of ids. What they cost grows with what has to be passed over, so
 * they reach only so deep, and totals are exact only up to 10,000.
 */
@Injectable()
export class ProductListing {
  private readonly mapping: Mapping<Product>;

  constructor(
    @InjectRepository(Product) private readonly products: Repository<Product>,
    private readonly scans: Scans,
    private readonly currency: Currency,
  ) {
    this.mapping = mappingOf(products.manager.dataSource, Product);
  }

  static isPlain({ sort, q, inStock, minPrice, maxPrice }: ProductsWanted): boolean {
    return [sort, q, inStock, minPrice, maxPrice].every((part) => part === undefined);
  }

  /** @throws ValidationFailed when the page is too deep or the currency has no such price */
  async page(wanted: ProductsWanted): Promise<Page<Product>> {
    const { page, limit, sort } = wanted;
    const matching = this.matching(wanted, this.checked(wanted));
    const counted = matching
      .clone()
      .select('1')
      .limit(EXACT_UP_TO + 1);
    const [text, values] = counted.getQueryAndParameters();
    const count = await this.scans.one<{ n: number }>(
      raw(`SELECT count(*) AS n FROM (${text}) matching`, values as Value[]),
    );
    const total = count === undefined || count.n > EXACT_UP_TO ? null : count.n;
    const offset = (page - 1) * limit;
    // Finding nothing would take a scan as long as the one that counted it.
    if (total !== null && total <= offset) return { items: [], total };
    const sorted = this.sorted(matching, sort ?? []);
    const rows = await this.scans.all(
      raw(...(sorted.offset(offset).limit(limit).getQueryAndParameters() as [string, Value[]])),
    );
    return { items: rows.map(this.mapping.fromRow), total };
  }

  /** The prices in minor units. Reports all faults at once. */
  private checked({ page, limit, minPrice, maxPrice, placeOf }: ProductsWanted): Prices {
    const faults: Fault[] = [];
    if (page * limit > DEEPEST_ROW) {
      const detail =
        `must be at most ${Math.floor(DEEPEST_ROW / limit)} at limit ${limit} in a filtered or sorted list: ` +
        'narrow the filter, for example by price';
      faults.push({ ...placeOf('page'), code: 'TOO_LARGE', detail });
    }
    const minor = (input: Input, major: number | undefined): number | undefined => {
      try {
        return major === undefined ? undefined : this.currency.toMinor(major, placeOf(input));
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
        faults.push(...error.faults);
        return undefined;
      }
    };
    const prices = { from: minor('minPrice', minPrice), to: minor('maxPrice', maxPrice) };
    if (faults.length > 0) throw new ValidationFailed(faults);
    return prices;
  }

  private matching({ q, inStock }: ProductsWanted, { from, to }: Prices): SelectQueryBuilder<Product> {
    const query = this.products.createQueryBuilder('p').select('p.*');
    if (q !== undefined) query.andWhere(`p.nameSearch LIKE :q ESCAPE '\\'`, { q: containing(q) });
    if (inStock !== undefined) query.andWhere('p.inStock = :inStock', { inStock });
    if (from !== undefined) query.andWhere('p.priceMinor >= :from', { from });
    if (to !== undefined) query.andWhere('p.priceMinor <= :to', { to });
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
