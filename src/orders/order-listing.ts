import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { instantParameter } from '../database/columns.js';
import { batchesOf } from '../database/batches.js';
import { depthFaults, filteredPage, sortedBy, type Span } from '../database/filtered-page.js';
import { mappingOf, type Mapping } from '../database/mapping.js';
import { Reads } from '../database/reads.js';
import { Scans } from '../database/scans.js';
import { ValidationFailed, type Fault } from '../errors.js';
import type { Page } from '../generated/contract.js';
import type { ListOrdersQuery } from '../generated/dto.js';
import { Order } from './order.entity.js';
import type { OrderStatus } from './order-status.js';

export interface OrderFilter {
  readonly status: OrderStatus | undefined;
  readonly userId: number | undefined;
  /** Later than this. */
  readonly createdAfter: Date | undefined;
  /** Earlier than this. */
  readonly createdBefore: Date | undefined;
}

export interface OrdersWanted extends OrderFilter, Span {
  readonly sort: ListOrdersQuery['sort'] | undefined;
  /** Where in the request the page stands, for its fault. */
  readonly pagePlace: Pick<Fault, 'pointer' | 'parameter'>;
}

/**
 * Lists with a filter or in another order than that of ids. What they cost grows with what has to be passed over, so
 * they reach only so deep, and totals are exact only up to 10,000.
 */
@Injectable()
export class OrderListing {
  private readonly mapping: Mapping<Order>;

  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    private readonly reads: Reads,
    private readonly scans: Scans,
  ) {
    this.mapping = mappingOf(orders.manager.dataSource, Order);
  }

  static isPlain({ sort, status, userId, createdAfter, createdBefore }: OrdersWanted): boolean {
    return [sort, status, userId, createdAfter, createdBefore].every((part) => part === undefined);
  }

  /** @throws ValidationFailed when the page is too deep */
  async page(wanted: OrdersWanted): Promise<Page<Order>> {
    const faults = depthFaults(wanted, wanted.pagePlace, 'narrow the filter, for example by time');
    if (faults.length > 0) throw new ValidationFailed(faults);
    const sort = (query: SelectQueryBuilder<Order>) =>
      sortedBy(query, wanted.sort ?? [], { id: 'o.id', created_at: 'o.createdAt' }, 'o.id');
    // What one user ordered is found by an index, so that there is little to pass over.
    const { sort: keys, status, userId, createdAfter, createdBefore } = wanted;
    const isQuick =
      userId !== undefined && [keys, status, createdAfter, createdBefore].every((part) => part === undefined);
    return filteredPage(isQuick ? this.reads : this.scans, this.mapping, this.matching(wanted), sort, wanted);
  }

  /** All that the filter lets through, in the order of ids. */
  all(filter: OrderFilter): AsyncIterable<readonly Order[]> {
    const passed = this.orders.createQueryBuilder('o');
    if (filter.userId !== undefined) passed.andWhere('o.userId = :userId', { userId: filter.userId });
    return batchesOf(this.reads, this.mapping, passed, this.matching(filter));
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
