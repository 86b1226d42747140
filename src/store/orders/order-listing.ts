import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { instantParameter } from '../../engine/database/columns.js';
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
import { Reads } from '../../engine/database/reads.js';
import { LongReads } from '../../engine/database/long-reads.js';
import type { Piece } from '../../engine/database/slices.js';
import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type { ListOrdersQuery } from '../../generated/dto.js';
import { Order } from './order.entity.js';
import type { OrderStatus } from './order-status.js';

export interface OrderFilter {
  readonly status: OrderStatus | undefined;
  readonly userId: number | undefined;
  /** Only orders that were created later than this time. */
  readonly createdAfter: Date | undefined;
  /** Only orders that were created earlier than this time. */
  readonly createdBefore: Date | undefined;
  readonly asker: Asker;
}

/** The filter and the sort order of a list of orders, without the page. */
export interface OrdersSought extends OrderFilter {
  readonly sort: ListOrdersQuery['sort'] | undefined;
}

export interface OrdersWanted extends OrdersSought, Span {
  /** The place of the page number in the request. A fault of the page number names this place. */
  readonly pagePlace: Pick<Fault, 'pointer' | 'parameter'>;
}

/**
 * Reads lists with a filter, and lists that are not sorted by id. The cost of a numbered page grows with the number of
 * rows before it, so the depth of these pages is limited. A count of more than 10,000 rows would take long. So a larger
 * total is left out, except in a slice without a filter.
 */
@Injectable()
export class OrderListing {
  private readonly mapping: Mapping<Order>;

  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly reads: Reads,
    private readonly scans: LongReads,
  ) {
    this.mapping = mappingOf(orders.manager.dataSource, Order);
  }

  static isWithoutCriteria({
    sort,
    status,
    userId,
    createdAfter,
    createdBefore,
  }: Omit<OrdersSought, 'asker'>): boolean {
    return [sort, status, userId, createdAfter, createdBefore].every((part) => part === undefined);
  }

  /** @throws ValidationFailed when the page is too deep */
  async page(wanted: OrdersWanted): Promise<Page<Order>> {
    const faults = depthFaults(wanted, wanted.pagePlace, 'narrow the filter, for example by time');
    if (faults.length > 0) throw new ValidationFailed(faults);
    const sort = (query: SelectQueryBuilder<Order>) =>
      sortedBy(query, wanted.sort ?? [], { id: 'o.id', created_at: 'o.createdAt' }, 'o.id');
    const { reads, matching } = this.readsFor(wanted);
    return filteredPage(reads, this.mapping, matching, sort, wanted);
  }

  /** @param all counts all orders: the total of a list without a filter */
  async slice(sought: OrdersSought, piece: Piece, all: () => Promise<number>): Promise<Slice<Order>> {
    const { mapping } = this;
    const { reads, matching } = this.readsFor(sought);
    const isWhole = OrderListing.isWithoutCriteria({ ...sought, sort: undefined });
    const total = piece.isWithoutTotal ? null : await (isWhole ? all() : filteredTotal(reads, matching));
    const properties = { id: 'id', created_at: 'createdAt' };
    return keysetSlice({ reads, mapping, matching, sort: sought.sort ?? [], properties }, piece, total);
  }

  /** All orders that match the filter, in the order of ids. */
  all(filter: OrderFilter): AsyncIterable<readonly Order[]> {
    const passed = this.orders.createQueryBuilder('o');
    if (filter.userId !== undefined) passed.andWhere('o.userId = :userId', { userId: filter.userId });
    return batchesOf(this.scans.of(filter.asker), this.mapping, passed, this.matching(filter));
  }

  /**
   * If only the orders of one user are sought, in the order of ids, an index finds them. So this list is not a long
   * read.
   */
  private readsFor(sought: OrdersSought) {
    const { sort, status, userId, createdAfter, createdBefore, asker } = sought;
    const matching = this.matching(sought);
    const isQuick =
      userId !== undefined && [sort, status, createdAfter, createdBefore].every((part) => part === undefined);
    if (isQuick) return { reads: this.reads, matching };
    const scans = this.scans.of(asker);
    return { reads: scans, matching: scans.watched(matching) };
  }

  private matching({ status, userId, createdAfter, createdBefore }: OrderFilter): SelectQueryBuilder<Order> {
    const query = this.orders.createQueryBuilder('o').select('o.*');
    if (status !== undefined) query.andWhere('o.status = :status', { status });
    if (userId !== undefined) query.andWhere('o.userId = :userId', { userId });
    if (createdAfter !== undefined)
      query.andWhere('o.createdAt > :after', { after: this.moment(createdAfter) });
    if (createdBefore !== undefined)
      query.andWhere('o.createdAt < :before', { before: this.moment(createdBefore) });
    return query;
  }

  private moment(moment: Date): Date | number {
    return instantParameter(this.orders.manager.dataSource, moment);
  }
}
