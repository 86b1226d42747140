import type { Page, Slice } from '../generated/contract.js';
import type { Operation } from '../generated/operations.js';
import type { Answer } from './answer.js';
import { goodCopy, notModified, pageTags, type Caching } from './caching.js';
import { asItIs, codecsOf, formatTag, write } from './codec.js';
import { neighboursOf, select } from './envelope.js';
import { kept } from './kept.js';
import type { Present } from './representation.js';

/** Version 1: a bare list, and in headers what there is besides. */
export function pageAnswer(
  row: Operation,
  version: string,
  origin: string,
  address: string,
  present: Present,
  setCaching: Caching,
): Answer {
  // What shows more than its rows say by their versions has no tag.
  const tagOf = row.answer.headers.includes('ETag') ? pageTags(version) : null;
  const codecOf = codecsOf(row);
  const encode = kept((item: object) => JSON.stringify(present(item)));
  const encodeAll = kept((items: readonly object[]) => `[${items.map(encode).join(',')}]`);
  const shownOf = (fields: readonly string[] | undefined) => (item: object) =>
    fields ? select(present(item), fields) : present(item);
  return (request, reply, result) => {
    const { items, total } = result as Page<object>;
    const query = request.query as PageQuery;
    const { fields } = query;
    setCaching(request, reply);
    const codec = codecOf(request);
    if (tagOf) {
      const tag = tagOf(result as Page<object>, formatTag(codec, request));
      reply.header('etag', tag);
      const held = goodCopy(request, tag);
      if (held !== null) {
        notModified(request, reply, held, codec?.format.headers);
        return result;
      }
    }
    if (total !== null) reply.header('x-total-count', total);
    const path = address.replaceAll(
      /:(\w+)/g,
      (_match, name: string) => (request.params as Record<string, string>)[name] ?? '',
    );
    const links = linksOf(origin + path, request.url, query, items.length, total);
    reply.header('link', links);
    if (codec) return write(codec, items.map(shownOf(fields)), request, reply);
    reply.serializer(asItIs);
    return fields ? JSON.stringify(items.map(shownOf(fields))) : encodeAll(items);
  };
}

/** Version 2: the list in its envelope. */
export function sliceAnswer(row: Operation, version: string, present: Present, setCaching: Caching): Answer {
  const tagOf = row.answer.headers.includes('ETag') ? pageTags(version) : null;
  const codecOf = codecsOf(row);
  return (request, reply, result) => {
    const slice = result as Slice<object>;
    const { fields } = request.query as { readonly fields?: readonly string[] };
    setCaching(request, reply);
    const codec = codecOf(request);
    const page = neighboursOf(request, slice);
    if (tagOf) {
      const tag = tagOf(slice, formatTag(codec, request), ` ${page.next} ${page.previous}`);
      reply.header('etag', tag);
      const held = goodCopy(request, tag);
      if (held !== null) {
        notModified(request, reply, held, codec?.format.headers);
        return result;
      }
    }
    const data = slice.items.map((item) => (fields ? select(present(item), fields) : present(item)));
    const body = { data, page };
    if (codec) return write(codec, body, request, reply);
    reply.serializer(asItIs);
    return JSON.stringify(body);
  };
}

interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly fields?: readonly string[];
}

/** The `Link` header (RFC 8288); the other parameters of the request are kept, encoded anew. */
function linksOf(
  address: string,
  url: string,
  { page, limit }: PageQuery,
  count: number,
  total: number | null,
): string {
  const start = `${address}?${othersIn(url)}page=`;
  const end = `&limit=${limit}>; rel="`;
  const last = total === null ? null : Math.max(1, Math.ceil(total / limit));
  let links = `<${start}1${end}first"`;
  if (page > 1) links += `, <${start}${last === null ? page - 1 : Math.min(page - 1, last)}${end}prev"`;
  if (last === null ? count === limit : page < last) links += `, <${start}${page + 1}${end}next"`;
  if (last !== null) links += `, <${start}${last}${end}last"`;
  return links;
}

/** What the query says besides page and limit, ready to be put before them. */
function othersIn(url: string): string {
  const at = url.indexOf('?');
  if (at === -1) return '';
  const query = url.slice(at + 1);
  // Most queries say nothing else, and reading them properly costs more than all the links.
  if (/^(page=\d+|limit=\d+)(&(page=\d+|limit=\d+))*$/.test(query)) return '';
  const parameters = new URLSearchParams(query);
  parameters.delete('page');
  parameters.delete('limit');
  return parameters.size === 0 ? '' : `${parameters.toString()}&`;
}
