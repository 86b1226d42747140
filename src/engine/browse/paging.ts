import { isObject, type View } from '../formats/format.js';
import type { Browsable } from '../../generated/views.js';
import { html, type Html } from '../pages/html.js';
import type { PageLocation } from './addresses.js';
import type { Head } from './values.js';

const NOTHING = html``;
const NAMES = { first: 'First', prev: 'Previous', next: 'Next', last: 'Last' } as const;

/** Links to the other pages of a list, from the `Link` header or from the cursors of the envelope. */
export function pagesOf(
  location: PageLocation,
  filters: Browsable['filters'],
  value: unknown,
  view: View,
): Html {
  const links = view.link === undefined ? cursorLinks(location, filters, value) : headerLinks(view.link);
  const said = [pageOf(location, filters), totalOf(value, view)].filter((text) => text !== null).join(', ');
  if (links.size === 0 && said === '') return NOTHING;
  const items = Object.entries(NAMES).flatMap(([rel, name]) => {
    const address = links.get(rel);
    const isHere = (rel === 'first' && !links.has('prev')) || (rel === 'last' && !links.has('next'));
    return address === undefined || (isHere && view.link !== undefined)
      ? []
      : [html`<li><a href="${address}" rel="${rel}">${name}</a></li>`];
  });
  return html`<nav class="pages" aria-label="Pages">
    <p>${said}</p>
    <ul>
      ${items}
    </ul>
  </nav>`;
}

/** Reads the links without their origin, because the client may know the service by another name. */
function headerLinks(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', rel = ''] of header.matchAll(/<([^<>]*)>; rel="([^"<]*)"/g)) {
    const { pathname, search } = new URL(target, 'http://localhost');
    links.set(rel, pathname + search);
  }
  return links;
}

function cursorLinks(
  location: PageLocation,
  filters: Browsable['filters'],
  value: unknown,
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  if (!isObject(value)) return links;
  const page = isObject(value['page']) ? value['page'] : value;
  const name = filters.find((filter) => filter.name === 'cursor' || filter.name === 'after')?.name;
  if (name === undefined) return links;
  if (location.query.has(name)) links.set('first', location.with({ [name]: null }));
  for (const [rel, member] of [['prev', 'previous'] as const, ['next', 'next'] as const]) {
    const cursor = page[member];
    if (typeof cursor === 'string') links.set(rel, location.with({ [name]: cursor }));
  }
  return links;
}

function pageOf({ query }: PageLocation, filters: Browsable['filters']): string | null {
  return filters.some(({ name }) => name === 'page') ? `Page ${query.get('page') ?? '1'}` : null;
}

function totalOf(value: unknown, { total }: View): string | null {
  const page = isObject(value) && isObject(value['page']) ? value['page'] : {};
  const count = total ?? page['total'];
  if (typeof count !== 'string' && typeof count !== 'number') return null;
  return `${count} in all`;
}

/**
 * Makes the heads of the columns. The head of a sortable column is a link that sorts the list by this column. The next
 * use of the link reverses the order.
 */
export function headOf(location: PageLocation, filters: Browsable['filters']): Head {
  const keys = filters.find(({ name }) => name === 'sort')?.values ?? [];
  const [current] = location.query.getAll('sort').join(',').split(',');
  return (name, look) => {
    const down = `-${name}`;
    if (!keys.includes(name) && !keys.includes(down))
      return html`<th role="columnheader" scope="col" ${look}>${name}</th>`;
    const isUp = current === name;
    const isDown = current === down;
    const wanted = isUp && keys.includes(down) ? down : keys.includes(name) ? name : down;
    const address = location.with({ sort: wanted, page: null, cursor: null });
    const state = isUp ? 'ascending' : isDown ? 'descending' : 'none';
    const mark = isUp ? '▲' : isDown ? '▼' : '↕';
    const way = wanted === name ? 'ascending' : 'descending';
    return html`<th role="columnheader" scope="col" aria-sort="${state}" ${look}>
      <a href="${address}" title="Sort by ${name}, ${way}"
        >${name}<span class="mark" aria-hidden="true">${mark}</span></a
      >
    </th>`;
  };
}
