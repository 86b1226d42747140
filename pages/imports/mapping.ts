import { templateParts } from '../../src/store/transfer/template.js';
import type { Column, Head } from './file-head.js';

/*
 * The choices of the visitor, and the mapping that they make. Each member of the rows has a choice that says how the
 * member gets its value. No mapping is sent if the file can be read without one (`isOwn`).
 */

export type Kind = 'products' | 'users' | 'orders';

export interface Member {
  readonly name: string;
  readonly type: 'text' | 'decimal' | 'integer' | 'boolean' | 'instant';
  /** Whether the member needs a choice. */
  readonly required: boolean;
  /** Whether each row needs a value. With `mapped`, the choice may accept rows without one. */
  readonly inEachRow: boolean | 'mapped';
  /** The only texts that the member can have. */
  readonly values?: readonly string[];
}

/** From `data-members` of the page. `own`: the columns of the store's own format. */
export type Members = Readonly<
  Record<Kind | 'items', { readonly members: readonly Member[]; readonly own: readonly string[] }>
>;

/** The visitor's choices for the whole file. */
export interface Options {
  readonly kind: Kind;
  /** Whether each row of CSV is a line of an order. */
  readonly isLines: boolean;
  /** The delimiter of CSV; '' if it is found in the header. */
  readonly delimiter: string;
  readonly decimalMark: string;
  readonly date: string;
  /** The words that mean that there is no value, besides the empty text. Commas are between them. */
  readonly absent: string;
}

/** How a member gets its value. */
export interface Choice {
  /** A column (see `fromColumn`), `value`, `template`, or '' if the member gets no value. */
  readonly from: string;
  readonly value: string;
  readonly template: string;
  /** The words of the file for each value of the member, such as `true`. Commas are between the words. */
  readonly words: Readonly<Record<string, string>>;
  /** How a row without a value is treated. '' is the rule of the member. */
  readonly absence: '' | 'refuse' | 'accept' | 'default';
  readonly default: string;
}

/** The choices by the keys of the slots. */
export type Choices = Readonly<Record<string, Choice>>;

export const NOTHING: Choice = { from: '', value: '', template: '', words: {}, absence: '', default: '' };

/** The members, the head of a file, and the visitor's choices for the whole file. */
export interface Plan {
  readonly members: Members;
  readonly options: Options;
  readonly head: Pick<Head, 'format' | 'delimiter' | 'columns'>;
}

/** A slot for a choice: a member, a member of a line such as `line.quantity`, or `items`, the list of the lines. */
export interface MemberSlot {
  readonly key: string;
  readonly of: Kind | 'items';
  readonly member: Member;
}

/** The column in which a file of refused rows has the reasons. An import ignores it. */
export const REASONS = 'refused_because';
export const ITEMS = 'items';
const LINE = 'line.';
const COLUMN = 'column:';

export const keyOf = ({ list, name }: Column): string => (list === null ? name : `${list}[].${name}`);
export const fromColumn = (column: Column): string => COLUMN + keyOf(column);
export const isFromColumn = ({ from }: Choice): boolean => from.startsWith(COLUMN);
export const choiceOf = (choices: Choices, key: string): Choice => choices[key] ?? NOTHING;

/** The words in a text with commas between them. */
export function wordsIn(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** The values of a member for which the file can have words of its own. */
export function valuesOf({ type, values = [] }: Member): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : values;
}

export function slotsOf({ members, options: { kind, isLines }, head: { format } }: Plan): MemberSlot[] {
  const own = members[kind].members.map((member): MemberSlot => ({ key: member.name, of: kind, member }));
  if (kind !== 'orders') return own;
  const list: Member = { name: ITEMS, type: 'text', required: true, inEachRow: true };
  const lines = members.items.members
    .filter(({ name }) => name !== 'order_id')
    .map((member): MemberSlot => ({ key: LINE + member.name, of: 'items', member }));
  if (isLines) return [...own, ...lines];
  return [...own, { key: ITEMS, of: kind, member: list }, ...(format === 'ndjson' ? lines : [])];
}

/** The columns from which a member can get its value. */
export function columnsFor(plan: Plan, { key, of }: MemberSlot, choices: Choices): readonly Column[] {
  const { options, head } = plan;
  const outer = head.columns.filter(({ list }) => list === null);
  if (key === ITEMS) {
    const lists = new Set(head.columns.map(({ list }) => list));
    return outer.filter(({ name }) => name === ITEMS || lists.has(name));
  }
  if (of !== 'items' || options.isLines) return outer;
  const list = columnOf(plan, choiceOf(choices, ITEMS))?.name;
  return head.columns.filter((column) => column.list !== null && column.list === list);
}

export function columnOf({ head }: Plan, { from }: Choice): Column | undefined {
  return head.columns.find((column) => fromColumn(column) === from);
}

/** Whether the column has the name that the member has in the store's own format. */
export function isOwnColumn({ members }: Plan, { of, member }: MemberSlot, { name }: Column): boolean {
  return name === member.name || (name === `${member.name}.amount` && members[of].own.includes(name));
}

/** Whether the file can be read without a mapping. */
export function isOwn(plan: Plan, choices: Choices): boolean {
  const { members, options, head } = plan;
  const { kind, isLines, delimiter, decimalMark, date, absent } = options;
  if (isLines || delimiter !== '' || decimalMark !== '.' || date !== '' || absent !== '') return false;
  const known = [...members[kind].own, REASONS, ...(kind === 'orders' ? [ITEMS] : [])];
  if (head.columns.some(({ name, list }) => list === null && !known.includes(name))) return false;
  return slotsOf(plan).every((slot) => {
    const own = columnsFor(plan, slot, choices).find((column) => isOwnColumn(plan, slot, column));
    const { from, absence, words } = choiceOf(choices, slot.key);
    const isAsItIs = absence === '' && Object.values(words).every((each) => wordsIn(each).length === 0);
    return from === (own ? fromColumn(own) : '') && (from === '' || isAsItIs);
  });
}

/** The columns that no choice uses, except those that belong with a used column. */
export function unusedIn(plan: Plan, choices: Choices): Column[] {
  const { head, members, options } = plan;
  const used = new Set<string>([REASONS]);
  for (const slot of slotsOf(plan)) {
    const choice = choiceOf(choices, slot.key);
    const column = columnOf(plan, choice);
    if (column) used.add(keyOf(column));
    // A file of version 2 has an amount in two columns.
    const currency = column?.name.replace(/\.amount$/, '.currency') ?? '';
    if (members[slot.of].own.includes(currency)) used.add(currency);
    if (choice.from !== 'template') continue;
    const names = templateParts(choice.template).map((part) => (typeof part === 'string' ? '' : part.column));
    for (const each of columnsFor(plan, slot, choices)) if (names.includes(each.name)) used.add(keyOf(each));
  }
  return head.columns.filter(
    (column) => (column.list === null || options.kind === 'orders') && !used.has(keyOf(column)),
  );
}

/**
 * The choices as a mapping.
 *
 * @param source the name of the source of the rows; '' if the mapping does not name it
 */
export function mappingOf(plan: Plan, choices: Choices, source: string): object {
  const { options, head } = plan;
  const { kind, isLines, absent } = options;
  const fields: Record<string, unknown> = {};
  const lines: Record<string, unknown> = {};
  for (const slot of slotsOf(plan)) {
    const choice = choiceOf(choices, slot.key);
    if (choice.from === '' || slot.key === ITEMS) continue;
    const rule = ruleOf(plan, slot.member, choice);
    (slot.of === 'items' ? lines : fields)[slot.member.name] = rule;
    if (isLines && slot.key === 'id') lines['order_id'] = rule;
  }
  const list = columnOf(plan, choiceOf(choices, ITEMS))?.name;
  return {
    ...(source !== '' && { source }),
    ...(absent !== '' && { absent: ['', ...wordsIn(absent)] }),
    ...(head.format === 'csv' && { delimiter: head.delimiter }),
    fields,
    ...(kind === 'orders' && { items: { ...(!isLines && { list }), fields: lines } }),
  };
}

function ruleOf(plan: Plan, member: Member, choice: Choice): unknown {
  const column = columnOf(plan, choice)?.name;
  const more = { ...readingIn(plan.options, member, choice), ...absenceIn(member, choice) };
  if (choice.from === 'value') return { value: textFor(member, choice, choice.value), ...more };
  if (choice.from === 'template') return { template: choice.template, ...more };
  const chain = member.type === 'boolean' ? null : chainOf(member, choice, column ?? '');
  if (chain !== null) return { ...chain, ...more };
  return Object.keys(more).length === 0 ? column : { column, ...more };
}

function readingIn({ decimalMark, date }: Options, { type }: Member, choice: Choice): object {
  if (type === 'decimal' && decimalMark !== '.') return { decimal_mark: decimalMark };
  if (type === 'instant' && date !== '') return { date };
  const flags = type === 'boolean' ? flagWords(choice) : null;
  return flags ? { true: flags.truths, false: flags.falsehoods } : {};
}

function absenceIn(member: Member, choice: Choice): object {
  if (choice.from === 'value') return {};
  if (choice.absence === 'default') return { default: textFor(member, choice, choice.default) };
  return choice.absence === '' ? {} : { required: choice.absence === 'refuse' };
}

/** The words for yes and no; null if the visitor has not given both. */
export function flagWords({ words }: Choice): { truths: string[]; falsehoods: string[] } | null {
  const [truths, falsehoods] = [wordsIn(words['true'] ?? ''), wordsIn(words['false'] ?? '')];
  return truths.length > 0 && falsehoods.length > 0 ? { truths, falsehoods } : null;
}

/**
 * The text of a fixed value in the mapping. A fixed value is read like a value of the file. So for a boolean, the text
 * is one of the words for yes or for no, if the visitor has given such words.
 */
export function textFor({ type }: Member, choice: Choice, value: string): string {
  const flags = type === 'boolean' ? flagWords(choice) : null;
  return (value === 'true' ? flags?.truths[0] : flags?.falsehoods[0]) ?? value;
}

/** The conditions that turn the words of a column into the values of the member; null if there are no words. */
function chainOf(member: Member, { words }: Choice, column: string): object | null {
  return valuesOf(member).reduceRight<object | null>((rest, value) => {
    const is = wordsIn(words[value] ?? '');
    // oxlint-disable-next-line no-thenable -- a condition of the mapping has this key
    return is.length === 0 ? rest : { if: { column, is }, then: { value }, else: rest ?? column };
  }, null);
}

/** A key in words: `line.quantity` is “quantity of the line”. */
export function wordsFor(key: string): string {
  if (key === ITEMS) return 'items (the lines of the order)';
  return key.startsWith(LINE) ? `${key.slice(LINE.length)} of the line` : key;
}

export function short(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
