import { applyRules, columnOf, type Form, type Mapped } from './apply.js';
import { shown, type Fault, type RawRow } from './raw-row.js';
import { faultsOfItem, faultsOfOrder, faultsOfProduct, faultsOfUser, MOST_ID } from './bounds.js';
import type { Rules } from './mapping.js';
import { ITEM_MEMBERS, MEMBERS, type Kind } from './members.js';
import { lineTotal, minorOf } from './money.js';
import { maxLength } from '../../rules/rules.js';

/*
 * An optional member is undefined if the file does not have its column: then an update keeps the stored value. The
 * member is null if the file has the column, but the row has no value.
 */

/**
 * The times of a row, in milliseconds; undefined or null if the row has none. Then an update keeps the stored
 * `created_at`, and sets `updated_at` like any other change (`timeOfChange`).
 */
interface Written {
  readonly createdAt?: number | null;
  readonly updatedAt?: number | null;
}

export interface ProductData extends Written {
  readonly name: string;
  readonly description?: string | null;
  readonly priceMinor: number;
  readonly inStock?: boolean | null;
  readonly stock?: number | null;
}

export interface UserData extends Written {
  readonly name: string;
  readonly email: string;
}

export interface OrderData extends Written {
  /** The id of the user in the source; null for an order without a user. */
  readonly user?: string | null;
  readonly status?: string | null;
  readonly items: readonly ItemData[];
}

export interface ItemData {
  /** The id of the product in the source; null for a product that was deleted. */
  readonly product: string | null;
  readonly name: string | null;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly totalMinor: number;
}

/** Turns rows of a file into the data that is stored, or reports all their faults. */
export class Preparation {
  constructor(
    private readonly rules: Rules,
    private readonly form: Form,
    private readonly minorPerMajor: number,
  ) {}

  /**
   * Null if the row has faults, which are added to `faults`. The members of the data always have the same order,
   * because the fingerprint of a row depends on the order.
   */
  product(row: RawRow, faults: Fault[]): { id: string; data: ProductData } | null {
    const mapped = this.#mapped(row, 'products', faults, faultsOfProduct);
    const priceMinor = this.#minor(row, mapped, 'price', faults);
    if (faults.length > 0) return null;
    const data = {
      name: textIn(mapped, 'name').trim(),
      ...picked(mapped, { description: 'description' }),
      priceMinor,
      ...picked(mapped, { inStock: 'in_stock', stock: 'stock', ...WRITTEN }),
    };
    return { id: textIn(mapped, 'id'), data };
  }

  user(row: RawRow, faults: Fault[]): { id: string; data: UserData } | null {
    const mapped = this.#mapped(row, 'users', faults, faultsOfUser);
    if (faults.length > 0) return null;
    const data = {
      name: textIn(mapped, 'name').trim(),
      email: textIn(mapped, 'email').trim(),
      ...picked(mapped, WRITTEN),
    };
    return { id: textIn(mapped, 'id'), data };
  }

  /** The order without its lines. `totalMinor` is the sum that the lines must have; null if the row has no total. */
  order(
    row: RawRow,
    faults: Fault[],
  ): { id: string; data: Omit<OrderData, 'items'>; totalMinor: number | null } | null {
    const mapped = this.#mapped(row, 'orders', faults, faultsOfOrder);
    const totalMinor = mapped['total'] ? this.#minor(row, mapped, 'total', faults) : null;
    if (faults.length > 0) return null;
    const { user_id: user } = mapped;
    const data = {
      ...(user !== undefined && { user: user === null ? null : String(user).trim() }),
      ...picked(mapped, { status: 'status', ...WRITTEN }),
    };
    return { id: textIn(mapped, 'id'), data, totalMinor };
  }

  /** The id of the order is returned even when the line is refused, so that the order can be refused too. */
  item(row: RawRow, faults: Fault[]): { orderId: string; data: ItemData | null } {
    const mapped = applyRules(row, this.rules, ITEM_MEMBERS, this.form, faults);
    this.#add(row, faultsOfItem(mapped), faults);
    const unitPriceMinor = this.#minor(row, mapped, 'unit_price', faults);
    const given = mapped['total'] ? this.#minor(row, mapped, 'total', faults) : null;
    if ((mapped['product_id'] ?? null) === null && (mapped['name'] ?? null) === null) {
      this.#add(
        row,
        [{ column: 'product_id', value: '', reason: 'must be given if the line has no name' }],
        faults,
      );
    }
    const orderId = idIn(mapped, 'order_id');
    if (faults.length > 0) return { orderId, data: null };
    const quantity = Number(mapped['quantity']);
    const product = mapped['product_id'] ?? null;
    const name = mapped['name'] ?? null;
    const data = {
      product: product === null ? null : String(product).trim(),
      name: name === null ? null : String(name).trim(),
      quantity,
      unitPriceMinor,
      totalMinor: given ?? lineTotal(unitPriceMinor, quantity, String(mapped['discount'] ?? '0')),
    };
    return { orderId, data };
  }

  /**
   * The id of a row, also of a row that will be refused. The id is empty if the row has no id, or an id that is too
   * long.
   */
  idOf(row: RawRow): string {
    const { id } = this.rules;
    return id === undefined ? '' : idIn(applyRules(row, { id }, MEMBERS.products, this.form, []), 'id');
  }

  #mapped(row: RawRow, kind: Kind, faults: Fault[], check: (mapped: Mapped) => Fault[]): Mapped {
    const mapped = applyRules(row, this.rules, MEMBERS[kind], this.form, faults);
    this.#add(row, check(mapped), faults);
    return mapped;
  }

  #minor(row: RawRow, mapped: Mapped, member: string, faults: Fault[]): number {
    const decimal = mapped[member];
    const minor = typeof decimal === 'string' ? minorOf(decimal, this.minorPerMajor) : 0;
    if (minor !== null) return minor;
    const places = this.minorPerMajor === 1 ? 'no decimals' : 'at most two decimals';
    this.#add(row, [{ column: member, value: String(decimal), reason: `must have ${places}` }], faults);
    return 0;
  }

  /** Adds faults with the name of the column in the file. A column that already has a fault gets no other one. */
  #add(row: RawRow, found: readonly Fault[], faults: Fault[]): void {
    for (const { column: member, value, reason } of found) {
      const textSource = this.rules[member]?.textSource;
      const column = (textSource && columnOf(textSource)) ?? member;
      if (faults.some((fault) => fault.column === column)) continue;
      faults.push({ column, value: Object.hasOwn(row, column) ? shown(row[column]) : value, reason });
    }
  }
}

const WRITTEN = { createdAt: 'created_at', updatedAt: 'updated_at' };

function textIn(mapped: Mapped, member: string): string {
  const value = mapped[member];
  // Ids are compared exactly, but without the spaces around them.
  return value === null || value === undefined ? '' : String(value).trim();
}

const tooLong = maxLength(MOST_ID);

/** An id; empty if the row has none, or if the id in the file is too long. No stored row has an empty id. */
function idIn(mapped: Mapped, member: string): string {
  const id = textIn(mapped, member);
  return tooLong(id).length > 0 ? '' : id;
}

/** The members that have a value or null (see `Mapped`). */
function picked(mapped: Mapped, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names)
      .filter(([, member]) => Object.hasOwn(mapped, member))
      .map(([name, member]) => [name, mapped[member]]),
  );
}
