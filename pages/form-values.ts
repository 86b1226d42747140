import { amountText, entered, isBlank, type Json } from '../src/rules/entered.js';

/*
 * The values of the fields of a form, as the JSON that the API reads. `data-control` of a field says its kind; see
 * src/engine/browse/form-fields.ts.
 */

export type Values = Readonly<Record<string, Json>>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The fields directly in a form or in a line, without the fields of lines inside it. */
export function fieldsIn(holder: Element): HTMLElement[] {
  return [...holder.querySelectorAll<HTMLElement>(':scope > .fields > [data-field]')];
}

export function nameOf(field: HTMLElement): string {
  return field.dataset['field'] ?? '';
}

/** The label of a field, for messages. */
export function labelOf(field: HTMLElement): string {
  const text = field.querySelector('label, legend')?.firstChild?.textContent ?? '';
  return text.trim();
}

export function controlIn(field: HTMLElement): Control {
  return field.querySelector('input, select, textarea, button') as Control;
}

export function linesOf(field: HTMLElement): HTMLElement[] {
  return [...field.querySelectorAll<HTMLElement>(':scope > .list > .line')];
}

/**
 * The values of the fields that have a value. An empty field that may be null has the value null.
 *
 * @param part the part of the request that has the values
 */
export function valuesIn(holder: Element, part: 'path' | 'query' | 'body' = 'body'): Values {
  const values: Record<string, Json> = {};
  for (const field of fieldsIn(holder)) {
    const own = field.hasAttribute('data-path')
      ? 'path'
      : field.hasAttribute('data-query')
        ? 'query'
        : 'body';
    const value = own === part ? valueOf(field) : undefined;
    if (value !== undefined) values[nameOf(field)] = value;
  }
  return values;
}

function valueOf(field: HTMLElement): Json | undefined {
  const control = field.dataset['control'];
  if (control === 'lines') return linesOf(field).map((line) => valuesIn(line));
  if (control === 'choices') {
    const chosen = [...field.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
    return chosen.length === 0 && !field.hasAttribute('data-touched') ? undefined : chosen;
  }
  const input = controlIn(field);
  if (isBlank(control, input.value)) return emptyOf(field, input);
  const { decimals, currency } = input.dataset;
  return entered(control, input.value, {
    decimals: Number(decimals),
    currency,
    moment: momentIn,
  });
}

/** A text that is no moment stays as it is, so that the service names the fault. */
function momentIn(text: string): string {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}

function emptyOf(field: HTMLElement, input: Control): Json | undefined {
  if (field.dataset['control'] === 'texts' && field.hasAttribute('data-touched')) return [];
  if (field.hasAttribute('data-nullable')) return null;
  return field.hasAttribute('data-touched') && input instanceof HTMLTextAreaElement ? '' : undefined;
}

/** Puts values, such as the values of the present row, into the fields. Fields without a value stay as they are. */
export function fill(holder: Element, values: Values): void {
  for (const field of fieldsIn(holder)) {
    const value = values[nameOf(field)];
    if (value !== undefined) put(field, value);
  }
}

function put(field: HTMLElement, value: Json): void {
  const control = field.dataset['control'];
  if (control === 'lines') {
    const list = Array.isArray(value) ? (value as Values[]) : [];
    field.querySelector('.list')?.replaceChildren();
    for (const line of list) fill(addLine(field), line);
    return;
  }
  if (control === 'choices') {
    const chosen = new Set(Array.isArray(value) ? value : []);
    for (const box of field.querySelectorAll('input')) box.checked = chosen.has(box.value);
    return;
  }
  const input = controlIn(field);
  input.value = shownOf(field, value);
}

/** The text of a value in its field. */
export function shownOf(field: HTMLElement, value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  const { dataset } = controlIn(field);
  switch (field.dataset['control']) {
    case 'money':
      return amountText(value, Number(dataset['decimals']));
    case 'time': {
      const at = new Date(typeof value === 'string' ? value : Number.NaN);
      if (Number.isNaN(at.getTime())) return '';
      const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
      return local.toISOString().slice(0, 19);
    }
    case 'texts':
      return Array.isArray(value) ? value.join('\n') : '';
    case 'choices':
      return Array.isArray(value) ? value.join(', ') : '';
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** A value as the words that its field shows for it. */
export function wordsOf(field: HTMLElement, value: Json | undefined): string {
  const text = shownOf(field, value);
  const options = field.querySelectorAll<HTMLOptionElement>(':scope > select > option');
  return [...options].find((option) => option.value === text)?.textContent.trim() ?? text;
}

let lines = 0;

/** Adds an empty line to a list of lines, with ids of its own. */
export function addLine(field: HTMLElement): HTMLElement {
  const template = field.querySelector('template') as HTMLTemplateElement;
  const line = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
  const number = String(++lines);
  for (const element of line.querySelectorAll('*')) {
    for (const name of ['id', 'for', 'list', 'aria-describedby']) {
      const text = element.getAttribute(name);
      if (text !== null) element.setAttribute(name, text.replaceAll('__n__', number));
    }
  }
  field.querySelector('.list')?.append(line);
  return line;
}
