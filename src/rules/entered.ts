/*
 * The meaning of the text in a control of a form, as JSON for the API. The script of a page reads the controls
 * (pages/form-values.ts). The service reads the entries of a form that a browser sent without a script
 * (src/engine/browse/sent-values.ts). Both apply these rules. A text that does not have the format of its field stays
 * a text, so that the API names the fault.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The form of the amounts of a field. */
export interface MoneyForm {
  /** The number of decimals of the currency. */
  readonly decimals: number;
  /** The currency of an amount in minor units; undefined if the amount is a number in major units. */
  readonly currency: string | undefined;
}

export interface Reading extends MoneyForm {
  /** Reads the moment of a control for date and time. Only the browser knows the time zone of the visitor. */
  readonly moment: (text: string) => Json;
}

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;
const AMOUNT = /^\d{1,12}([.,]\d{1,2})?$/;

/** A text of blanks is not an entry, except in a field with a secret. */
export function isBlank(control: string | undefined, typed: string): boolean {
  return (control === 'secret' ? typed : typed.trim()) === '';
}

/** The value of a control that is not blank. */
export function entered(control: string | undefined, typed: string, reading: Reading): Json {
  const text = typed.trim();
  switch (control) {
    case 'texts':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
    case 'number':
    case 'reference':
      return NUMBER.test(text) ? Number(text) : text;
    case 'money':
      return amountIn(text, reading);
    case 'time':
      return reading.moment(text);
    default:
      return typed;
  }
}

/** The words for a fault. In a field with one text in each line, they name the line. */
export function faultOf(control: string | undefined, pointer: string | undefined, detail: string): string {
  const [, index] = control === 'texts' ? (/\/(\d+)$/.exec(pointer ?? '') ?? []) : [];
  return index === undefined ? detail : `line ${Number(index) + 1} ${detail}`;
}

/** The fault of a value for which `pathPart` returns null. */
export const NOT_A_PATH_PART = 'must be a text other than "." and ".."';

/**
 * A value as a part of an address; null if an address cannot have this value. A parser of addresses would remove the
 * parts `.` and `..`.
 */
export function pathPart(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return /^\.{0,2}$/.test(text) ? null : encodeURIComponent(text);
}

/** Moves the decimal point in the text, and does not compute with the number, so that no amount is rounded. */
function amountIn(text: string, { decimals, currency }: MoneyForm): Json {
  const [whole = '', part = ''] = text.replace(',', '.').split('.');
  if (!AMOUNT.test(text) || part.length > decimals) return text;
  if (currency === undefined) return Number(`${whole}.${part || '0'}`);
  return { amount: Number(whole + part.padEnd(decimals, '0')), currency };
}

/** The text of an amount in its control; empty for a value that is no amount. */
export function amountText(value: unknown, decimals: number): string {
  if (typeof value === 'number') return value.toFixed(decimals);
  const { amount } = (value ?? {}) as { readonly amount?: unknown };
  if (typeof amount !== 'number') return '';
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of `values` that differ from `base`. */
export function changedIn<T>(values: Readonly<Record<string, T>>, base: Members): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, base[name])));
}

/** Whether somebody else has changed a member, and its new value is not the value of the visitor. */
export function isContested(name: string, theirs: Members, mine: Members, base: Members): boolean {
  const there = theirs[name];
  return there !== undefined && !isSame(there, mine[name]) && !isSame(there, base[name] ?? null);
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
