import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../generated/contract.js';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import { entityTag, matchesNone } from './entity-tag.js';
import type { Present, Representations } from './representation.js';

type Row = (typeof OPERATIONS)[OperationId];

/** Turns what a handler returned into the body of the answer, and sets the headers that belong to it. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown;

/** Compiles how an operation answers, from its row of the contract. */
export function answerOf(row: Row, representations: Representations, publicUrl: string | null): Answer {
  const { shape, entity, key } = row.answer;
  if (shape === 'none' || shape === 'plain') return (_request, _reply, result) => result;
  if (!entity || !row.version) throw new Error(`${row.id} answers with an entity outside of a version.`);
  const present = representations.of(row.version, entity);
  return shape === 'page'
    ? pageAnswer(row, present, publicUrl)
    : entityAnswer(row, present, key, row.version, publicUrl);
}

function entityAnswer(
  row: Row,
  present: Present,
  key: string | null,
  version: string,
  publicUrl: string | null,
): Answer {
  const isRead = row.method === 'GET';
  const location = row.answer.locationOf ? OPERATIONS[row.answer.locationOf].template : null;
  return (request, reply, result) => {
    const tag = entityTag((result as { version: number }).version, version);
    reply.header('etag', tag);
    if (isRead) {
      setCaching(row, request, reply);
      const held = request.headers['if-none-match'];
      if (held !== undefined && matchesNone(held, tag)) {
        reply.code(304).serializer(() => '');
        return result;
      }
    }
    const body = present(result);
    if (location !== null) {
      const address = location.replace(/\{(\w+)\}/g, (_match, name: string) => String(body[name]));
      reply.header('location', `${publicUrl ?? ''}${rootOf(request.url, row)}${address}`);
    }
    return key === null ? body : { [key]: body };
  };
}

function pageAnswer(row: Row, present: Present, publicUrl: string | null): Answer {
  return (request, reply, result) => {
    const { items, total } = result as Page<unknown>;
    const query = request.query as { page: number; limit: number; fields?: readonly string[] };
    setCaching(row, request, reply);
    if (total !== null) reply.header('x-total-count', total);
    reply.header('link', linksOf(request.url, publicUrl ?? '', query, items.length, total));
    const bodies = items.map(present);
    return query.fields ? bodies.map((body) => select(body, query.fields as readonly string[])) : bodies;
  };
}

/** What a credential decided is not for shared caches, whatever header it came in (RFC 9111, section 3.5, knows one only). */
function setCaching(row: Row, request: FastifyRequest, reply: FastifyReply): void {
  const isPublic = row.security.length === 0 && request.principal.kind === 'anonymous';
  reply.header('cache-control', isPublic ? 'public, max-age=0, must-revalidate' : 'private, no-cache');
  reply.header('vary', 'Accept');
}

function select(body: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}

/** The address that the operation's template is appended to: `/api` or `/api/v1`, whichever the client used. */
function rootOf(url: string, row: Row): string {
  const path = url.split('?', 1)[0] as string;
  const depth = row.template.split('/').length - 1;
  return path.split('/').slice(0, -depth).join('/');
}

/** The `Link` header (RFC 8288); the other parameters of the request are kept as they came. */
function linksOf(
  url: string,
  publicUrl: string,
  { page, limit }: { page: number; limit: number },
  count: number,
  total: number | null,
): string {
  const [path = '', query = ''] = url.split('?', 2);
  const kept = query.split('&').filter((pair) => pair !== '' && !/^(page|limit)=/.test(pair));
  const link = (to: number, rel: string): string =>
    `<${publicUrl}${path}?${[...kept, `page=${to}`, `limit=${limit}`].join('&')}>; rel="${rel}"`;
  const last = total === null ? null : Math.max(1, Math.ceil(total / limit));
  const links = [link(1, 'first')];
  if (page > 1) links.push(link(last === null ? page - 1 : Math.min(page - 1, last), 'prev'));
  if (last === null ? count === limit : page < last) links.push(link(page + 1, 'next'));
  if (last !== null) links.push(link(last, 'last'));
  return links.join(', ');
}
