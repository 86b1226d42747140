import { emailKey } from '../users/email-key.js';
import type { Fault } from './raw-row.js';
import type { Kind } from './members.js';
import type { OrderData, ProductData, UserData } from './prepare.js';
import type { StagedRow, Staging } from './staging.js';

interface Named {
  readonly id: string;
  readonly data: unknown;
}

/** The reason to refuse a row whose id is also in an earlier line. */
export function alreadyIn(line: number): string {
  return `is already in line ${line}, with other values`;
}

const MADE_UP = '\u0001';

interface Key {
  readonly kind: 'id' | 'email';
  readonly key: string;
  readonly value: string;
}

/**
 * Several rows of a file may have the same id or the same e-mail address. This class gives the id or the address to the
 * first row that is stored. A row claims its id and its address. A later row with a claimed id or address is a rival:
 * it waits, and is stored only if the earlier row is refused. A refused row does not keep its id or address. It is not
 * a fault if a row has the same data as an earlier row: some files have a row for each line of an order, and so repeat
 * the data of the order.
 */
export class Claims {
  constructor(
    private readonly staging: Staging,
    private readonly kind: Kind,
    /** Whether the lines of orders are read from `ImportJob.itemsFile`. */
    private readonly isApart: boolean,
  ) {}

  /**
   * Notes that the file has an order with this id, even if the order is refused. So a line that names the order is not
   * reported as a line without an order.
   */
  see(id: string, line: number): void {
    if (this.isApart && id !== '') this.staging.claim('seen', id, line);
  }

  /** Whether an earlier row that waits to be stored has the same data. */
  isRepeat(row: Named): boolean {
    return this.#isSame('id', row);
  }

  /** The line at which `refuse` has noted an order with the same data; null if there is no such order. */
  refusedAt(row: Named): number | null {
    return this.#isSame('refused', row) ? (this.staging.claimOf('refused', row.id)?.line ?? null) : null;
  }

  /** The line of an earlier row with this id that waits to be stored; null if there is no such row. */
  earlierAt(id: string): number | null {
    return this.staging.claimOf('id', id)?.line ?? null;
  }

  /**
   * Notes an order with a refused row, in a file in which each row is a line of an order. No row of this order is
   * stored. Otherwise the stored order would lack a line, and an import of the corrected row alone would replace the
   * other lines.
   */
  refuseWhole(id: string, line: number): void {
    if (id !== '') this.staging.claim('incomplete', id, line);
  }

  /** Whether `refuseWhole` was called for the id. */
  isIncomplete(id: string): boolean {
    return this.staging.claimOf('incomplete', id) !== null;
  }

  /** Notes an order that is refused because of its lines, their number or their sum. */
  refuse(line: number, row: Named): void {
    if (this.staging.claimOf('refused', row.id) !== null) return;
    this.staging.claim('refused', row.id, line, this.staging.addRefused({ line, ...row }));
  }

  /**
   * Makes the id of a row that comes without one. The next run makes the same id, and so finds the stored row. For a
   * user, the id is made of the e-mail address. For a product, it is made of the name and a number that counts the
   * products of this name. The id begins with a control character, so that it differs from every id of a file.
   */
  idFor(data: unknown): string {
    if (this.kind === 'users') return `${MADE_UP}${emailKey((data as UserData).email)}`;
    const { name } = data as ProductData;
    return `${MADE_UP}${this.staging.count(name)}:${name}`;
  }

  stage(row: StagedRow): void {
    const keys = this.#keysOf(row);
    if (keys.some(({ kind, key }) => this.staging.claimOf(kind, key) !== null)) {
      this.staging.addRival(row);
      // A rival also claims its other key (id or address), if this key is free. So a later row with the same key
      // becomes a rival too, and is settled after this one.
      for (const { kind, key } of keys) this.staging.claim(kind, key, row.line);
      return;
    }
    const seq = this.staging.add(row);
    for (const { kind, key } of keys) this.staging.claim(kind, key, row.line, seq);
  }

  /** Removes the claims of a row that was refused. */
  release(row: StagedRow): void {
    for (const { kind, key } of this.#keysOf(row)) this.staging.release(kind, key, row.line);
  }

  /**
   * The faults of a rival. Call this method when all rows that are not rivals have been stored or refused. If the rival
   * has no faults, its id and address are free now, and it claims them.
   */
  settle(row: StagedRow): readonly Fault[] {
    const keys = this.#keysOf(row);
    // A made-up id is not reported, because it is not in the file. For such a row, the fault names the address.
    const faults = keys.flatMap(({ kind, key, value }): Fault[] => {
      const before = this.staging.claimOf(kind, key);
      if (before === null || before.line === row.line || key.startsWith(MADE_UP)) return [];
      const reason = kind === 'id' ? alreadyIn(before.line) : `is already the address in line ${before.line}`;
      const others = 'whose id or address is taken, as reported above';
      return [{ column: kind, value, reason, about: { key: `${kind} ${key}`, others } }];
    });
    if (faults.length > 0) this.release(row);
    else for (const { kind, key } of keys) this.staging.claim(kind, key, row.line);
    return faults;
  }

  /**
   * Many rows may have the same fault, such as a missing user. The fault is reported for the first row. For later rows,
   * it is marked as a consequence.
   */
  told({ about, ...fault }: Fault, line: number): Fault {
    if (about === undefined) return fault;
    const first = this.staging.claim('about', about.key, line);
    return first === null || first.line === line ? fault : { ...fault, follows: about.others };
  }

  #keysOf({ id, data }: Named): readonly Key[] {
    const own: Key = { kind: 'id', key: id, value: id };
    if (this.kind !== 'users') return [own];
    const { email } = data as UserData;
    return [own, { kind: 'email', key: emailKey(email), value: email }];
  }

  #isSame(kind: 'id' | 'refused', { id, data }: Named): boolean {
    const seq = this.staging.claimOf(kind, id)?.seq ?? null;
    return seq !== null && this.#text(this.staging.dataAt(seq)) === this.#text(data);
  }

  #text(data: unknown): string {
    if (!this.isApart) return JSON.stringify(data);
    const { items: _items, ...own } = data as Partial<OrderData>;
    return JSON.stringify(own);
  }
}
