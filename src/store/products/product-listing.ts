import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { Currency } from '../../engine/values/currency.js';
import type { Asker } from '../../engine/database/asker.js';
import { batchesOf } from '../../engine/database/batches.js';
import {
  depthFaults,
  filteredPage,
  filteredTotal,
  sortedBy,
  type Span,
} from '../../engine/database/filtered-page.js';
import { keysetSlice } from '../../engine/database/keyset.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { LongReads } from '../../engine/database/long-reads.js';
import type { Piece } from '../../engine/database/slices.js';
import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type { ExportProductsQuery, ListProductsQuery } from '../../generated/dto.js';
import { Product } from './product.entity.js';
import { containing } from './search-text.js';

/** The inputs that this class checks in addition to the contract. */
type Input = 'page' | 'minPrice' | 'maxPrice';

interface Criteria {
  readonly q: string | undefined;
  readonly inStock: boolean | undefined;
  /** Major units, like the highest price. */
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
}

export interface ProductFilter extends Criteria {
  readonly asker: Asker;
  /** The place of an input in the request. The fault of the input names this place. */
  readonly placeOf: (input: Input) => Pick<Fault, 'pointer' | 'parameter'>;
}

/** The filter and the order of a list of products, without the page. */
export interface ProductsSought extends ProductFilter {
  readonly sort: ListProductsQuery['sort'] | undefined;
}

export interface ProductsWanted extends ProductsSought, Span {}

/** The criteria in a query of REST, in both versions. */
export function criteriaOf({
  q,
  in_stock: inStock,
  min_price: minPrice,
  max_price: maxPrice,
}: Omit<ExportProductsQuery, 'format'>): Criteria {
  return { q, inStock, minPrice, maxPrice };
}

/** The criteria in the arguments of a GraphQL field. */
export function criteriaIn({ q, inStock, minPrice, maxPrice }: Partial<Criteria>): Criteria {
  return { q, inStock, minPrice, maxPrice };
}

interface Prices {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Reads lists with a filter, or in another order than that of ids. Their cost grows with the number of rows to pass
 * over, so their depth is limited, and totals are exact only up to 10,000.
 */
@Injectable()
export class ProductListing {
  private readonly mapping: Mapping<Product>;

  constructor(
    @InjectRepository(Product) private readonly products: Repository<Product>,
    private readonly scans: LongReads,
    private readonly currency: Currency,
  ) {
    this.mapping = mappingOf(products.manager.dataSource, Product);
  }

  static isPlain({ sort, ...wanted }: Criteria & Pick<ProductsSought, 'sort'>): boolean {
    return [sort, ...Object.values(criteriaIn(wanted))].every((part) => part === undefined);
  }

  /** @throws ValidationFailed when the page is too deep or the currency has no such price */
  async page(wanted: ProductsWanted): Promise<Page<Product>> {
    const faults = depthFaults(wanted, wanted.placeOf('page'), 'narrow the filter, for example by price');
    const scans = this.scans.of(wanted.asker);
    const matching = scans.watched(this.matching(wanted, this.checked(wanted, faults)));
    const sort = (query: SelectQueryBuilder<Product>) =>
      sortedBy(query, wanted.sort ?? [], { id: 'p.id', name: 'p.name', price: 'p.priceMinor' }, 'p.id');
    return filteredPage(scans, this.mapping, matching, sort, wanted);
  }

  /**
   * @param all counts all products: the total of a list without a filter
   * @throws ValidationFailed when the currency has no such price
   */
  async slice(sought: ProductsSought, piece: Piece, all: () => Promise<number>): Promise<Slice<Product>> {
    const { mapping } = this;
    const reads = this.scans.of(sought.asker);
    const matching = reads.watched(this.matching(sought, this.checked(sought)));
    const isWhole = ProductListing.isPlain({ ...sought, sort: undefined });
    const total = piece.isWithoutTotal ? null : await (isWhole ? all() : filteredTotal(reads, matching));
    const properties = { id: 'id', name: 'name', price: 'priceMinor' };
    return keysetSlice({ reads, mapping, matching, sort: sought.sort ?? [], properties }, piece, total);
  }

  /**
   * All products that match the filter, in the order of ids.
   *
   * @throws ValidationFailed when the currency has no such price
   */
  all(filter: ProductFilter): AsyncIterable<readonly Product[]> {
    const matching = this.matching(filter, this.checked(filter));
    const scans = this.scans.of(filter.asker);
    return batchesOf(scans, this.mapping, this.products.createQueryBuilder('p'), matching);
  }

  /** Converts the prices to minor units. @throws ValidationFailed with `faults` and all faults of the prices */
  private checked({ minPrice, maxPrice, placeOf }: ProductFilter, faults: Fault[] = []): Prices {
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

  private matching({ q, inStock }: ProductFilter, { from, to }: Prices): SelectQueryBuilder<Product> {
    const query = this.products.createQueryBuilder('p').select('p.*');
    if (q !== undefined) query.andWhere(`p.nameSearch LIKE :q ESCAPE '\\'`, { q: containing(q) });
    if (inStock !== undefined) query.andWhere('p.inStock = :inStock', { inStock });
    if (from !== undefined) query.andWhere('p.priceMinor >= :from', { from });
    if (to !== undefined) query.andWhere('p.priceMinor <= :to', { to });
    return query;
  }
}
