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
  placesOf,
  short,
  valuesOf,
  wordsFor,
  wordsIn,
  type Choice,
  type Choices,
  type Place,
  type Plan,
} from './mapping.js';
import { faultOfText } from './values.js';

/** A fault that must be corrected before the file is sent. */
export interface ChoiceFault {
  /** The key of the place; null if the fault is about the whole file. */
  readonly key: string | null;
  readonly text: string;
}

export function faultsOf(plan: Plan, choices: Choices): ChoiceFault[] {
  const places = placesOf(plan);
  const isMapped = !isOwn(plan, choices);
  return [
    ...faultsOfHeader(plan),
    ...(isMapped ? faultsOfForm(plan, choices) : []),
    ...places
      .filter((place) => isMissing(plan, place, choices, isMapped))
      .map(({ key }) => ({ key, text: MISSING })),
    ...places.flatMap((place) => {
      const choice = choiceOf(choices, place.key);
      const text = choice.from === '' ? null : faultOfChoice(plan, place, choices, choice);
      return text === null ? [] : [{ key: place.key, text }];
    }),
  ];
}

const MISSING = 'is required';

function isMissing(plan: Plan, { key, of, member }: Place, choices: Choices, isMapped: boolean): boolean {
  if (!member.required || choiceOf(choices, key).from !== '') return false;
  // Without a mapping, the importer reads the lines of an order by their own names.
  return of !== 'items' || plan.options.isLines || isMapped;
}

/** A column that occurs twice. The importer refuses such a file. */
function faultsOfHeader({ head }: Plan): ChoiceFault[] {
  const seen = new Set<string>();
  const twice = head.columns.map(keyOf).find((key) => seen.has(key) || !seen.add(key));
  return twice === undefined
    ? []
    : [
        {
          key: null,
          text: `The file has the column “${short(twice)}” twice. Rename one of them in the file.`,
        },
      ];
}

/** The faults of columns that a file may have only if all its columns have the names of the store. */
function faultsOfForm(plan: Plan, choices: Choices): ChoiceFault[] {
  const { members, options, head } = plan;
  const own = [...members[options.kind].own, ...members.items.own];
  const minor = placesOf(plan)
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

function faultOfChoice(plan: Plan, place: Place, choices: Choices, choice: Choice): string | null {
  if (place.key === ITEMS) return null;
  return (
    faultOfSource(plan, place, choices, choice) ??
    faultOfWords(place, choice) ??
    (choice.from !== 'value' && choice.absence === 'default'
      ? before('The value for rows without one', faultOfText(plan.options, place, choice, choice.default))
      : null)
  );
}

const before = (subject: string, fault: string | null): string | null =>
  fault === null ? null : `${subject} ${fault}.`;

function faultOfSource(plan: Plan, place: Place, choices: Choices, choice: Choice): string | null {
  const { from, value, template } = choice;
  if (from === 'value') return before('The fixed value', faultOfText(plan.options, place, choice, value));
  if (from !== 'template') return null;
  if (template.trim() === '') return 'The text needs at least one column in braces.';
  const braces = faultOfBraces(template);
  if (braces !== null) return `The text ${braces}.`;
  const parts = templateParts(template).filter((part) => typeof part !== 'string');
  if (parts.length === 0) return 'The text needs at least one column in braces.';
  const names = columnsFor(plan, place, choices).map(({ name }) => name);
  const other = parts.find(({ column }) => !names.includes(column));
  if (other) return `The text names the column “${short(other.column)}”, which the file does not have.`;
  const step = parts
    .flatMap(({ steps }) => steps)
    .map(textStep)
    .find((each) => typeof each === 'string');
  return step === undefined ? null : `The text ${step}.`;
}

function faultOfWords({ member }: Place, choice: Choice): string | null {
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
