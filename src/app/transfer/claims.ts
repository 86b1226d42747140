import { emailKey } from '../../store/users/email-key.js';
import type { Fault } from './raw-row.js';
import type { Kind } from './members.js';
import type { OrderData, ProductData, UserData } from './prepare.js';
import type { StagedRow, Staging } from './staging.js';

interface Named {
  readonly id: string;
  readonly data: unknown;
}

const MADE_UP = '\u0001';

interface Key {
  readonly kind: 'id' | 'email';
  readonly key: string;
  readonly value: string;
}

/**
 * Which row of a file an id or an address belongs to: the first one that goes in. A row that is refused has no claim,
 * whether it is wrong in itself or the store does not take it. A row that says what an earlier one says is no fault:
 * files with a row for each line of an order repeat the order.
 */
export class Claims {
  constructor(
    private readonly staging: Staging,
    private readonly kind: Kind,
    /** Whether the lines of orders stand in a file of their own. */
    private readonly isApart: boolean,
  ) {}

  /** The row is there, be it refused: lines that name it are not astray. */
  see(id: string, line: number): void {
    if (this.isApart && id !== '') this.staging.claim('seen', id, line);
  }

  /** Whether a row that waits already says the same. */
  isRepeat(row: Named): boolean {
    return this.#isSame('id', row);
  }

  /** The line of a refused row that says the same, or null. */
  refusedAt(row: Named): number | null {
    return this.#isSame('refused', row) ? (this.staging.claimOf('refused', row.id)?.line ?? null) : null;
  }

  /** A row that is refused for something that stands elsewhere, such as its lines. */
  refuse(line: number, row: Named): void {
    if (this.staging.claimOf('refused', row.id) !== null) return;
    this.staging.claim('refused', row.id, line, this.staging.addRefused({ line, ...row }));
  }

  /**
   * The id of a row that comes without one, by which it is known in the next run: a user by the address, a product by its
   * name, and which of that name it is. No id of a file begins with a control character.
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
      // Behind it come others in their turn, those who want what nobody else has among them.
      for (const { kind, key } of keys) this.staging.claim(kind, key, row.line);
      return;
    }
    const seq = this.staging.add(row);
    for (const { kind, key } of keys) this.staging.claim(kind, key, row.line, seq);
  }

  /** Of a row that the store has refused. */
  release(row: StagedRow): void {
    for (const { kind, key } of this.#keysOf(row)) this.staging.release(kind, key, row.line);
  }

  /** What is wrong with a rival when all others have gone in; with nothing, it takes the place of one that has not. */
  settle(row: StagedRow): readonly Fault[] {
    const keys = this.#keysOf(row);
    // Of a made-up id only the address is told.
    const faults = keys.flatMap(({ kind, key, value }): Fault[] => {
      const before = this.staging.claimOf(kind, key);
      if (before === null || before.line === row.line || key.startsWith(MADE_UP)) return [];
      const reason =
        kind === 'id'
          ? `was in line ${before.line} already, with other values`
          : `is that of line ${before.line} already`;
      const others = 'with an id or address that is named above as taken';
      return [{ column: kind, value, reason, about: { key: `${kind} ${key}`, others } }];
    });
    if (faults.length > 0) this.release(row);
    else for (const { kind, key } of keys) this.staging.claim(kind, key, row.line);
    return faults;
  }

  /** The first row that says something is told; what says the same follows from it. */
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
