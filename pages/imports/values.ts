import {
  convert,
  expectation,
  DEFAULT_READING,
  stepped,
  textStep,
  type Reading,
  type TextStep,
} from '../../src/store/transfer/convert.js';
import { datePattern } from '../../src/store/transfer/date-pattern.js';
import { templateParts } from '../../src/store/transfer/template.js';
import type { Column } from './file-head.js';
import {
  choiceOf,
  columnOf,
  columnsFor,
  flagWords,
  isFromColumn,
  ITEMS,
  short,
  textFor,
  valuesOf,
  wordsIn,
  type Choice,
  type Choices,
  type Options,
  type MemberSlot,
  type Plan,
} from './mapping.js';

/* The value that a member gets from the first rows of the file. The importer reads texts in the same way. */

const MOST_SHOWN = 80;

/** A fault of a pattern of dates; null if it has none. */
export function faultOfDate(pattern: string): string | null {
  const read = pattern === '' ? null : datePattern(pattern);
  return typeof read === 'string' ? read : null;
}

/** Says what is wrong with a fixed text; null if the member accepts it. */
export function faultOfText(
  options: Options,
  { member }: MemberSlot,
  choice: Choice,
  value: string,
): string | null {
  const text = textFor(member, choice, value);
  const reading = readingOf(options, choice);
  if (text.trim() === '') return 'needs a text';
  return convert(member.type, text, reading) === null ? expectation(member.type, reading) : null;
}

function readingOf({ date, decimalMark }: Options, choice: Choice): Reading {
  const pattern = date === '' ? null : datePattern(date);
  return {
    ...DEFAULT_READING,
    ...flagWords(choice),
    date: typeof pattern === 'string' ? null : pattern,
    decimalMark: decimalMark === ',' ? ',' : '.',
  };
}

/**
 * The first value of a member, or the reason why the first value is refused.
 *
 * @param isMapped whether a mapping is sent
 */
export function firstValue(
  plan: Plan,
  slot: MemberSlot,
  choices: Choices,
  isMapped: boolean,
): { text: string; isFault: boolean } {
  const { options } = plan;
  const { member, key } = slot;
  const choice = choiceOf(choices, key);
  const text = firstText(plan, slot, choices);
  if (text === null) return { text: '', isFault: false };
  if (key === ITEMS || !isMapped) return { text: short(text, MOST_SHOWN), isFault: false };
  const reading = readingOf(options, choice);
  const value = convert(member.type, text, reading);
  if (value === null) {
    return { text: `“${short(text)}” ${expectation(member.type, reading)}`, isFault: true };
  }
  if (member.type === 'instant') return { text: instantIn(Number(value)), isFault: false };
  return { text: short(String(value), MOST_SHOWN), isFault: false };
}

function firstText(plan: Plan, slot: MemberSlot, choices: Choices): string | null {
  const choice = choiceOf(choices, slot.key);
  const isAbsent = absenceBy(plan.options);
  const fallback = choice.absence === 'default' ? textFor(slot.member, choice, choice.default) : null;
  if (choice.from === 'value') return textFor(slot.member, choice, choice.value) || null;
  if (choice.from === 'template') {
    return firstOfTemplate(choice.template, columnsFor(plan, slot, choices), isAbsent) ?? fallback;
  }
  const found = columnOf(plan, choice)?.values.find((value) => !isAbsent(value));
  if (found === undefined || !isFromColumn(choice)) return fallback;
  if (slot.member.type === 'boolean') return found;
  return valuesOf(slot.member).find((value) => wordsIn(choice.words[value] ?? '').includes(found)) ?? found;
}

function absenceBy({ absent }: Options): (text: string) => boolean {
  const words = new Set(['', ...wordsIn(absent)]);
  return (text) => words.has(text.trim());
}

/** The text of the first row in which each column of the template has a value. */
function firstOfTemplate(
  template: string,
  columns: readonly Column[],
  isAbsent: (text: string) => boolean,
): string | null {
  const parts = templateParts(template).map((part) => {
    if (typeof part === 'string') return part;
    const values = columns.find(({ name }) => name === part.column)?.values ?? [];
    return {
      values,
      steps: part.steps.map(textStep).filter((step): step is TextStep => typeof step !== 'string'),
    };
  });
  const rows = Math.max(1, ...columns.slice(0, 1).map(({ values }) => values.length));
  for (let row = 0; row < rows; row += 1) {
    const texts = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = part.values[row] ?? '';
      return isAbsent(value) ? null : stepped(value, part.steps);
    });
    if (!texts.includes(null)) return texts.join('') || null;
  }
  return null;
}

function instantIn(value: number): string {
  return `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
