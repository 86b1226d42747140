import type { Dto, Inner } from '../../rules/members.js';
import { MOST_FAULTS, type Fault } from '../errors/errors.js';
import type { Currency } from '../values/currency.js';
import { pointerOf } from './pointer.js';

/**
 * Adds the faults of amounts of money that depend on the currency of the store, so that one answer names them together
 * with all other faults. A place that has a fault gets no second one. If `faults` is empty, nothing is added: then the
 * handler gets the body, and checks its amounts.
 *
 * @param dto the class of the body; inner objects other than amounts are not read
 * @param faults the faults of the request
 */
export function addMoneyFaults(dto: Dto, body: unknown, currency: Currency, faults: Fault[]): void {
  if (faults.length === 0 || typeof body !== 'object' || body === null) return;
  const places = faults.map(({ pointer }) => pointer);
  for (const [name, { inner }] of dto.shape.members) {
    const value: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (!isMoney(inner) || typeof value !== 'object' || value === null) continue;
    const more = currency
      .faultsOf(value, pointerOf([name]))
      .filter(({ pointer }) => !places.includes(pointer));
    faults.push(...more.slice(0, Math.max(0, MOST_FAULTS - faults.length)));
  }
}

function isMoney(inner: Inner | undefined): boolean {
  if (inner === undefined || !('dto' in inner)) return false;
  return [...inner.dto().shape.members.keys()].join() === 'amount,currency';
}
