import { InvalidArgumentError } from 'commander';
import { WrongUsage } from '../../store/transfer/failure.js';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const MONTHS = { mo: 1, y: 12 };
const MOST_LISTED = 100_000;

/** The id of an object. The error does not show the given text, which may be a secret. */
export function idIn(text: string, what: string): number {
  const id = idOrNull(text);
  if (id !== null) return id;
  throw new WrongUsage(`The id of ${what} is a whole number, as "list" shows it.`);
}

/** Returns null if the text is not an id. */
export function idOrNull(text: string): number | null {
  const id = Number(/^[1-9]\d{0,15}$/.exec(text)?.[0]);
  return Number.isSafeInteger(id) ? id : null;
}

/** For an option: `90s`, `30m`, `1h`, `7d`, `1w`, or `0`. */
export function durationMs(text: string): number {
  const match = /^(?:0|([1-9]\d{0,5})([smhdw]))$/.exec(text);
  if (!match) throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 1h, 7d or 1w, or 0.');
  return match[1] === undefined ? 0 : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/**
 * For an option: a date, a moment (RFC 3339), or a duration that begins now. A duration can also be in months or years.
 * Returns the moment in the form of RFC 3339. A given moment is returned as it is; the rules of the contract check it
 * later.
 */
export function momentIn(text: string): string {
  if (/^[1-9]\d{0,5}[smhdw]$/.test(text)) return new Date(Date.now() + durationMs(text)).toISOString();
  const [, count, unit] = /^([1-9]\d{0,2})(mo|y)$/.exec(text) ?? [];
  if (count !== undefined) {
    return afterMonths(new Date(), Number(count) * MONTHS[unit as keyof typeof MONTHS]).toISOString();
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  if (/^\d{4}-\d\d-\d\d[Tt ]/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be a duration (90s, 30m, 12h, 30d, 6w, 6mo or 1y), a date (2027-03-01) or a moment (2027-03-01T12:00:00Z).',
  );
}

/** The same day in the later month, or the last day of that month if the month is shorter. */
function afterMonths(from: Date, months: number): Date {
  const day = from.getUTCDate();
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at;
}

/** For an option: a list, separated by commas or spaces. */
export function listIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '');
}

/** For an option: the largest number of rows in a list. */
export function limitIn(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Infinity;
  if (limit <= MOST_LISTED) return limit;
  throw new InvalidArgumentError('It must be a whole number from 1 to 100000.');
}
