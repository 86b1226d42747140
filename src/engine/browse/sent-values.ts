import type { Field } from '../../generated/forms.js';
import { entered, isBlank, type Json } from '../../rules/entered.js';
import type { Currency } from '../values/currency.js';

/*
 * The values of a form that a browser has sent without a script, as the JSON that the API reads. `pages/form-values.ts`
 * does the same in the browser. Both files apply the rules of `src/rules/entered.ts`.
 */

export type Values = Readonly<Record<string, unknown>>;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;
/** A browser leaves out the seconds if they are zero. */
const SHORT = 'yyyy-mm-ddThh:mm'.length;
/** The list, and the number of the line, in the name of a control such as `items.0.quantity`. */
const LINE = /^([^.]*)\.(\d{1,4})\./;
/** The maximum number of lines of a list without `maxItems`. It is a bound of the form: the API has no such bound. */
export const MOST_LINES = 100;

/**
 * The texts of the controls of a form, by their names. A list of objects has a line of controls for each object: the
 * quantity in the first line of `items` is named `items.0.quantity`.
 */
export class Entries {
  private readonly texts = new Map<string, string[]>();
  private readonly counts = new Map<string, number>();

  /**
   * Reads the entries that the browser has sent. Leaves out the empty lines, and numbers the other lines again. So each
   * line has the same number as its object in the JSON. If a list has more lines than its bound, one line above the
   * bound is kept, so that the list is refused: by the API, or by `SentForm` if the bound is `MOST_LINES`. All further
   * lines are left out.
   */
  constructor(sent: Iterable<readonly [name: string, text: string]>, fields: readonly Field[]) {
    const entries = [...sent];
    const numbers = numbersOf(entries, fields);
    for (const [list, lines] of numbers) this.counts.set(list, lines.size);
    for (const [name, text] of entries) {
      const [start, list = '', number] = LINE.exec(name) ?? [];
      if (start === undefined) this.add(name, text);
      const index = numbers.get(list)?.get(Number(number));
      if (start !== undefined && index !== undefined)
        this.add(`${list}.${index}.${name.slice(start.length)}`, text);
    }
  }

  private add(name: string, text: string): void {
    const known = this.texts.get(name);
    if (known) known.push(text);
    else this.texts.set(name, [text]);
  }

  get(name: string): string | undefined {
    return this.texts.get(name)?.[0];
  }

  getAll(name: string): readonly string[] {
    return this.texts.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.texts.has(name);
  }

  /** The number of lines with an entry in a list. It is at most one more than the bound of the list. */
  countOf(list: string): number {
    return this.counts.get(list) ?? 0;
  }

  /** All names with their texts. */
  all(): readonly (readonly [name: string, text: string])[] {
    return [...this.texts].flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  }
}

/** The new number of each line with an entry, by the name of its list and the number that was sent. */
function numbersOf(
  entries: readonly (readonly [name: string, text: string])[],
  fields: readonly Field[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const lists = fields.filter(({ control }) => control === 'lines');
  const filled = new Map(lists.map(({ name }) => [name, new Set<number>()]));
  for (const [name, text] of entries) {
    const [, list = '', number] = LINE.exec(name) ?? [];
    if (number !== undefined && text.trim() !== '') filled.get(list)?.add(Number(number));
  }
  return new Map(
    lists.map(({ name, maxItems = MOST_LINES }) => {
      const lines = [...(filled.get(name) ?? [])].toSorted((one, other) => one - other);
      return [name, new Map(lines.slice(0, maxItems + 1).map((line, index) => [line, index]))];
    }),
  );
}

/** The values of the fields that have a value. An empty field that may be null has the value null. */
export function valuesIn(
  fields: readonly Field[],
  entries: Entries,
  currency: Currency,
  prefix = '',
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    fields
      .map((field) => [field.name, valueOf(field, entries, currency, prefix + field.name)] as const)
      .filter((pair): pair is readonly [string, Json] => pair[1] !== undefined),
  );
}

function valueOf(field: Field, entries: Entries, currency: Currency, path: string): Json | undefined {
  const { control, fields = [], isMinor } = field;
  if (control === 'lines') {
    return Array.from({ length: entries.countOf(path) }, (_, line) =>
      valuesIn(fields, entries, currency, `${path}.${line}.`),
    );
  }
  if (control === 'choices') return entries.has(path) ? entries.getAll(path) : undefined;
  // A browser ends the lines of a text with CR LF.
  const typed = (entries.get(path) ?? '').replaceAll('\r\n', '\n');
  if (isBlank(control, typed)) return field.nullable ? null : undefined;
  const code = isMinor ? currency.code : undefined;
  return entered(control, typed, { decimals: currency.decimals, currency: code, moment: inUtc });
}

/** Without a script, nobody knows the time zone of the visitor. The page says that the time is in UTC. */
function inUtc(text: string): string {
  return MOMENT.test(text) ? `${text.length === SHORT ? `${text}:00` : text}Z` : text;
}
