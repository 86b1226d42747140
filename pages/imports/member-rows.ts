import { TEXT_STEPS } from '../../src/store/transfer/convert.js';
import { one } from './elements.js';
import type { Column } from './file-head.js';
import type { ChoiceFault } from './faults.js';
import {
  choiceOf,
  columnOf,
  columnsFor,
  fromColumn,
  isFromColumn,
  isOwn,
  NOTHING,
  slotsOf,
  short,
  valuesOf,
  wordsFor,
  wordsIn,
  type Choice,
  type Choices,
  type Member,
  type MemberSlot,
  type Plan,
} from './mapping.js';
import { firstValue } from './values.js';

/*
 * The table of the members, which are the fields of the imported rows, such as `name`. Each row of the table shows how
 * one member gets its value, and lets the visitor change this.
 */

/**
 * The list of columns for one member has at most this number of columns: the first columns of the file. A later column
 * is in the list only if the member already uses it.
 */
export const MOST_COLUMNS = 200;

type Control = HTMLInputElement | HTMLSelectElement;

/** @param changed is called with each new choice */
export function drawMembers(
  plan: Plan,
  choices: Choices,
  changed: (slot: MemberSlot, choice: Choice) => void,
): void {
  const template = (one('#member') as HTMLTemplateElement).content;
  const rows = slotsOf(plan).map((slot) => {
    const row = template.firstElementChild?.cloneNode(true) as HTMLElement;
    row.dataset['key'] = slot.key;
    part(row, '.name').textContent = wordsFor(slot.key);
    fill(row, plan, slot, choices);
    row.addEventListener('input', ({ target }) => {
      if ((target as HTMLElement).dataset['field'] !== undefined) changed(slot, choiceIn(row));
    });
    return row;
  });
  one('#members').replaceChildren(...rows);
}

/**
 * Shows the parts that each choice needs, the first values, and the faults. The controls stay, because one of them may
 * have the focus.
 */
export function refreshMembers(plan: Plan, choices: Choices, faults: readonly ChoiceFault[]): void {
  const isMapped = !isOwn(plan, choices);
  for (const slot of slotsOf(plan)) {
    const row = rowOf(slot.key);
    if (!row) continue;
    const choice = choiceOf(choices, slot.key);
    const fault = faults.find(({ key }) => key === slot.key)?.text ?? '';
    show(row, slot.member, choice);
    const first = firstValue(plan, slot, choices, isMapped);
    const sample = part(row, '.sample');
    sample.textContent = first.text;
    sample.classList.toggle('fault', first.isFault);
    const isMissing = slot.member.required && choice.from === '';
    row.classList.toggle('missing', isMissing);
    part(row, '.mark').textContent = isMissing ? 'required' : '';
    part(row, '.rule > .fault').textContent = isMissing ? '' : fault;
    for (const control of row.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
    if (fault !== '' && !isMissing) controlOf(row).setAttribute('aria-invalid', 'true');
  }
}

/** Puts the focus on the control that gives a member its value: the fixed value, the text, or the list of columns. */
export function focusMember(key: string): void {
  const row = rowOf(key);
  if (row) controlOf(row).focus();
}

/** Shows the words and the text that follow from a new choice of the visitor. */
export function setMember(key: string, { template, words }: Choice): void {
  const row = rowOf(key);
  if (!row) return;
  field(row, 'template').value = template;
  for (const input of wordInputs(row)) input.value = words[input.dataset['value'] ?? ''] ?? '';
}

const rowOf = (key: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#members tr')].find(({ dataset }) => dataset['key'] === key);
const part = (row: Element, selector: string): HTMLElement => row.querySelector(selector) as HTMLElement;
const field = (row: Element, name: string): Control => row.querySelector(`[data-field="${name}"]`) as Control;
const controlOf = (row: Element): Control => {
  const { value } = field(row, 'from');
  return field(row, value === 'value' || value === 'template' ? value : 'from');
};
const wordInputs = (row: Element): NodeListOf<HTMLInputElement> =>
  row.querySelectorAll<HTMLInputElement>('[data-value]');

function fill(row: HTMLElement, plan: Plan, slot: MemberSlot, choices: Choices): void {
  const { key, member } = slot;
  const choice = choiceOf(choices, key);
  const columns = offered(columnsFor(plan, slot, choices), columnOf(plan, choice));
  fillFrom(field(row, 'from') as HTMLSelectElement, slot, columns, choice);
  part(row, '[data-part="value"]').append(fixedField(member, 'value', choice.value));
  part(row, '[data-part="default"]').append(fixedField(member, 'default', choice.default));
  field(row, 'template').value = choice.template;
  fillInsert(row, columns);
  fillWords(part(row, '[data-part="words"]') as HTMLDetailsElement, member, choice);
  const absence = field(row, 'absence') as HTMLSelectElement;
  absence.append(...absencesOf(member).map(([value, words]) => new Option(words, value)));
  absence.value = choice.absence;
  const fault = part(row, '.rule > .fault');
  fault.id = `fault-${key}`;
  for (const name of ['from', 'value', 'template'])
    field(row, name).setAttribute('aria-describedby', fault.id);
  // Each control is named after its visible label, and after its member.
  for (const control of row.querySelectorAll<Control>('label :is(input, select)')) {
    const label = control.closest('label')?.querySelector('span')?.textContent ?? '';
    control.setAttribute('aria-label', `${label}, ${wordsFor(key)}`);
    if (control instanceof HTMLInputElement) control.autocomplete = 'off';
  }
}

function offered(columns: readonly Column[], used: Column | undefined): readonly Column[] {
  return columns.filter((column, index) => index < MOST_COLUMNS || column === used);
}

function fillFrom(
  from: HTMLSelectElement,
  { key, member }: MemberSlot,
  columns: readonly Column[],
  choice: Choice,
): void {
  from.setAttribute('aria-label', `Value of ${wordsFor(key)}`);
  const group = document.createElement('optgroup');
  group.label = 'Columns of the file';
  group.append(
    ...columns.map((column, index) => {
      const sample = column.values.find((value) => value.trim() !== '') ?? '';
      const name = short(column.name) || `column ${index + 1}`;
      return new Option(sample === '' ? name : `${name} (${short(sample, 30)})`, fromColumn(column));
    }),
  );
  from.append(new Option(member.required ? '– choose –' : '– none –', ''), group);
  if (key !== 'items') {
    from.append(new Option('a fixed value', 'value'), new Option('a text of several columns', 'template'));
  }
  from.value = choice.from;
}

function fixedField(member: Member, name: string, value: string): Control {
  const values = valuesOf(member);
  const control = document.createElement(values.length > 0 ? 'select' : 'input');
  control.dataset['field'] = name;
  if (control instanceof HTMLSelectElement) control.append(...values.map((each) => new Option(each, each)));
  else control.maxLength = 2_000;
  control.value = value === '' ? (values[0] ?? '') : value;
  return control;
}

/** The tool that puts a column into the text, with its braces. */
function fillInsert(row: HTMLElement, columns: readonly Column[]): void {
  const column = part(row, '[data-column]') as HTMLSelectElement;
  const step = part(row, '[data-step]') as HTMLSelectElement;
  const name = row.dataset['key'] ?? '';
  column.setAttribute('aria-label', `Column for the text, ${wordsFor(name)}`);
  step.setAttribute('aria-label', `Conversion of the column, ${wordsFor(name)}`);
  // A name with these signs cannot be in braces.
  const usable = columns.filter((each) => each.name.trim() !== '' && !/[{}|]/.test(each.name));
  column.append(...usable.map((each) => new Option(short(each.name), each.name)));
  step.append(new Option('as it is', ''), ...Object.keys(TEXT_STEPS).map((each) => new Option(each, each)));
  const text = field(row, 'template') as HTMLInputElement;
  part(row, '.insert button').addEventListener('click', () => {
    const inserted = `{${column.value}${step.value === '' ? '' : `|${step.value}`}}`;
    text.setRangeText(inserted, text.selectionStart ?? 0, text.selectionEnd ?? 0, 'end');
    text.dispatchEvent(new Event('input', { bubbles: true }));
    text.focus();
  });
}

function fillWords(details: HTMLDetailsElement, member: Member, { words }: Choice): void {
  const isFlag = member.type === 'boolean';
  details.open = isFlag;
  const labels = valuesOf(member).map((value) => {
    const label = document.createElement('label');
    const text = document.createElement('span');
    const input = document.createElement('input');
    text.textContent = `Words for ${isFlag ? (value === 'true' ? 'yes' : 'no') : value}`;
    input.dataset['field'] = 'words';
    input.dataset['value'] = value;
    input.placeholder = value;
    input.maxLength = 200;
    input.spellcheck = false;
    input.value = words[value] ?? '';
    label.append(text, input);
    return label;
  });
  part(details, 'summary').after(...labels);
}

function absencesOf({ inEachRow }: Member): readonly (readonly [Choice['absence'], string])[] {
  const last = ['default', ABSENCES.default] as const;
  if (inEachRow === true) return [['', ABSENCES.refuse], last];
  if (inEachRow === 'mapped') return [['', ABSENCES.refuse], ['accept', ABSENCES.accept], last];
  return [['', ABSENCES.accept], ['refuse', ABSENCES.refuse], last];
}

const ABSENCES = { refuse: 'is refused', accept: 'is accepted', default: 'gets a value' } as const;

/** Shows the parts of the row that belong to its choice. */
function show(row: HTMLElement, member: Member, choice: Choice): void {
  const { from, absence, words } = choice;
  const isColumn = isFromColumn(choice);
  const isItems = row.dataset['key'] === 'items';
  const parts = {
    value: from === 'value',
    template: from === 'template',
    words: valuesOf(member).length > 0 && (isColumn || (from === 'template' && member.type === 'boolean')),
    absence: (isColumn || from === 'template') && !isItems,
    default: absence === 'default',
  };
  for (const [name, isShown] of Object.entries(parts)) part(row, `[data-part="${name}"]`).hidden = !isShown;
  const given = Object.values(words).filter((each) => wordsIn(each).length > 0);
  part(row, '[data-part="words"] > summary').textContent =
    given.length > 0 ? `Words: ${short(given.join(' / '))}` : `Words: ${short(valuesOf(member).join(' / '))}`;
  const [, text] = absencesOf(member).find(([value]) => value === absence) ?? [];
  part(row, '[data-part="absence"] > summary').textContent = `A row without a value ${text ?? ''}`;
}

function choiceIn(row: HTMLElement): Choice {
  const words = [...wordInputs(row)].map((input) => [input.dataset['value'] ?? '', input.value] as const);
  return {
    ...NOTHING,
    from: field(row, 'from').value,
    value: field(row, 'value').value,
    template: field(row, 'template').value,
    words: Object.fromEntries(words),
    absence: field(row, 'absence').value as Choice['absence'],
    default: field(row, 'default').value,
  };
}
