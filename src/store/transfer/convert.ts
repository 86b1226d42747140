import { instant, ISO, type DatePattern } from './date-pattern.js';
import type { MemberType } from './members.js';

/** A value of a row. Texts and decimals are strings; instants are milliseconds. */
export type Value = string | number | boolean;

/** The settings of a mapping that say how a text is read, in addition to the type of the member. */
export interface Reading {
  readonly truths: readonly string[];
  readonly falsehoods: readonly string[];
  /** Null for ISO 8601. */
  readonly date: DatePattern | null;
  readonly decimalMark: '.' | ',';
}

export const DEFAULT_READING: Reading = {
  truths: ['true'],
  falsehoods: ['false'],
  date: null,
  decimalMark: '.',
};

/** Null if the text is not a value of this type. Then `expectation` gives the reason of the fault. */
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

export type TextStep = (text: string) => string;

/**
 * The length above which a text is not converted further. The row with this text is refused. The length is far above
 * the bounds of all members. Without this bound, a mapping could make a text so long that the memory is used up.
 */
export const MOST_TEXT = 10_000;

/** Applies the conversions in turn, until the text is too long. */
export function stepped(text: string, steps: readonly TextStep[]): string {
  let value = text;
  for (const step of steps) {
    if (value.length > MOST_TEXT) return value;
    value = step(value);
  }
  return value;
}

/** Replaces the text `from` wherever it occurs. The replacement stops when the result is too long. */
export function replacement(from: string, to: string): TextStep {
  return (text) => {
    let result = '';
    let at = 0;
    while (result.length <= MOST_TEXT) {
      const found = text.indexOf(from, at);
      if (found === -1) return result + text.slice(at);
      result += text.slice(at, found) + to;
      at = found + from.length;
    }
    return result;
  };
}

/** The conversions that a mapping can name, in `convert` and in templates. */
export const TEXT_STEPS: Readonly<Record<string, TextStep>> = {
  trim: (text) => text.trim(),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  // The result can be the part of an e-mail address before the @: it has only the letters a to z, digits and dots.
  // Accents are removed, and one dot replaces each sequence of other characters.
  slug: (text) =>
    text
      .normalize('NFKD')
      .replaceAll(/\p{Mn}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '.')
      .replaceAll(/^\.|\.$/g, ''),
};

/** The conversion with this name. If there is none, the result is a text that says so. */
export function textStep(name: string): TextStep | string {
  const step = Object.hasOwn(TEXT_STEPS, name) ? TEXT_STEPS[name] : undefined;
  return (
    step ??
    `has the conversion «${name}», which does not exist. The conversions are: ${Object.keys(TEXT_STEPS).join(', ')}`
  );
}
