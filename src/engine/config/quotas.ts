/** A number of units in a window of time. A request takes one unit, and more if it has a cost. */
export interface Quota {
  readonly units: number;
  readonly seconds: number;
}

/** The two groups with separate quotas: anonymous callers, counted by address, and callers with a credential. */
export type Policy = 'anonymous' | 'caller';

export type Quotas = Readonly<Record<Policy, Quota>>;

const DEFAULTS: Quotas = {
  anonymous: { units: 120, seconds: 60 },
  caller: { units: 1200, seconds: 60 },
};
export const DEFAULT_QUOTAS = 'anonymous=120/min,caller=1200/min';

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/**
 * Reads `anonymous=120/min,caller=1200/min`. An absent part has its default value. Returns null for `off`.
 *
 * @throws Error with a message that follows the name of the setting, such as «must be off …»
 */
export function parseQuotas(text: string): Quotas | null {
  if (text === 'off') return null;
  const quotas: Record<Policy, Quota> = { ...DEFAULTS };
  const given = new Set<string>();
  for (const part of text.split(',')) {
    const [, policy = '', units, unit = ''] =
      /^\s*(anonymous|caller)=([1-9]\d{0,8})\/(s|min|h)\s*$/.exec(part) ?? [];
    if (units === undefined || given.has(policy)) {
      throw new Error(`must be off, or a list such as ${DEFAULT_QUOTAS} (per s, min or h), not "${text}".`);
    }
    given.add(policy);
    quotas[policy as Policy] = { units: Number(units), seconds: SECONDS[unit] as number };
  }
  return quotas;
}
