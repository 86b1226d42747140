import type { Currency } from '../values/currency.js';
import { isObject } from '../formats/format.js';
import type { Body } from '../../generated/bodies.js';
import { html, Html } from '../pages/html.js';
import type { PageLocation } from './addresses.js';

/** The context for showing values. */
export interface ShowContext {
  readonly location: PageLocation;
  readonly currency: Currency | undefined;
  /** Whether the value is inside a cell of a list, where a table would be too wide. */
  readonly isInCell?: boolean;
}

/** Makes the head of a column. */
export type Head = (name: string, look: Html) => Html;

type Members = Readonly<Record<string, unknown>>;

const NOTHING = html``;
/** A word of this length may be broken. The styles keep shorter words whole, even in a narrow column. */
const LONG_WORD = /\S{25}/;
const LONG = html` class="long"`;
/** A table with at least this many columns is wider than most windows, so its rows are cards on every screen. */
const MANY_COLUMNS = 10;
const CARDS = html` class="many"`;
/**
 * The styles set the widths of the columns of a list (pages/browse.css). In any other table, a browser has to lay out
 * all rows to find the widths, before it shows the first row.
 */
const LIST = html` class="list"`;
/**
 * The maximum number of characters of a value in a column with the class `w0`, `w1` and so on. A column with a longer
 * value than the last number has the class `w5`.
 */
const WIDTHS = [4, 9, 13, 17, 24];
/** A list of objects that is longer than this is closed at first, so that the other members stay in sight. */
const LONG_LIST = 20;
const MOMENT_LENGTH = 'YYYY-MM-DD hh:mm:ss UTC'.length;
/** The length for an object or a list of objects. The page shows little of such a value until the user opens it. */
const FOLDED_LENGTH = 17;
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/**
 * Shows a value to people, in elements from which a program can read the same value:
 *
 * - A number, true, false, or an object with an amount of money is a `data`. The attribute `value` has the JSON.
 * - A text that is a moment is a `time`. The attribute `datetime` has the text. Any other text is the content of a
 *   `bdi`.
 * - Null is an element with `data-null`.
 * - Any other object is a `dl`.
 * - A list of objects is a `table`. A list of other values is a `ul`. An empty list is an element with `data-empty`.
 *
 * Elements with `data-related` are not part of the value.
 */
export function contentOf(value: unknown, body: Body | undefined, context: ShowContext): Html {
  if (Array.isArray(value)) return listOf(value, body, context);
  return isObject(value) ? objectOf(value, body, context) : scalarOf(value, body, context);
}

/**
 * A list of objects as a table, with the columns of the contract.
 *
 * @param headOf makes the heads of the columns; given only for the list of the answer, and not for a list inside it
 */
export function tableOf(
  list: readonly Members[],
  body: Body | undefined,
  context: ShowContext,
  headOf?: Head,
): Html {
  const names = namesIn(list, body);
  const isCards = names.length >= MANY_COLUMNS || context.isInCell === true;
  const isList = headOf !== undefined && !isCards;
  const looks = new Map(names.map((name) => [name, lookOf(list, name, body?.members?.[name], isList)]));
  const related = list.map((item) => relatedIn(item, body, context));
  const hasRelated = related.some((links) => links.length > 0);
  const relatedLook = isList ? html` class="w1"` : NOTHING;
  const inside: ShowContext = { ...context, isInCell: true };
  const rows = list.map((item, index) => {
    const links = hasRelated
      ? html`<td role="cell" ${relatedLook} data-related>
          <span class="related">${related[index] as readonly Html[]}</span>
        </td>`
      : NOTHING;
    return html`<tr role="row">
      ${names.map((name) => cellOf(item, name, body, inside, looks.get(name) as Html))}${links}
    </tr>`;
  });
  const last = hasRelated
    ? html`<th role="columnheader" scope="col" ${relatedLook} data-related>related</th>`
    : NOTHING;
  const head = headOf ?? usualHead;
  // On a narrow screen a row becomes a card. Without these roles, browsers would no longer tell screen readers
  // that this is a table.
  return html`<table role="table" ${isCards ? CARDS : isList ? LIST : NOTHING}>
    <thead role="rowgroup">
      <tr role="row">
        ${names.map((name) => head(name, looks.get(name) as Html))}${last}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`;
}

function usualHead(name: string, look: Html): Html {
  return html`<th role="columnheader" scope="col" ${look}>${name}</th>`;
}

function namesIn(list: readonly Members[], body: Body | undefined): readonly string[] {
  const shown = new Set(list.flatMap((item) => Object.keys(item).filter((name) => item[name] !== undefined)));
  const known = Object.keys(body?.members ?? {});
  return list.length === 0 ? known : [...new Set([...known, ...shown])].filter((name) => shown.has(name));
}

function cellOf(item: Members, name: string, body: Body | undefined, context: ShowContext, look: Html): Html {
  const value = item[name];
  if (value === undefined) return html`<td role="cell" data-name="${name}" ${look}></td>`;
  const inner = memberOf(item, name, body, context);
  const summary = summaryOf(name, value);
  const content =
    summary === null
      ? inner
      : html`<details>
          <summary>${summary}</summary>
          ${inner}
        </details>`;
  return html`<td role="cell" data-name="${name}" ${look}>${content}</td>`;
}

/**
 * The number and the name of the items of a list, such as `1 item`. The name of a member that holds a list is a plural,
 * such as `items`.
 */
function countOf(count: number, name: string): string {
  return `${count} ${count === 1 ? name.replace(/s$/, '') : name}`;
}

/**
 * The summary of a value that is too large for a cell. The page shows the summary until the user opens the value. Null
 * for other values.
 */
function summaryOf(name: string, value: unknown): string | null {
  if (Array.isArray(value)) return value.some(isObject) ? countOf(value.length, name) : null;
  return isObject(value) && Object.keys(value).length > 3 ? name : null;
}

/** The classes of a column: how it is aligned and, in a list, how wide it is. */
function lookOf(list: readonly Members[], name: string, body: Body | undefined, isList: boolean): Html {
  const first = list.find((item) => item[name] != null)?.[name];
  const isNumber = typeof first === 'number' || (body?.kind === 'money' && first !== undefined);
  if (!isList) return isNumber ? html`class="number"` : NOTHING;
  const longest = list.reduce((most, item) => Math.max(most, lengthOf(item[name], body)), name.length + 1);
  const width = WIDTHS.findIndex((most) => longest <= most);
  const classes = `w${width === -1 ? WIDTHS.length : width}`;
  return html`class="${isNumber ? `number ${classes}` : classes}"`;
}

/**
 * The approximate number of characters that the page shows for a value. An amount of money counts two more, because it
 * is never broken into two lines, and digits are wide.
 */
function lengthOf(value: unknown, body: Body | undefined): number {
  if (value === null || value === undefined) return wordsForNull(body).length;
  if (body?.kind === 'time') return MOMENT_LENGTH;
  if (body?.kind === 'money') {
    const amount = isObject(value) ? value['amount'] : value;
    return typeof amount === 'number' ? `${amount}. USD`.length + 2 : FOLDED_LENGTH;
  }
  if (Array.isArray(value) && !value.some(isObject)) return value.join(', ').length;
  if (typeof value === 'object') return FOLDED_LENGTH;
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

function objectOf(value: Members, body: Body | undefined, context: ShowContext): Html {
  const { currency } = context;
  const { amount } = value;
  if (body?.kind === 'money' && currency && typeof amount === 'number')
    return html`<data value="${JSON.stringify(value)}"
      >${amountOf(currency.toMajor(amount), currency)}</data
    >`;
  return membersOf(value, body, context);
}

function membersOf(value: Members, body: Body | undefined, context: ShowContext): Html {
  const known = Object.keys(body?.members ?? {}).filter((name) => Object.hasOwn(value, name));
  const names = [...new Set([...known, ...Object.keys(value)])].filter((name) => value[name] !== undefined);
  const related = relatedIn(value, body, context);
  return html`<dl>
    ${names.map((name) => {
      const shown = closedIfLong(name, value[name], memberOf(value, name, body, context));
      return html`<div>
        <dt>${name}</dt>
        <dd data-name="${name}">${shown}</dd>
      </div>`;
    })}${
      related.length > 0
        ? html`<div data-related>
            <dt>related</dt>
            <dd><span class="related">${related}</span></dd>
          </div>`
        : NOTHING
    }
  </dl>`;
}

function closedIfLong(name: string, value: unknown, shown: Html): Html {
  const isLong = Array.isArray(value) && value.length > LONG_LIST && value.every(isObject);
  if (!isLong) return shown;
  return html`<details>
    <summary>${countOf(value.length, name)}</summary>
    ${shown}
  </details>`;
}

/** A member, with a link to the resource that it names. */
function memberOf(object: Members, name: string, body: Body | undefined, context: ShowContext): Html {
  const content = contentOf(object[name], body?.members?.[name], context);
  const link = body && linksOf(body).byMember.get(name);
  const address = link ? context.location.relatedTo(object, link) : null;
  return address === null || address === context.location.path
    ? content
    : html`<a href="${address}">${content}</a>`;
}

function relatedIn(object: Members, body: Body | undefined, { location }: ShowContext): readonly Html[] {
  const others = body ? linksOf(body).others : [];
  return others.flatMap(([rel, link]) => {
    const address = location.relatedTo(object, link);
    return address === null ? [] : [html`<a href="${address}">${rel}</a>`];
  });
}

type Link = NonNullable<Body['links']>[string];

/** The places at which a page shows the links of a body. */
interface LinksOfBody {
  readonly byMember: ReadonlyMap<string, Link>;
  /** The links that no member shows, with their relations. */
  readonly others: readonly (readonly [string, Link])[];
}

const LINKS = new WeakMap<Body, LinksOfBody>();

/** The result is cached, because each row of a list needs it. */
function linksOf(body: Body): LinksOfBody {
  const known = LINKS.get(body);
  if (known) return known;
  const links = Object.entries(body.links ?? {});
  const shown = links.map(([rel, link]) => ({ rel, link, names: namesThatShow(rel, link, body) }));
  const made: LinksOfBody = {
    // The first link of a member counts, so it is set last, and replaces the others.
    byMember: new Map(
      shown.toReversed().flatMap(({ link, names }) => names.map((name): [string, Link] => [name, link])),
    ),
    others: shown.filter(({ names }) => names.length === 0).map(({ rel, link }) => [rel, link]),
  };
  LINKS.set(body, made);
  return made;
}

/**
 * The members at which the page shows a link. If `self` and other links use the same member, the page shows `self` at
 * the member, and the other links under `related`.
 */
function namesThatShow(rel: string, { parameters }: Link, body: Body): readonly string[] {
  const own = Object.values(body.links?.['self']?.parameters ?? {});
  return Object.values(parameters).filter((name) => rel === 'self' || !own.includes(name));
}

function listOf(list: readonly unknown[], body: Body | undefined, context: ShowContext): Html {
  if (list.length === 0) return html`<span class="none" data-empty>none</span>`;
  if (list.every(isObject)) return tableOf(list, body?.items, context);
  return html`<ul>
    ${list.map((item) => html`<li>${contentOf(item, body?.items, context)}</li>`)}
  </ul>`;
}

function scalarOf(value: unknown, body: Body | undefined, { location, currency }: ShowContext): Html {
  if (value === null || value === undefined)
    return html`<span class="none" data-null>${wordsForNull(body)}</span>`;
  if (typeof value === 'boolean') {
    return html`<data value="${String(value)}" class="${String(value)}">${value ? 'yes' : 'no'}</data>`;
  }
  if (typeof value === 'number') {
    const shown = body?.kind === 'money' && currency ? amountOf(value, currency) : JSON.stringify(value);
    return html`<data value="${JSON.stringify(value)}">${shown}</data>`;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Only an address of this service becomes a link.
  if (body?.kind === 'address' && /^\/(?!\/)/.test(text) && text !== location.path) {
    return html`<a href="${text}"><bdi>${text}</bdi></a>`;
  }
  if (body?.kind !== 'time') return html`<bdi${LONG_WORD.test(text) ? LONG : NOTHING}>${text}</bdi>`;
  const [, date, time] = MOMENT.exec(text) ?? [];
  return html`<time datetime="${text}">${date === undefined ? text : `${date} ${time} UTC`}</time>`;
}

function wordsForNull(body: Body | undefined): string {
  return body?.whenNull ?? 'none';
}

function amountOf(major: number, currency: Currency): string {
  const { decimals } = currency;
  const isExact = Math.abs(major) < 1e15 && Number(major.toFixed(decimals)) === major;
  return `${isExact ? major.toFixed(decimals) : JSON.stringify(major)} ${currency.code}`;
}
