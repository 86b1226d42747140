import type { Page } from '../../generated/contract.js';
import type { Neighbours } from './envelope.js';

export interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly fields?: readonly string[];
}

/**
 * The `Link` header (RFC 8288) of a list in numbered pages. The links keep the other parameters of the request, which
 * are encoded again. No link leads to a page that the service would refuse.
 */
export function pageLinks(
  address: string,
  url: string,
  { page, limit }: PageQuery,
  { items, total, reach = Infinity }: Page<object>,
): string {
  const start = `${address}?${othersIn(url, NUMBERED)}page=`;
  const end = `&limit=${limit}>; rel="`;
  const last = total === null ? null : Math.max(1, Math.ceil(total / limit));
  const hasNext = last === null ? items.length === limit : page < last;
  let links = `<${start}1${end}first"`;
  if (page > 1) links += `, <${start}${last === null ? page - 1 : Math.min(page - 1, last)}${end}prev"`;
  if (hasNext && (page + 1) * limit <= reach) links += `, <${start}${page + 1}${end}next"`;
  if (last !== null) links += `, <${start}${last}${end}last"`;
  return links;
}

/**
 * The `Link` header of a list with cursors. It has no link to the last page, because the cursor of the last page is not
 * known.
 */
export function sliceLinks(address: string, url: string, { next, previous }: Neighbours): string {
  const others = othersIn(url, BY_CURSOR);
  const start = `<${address}?${others}cursor=`;
  let links = `<${address}${others === '' ? '' : `?${others.slice(0, -1)}`}>; rel="first"`;
  if (previous !== null) links += `, ${start}${previous}>; rel="prev"`;
  if (next !== null) links += `, ${start}${next}>; rel="next"`;
  return links;
}

interface Paging {
  /** The parameters that say which part of the list is shown. */
  readonly names: readonly string[];
  /**
   * Matches queries without other parameters. Most queries have no other parameters, and parsing a query costs more
   * than making all the links.
   */
  readonly nothingElse: RegExp;
}

const NUMBERED: Paging = {
  names: ['page', 'limit'],
  nothingElse: /^(page=\d+|limit=\d+)(&(page=\d+|limit=\d+))*$/,
};
const BY_CURSOR: Paging = { names: ['cursor'], nothingElse: /^cursor=[\w-]*$/ };

/** The other parameters of the query, with a trailing `&`. */
function othersIn(url: string, { names, nothingElse }: Paging): string {
  const at = url.indexOf('?');
  if (at === -1) return '';
  const query = url.slice(at + 1);
  if (nothingElse.test(query)) return '';
  const parameters = new URLSearchParams(query);
  for (const name of names) parameters.delete(name);
  return parameters.size === 0 ? '' : `${parameters.toString()}&`;
}
