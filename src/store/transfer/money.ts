/**
 * Arithmetic on amounts that are written as decimal texts. It uses whole numbers only, because the discounts of real
 * data give fractions of a cent, and floating point would round some of them the wrong way.
 */

/** A decimal: the whole number `units`, times 10^-`places`. */
interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

function scaled(decimal: string): Scaled {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return { units: BigInt(whole + fraction), places: fraction.length };
}

/** The minor units of an amount in major units; null when the currency has no such amount, such as 0.005 dollars. */
export function minorOf(decimal: string, minorPerMajor: number): number | null {
  const { units, places } = scaled(decimal);
  const product = units * BigInt(minorPerMajor);
  const scale = 10n ** BigInt(places);
  return product % scale === 0n ? Number(product / scale) : null;
}

/** Unit price × quantity × (1 − discount), rounded half-up to a whole minor unit. */
export function lineTotal(unitPriceMinor: number, quantity: number, discount: string): number {
  const { units, places } = scaled(discount);
  const scale = 10n ** BigInt(places);
  const exact = BigInt(unitPriceMinor) * BigInt(quantity) * (scale - units);
  return Number((2n * exact + scale) / (2n * scale));
}

/** `18.50`, with as many decimals as the currency has. */
export function decimalOf(minor: number, minorPerMajor: number): string {
  if (minorPerMajor === 1) return String(minor);
  const whole = Math.floor(minor / minorPerMajor);
  return `${whole}.${String(minor - whole * minorPerMajor).padStart(2, '0')}`;
}
