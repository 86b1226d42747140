/** The form in which dates and times are written in a column. */
export interface DatePattern {
  /** The pattern as the mapping has it. */
  readonly text: string;
  readonly expression: RegExp;
}

export const ISO: DatePattern = {
  text: '1996-07-04, 1996-07-04 13:30:00.000 or 1996-07-04T13:30:00Z',
  expression:
    /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:[T ](?<hh>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d)(?:\.(?<SSS>\d{1,3})\d{0,6})?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/,
};

interface Part {
  /** The meaning of the part: `M` and `MM` both mean a month. */
  readonly name: string;
  readonly source: string;
  /** Whether the part may have one digit or two. If so, a digit directly after the part would be ambiguous. */
  readonly isOpen: boolean;
}

const part = (name: string, source: string, isOpen = false): Part => ({ name, source, isOpen });

const PARTS: Readonly<Record<string, Part>> = {
  YYYY: part('YYYY', '\\d{4}'),
  MM: part('MM', '\\d\\d'),
  M: part('MM', '\\d\\d?', true),
  DD: part('DD', '\\d\\d'),
  D: part('DD', '\\d\\d?', true),
  HH: part('hh', '\\d\\d'),
  H: part('hh', '\\d\\d?', true),
  hh: part('hh', '\\d\\d'),
  h: part('hh', '\\d\\d?', true),
  mm: part('mm', '\\d\\d'),
  m: part('mm', '\\d\\d?', true),
  ss: part('ss', '\\d\\d'),
  s: part('ss', '\\d\\d?', true),
  SSS: part('SSS', '\\d{3}'),
  A: part('half', '[AaPp]\\.?[Mm]\\.?'),
  a: part('half', '[AaPp]\\.?[Mm]\\.?'),
  Z: part('zone', 'Z|[+-]\\d\\d:?\\d\\d'),
};

/** The parts of a pattern, for the messages about wrong patterns. */
const LETTERS =
  'The parts are YYYY, MM or M, DD or D, hh or h (also HH, H), mm or m, ss or s, SSS, A (AM or PM) and Z (Z or +02:00); ' +
  'M, D, h, H, m and s are one digit or two, T is the letter T, and other words are in brackets, as in [at]';

/** The part that each of these parts needs. For example, minutes have no meaning without hours. */
const NEEDS: Readonly<Record<string, string>> = { mm: 'hh', ss: 'mm', SSS: 'ss', half: 'hh', zone: 'hh' };
const WRITTEN: Readonly<Record<string, string>> = { half: 'A', zone: 'Z' };

const TOKENS = /\[([^[\]]*)\]|YYYY|MM?|DD?|HH?|hh?|mm?|ss?|SSS|A|a|T|Z|[A-Za-z]+|[^]/gu;

/**
 * Reads a pattern such as `DD.MM.YYYY hh:mm` or `M/D/YYYY h:mm A`. If the pattern is wrong, the result is a text that
 * says why.
 */
export function datePattern(text: string): DatePattern | string {
  const sources: string[] = [];
  let open: string | null = null;
  let has24Hours = false;
  const names: string[] = [];
  for (const [token, literal] of text.matchAll(TOKENS)) {
    const found = Object.hasOwn(PARTS, token) ? PARTS[token] : undefined;
    if (found === undefined) {
      if (literal === undefined && token !== 'T' && /[A-Za-z[\]]/.test(token)) {
        return `has «${token}», which is not a part of a pattern. ${LETTERS}`;
      }
      const words = literal ?? token;
      if (open !== null && /^\d/.test(words))
        return `has a digit directly after «${open}». Write ${open}${open}`;
      sources.push(escaped(words));
      if (words !== '') open = null;
      continue;
    }
    if (names.includes(found.name)) return `has «${token}», but that part is already there. ${LETTERS}`;
    if (open !== null && found.source.startsWith('\\d')) {
      return `has «${token}» directly after «${open}», so it is not clear where the first part ends. Write ${open}${open}`;
    }
    names.push(found.name);
    has24Hours ||= token.startsWith('H');
    open = found.isOpen ? token : null;
    sources.push(`(?<${found.name}>${found.source})`);
  }
  return faultOf(names, has24Hours) ?? { text, expression: new RegExp(`^${sources.join('')}$`, 'u') };
}

function faultOf(names: readonly string[], has24Hours: boolean): string | null {
  const missing = ['YYYY', 'MM', 'DD'].find((name) => !names.includes(name));
  if (missing !== undefined) return `must have YYYY, MM and DD once each, and has no ${missing}. ${LETTERS}`;
  const lonely = names.find((name) => NEEDS[name] !== undefined && !names.includes(NEEDS[name]));
  if (lonely !== undefined) return `has ${WRITTEN[lonely] ?? lonely} without ${NEEDS[lonely]}. ${LETTERS}`;
  if (has24Hours && names.includes('half')) return 'has AM or PM with hours up to 23: write h or hh';
  return null;
}

function escaped(literal: string): string {
  return literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The contracts have times in the years 1 to 9999 only. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The time in milliseconds. Null if the text does not fit the pattern, or if the date, the time or the zone does not
 * exist. A text without a zone is in UTC. A text without a time means midnight.
 */
export function instant(text: string, { expression }: DatePattern): number | null {
  const groups = expression.exec(text)?.groups;
  if (!groups) return null;
  const number = (name: string): number => Number(groups[name] ?? 0);
  const [year, month, day, minute, second] = [
    number('YYYY'),
    number('MM'),
    number('DD'),
    number('mm'),
    number('ss'),
  ];
  const hour = hourOf(number('hh'), groups['half']);
  if (hour === null || hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, second, Number((groups['SSS'] ?? '').padEnd(3, '0')));
  const isReal =
    year > 0 && at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  const zone = zoneMs(groups['zone']);
  if (!isReal || zone === null) return null;
  // In UTC, a time may be in another year than in its zone.
  const time = at.getTime() - zone;
  return time >= FIRST_MS && time <= LAST_MS ? time : null;
}

/** On a clock of twelve hours, twelve comes before one: 12:30 AM is half an hour after midnight. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

/** Null for a zone that does not exist. As in RFC 3339, a zone has hours up to 23 and minutes up to 59. */
function zoneMs(zone: string | undefined): number | null {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '');
  if (!match) return 0;
  const [hours, minutes] = [Number(match[2]), Number(match[3])];
  if (hours > 23 || minutes > 59) return null;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
