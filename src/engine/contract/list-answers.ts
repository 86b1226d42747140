import type { Page, Slice } from '../../generated/contract.js';
import type { Answer, AnswerPlan } from './answer-plan.js';
import { matchingTag, notModified, pageTags } from './caching.js';
import { asItIs, codecsOf, formatTag, write } from './codec.js';
import { neighboursOf, select } from './envelope.js';
import { encodeOnce } from './encode-once.js';
import { pageLinks, sliceLinks, type PageQuery } from './page-links.js';
import type { AnyRequest } from './any-request.js';

/** Version 1: a bare list; the total and the links are in headers. */
export function pageAnswer({ row, version, address, origin, present, setCaching }: AnswerPlan): Answer {
  // Some lists show data that can change without a new version of the row. Such a list has no tag.
  const tagOf = row.answer.headers.includes('ETag') ? pageTags(version) : null;
  const codecOf = codecsOf(row);
  const encode = encodeOnce((item: object) => JSON.stringify(present(item)));
  // The service keeps some rows in memory. These rows are frozen, and their texts are kept with them. Other rows are
  // encoded in one call, which takes half as long as one call for each row. Only the first row is checked, because the
  // choice changes only the time, and not the result.
  const encodeAll = encodeOnce((items: readonly object[]) =>
    Object.isFrozen(items[0])
      ? `[${items.map(encode).join(',')}]`
      : JSON.stringify(items.map((item) => present(item))),
  );
  const pathOf = pathReader(address);
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
      const held = matchingTag(request, tag);
      if (held !== null) {
        notModified(request, reply, held, codec?.format.headers);
        return result;
      }
    }
    if (total !== null) reply.header('x-total-count', total);
    reply.header('link', pageLinks(origin + pathOf(request), request.url, query, result as Page<object>));
    if (codec) return write(codec, items.map(shownOf(fields)), request, reply);
    reply.serializer(asItIs);
    return fields ? JSON.stringify(items.map(shownOf(fields))) : encodeAll(items);
  };
}

/**
 * Version 2: the list in its envelope. The headers repeat the total and the links of the envelope, because some
 * formats, such as CSV, have no envelope.
 */
export function sliceAnswer({ row, version, address, origin, present, setCaching }: AnswerPlan): Answer {
  const tagOf = row.answer.headers.includes('ETag') ? pageTags(version) : null;
  const codecOf = codecsOf(row);
  const pathOf = pathReader(address);
  return (request, reply, result) => {
    const slice = result as Slice<object>;
    const { fields } = request.query as { readonly fields?: readonly string[] };
    setCaching(request, reply);
    const codec = codecOf(request);
    const page = neighboursOf(request, slice);
    if (tagOf) {
      const tag = tagOf(slice, formatTag(codec, request), ` ${page.next} ${page.previous}`);
      reply.header('etag', tag);
      const held = matchingTag(request, tag);
      if (held !== null) {
        notModified(request, reply, held, codec?.format.headers);
        return result;
      }
    }
    if (page.total !== null) reply.header('x-total-count', page.total);
    reply.header('link', sliceLinks(origin + pathOf(request), request.url, page));
    const data = slice.items.map((item) => (fields ? select(present(item), fields) : present(item)));
    const body = { data, page };
    if (codec) return write(codec, body, request, reply);
    reply.serializer(asItIs);
    return JSON.stringify(body);
  };
}

/** Fills an address in the router's syntax with the parameters of the path. */
function pathReader(address: string): (request: AnyRequest) => string {
  if (!address.includes(':')) return () => address;
  return ({ params }) =>
    address.replaceAll(/:(\w+)/g, (_match, name: string) => (params as Record<string, string>)[name] ?? '');
}
