import { Injectable } from '@nestjs/common';
import type { RowAccess } from '../../engine/access/row-access.js';
import type { Context, Wanted } from '../../engine/contract/context.js';
import { together, type Steps } from '../../engine/database/sql.js';
import type { Transaction } from '../../engine/database/transaction.js';
import { UnitOfWork } from '../../engine/database/unit-of-work.js';
import { EventLog } from '../../engine/events/event-log.js';
import { Conflict, Forbidden, OutOfStock, ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import { StocksRepository, type Stocked } from '../products/stocks.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import type { OrderItem } from './order-item.entity.js';
import type { Order } from './order.entity.js';
import './order.events.js';
import { canBecome, NEXT_STATUSES, type OrderStatus } from './order-status.js';
import { OrdersRepository } from './orders.repository.js';

export interface OrderLine {
  readonly productId: number;
  readonly quantity: number;
}

export interface WantedOrder {
  readonly userId: number;
  readonly lines: readonly OrderLine[];
  /** The JSON pointer to a member of the request, for a fault of this member. */
  readonly pointerOf: (
    member: 'user' | { readonly line: number; readonly of: 'product' | 'quantity' },
  ) => string;
}

/** Undefined when the status stays as it is. */
type WantedStatus = Wanted<OrderStatus | undefined, Order>;

/**
 * The acts that concern orders, users and stock together. All of them lock rows in the same sequence: first the user,
 * then the order, then the products by their ids. So no two acts can end in a deadlock.
 */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly stocks: StocksRepository,
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: EventLog,
  ) {}

  /**
   * Takes the ordered quantities out of stock and stores the order, all or nothing, with names and prices as they are
   * at this moment. A client that gets the event of an order can read the order.
   *
   * @throws ValidationFailed naming every product that does not exist, and the user if the user does not exist
   * @throws OutOfStock naming every line that cannot be served, not only the first
   */
  place(wanted: WantedOrder, { origin }: Pick<Context, 'origin'>): Promise<Order> {
    return this.unitOfWork.run((tx) => this.placing(wanted, tx), { origin });
  }

  /**
   * Moves an order to another status. Returns null if there is no order with this id that the caller may use.
   * Cancelling puts back the pieces that were taken out of counted stock, if the stock of the product is still counted.
   *
   * @throws Forbidden for a caller who has only its own rows, if the wanted status is not `cancelled` or the order is
   * paid
   * @throws PreconditionFailed
   * @throws PreconditionRequired
   * @throws Conflict `ILLEGAL_STATUS` naming the statuses that can be next
   * @throws ValidationFailed or PatchConflict from `status`, if it is a function and the request does not fit the order
   */
  changeStatus(
    id: number,
    status: WantedStatus,
    context: Pick<Context, 'precondition' | 'reach' | 'origin'>,
  ): Promise<Order | null> {
    // This check needs only the wanted status and the caller, so it comes before the row is read.
    if (typeof status === 'string') requireAllowed(status, context.reach);
    return this.unitOfWork.run((tx) => this.moving(tx, id, status, context), { origin: context.origin });
  }

  private *placing({ userId, lines, pointerOf }: WantedOrder, tx: Transaction): Steps<Order> {
    const [isUser, stocked, id] = yield* together(
      this.users.isThere(userId),
      this.stocks.readAndLock([...new Set(lines.map(({ productId }) => productId))]),
      this.orders.reserveId(tx),
    );
    const faults: Fault[] = lines.flatMap(({ productId }, line) =>
      stocked.has(productId) ? [] : [unknownFault(pointerOf({ line, of: 'product' }), 'product', productId)],
    );
    if (!isUser) faults.unshift(unknownFault(pointerOf('user'), 'user', userId));
    if (faults.length > 0) throw new ValidationFailed(faults);
    const refusals = refusalsIn(lines, stocked);
    if (refusals.size > 0) {
      throw new OutOfStock(
        [...refusals].map(([line, detail]) => ({
          pointer: pointerOf({ line, of: 'quantity' }),
          code: 'OUT_OF_STOCK',
          detail,
        })),
      );
    }
    yield* this.stocks.change(tx, stocked, stockChanges(lines, -1));
    const order = yield* this.orders.insert(tx, id, {
      userId,
      items: lines.map((line) => itemOf(line, stocked.get(line.productId) as Stocked)),
    });
    yield* this.log.write(tx, 'order.created', order);
    return order;
  }

  private *moving(
    tx: Transaction,
    id: number,
    wanted: WantedStatus,
    { precondition, reach }: Pick<Context, 'precondition' | 'reach'>,
  ): Steps<Order | null> {
    const order = yield* this.orders.lock(id);
    if (!order || !reach.covers(order.userId)) return null;
    // By `canBecome`, a pending or a paid order can be cancelled. The owner may cancel only a pending order.
    if (reach.onlyOf !== null && order.status === 'paid') throw ownersOnlyCancel();
    precondition.check(order, 'The order');
    const status = typeof wanted === 'function' ? wanted(order) : wanted;
    if (status === undefined) return order;
    requireAllowed(status, reach);
    if (!canBecome(order.status, status))
      throw new Conflict('ILLEGAL_STATUS', refusalOf(order.status, status));
    if (status === 'cancelled') {
      const taken = (order.items ?? []).filter(({ fromStock }) => fromStock);
      const stocked = yield* this.stocks.readAndLock([...new Set(taken.map(({ productId }) => productId))]);
      yield* this.stocks.change(tx, stocked, stockChanges(taken, 1));
    }
    const moved = yield* this.orders.move(tx, order, status);
    yield* this.log.write(tx, 'order.status_changed', moved);
    return moved;
  }
}

/** @throws Forbidden for a caller who has only its own rows and wants another status than `cancelled` */
export function requireAllowed(status: OrderStatus, { onlyOf }: RowAccess): void {
  if (onlyOf !== null && status !== 'cancelled') throw ownersOnlyCancel();
}

function ownersOnlyCancel(): Forbidden {
  const detail =
    'Without the scope orders:write, an order can only be cancelled, and only while it is pending.';
  return new Forbidden(['orders:write'], detail);
}

function itemOf({ productId, quantity }: OrderLine, { product, quantity: counted }: Stocked) {
  const item: Omit<OrderItem, 'orderId' | 'position'> = {
    productId,
    name: product.name,
    unitPriceMinor: product.priceMinor,
    quantity,
    totalMinor: product.priceMinor * quantity,
    fromStock: counted !== null,
  };
  return item;
}

/**
 * The change of the stock of each product, in pieces, summed over all lines.
 *
 * @param sign 1 to put the pieces back, -1 to take them out
 */
function stockChanges(lines: readonly OrderLine[], sign: 1 | -1): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    found.set(productId, (found.get(productId) ?? 0) + sign * quantity);
  }
  return found;
}

/**
 * The reason for each line that cannot be served, by the index of the line. Several lines may name the same product.
 * These lines get the pieces of the product one after another. A line that wants more pieces than are left gets none,
 * so a later line may still get the pieces that are left.
 */
function refusalsIn(
  lines: readonly OrderLine[],
  stocked: ReadonlyMap<number, Stocked>,
): ReadonlyMap<number, string> {
  const left = new Map([...stocked].map(([id, { quantity }]) => [id, quantity ?? Infinity]));
  const refusals = new Map<number, string>();
  for (const [line, { productId, quantity }] of lines.entries()) {
    const { product } = stocked.get(productId) as Stocked;
    const pieces = left.get(productId) as number;
    if (!product.isSellable) refusals.set(line, `is ${quantity}, but ${product.name} is not for sale now`);
    else if (pieces < quantity)
      refusals.set(line, `is ${quantity}, but there ${piecesText(pieces)} of ${product.name} left`);
    else left.set(productId, pieces - quantity);
  }
  return refusals;
}

function piecesText(pieces: number): string {
  return pieces === 1 ? 'is 1 piece' : `are ${pieces === 0 ? 'no' : pieces} pieces`;
}

function refusalOf(from: OrderStatus, to: OrderStatus): string {
  const next = NEXT_STATUSES[from];
  const possible = next.length === 0 ? 'this status is final' : `it can become ${next.join(' or ')}`;
  return from === to
    ? `The order is already ${from}; ${possible}.`
    : `An order that is ${from} cannot become ${to}; ${possible}.`;
}

function unknownFault(pointer: string, what: string, id: number): Fault {
  return { pointer, code: 'UNKNOWN', detail: `must name a ${what}: there is none with the id ${id}` };
}
