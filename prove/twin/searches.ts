import type { Values } from '../contract/values.ts';
import type { Asked } from './lists.ts';
import type { Model } from './model.ts';
import type { Kind, Shown } from './shapes.ts';

/** A list to read, and the rows that it has in the model. */
export interface Search {
  /** The kind of the list, if it differs from that of the row. */
  readonly kind?: Kind;
  readonly asked: Asked;
  readonly rows: readonly Shown[];
}

type Order = readonly [rest: string, graphql: string, (one: Shown, other: Shown) => number];

const ORDERS: readonly Order[] = [
  ['id', 'ID_ASC', (one, other) => by(one, other, 'id')],
  ['-id', 'ID_DESC', (one, other) => by(other, one, 'id')],
  ['name', 'NAME_ASC', (one, other) => byText(one, other)],
  ['-name', 'NAME_DESC', (one, other) => byText(other, one)],
  ['price', 'PRICE_ASC', (one, other) => by(one, other, 'price')],
  ['-price', 'PRICE_DESC', (one, other) => by(other, one, 'price')],
];

/**
 * A random list that may contain this row. For a user, it may also be the list of the orders of this user.
 *
 * @param row null if there is no such row, such as after a deletion
 */
export function searchFor(model: Model, values: Values, kind: Kind, row: Shown | null): Search {
  const all = [...model.rows(kind).keys()].map((id) => model.shown(kind, id) as Shown);
  const ascending = all.toSorted((one, other) => by(one, other, 'id'));
  if (kind === 'user') {
    if (row !== null && values.chance(0.3)) return ordersOf(model, Number(row['id']));
    if (row === null || values.chance(0.3))
      return { asked: { rest: {}, graphql: 'email: null' }, rows: ascending };
    const email = String(row['email']);
    const sought = values.one([email, email.toUpperCase(), email.toLowerCase()]);
    return {
      asked: { rest: { email: sought }, graphql: `email: ${JSON.stringify(sought)}` },
      rows: ascending.filter((user) => String(user['email']).toLowerCase() === email.toLowerCase()),
    };
  }
  const orders = kind === 'order' ? ORDERS.slice(0, 2) : ORDERS;
  const [rest, graphql, compare] = values.one(orders);
  const filter = kind === 'order' ? ofOrders(values, row) : ofProducts(values, row);
  return {
    asked: {
      rest: { sort: rest, ...filter.asked.rest },
      graphql: [`sort: [${graphql}]`, filter.asked.graphql].filter(Boolean).join(', '),
    },
    rows: ascending.filter(filter.has).toSorted(compare),
  };
}

/** The list of the orders of a user (`/users/{id}/orders`). */
export function ordersOf(model: Model, user: number): Search {
  const rows = model.ordersOf(user).map(({ id }) => model.shown('order', id) as Shown);
  return {
    kind: 'order',
    asked: { rest: {}, graphql: `user ${user}`, user },
    rows: rows.toSorted((one, other) => by(one, other, 'id')),
  };
}

interface Filter {
  readonly asked: Asked;
  readonly has: (row: Shown) => boolean;
}

const NO_FILTER: Filter = { asked: { rest: {}, graphql: '' }, has: () => true };

function ofOrders(values: Values, row: Shown | null): Filter {
  if (row === null || row['userId'] === null || values.chance(0.2)) return NO_FILTER;
  const { userId, status } = row as { userId: number; status: string };
  const hasStatus = values.chance(0.5);
  return {
    asked: {
      rest: { user_id: String(userId), ...(hasStatus && { status: status }) },
      graphql: `userId: "${userId}"${hasStatus ? `, status: ${status}` : ''}`,
    },
    has: (order) => order['userId'] === userId && (!hasStatus || order['status'] === status),
  };
}

function ofProducts(values: Values, row: Shown | null): Filter {
  if (row === null || values.chance(0.2)) return NO_FILTER;
  const { price, inStock } = row;
  const major = String((price as number) / 100);
  const hasStock = values.chance(0.3);
  return {
    asked: {
      rest: { min_price: major, max_price: major, ...(hasStock && { in_stock: String(inStock) }) },
      graphql: `minPrice: ${major}, maxPrice: ${major}${hasStock ? `, inStock: ${String(inStock)}` : ''}`,
    },
    has: (product) => product['price'] === price && (!hasStock || product['inStock'] === inStock),
  };
}

function by(one: Shown, other: Shown, name: string): number {
  return (one[name] as number) - (other[name] as number);
}

/** By code point: this is the order of the bytes of UTF-8. */
function byText(one: Shown, other: Shown): number {
  return Buffer.compare(Buffer.from(String(one['name'])), Buffer.from(String(other['name'])));
}
