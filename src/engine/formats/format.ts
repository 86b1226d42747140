import type { Body } from '../../generated/bodies.js';
import type { OperationId, Version } from '../../generated/operations.js';
import type { Currency } from '../values/currency.js';

/** What is the same for every answer of a service. */
export interface Site {
  readonly publicUrl: string | null;
  readonly currency: Currency;
  /** What is around the content of every page, with places for it; null when the pages were not built. */
  readonly shell: string | null;
  /** What pages speak of that are of no version themselves. */
  readonly version: Version;
}

/** What surrounds the value that an answer shows, for formats that show more than the value. */
export interface View {
  /** As it was asked for: path and query. */
  readonly url: string;
  /** The members that were asked for; undefined for all. */
  readonly fields?: readonly string[] | undefined;
  readonly operation?: OperationId | undefined;
  /** The headers of the answer that say which page of how many this is. */
  readonly link?: string | undefined;
  readonly total?: string | undefined;
  /** Where the service is for whoever asks, such as `https://store.example`. */
  readonly origin?: string;
  readonly site?: Site;
  readonly pages?: PageMaker;
  /** Somebody opened the address in a browser, which sends no credential by itself: the page asks for one. */
  readonly asksForCredential?: boolean;
}

export type Encode = (value: unknown, view: View) => string;

/** How a list is written when it is too long to be written at once. */
export interface Rows {
  /** What comes before the first row. */
  readonly head: string;
  readonly row: (item: unknown) => string;
}

/** The members of problem details. */
export type ProblemBody = Readonly<Record<string, unknown>>;

/**
 * One way to write the contracted fields of an answer down. It is given what the representation shows and never an
 * entity, and the same value in every format.
 */
export interface Format {
  /** As `?format=` says it. */
  readonly name: string;
  readonly mediaType: string;
  /** Sent along with whatever has this format. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compiles how the body of one operation is written; once, at start. */
  compile(body: Body): Encode;
  /** For lists that are written row by row. */
  readonly rows?: (body: Body) => Rows;
  /** What tells its answers apart in entity tags, where that is more than the name. */
  readonly tag?: (site: Site, pages: PageMaker) => string;
  /** How problems are written by this format; null: as JSON. */
  readonly problem: {
    readonly mediaType: string;
    readonly encode: (problem: ProblemBody, view: View) => string;
  } | null;
}

/** Draws the pages of the format HTML. It is handed in from above, because its pages link to the other formats. */
export interface PageMaker {
  answer(value: unknown, body: Body, view: View): string;
  problem(problem: ProblemBody, view: View): string;
  /** Changes with each build of the pages. */
  digestOf(shell: string | null): string;
}

/** The part of an envelope that is the list: version 2 puts it under `data`. */
export function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const data = (value as { readonly data?: unknown } | null)?.data;
  return Array.isArray(data) ? data : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value without parts as JSON writes it, but without quotes; nothing for null and for what is absent. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
