import type { Body } from '../../generated/bodies.js';
import type { OperationId, Version } from '../../generated/operations.js';
import type { Currency } from '../values/currency.js';

/** The properties that are the same for every answer of a service. */
export interface Site {
  readonly publicUrl: string | null;
  readonly currency: Currency;
  /** The template around the content of every page, with placeholders; null when the pages were not built. */
  readonly shell: string | null;
  /** The version that is shown by pages which belong to no version. */
  readonly version: Version;
}

/** The context of an answer, for formats that show more than the value. */
export interface View {
  /** The requested path and query. */
  readonly url: string;
  /** The requested members; undefined for all. */
  readonly fields?: readonly string[] | undefined;
  readonly operation?: OperationId | undefined;
  /** The value of the header with the links of a list. */
  readonly link?: string | undefined;
  /** The value of the header with the total of a list. */
  readonly total?: string | undefined;
  /** The entity tag of the answer, if it shows one row. */
  readonly etag?: string | undefined;
  /** The origin of the service for the client, such as `https://store.example`. */
  readonly origin?: string;
  readonly site?: Site;
  readonly pages?: PageMaker;
  /** Whether the page asks for a credential, because a browser opened the address without one. */
  readonly asksForCredential?: boolean;
}

export type Encode = (value: unknown, view: View) => string;

/** The way to write a list that is too long to be written at once. */
export interface Rows {
  /** The text before the first row. */
  readonly head: string;
  readonly row: (item: unknown) => string;
}

/** The members of problem details. */
export type ProblemBody = Readonly<Record<string, unknown>>;

/**
 * One way to write an answer. Every format gets the same value: the representation, and never an entity. So no format
 * can show a field that is not in the contract.
 */
export interface Format {
  /** The value of `?format=`. */
  readonly name: string;
  readonly mediaType: string;
  /** The headers that every answer in this format has. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Makes the function that writes the body of one operation. `compile` is called at the start, and not for each
   * request.
   */
  compile(body: Body): Encode;
  /** The functions for lists that are written row by row. */
  readonly rows?: (body: Body) => Rows;
  /** The suffix of this format in entity tags. By default the suffix is the name. JSON has no suffix. */
  readonly tag?: (site: Site, pages: PageMaker) => string;
  /** The form of problems in this format; null: JSON. */
  readonly problem: {
    readonly mediaType: string;
    readonly encode: (problem: ProblemBody, view: View) => string;
  } | null;
}

/**
 * Makes the pages of the format HTML. `src/app` passes this maker in. The format cannot import the maker, because the
 * pages link to all formats, and the imports would form a circle.
 */
export interface PageMaker {
  answer(value: unknown, body: Body, view: View): string;
  problem(problem: ProblemBody, view: View): string;
  /** Returns a text that changes with each build that changes the page. */
  digestOf(shell: string | null): string;
}

/** The list in a body: the body itself, or the member `data` of the envelope of version 2. */
export function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const data = (value as { readonly data?: unknown } | null)?.data;
  return Array.isArray(data) ? data : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is, and any other value as JSON; an empty text for null and undefined. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
