import { readJson } from '../../engine/contract/json.js';
import type { Currency } from '../../engine/values/currency.js';
import { shown, type Fault, type RawRow } from './raw-row.js';
import type { Kind, Members } from './members.js';
import { decimalOf } from './money.js';

/** The amounts of rows. Version 2 of the HTTP interface shows them in minor units, with their currency. */
export const AMOUNTS: Readonly<Record<Kind | 'items', readonly string[]>> = {
  products: ['price'],
  users: [],
  orders: ['total'],
  items: ['unit_price', 'total'],
};

/**
 * The columns of an amount in the CSV of version 2. That format has two columns, for the amount and for its currency.
 * Our own format has one column.
 */
export function amountColumns(member: string): readonly [amount: string, currency: string] {
  return [`${member}.amount`, `${member}.currency`];
}

/** The columns that a file of the store's own format may have. */
export function namesOf(kind: Kind | 'items', members: Members): readonly string[] {
  return [...Object.keys(members), ...AMOUNTS[kind].flatMap(amountColumns)];
}

/**
 * Brings rows of the HTTP interface into the store's own format. Amounts with their currency become decimals. Lines of
 * an order that are JSON in one column of CSV become a list.
 */
export class OwnRows {
  constructor(private readonly currency: Currency) {}

  /** @param faults the list to which the faults of amounts and lines are added */
  normal(row: RawRow, kind: Kind | 'items', faults: Fault[]): RawRow {
    const normal: Record<string, unknown> = { ...row };
    for (const member of AMOUNTS[kind]) this.#amount(normal, member, faults);
    const { items } = normal;
    if (kind === 'orders' && typeof items === 'string') normal['items'] = listIn(items, faults);
    return normal;
  }

  #amount(row: Record<string, unknown>, member: string, faults: Fault[]): void {
    const [amountColumn, currencyColumn] = amountColumns(member);
    if (Object.hasOwn(row, amountColumn)) {
      row[member] = this.#decimal(amountColumn, row[amountColumn], row[currencyColumn], faults);
      delete row[amountColumn];
      delete row[currencyColumn];
      return;
    }
    const value = row[member];
    if (typeof value !== 'object' || value === null || !('amount' in value)) return;
    const { amount, currency } = value as { amount: unknown; currency?: unknown };
    row[member] = this.#decimal(amountColumn, amount, currency, faults);
  }

  #decimal(column: string, amount: unknown, currency: unknown, faults: Fault[]): string {
    const { code } = this.currency;
    if (currency !== code) {
      const reason = `must be ${code}, the currency of this store`;
      faults.push({ column: column.replace('.amount', '.currency'), value: shown(currency), reason });
      return '0';
    }
    // `String` would throw for an object such as `{"toString": 1}`.
    const digits = typeof amount === 'string' || typeof amount === 'number' ? String(amount) : '';
    if (/^\d{1,15}$/.test(digits)) return decimalOf(Number(digits), this.currency.toMinor(1, {}));
    faults.push({ column, value: shown(amount), reason: 'must be a whole number of minor units' });
    return '0';
  }
}

function listIn(text: string, faults: Fault[]): unknown {
  const refuse = (reason: string): unknown => {
    faults.push({ column: 'items', value: shown(text), reason });
    return [];
  };
  try {
    const { value, faults: found } = readJson(Buffer.from(text));
    const [fault] = found;
    return fault === undefined ? value : refuse(`${fault.pointer ?? ''} ${fault.detail}`);
  } catch {
    return refuse('must be a list of lines in JSON');
  }
}
