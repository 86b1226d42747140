import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { Currency } from '../../engine/values/currency.js';
import { inputReaderOf, snakeCase } from '../../engine/values/member-names.js';
import type { Asker } from '../../engine/database/asker.js';
import { batchesOf } from '../../engine/database/batches.js';
import { engineOf } from '../../engine/database/engine.js';
import {
  depthFaults,
  filteredPage,
  filteredTotal,
  sortedBy,
  type Span,
} from '../../engine/database/filtered-page.js';
import { keysetSlice } from '../../engine/database/keyset.js';
import { mappingOf, type Mapping } from '../../engine/database/mapping.js';
import { LongReads, type ScansOfOne } from '../../engine/database/long-reads.js';
import type { Piece } from '../../engine/database/slices.js';
import { indexedRows, phraseOf, withIndex } from '../../engine/database/trigrams.js';
import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type {
  ExportProductsQuery,
  ListProductsQuery,
  QueryProductsConnectionArgs,
} from '../../generated/dto.js';
import { Product } from './product.entity.js';
import { containing, soughtText } from '../../engine/values/search-text.js';

/** The inputs that this class checks in addition to the contract. */
type Input = 'page' | 'minPrice' | 'maxPrice';

/** The filters of a list, by their names in GraphQL. */
type Filter = Exclude<keyof QueryProductsConnectionArgs, 'first' | 'after' | 'last' | 'before' | 'sort'>;

/** The prices are in major units. */
type Criteria = { readonly [F in Filter]?: QueryProductsConnectionArgs[F] | undefined };

/** The condition of each filter. The parameter of a condition, such as `:q`, has the name of its filter. */
const CONDITIONS: Readonly<Record<Filter, string>> = {
  q: `p.nameSearch LIKE :q ESCAPE '\\'`,
  inStock: 'p.inStock = :inStock',
  minPrice: 'p.priceMinor >= :minPrice',
  maxPrice: 'p.priceMinor <= :maxPrice',
};
const FILTERS = Object.keys(CONDITIONS) as Filter[];
const readFilters = inputReaderOf(FILTERS);

/** The criteria in a query of REST, in both versions, or in the arguments of a GraphQL field. */
export function criteriaOf(input: Omit<ExportProductsQuery, 'format'> | Partial<Criteria>): Criteria {
  return readFilters(input) as Criteria;
}

export interface ProductFilter extends Criteria {
  readonly asker: Asker;
  /**
   * The place of an input in the request, for the fault of the input. Without this function, the input is a parameter
   * of REST.
   */
  readonly placeOf?: (input: Input) => Pick<Fault, 'pointer' | 'parameter'>;
}

/** The filter and the sort order of a list of products, without the page. */
export interface ProductsSought extends ProductFilter {
  readonly sort?: ListProductsQuery['sort'] | undefined;
}

export interface ProductsWanted extends ProductsSought, Span {}

/** The prices of the criteria, in minor units. */
type Prices = { readonly [F in 'minPrice' | 'maxPrice']: number | undefined };

/**
 * Reads lists with a filter, and lists that are not sorted by id. The cost of a numbered page grows with the number of
 * rows before it, so the depth of these pages is limited. A count of more than 10,000 rows would take long. So a larger
 * total is left out, except in a slice without a filter.
 */
@Injectable()
export class ProductListing {
  private readonly mapping: Mapping<Product>;

  /**
   * Whether a search must name the index of trigrams to use it. On PostgreSQL, `LIKE` uses the index without its name.
   */
  private readonly namesTrigrams: boolean;

  constructor(
    @InjectRepository(Product) private readonly products: Repository<Product>,
    private readonly scans: LongReads,
    private readonly currency: Currency,
  ) {
    this.mapping = mappingOf(products.manager.dataSource, Product);
    this.namesTrigrams = engineOf(products.manager.dataSource) === 'sqlite';
  }

  static isWithoutCriteria(wanted: Criteria & Pick<ProductsSought, 'sort'>): boolean {
    return wanted.sort === undefined && FILTERS.every((filter) => wanted[filter] === undefined);
  }

  /** @throws ValidationFailed if the page is too deep, or for a price that the currency does not have */
  async page(wanted: ProductsWanted): Promise<Page<Product>> {
    const faults = depthFaults(
      wanted,
      (wanted.placeOf ?? parameterOf)('page'),
      'narrow the filter, for example by price',
    );
    const { reads, matching, total, id } = await this.found(wanted, this.checked(wanted, faults));
    const sort = (query: SelectQueryBuilder<Product>) =>
      sortedBy(query, wanted.sort ?? [], { id, name: 'p.name', price: 'p.priceMinor' }, id);
    return filteredPage(reads, this.mapping, matching, sort, wanted, total());
  }

  /**
   * @param all counts all products. Its result is the total if there is no filter
   * @throws ValidationFailed for a price that the currency does not have
   */
  async slice(sought: ProductsSought, piece: Piece, all: () => Promise<number>): Promise<Slice<Product>> {
    const { mapping } = this;
    const { reads, matching, total, id } = await this.found(sought, this.checked(sought));
    const isWhole = ProductListing.isWithoutCriteria({ ...sought, sort: undefined });
    const shown = piece.isWithoutTotal ? null : await (isWhole ? all() : total());
    const properties = { id: 'id', name: 'name', price: 'priceMinor' };
    return keysetSlice({ reads, mapping, matching, sort: sought.sort ?? [], properties, id }, piece, shown);
  }

  /**
   * All products that match the filter, in the order of ids.
   *
   * @throws ValidationFailed for a price that the currency does not have
   */
  all(filter: ProductFilter): AsyncIterable<readonly Product[]> {
    const matching = this.matching(filter, this.checked(filter));
    const scans = this.scans.of(filter.asker);
    return batchesOf(scans, this.mapping, this.products.createQueryBuilder('p'), matching);
  }

  /** Converts the prices to minor units. @throws ValidationFailed with `faults` and all faults of the prices */
  private checked(
    { minPrice, maxPrice, placeOf = parameterOf }: ProductFilter,
    faults: Fault[] = [],
  ): Prices {
    const minor = (input: Input, major: number | undefined): number | undefined => {
      try {
        return major === undefined ? undefined : this.currency.toMinor(major, placeOf(input));
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
        faults.push(...error.faults);
        return undefined;
      }
    };
    const prices = { minPrice: minor('minPrice', minPrice), maxPrice: minor('maxPrice', maxPrice) };
    if (faults.length > 0) throw new ValidationFailed(faults);
    return prices;
  }

  /** The query of a list, its total, and the SQL name of the id to sort by. */
  private async found(
    sought: ProductsSought,
    prices: Prices,
  ): Promise<{
    reads: ScansOfOne;
    matching: SelectQueryBuilder<Product>;
    total: () => Promise<number | null>;
    id: string;
  }> {
    const reads = this.scans.of(sought.asker);
    const matching = reads.watched(this.matching(sought, prices));
    const phrase = sought.q === undefined || !this.namesTrigrams ? null : phraseOf(soughtText(sought.q));
    if (phrase === null) return { reads, matching, total: () => filteredTotal(reads, matching), id: 'p.id' };
    const others = { ...sought, q: undefined, sort: undefined };
    const index = indexedRows(this.products.manager, Product, phrase);
    const indexed = reads.watched(withIndex(this.matching(others, prices), phrase));
    const total = () => filteredTotal(reads, ProductListing.isWithoutCriteria(others) ? index : indexed);
    const [first = 'id'] = sought.sort ?? [];
    if (/^-?id$/.test(first)) return { reads, matching: indexed, total, id: 't.rowid' };
    // If few rows match, the index of trigrams finds them, and they are sorted. If many rows match, reading in the
    // requested order finds enough of them soon.
    const counted = await total();
    return {
      reads,
      matching: counted === null ? matching : indexed,
      total: () => Promise.resolve(counted),
      id: 'p.id',
    };
  }

  private matching(criteria: Criteria, prices: Prices): SelectQueryBuilder<Product> {
    const query = this.products.createQueryBuilder('p').select('p.*');
    const { q } = criteria;
    const values = { ...criteria, ...prices, q: q === undefined ? q : containing(q) };
    for (const filter of FILTERS) {
      if (values[filter] !== undefined) query.andWhere(CONDITIONS[filter], { [filter]: values[filter] });
    }
    return query;
  }
}

function parameterOf(input: Input) {
  return { parameter: snakeCase(input) };
}
