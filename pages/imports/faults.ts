import { textStep } from '../../src/store/transfer/convert.js';
import { faultOfBraces, templateParts } from '../../src/store/transfer/template.js';
import {
  choiceOf,
  columnOf,
  columnsFor,
  isFromColumn,
  isOwn,
  ITEMS,
  keyOf,
  slotsOf,
  short,
  valuesOf,
  wordsFor,
  wordsIn,
  type Choice,
  type Choices,
  type MemberSlot,
  type Plan,
} from './mapping.js';
import { faultOfText } from './values.js';

/** A fault that must be corrected before the file is sent. */
export interface ChoiceFault {
  /** The key of the slot; null if the fault is about the whole file. */
  readonly key: string | null;
  readonly text: string;
}

export function faultsOf(plan: Plan, choices: Choices): ChoiceFault[] {
  const slots = slotsOf(plan);
  const isMapped = !isOwn(plan, choices);
  return [
    ...faultsOfHeader(plan),
    ...(isMapped ? faultsOfOwnFormat(plan, choices) : []),
    ...slots
      .filter((slot) => isMissing(plan, slot, choices, isMapped))
      .map(({ key }) => ({ key, text: MISSING })),
    ...slots.flatMap((slot) => {
      const choice = choiceOf(choices, slot.key);
      const text = choice.from === '' ? null : faultOfChoice(plan, slot, choices, choice);
      return text === null ? [] : [{ key: slot.key, text }];
    }),
  ];
}

const MISSING = 'is required';

function isMissing(
  plan: Plan,
  { key, of, member }: MemberSlot,
  choices: Choices,
  isMapped: boolean,
): boolean {
  if (!member.required || choiceOf(choices, key).from !== '') return false;
  // Without a mapping, the importer reads the lines of an order by the names of the store's own format.
  return of !== 'items' || plan.options.isLines || isMapped;
}

/** A column that occurs more than once. The importer refuses such a file. */
function faultsOfHeader({ head }: Plan): ChoiceFault[] {
  const seen = new Set<string>();
  const repeated = head.columns.map(keyOf).find((key) => seen.has(key) || !seen.add(key));
  return repeated === undefined
    ? []
    : [
        {
          key: null,
          text: `The file has the column “${short(repeated)}” more than once. Use each name once in the file.`,
        },
      ];
}

/** Some columns of the store's own format cannot be read with a mapping. With a mapping, such a column is a fault. */
function faultsOfOwnFormat(plan: Plan, choices: Choices): ChoiceFault[] {
  const { members, options, head } = plan;
  const own = [...members[options.kind].own, ...members.items.own];
  const minor = slotsOf(plan)
    .map(({ key }) => columnOf(plan, choiceOf(choices, key))?.name ?? '')
    .find((name) => /\.(amount|currency)$/.test(name) && own.includes(name));
  const isJson = options.kind === 'orders' && !options.isLines && head.format === 'csv';
  const subjects = [
    ...(minor === undefined ? [] : [`“${minor}”`]),
    ...(isJson ? ['Orders with a column “items”'] : []),
  ];
  return subjects.map((subject) => ({
    key: null,
    text: `${subject} can be read only if all columns have the names of the store. Remove the other columns from the file.`,
  }));
}

function faultOfChoice(plan: Plan, slot: MemberSlot, choices: Choices, choice: Choice): string | null {
  if (slot.key === ITEMS) return null;
  return (
    faultOfSource(plan, slot, choices, choice) ??
    faultOfWords(slot, choice) ??
    (choice.from !== 'value' && choice.absence === 'default'
      ? before('The value for rows without one', faultOfText(plan.options, slot, choice, choice.default))
      : null)
  );
}

const before = (subject: string, fault: string | null): string | null =>
  fault === null ? null : `${subject} ${fault}.`;

function faultOfSource(plan: Plan, slot: MemberSlot, choices: Choices, choice: Choice): string | null {
  const { from, value, template } = choice;
  if (from === 'value') return before('The fixed value', faultOfText(plan.options, slot, choice, value));
  if (from !== 'template') return null;
  if (template.trim() === '') return 'The text needs at least one column in braces.';
  const braces = faultOfBraces(template);
  if (braces !== null) return `The text ${braces}.`;
  const parts = templateParts(template).filter((part) => typeof part !== 'string');
  if (parts.length === 0) return 'The text needs at least one column in braces.';
  const names = columnsFor(plan, slot, choices).map(({ name }) => name);
  const other = parts.find(({ column }) => !names.includes(column));
  if (other) return `The text names the column “${short(other.column)}”, which the file does not have.`;
  const step = parts
    .flatMap(({ steps }) => steps)
    .map(textStep)
    .find((each) => typeof each === 'string');
  return step === undefined ? null : `The text ${step}.`;
}

function faultOfWords({ member }: MemberSlot, choice: Choice): string | null {
  if (!isFromColumn(choice) && (choice.from !== 'template' || member.type !== 'boolean')) return null;
  const lists = valuesOf(member).map((value) => wordsIn(choice.words[value] ?? ''));
  const all = lists.flat();
  const double = all.find((word, index) => all.indexOf(word) < index);
  if (double !== undefined) return `The word “${double}” has two meanings.`;
  const given = lists.filter((words) => words.length > 0).length;
  return member.type === 'boolean' && given === 1 ? 'Give words for yes and for no.' : null;
}

/** The faults in a few sentences. */
export function inWords(faults: readonly ChoiceFault[]): string {
  const missing = faults.filter(({ text }) => text === MISSING).map(({ key }) => `“${wordsFor(key ?? '')}”`);
  const others = faults
    .filter(({ text }) => text !== MISSING)
    .map(({ key, text }) => (key === null ? text : `“${wordsFor(key)}”: ${text}`));
  const all =
    missing.length === 0
      ? []
      : [`Still missing: ${missing.join(', ')}. Choose a column or a value for each.`];
  return [...all, ...others].join(' ');
}
