import { ValidationFailed, type Fault } from './errors.js';

// ISO 4217, not the digits that Intl shows: those follow custom, and change with the version of its data.
const WITHOUT_MINOR_UNITS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const WITH_FINER_UNITS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND CLF UYW'.split(' '));

/**
 * Turns decimal amounts of major units, as clients write them, into the integer minor units that are stored, and
 * back. No sum is ever made of decimals.
 */
export class Currency {
  /** 100 for dollars and cents, 1 for yen. */
  private readonly minorPerMajor: number;

  constructor(readonly code: string) {
    this.minorPerMajor = WITHOUT_MINOR_UNITS.has(code) ? 1 : 100;
  }

  /** Whether the contract, which speaks of hundredths, can express this currency. */
  static isSupported(code: string): boolean {
    return Intl.supportedValuesOf('currency').includes(code) && !WITH_FINER_UNITS.has(code);
  }

  /**
   * Exact for every amount that the contract lets through: at most two decimals, below 2^53 / 100.
   *
   * @param place of the amount in the request, for the fault
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
}
