import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../generated/contract.js';
import { OPERATIONS, type Operation } from '../generated/operations.js';
import {
  cachingOf,
  goodCopy,
  lastModified,
  notModified,
  notStored,
  pageTags,
  type Caching,
} from './caching.js';
import { asItIs, codecsOf, formatTag, write } from './codec.js';
import { entityTag } from './entity-tag.js';
import { enveloped, select } from './envelope.js';
import { exportAnswer } from './export-answer.js';
import { applyPreference } from './preference.js';
import type { Present, Representations } from './representation.js';

/** Turns what a handler returned into the body of the answer, or a promise of it, and sets the headers that belong to it. */
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
  sharedSeconds: number,
): Answer {
  const { shape, entity, key } = row.answer;
  const codecOf = codecsOf(row);
  const setCaching = row.method === 'GET' ? cachingOf(row, sharedSeconds) : notStored;
  if (shape === 'none' || shape === 'plain') {
    const isStored = row.tag !== 'health' && row.method === 'GET';
    return (request, reply, result) => {
      if (!isStored) notStored(request, reply);
      else if (row.security.length > 0) setCaching(request, reply);
      if (request.idempotencyKey?.isReplayed) reply.header('idempotent-replayed', 'true');
      const codec = codecOf(request);
      return codec ? write(codec, result, request, reply) : result;
    };
  }
  if (!entity || !row.version) throw new Error(`${row.id} answers with an entity outside of a version.`);
  const present = representations.of(row.version, entity);
  if (shape === 'slice') return sliceAnswer(row, row.version, present, setCaching);
  if (shape === 'export') {
    const answer = exportAnswer(row, present);
    return (request, reply, result) => {
      setCaching(request, reply);
      return answer(request, reply, result);
    };
  }
  if (shape === 'page') return pageAnswer(row, row.version, publicUrl ?? '', address, present, setCaching);
  // The router writes `:id` where the contract has `{id}`.
  const root = address.slice(0, address.length - row.template.replaceAll(/\{(\w+)\}/g, ':$1').length);
  return entityAnswer(row, `${publicUrl ?? ''}${root}`, present, key, row.version, setCaching);
}

function entityAnswer(
  row: Operation,
  root: string,
  present: Present,
  key: string | null,
  version: string,
  setCaching: Caching,
): Answer {
  const isRead = row.method === 'GET';
  const isDated = row.answer.headers.includes('Last-Modified');
  const location = row.answer.locationOf && OPERATIONS[row.answer.locationOf].template;
  const takesPreference = row.headers !== null && 'Prefer' in row.headers.kinds;
  const codecOf = codecsOf(row);
  const encode = kept((entity: object) => JSON.stringify(present(entity)));
  return (request, reply, result) => {
    const entity = result as { readonly version: number; readonly updatedAt?: Date };
    const { updatedAt } = entity;
    const codec = codecOf(request);
    const tag = entityTag(entity.version, version, formatTag(codec, request));
    setCaching(request, reply);
    if (isDated && updatedAt) reply.header('last-modified', lastModified(updatedAt));
    const held = isRead ? goodCopy(request, tag, isDated ? updatedAt : undefined) : null;
    if (held !== null) {
      notModified(request, reply, held);
      return result;
    }
    reply.header('etag', tag);
    if (request.idempotencyKey?.isReplayed) reply.header('idempotent-replayed', 'true');
    if (location) reply.header('location', root + filled(location, present(entity)));
    if (takesPreference && applyPreference(request, reply)) return withoutBody(reply);
    if (codec)
      return write(codec, key === null ? present(entity) : { [key]: present(entity) }, request, reply);
    reply.serializer(asItIs);
    const body = encode(entity);
    return key === null ? body : `{${JSON.stringify(key)}:${body}}`;
  };
}

/** 201 stays: it says that something is new, and where. */
function withoutBody(reply: FastifyReply): string {
  if (reply.statusCode !== 201) reply.code(204);
  reply.serializer(asItIs).removeHeader('content-type');
  return '';
}

function pageAnswer(
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
        notModified(request, reply, held);
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

function sliceAnswer(row: Operation, version: string, present: Present, setCaching: Caching): Answer {
  const tagOf = row.answer.headers.includes('ETag') ? pageTags(version) : null;
  const codecOf = codecsOf(row);
  const envelop = enveloped(present);
  return (request, reply, result) => {
    setCaching(request, reply);
    const codec = codecOf(request);
    const body = envelop(request, result);
    if (tagOf) {
      const { next, previous } = body.page;
      const tag = tagOf(result as Page<object>, formatTag(codec, request), ` ${next} ${previous}`);
      reply.header('etag', tag);
      const held = goodCopy(request, tag);
      if (held !== null) {
        notModified(request, reply, held);
        return result;
      }
    }
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

function filled(template: string, members: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(members[name]));
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
