import type { MemberType } from './members.js';

/** A value of a row: texts and decimals are texts, instants milliseconds. */
export type Value = string | number | boolean;

/** How the text of a column is read; what a mapping says beyond the type of the member. */
export interface Reading {
  readonly truths: readonly string[];
  readonly falsehoods: readonly string[];
  /** Null: ISO 8601. */
  readonly date: DatePattern | null;
  readonly decimalMark: '.' | ',';
}

export const PLAIN: Reading = { truths: ['true'], falsehoods: ['false'], date: null, decimalMark: '.' };

/** Null when the text is no such value; `expectation` says what it should have been. */
export function convert(type: MemberType, text: string, reading: Reading): Value | null {
  if (type === 'text') return text;
  const trimmed = text.trim();
  switch (type) {
    case 'boolean':
      if (reading.truths.includes(trimmed)) return true;
      return reading.falsehoods.includes(trimmed) ? false : null;
    case 'integer':
      return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
    case 'decimal':
      return decimal(trimmed, reading.decimalMark);
    default:
      return instant(trimmed, reading.date ?? ISO);
  }
}

export function expectation(type: MemberType, { truths, falsehoods, date, decimalMark }: Reading): string {
  switch (type) {
    case 'boolean':
      return `must be ${[...truths, ...falsehoods].map((word) => `"${word}"`).join(' or ')}`;
    case 'integer':
      return 'must be a whole number';
    case 'decimal':
      return `must be a number such as 18${decimalMark}50, without separators of thousands`;
    case 'instant':
      return `must be a date that exists, written as ${(date ?? ISO).text}`;
    default:
      return 'must be a text';
  }
}

function decimal(text: string, mark: '.' | ','): string | null {
  const match = /^(-?)(\d{1,15})(?:([.,])(\d{1,15}))?$/.exec(text);
  if (!match || (match[3] !== undefined && match[3] !== mark)) return null;
  return match[4] === undefined ? `${match[1]}${match[2]}` : `${match[1]}${match[2]}.${match[4]}`;
}

export interface DatePattern {
  /** As the mapping has it. */
  readonly text: string;
  readonly expression: RegExp;
}

const ISO: DatePattern = {
  text: '1996-07-04, 1996-07-04 13:30:00.000 or 1996-07-04T13:30:00Z',
  expression:
    /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:[T ](?<hh>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d)(?:\.(?<SSS>\d{1,3})\d{0,6})?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/,
};

const PARTS: Readonly<Record<string, string>> = {
  YYYY: '\\d{4}',
  MM: '\\d\\d',
  M: '\\d\\d?',
  DD: '\\d\\d',
  D: '\\d\\d?',
  hh: '\\d\\d',
  mm: '\\d\\d',
  ss: '\\d\\d',
  SSS: '\\d{3}',
};

/** Reads a pattern such as `DD.MM.YYYY hh:mm`; null when it has no year, month or day, or one of them twice. */
export function datePattern(text: string): DatePattern | null {
  const names: string[] = [];
  const source = text.replaceAll(/YYYY|MM?|DD?|hh|mm|ss|SSS|[^A-Za-z]|[A-Za-z]/g, (part) => {
    const digits = PARTS[part];
    if (digits === undefined) return part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    const name = part === 'M' || part === 'D' ? part + part : part;
    names.push(name);
    return `(?<${name}>${digits})`;
  });
  const isWhole = ['YYYY', 'MM', 'DD'].every((name) => names.includes(name));
  if (!isWhole || new Set(names).size < names.length) return null;
  return { text, expression: new RegExp(`^${source}$`, 'u') };
}

/** Without a zone it is UTC, without a time midnight. Days that a month does not have are refused. */
function instant(text: string, { expression }: DatePattern): number | null {
  const groups = expression.exec(text)?.groups;
  if (!groups) return null;
  const part = (name: string): number => Number(groups[name] ?? 0);
  const [year, month, day, hour, minute, second] = ['YYYY', 'MM', 'DD', 'hh', 'mm', 'ss'].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, second, Number((groups['SSS'] ?? '').padEnd(3, '0')));
  const isReal =
    year > 0 && at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  if (!isReal || hour > 23 || minute > 59 || second > 59) return null;
  return at.getTime() - zoneMs(groups['zone']);
}

function zoneMs(zone: string | undefined): number {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '');
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}

export type TextStep = (text: string) => string;

/** The conversions that a mapping can name, in `convert` and in templates. */
export const TEXT_STEPS: Readonly<Record<string, TextStep>> = {
  trim: (text) => text.trim(),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  // What may stand in an address: letters without accents, digits, and dots between them.
  slug: (text) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{Mn}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '.')
      .replaceAll(/^\.|\.$/g, ''),
};
