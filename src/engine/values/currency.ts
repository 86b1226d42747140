import { ValidationFailed, type Fault } from '../errors/errors.js';

// The minor units are those of ISO 4217. The number of decimals in Intl is not used, because for some currencies it
// differs from the standard, and it may change with a new version of Node.
const WITHOUT_MINOR_UNITS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const WITH_FINER_UNITS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND CLF UYW'.split(' '));

/** The highest price of a product, in major units, as in the schema `Price` of the contract. */
const HIGHEST_PRICE = 10_000_000;

/** An amount in minor units. */
export interface Money {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/**
 * Converts decimal amounts in major units, which clients write, to the integer minor units that are stored, and back.
 * Sums are never computed with decimals.
 */
export class Currency {
  /** 100 for dollars and cents, 1 for yen. */
  private readonly minorPerMajor: number;

  constructor(readonly code: string) {
    this.minorPerMajor = WITHOUT_MINOR_UNITS.has(code) ? 1 : 100;
  }

  /** Whether the contract can express amounts of this currency. The contract has at most two decimals. */
  static isSupported(code: string): boolean {
    return Intl.supportedValuesOf('currency').includes(code) && !WITH_FINER_UNITS.has(code);
  }

  /** The number of decimals of an amount in major units. */
  get decimals(): number {
    return this.minorPerMajor === 1 ? 0 : 2;
  }

  /**
   * The result is exact for every amount that the contract allows: at most two decimals, below 2^53 / 100.
   *
   * @param place the place of the amount in the request, for the fault
   * @throws ValidationFailed for an amount that the currency cannot have, such as half a yen
   */
  toMinor(major: number, place: Pick<Fault, 'pointer' | 'parameter'>): number {
    const minor = major * this.minorPerMajor;
    if (this.minorPerMajor === 1 && !Number.isInteger(minor)) {
      const detail = `must be a whole number: ${this.code} has no minor units`;
      throw new ValidationFailed([{ ...place, code: 'NOT_A_MULTIPLE', detail }]);
    }
    return Math.round(minor);
  }

  toMajor(minor: number): number {
    return minor / this.minorPerMajor;
  }

  /** The form of amounts in version 2. */
  toMoney(minor: number): Money {
    return { amount: minor, currency: this.code };
  }

  /**
   * Converts a price in the form of version 2 to major units.
   *
   * @param pointer the pointer to the price in the request, for the faults
   * @throws ValidationFailed for another currency, or a price above the maximum of the contract
   */
  priceOf(price: Money, pointer: string): number {
    const faults = this.faultsOf(price, pointer);
    if (faults.length > 0) throw new ValidationFailed(faults);
    return this.toMajor(price.amount);
  }

  /**
   * The faults that the contract cannot describe, because they depend on the currency of the store. Faults of other
   * kinds, such as an amount that is a text, are not found here.
   *
   * @param pointer the pointer to the price in the request
   */
  faultsOf({ amount, currency }: Partial<Record<keyof Money, unknown>>, pointer: string): Fault[] {
    const faults: Fault[] = [];
    if (typeof currency === 'string' && currency !== this.code) {
      const detail = `must be ${this.code}, the currency of this store`;
      faults.push({ pointer: `${pointer}/currency`, code: 'WRONG_VALUE', detail });
    }
    if (typeof amount === 'number' && this.toMajor(amount) > HIGHEST_PRICE) {
      const detail = `must be at most ${HIGHEST_PRICE * this.minorPerMajor}`;
      faults.push({ pointer: `${pointer}/amount`, code: 'TOO_LARGE', detail });
    }
    return faults;
  }
}
