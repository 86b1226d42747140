/*
 * The rows in the databases of the benchmark. Each row is computed from its index. The databases on SQLite all have the
 * same rows. The databases on PostgreSQL have only the first products and users of these rows, and no orders.
 */

export interface SeededProduct {
  readonly id: number;
  readonly name: string;
  readonly priceMinor: number;
  readonly inStock: boolean;
}

const WOODS = ['Oak', 'Walnut', 'Maple', 'Cherry', 'Ash', 'Birch', 'Teak', 'Pine'];
const THINGS = ['table', 'shelf', 'chair', 'bench', 'lamp', 'frame', 'bowl', 'tray', 'desk', 'stool', 'box'];

/**
 * The id of a product. Every seventh id is missing, as if its row were deleted. So the ids of a page cannot be computed
 * from the number of the page.
 */
export function idAt(index: number): number {
  return index + 1 + Math.floor(index / 6);
}

export function productAt(index: number): SeededProduct {
  const wood = WOODS[index % WOODS.length] as string;
  const thing = THINGS[index % THINGS.length] as string;
  return {
    id: idAt(index),
    name: `${wood} ${thing} No. ${index + 1}`,
    priceMinor: 100 + ((index * 7919) % 999_900),
    inStock: index % 5 !== 0,
  };
}

export interface SeededUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

export interface SeededOrder {
  readonly id: number;
  readonly userId: number;
  readonly totalMinor: number;
  readonly status: string;
  readonly createdAt: number;
}

const STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'];
const ORDERS_OF_A_USER = 10;

/**
 * The number of users. There is one user for ten products, and one order for each product. So a user has about ten
 * orders.
 */
export function usersFor(products: number): number {
  return Math.max(1, Math.floor(products / ORDERS_OF_A_USER));
}

export function userAt(index: number): SeededUser {
  return { id: index + 1, name: `User No. ${index + 1}`, email: `user.${index + 1}@example.com` };
}

export function orderAt(index: number, users: number): SeededOrder {
  return {
    id: index + 1,
    userId: 1 + ((index * 7919) % users),
    totalMinor: 100 + ((index * 104_729) % 99_900),
    status: STATUSES[index % STATUSES.length] as string,
    createdAt: Date.UTC(2026, 0, 1) + index * 1000,
  };
}
