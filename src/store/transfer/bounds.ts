import { validate } from '../../engine/contract/validate.js';
import { OrderItemCreate, ProductCreate, ProductStockReplace, UserCreate } from '../../generated/dto.js';
import { Optional, Required, shape } from '../../rules/members.js';
import { maxLength, minLength, oneOf, pattern, text } from '../../rules/rules.js';
import { NEXT_STATUSES } from '../orders/order-status.js';
import type { Mapped } from './apply.js';
import { shown, type Fault } from './raw-row.js';
import type { Value } from './convert.js';

/*
 * Rows have the bounds of the contract, because they are validated with the same classes as requests. The classes below
 * are for members that the classes of requests do not have, such as the id in another system.
 */

const NO_CONTROLS = pattern(
  // oxlint-disable-next-line no-control-regex -- as the contracts have it
  /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
  'must have no control characters other than tab and line feed',
);
/** The maximum number of characters of an id in another system. */
export const MOST_ID = 200;
const ID = [text, minLength(1), maxLength(MOST_ID), NO_CONTROLS];
/** The id of a user or a product. An empty id is refused later, because no row has it. */
const REFERENCE = [text, maxLength(MOST_ID), NO_CONTROLS];

class ExternalRow {
  static readonly shape = shape({ id: {} });

  @Required(...ID)
  id!: string;
}

class ProductRest {
  static readonly shape = shape({ description: {} });

  @Optional(text, maxLength(2000), NO_CONTROLS)
  description?: string;
}

class OrderRow {
  static readonly shape = shape({ status: {}, user_id: {} });

  @Optional(text, oneOf(...Object.keys(NEXT_STATUSES)))
  status?: string;

  @Optional(...REFERENCE)
  user_id?: string;
}

class ItemRow {
  static readonly shape = shape({ order_id: {}, product_id: {} });

  // An empty id is refused here, because `Intake` reports no fault of its own for a line with an empty id.
  @Optional(...ID)
  order_id?: string;

  @Optional(...REFERENCE)
  product_id?: string;
}

export const MOST_ITEMS = 100;

/** The faults of a product, each with its member. The types of the members were checked before. */
export function faultsOfProduct({ id, name, price, in_stock: inStock, description, stock }: Mapped): Fault[] {
  return [
    ...faultsOf(ExternalRow, { id }),
    ...faultsOf(ProductCreate, { name, price: Number(price), ...given({ in_stock: inStock }) }),
    ...faultsOf(ProductRest, given({ description })),
    ...(stock === null || stock === undefined
      ? []
      : faultsOf(ProductStockReplace, { quantity: stock }).map((fault) => ({ ...fault, column: 'stock' }))),
  ];
}

export function faultsOfUser({ id, name, email: address }: Mapped): Fault[] {
  return [...faultsOf(ExternalRow, { id }), ...faultsOf(UserCreate, { name, email: trimmed(address) })];
}

export function faultsOfOrder({ id, status, user_id: user }: Mapped): Fault[] {
  return [...faultsOf(ExternalRow, { id }), ...faultsOf(OrderRow, given({ status, user_id: trimmed(user) }))];
}

/** A unit price has the bounds of the price of a product. */
export function faultsOfItem(mapped: Mapped): Fault[] {
  const { order_id: order, product_id: product, name, quantity, unit_price: price, discount, total } = mapped;
  const found = faultsOf(ItemRow, given({ order_id: trimmed(order), product_id: trimmed(product) }));
  found.push(...faultsOf(OrderItemCreate, { product_id: 1, quantity }));
  const nameFaults = name === null || name === undefined ? [] : faultsOf(ProductCreate, { name, price: 0 });
  found.push(...nameFaults);
  const priceFaults = faultsOf(ProductCreate, { name: 'any', price: Number(price) });
  found.push(...priceFaults.map((fault) => ({ ...fault, column: 'unit_price' })));
  if (typeof discount === 'string' && !(Number(discount) >= 0 && Number(discount) <= 1)) {
    found.push({ column: 'discount', value: discount, reason: 'must be from 0 to 1, such as 0.15 for 15 %' });
  }
  if (typeof total === 'string' && !(Number(total) >= 0 && Number(total) <= 100_000_000_000)) {
    found.push({ column: 'total', value: total, reason: 'must be from 0 to 100000000000' });
  }
  return found;
}

function faultsOf(dto: new () => object, plain: Record<string, Value | null | undefined>): Fault[] {
  const result = validate(dto, plain, 'body');
  if ('value' in result) return [];
  return result.faults.map(({ pointer = '', detail }) => {
    const column = pointer.replace(/^#\//, '');
    return { column, value: shown(String(plain[column] ?? '')), reason: detail };
  });
}

/** Leaves out the members that are null. The classes treat a member as absent only if it is undefined. */
function given(members: Record<string, Value | null | undefined>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined,
    ),
  );
}

function trimmed(value: Value | null | undefined): Value | null | undefined {
  return typeof value === 'string' ? value.trim() : value;
}
