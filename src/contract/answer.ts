import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../generated/contract.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import { asItIs, codecsOf, tagOf, write } from './codec.js';
import { entityTag, matchesNone } from './entity-tag.js';
import type { Present, Representations } from './representation.js';

/** Turns what a handler returned into the body of the answer, and sets the headers that belong to it. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown;

/**
 * Compiles how an operation answers at one of its addresses, from its row of the contract.
 *
 * @param address in the router's syntax, such as `/api/v1/products/:id`
 */
export function answerOf(
  row: Operation,
  address: string,
  representations: Representations,
  publicUrl: string | null,
): Answer {
  const { shape, entity, key } = row.answer;
  const codecOf = codecsOf(row);
  if (shape === 'none' || shape === 'plain') {
    return (request, reply, result) => {
      if (row.method === 'GET' && row.security.length > 0) setCaching(row, request, reply);
      const codec = codecOf(request);
      return codec ? write(codec, result, request, reply) : result;
    };
  }
  if (!entity || !row.version) throw new Error(`${row.id} answers with an entity outside of a version.`);
  const present = representations.of(row.version, entity);
  if (shape === 'page') return pageAnswer(row, publicUrl ?? '', address, present);
  // The router writes `:id` where the contract has `{id}`.
  const root = address.slice(0, address.length - row.template.replaceAll(/\{(\w+)\}/g, ':$1').length);
  return entityAnswer(row, `${publicUrl ?? ''}${root}`, present, key, row.version);
}

function entityAnswer(
  row: Operation,
  root: string,
  present: Present,
  key: string | null,
  version: string,
): Answer {
  const isRead = row.method === 'GET';
  const location = row.answer.locationOf && OPERATIONS[row.answer.locationOf].template;
  const codecOf = codecsOf(row);
  const encode = kept((entity: object) => JSON.stringify(present(entity)));
  return (request, reply, result) => {
    const entity = result as { readonly version: number };
    const codec = codecOf(request);
    const tag = entityTag(entity.version, version, codec ? tagOf(codec, request) : undefined);
    const held = request.headers['if-none-match'];
    if (isRead && held !== undefined && matchesNone(held, tag)) {
      setCaching(row, request, reply);
      reply
        .code(304)
        .header('etag', tag)
        .serializer(request.method === 'HEAD' ? empty : nothing);
      return result;
    }
    reply.header('etag', tag);
    if (isRead) setCaching(row, request, reply);
    // Nobody caches the answer to a change anyway; where the contract names it nonetheless, a secret is in it.
    else if (row.answer.headers.includes('Cache-Control')) reply.header('cache-control', 'no-store');
    if (request.idempotencyKey?.isReplayed) reply.header('idempotent-replayed', 'true');
    if (location) reply.header('location', root + filled(location, present(entity)));
    if (codec)
      return write(codec, key === null ? present(entity) : { [key]: present(entity) }, request, reply);
    reply.serializer(asItIs);
    const body = encode(entity);
    return key === null ? body : `{${JSON.stringify(key)}:${body}}`;
  };
}

function pageAnswer(row: Operation, origin: string, address: string, present: Present): Answer {
  const codecOf = codecsOf(row);
  const encode = kept((item: object) => JSON.stringify(present(item)));
  const encodeAll = kept((items: readonly object[]) => `[${items.map(encode).join(',')}]`);
  const shownOf = (fields: readonly string[] | undefined) => (item: object) =>
    fields ? select(present(item), fields) : present(item);
  return (request, reply, result) => {
    const { items, total } = result as Page<object>;
    const query = request.query as PageQuery;
    const { fields } = query;
    setCaching(row, request, reply);
    if (total !== null) reply.header('x-total-count', total);
    const path = address.replaceAll(
      /:(\w+)/g,
      (_match, name: string) => (request.params as Record<string, string>)[name] ?? '',
    );
    const links = linksOf(origin + path, request.url, query, items.length, total);
    reply.header('link', links);
    const codec = codecOf(request);
    if (codec) return write(codec, items.map(shownOf(fields)), request, reply);
    reply.serializer(asItIs);
    return fields ? JSON.stringify(items.map(shownOf(fields))) : encodeAll(items);
  };
}

interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly fields?: readonly string[];
}

/**
 * Keeps the text of what is shared between requests (it is frozen, see `SharedRows`) with it, for as long as it is
 * shared; the text of anything else is made each time.
 */
function kept<T extends object>(encode: (value: T) => string): (value: T) => string {
  const texts = new WeakMap<T, string>();
  return (value) => {
    if (!Object.isFrozen(value)) return encode(value);
    let text = texts.get(value);
    if (text === undefined) {
      text = encode(value);
      texts.set(value, text);
    }
    return text;
  };
}

// RFC 9110, section 8.6: no Content-Length with 304, unless it is that of the full answer. HEAD wants a text here.
const nothing = (): string => null as unknown as string;
const empty = (): string => '';

function filled(template: string, members: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(members[name]));
}

/** What a credential decided is not for shared caches, whatever header it came in (RFC 9111, section 3.5, knows one only). */
function setCaching(row: Operation, request: FastifyRequest, reply: FastifyReply): void {
  const isPublic = row.security.length === 0 && request.principal.kind === 'anonymous';
  reply.header('cache-control', isPublic ? 'public, max-age=0, must-revalidate' : 'private, no-cache');
  reply.header('vary', 'Accept');
}

function select(body: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
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
