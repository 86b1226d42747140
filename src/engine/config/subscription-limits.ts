import type { Policy } from './quotas.js';

/**
 * The number of WebSockets, and the number of units of subscriptions, that may be open at a time: for one address, for
 * one caller, and for the whole process.
 */
export type SubscriptionLimits = Readonly<Record<Policy | 'process', number>>;

const DEFAULTS: SubscriptionLimits = { anonymous: 200, caller: 2_000, process: 20_000 };
export const DEFAULT_SUBSCRIPTION_LIMITS = 'anonymous=200,caller=2000,process=20000';

/**
 * Reads `anonymous=200,caller=2000,process=20000`; absent parts have their defaults.
 *
 * @throws Error with a message that follows the name of the setting, such as «must be a list …»
 */
export function parseSubscriptionLimits(text: string): SubscriptionLimits {
  const limits = { ...DEFAULTS };
  const given = new Set<string>();
  for (const part of text.split(',')) {
    const [, name = '', count] = /^\s*(anonymous|caller|process)=([1-9]\d{0,6})\s*$/.exec(part) ?? [];
    if (count === undefined || given.has(name)) {
      throw new Error(`must be a list such as ${DEFAULT_SUBSCRIPTION_LIMITS}, not "${text}".`);
    }
    given.add(name);
    limits[name as Policy | 'process'] = Number(count);
  }
  return limits;
}
