import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { hasCredential } from '../../engine/access/credentials.js';
import { audienceOf } from '../../engine/access/issuer.js';
import type { Config } from '../../engine/config/config.js';
import type { AnyRequest } from '../../engine/contract/any-request.js';
import { heldTag } from '../../engine/contract/entity-tag.js';
import { NotFound } from '../../engine/errors/errors.js';
import { hookOf } from '../../engine/http/hook.js';
import type { RouteSet } from '../../engine/http/route-set.js';
import { requireAcceptable, type Step } from '../../engine/http/steps.js';
import {
  addressOf,
  BASIC_SIGN_IN_PATH,
  BASIC_SIGN_OUT_PATH,
  layBasicSignIn,
  returnPathOf,
} from './basic-sign-in.js';
import { boardOf, readFirst } from './board.js';
import { CODINGS, PAGE_PATHS, readGuide, type Asset, type BuiltPages, type Coding } from './built-pages.js';
import { FORMS } from '../../engine/browse/filters.js';
import { headerFor } from '../../engine/browse/page.js';
import { importsPageOf } from './imports.js';
import { docsNotice, factsOf, filled } from './overview.js';
import { laySentForms } from './sent-forms.js';
import { POLICIES, SECURITY_HEADERS } from '../../engine/pages/security.js';

const ACCEPTS_HTML = requireAcceptable(['text/html']);
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json', 'text/html'];

const FREE_PATHS: ReadonlySet<string> = new Set(PAGE_PATHS);

/**
 * A page loads dozens of files, so requests for pages and their files do not count against the limit of an address.
 * A guide counts, because no page loads it, and each request reads it from the disk.
 */
export const PAGE_ROUTES: RouteSet = {
  paths: Object.fromEntries(
    PAGE_PATHS.map((path) => [path, path === `${FORMS}/*` ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']]),
  ),
  isFree: (url) => url.startsWith('/assets/') || FREE_PATHS.has(pathOf(url)),
};

/** The path of a URL. This function runs for most requests without a credential, so it must be fast. */
function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * Adds the pages to the server. The pages are public, so they check no credential. Only the order board and a sent form
 * pass the credential of a request on to the API.
 */
export function layPages(fastify: FastifyInstance, config: Config, pages: BuiltPages | null): void {
  const [overview, docs, asset, docsFolder, icon, forms, docsRedirect, signIn, board, guides, imports] =
    PAGE_PATHS;
  const method = ['GET', 'HEAD'];
  const page = { method, onRequest: hookOf([ACCEPTS_HTML]) };
  fastify.route({
    ...page,
    url: overview,
    handler: (request, reply) => {
      const html = filled(required(pages).overview, factsOf(config, request));
      return sendPage(request, reply, html, POLICIES.overview);
    },
  });
  fastify.route({
    ...page,
    url: docs,
    handler: (request, reply) => {
      const facts = { ...headerFor(request.url), notice: docsNotice(config) };
      const html = filled(required(pages).docs, facts);
      return sendPage(request, reply, html, POLICIES.docs);
    },
  });
  fastify.route({
    ...page,
    url: docsRedirect,
    handler: (request, reply) =>
      sendPage(request, reply, required(pages).docsRedirect, POLICIES.docsRedirect),
  });
  fastify.route({
    ...page,
    url: signIn,
    handler: (request, reply) => {
      const next = returnPathOf(request);
      const html = filled(required(pages).signIn, {
        origin: new URL(audienceOf(config.http)).origin,
        basicSignIn: addressOf(BASIC_SIGN_IN_PATH, next),
        basicSignOut: BASIC_SIGN_OUT_PATH,
      });
      return sendPage(request, reply, html, POLICIES.browse);
    },
  });
  fastify.route({
    ...page,
    url: board,
    handler: async (request, reply) => {
      const { board: template } = required(pages);
      const first = hasCredential(request.headers) ? await readFirst(request) : null;
      const html = boardOf(template, config, request.url, first);
      reply.header('vary', 'Authorization, X-API-Key');
      return sendPage(request, reply, html, POLICIES.browse, first ? 'no-store' : 'no-cache');
    },
  });
  fastify.route({
    ...page,
    url: imports,
    handler: (request, reply) => {
      const html = importsPageOf(required(pages).imports, config, request.url);
      return sendPage(request, reply, html, POLICIES.browse);
    },
  });
  layBasicSignIn(fastify, pages?.browse ?? null);
  laySentForms(fastify, config.http);
  fastify.route<{ Params: { '*': string } }>({
    ...page,
    url: guides,
    handler: async (request, reply) => {
      required(pages);
      const html = await readGuide(request.params['*']);
      if (html === null) throw new NotFound('There is no such guide. The page /docs lists all of them.');
      return sendPage(request, reply, html, POLICIES.guide);
    },
  });
  fastify.route<{ Params: { name: string } }>({
    method,
    url: asset,
    handler: (request, reply) => {
      const found = required(pages).assets.get(request.params.name);
      if (!found) throw new NotFound('There is nothing at this address.');
      return sendAsset(request, reply, found);
    },
  });
  fastify.route({
    method,
    url: docsFolder,
    handler: (request, reply) => reply.redirect(docs + queryOf(request.url), 308),
  });
  // Browsers ask for this address if an answer names no icon. An answer in JSON, for example, names none.
  fastify.route({
    method,
    url: icon,
    handler: (request, reply) => {
      const [name] = [...required(pages).assets.keys()].filter((each) => /^icon-.*\.svg$/.test(each));
      return sendAsset(
        request,
        reply,
        required(pages).assets.get(name ?? '') as Asset,
        'public, max-age=86400',
      );
    },
  });
  fastify.route<{ Params: { '*': string } }>({
    method,
    url: forms,
    handler: (request, reply) => {
      const { '*': path } = request.params;
      if (!/^(api|users)\/[\w./~-]*$/.test(path)) throw new NotFound('There is no form for this address.');
      return reply.header('cache-control', 'no-store').redirect(askedBy(request.url), 303);
    },
  });
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}

/**
 * The address with only the fields of the form that were filled in. An empty parameter would be refused, and a
 * parameter that occurs several times becomes a list.
 */
function askedBy(url: string): string {
  const [path = '', query] = url.slice(FORMS.length).split('?', 2);
  const asked = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(query)) {
    if (value === '') continue;
    const before = asked.get(name);
    asked.set(name, before === null ? value : `${before},${value}`);
  }
  return asked.size === 0 ? path : `${path}?${asked.toString()}`;
}

/**
 * Shows GraphiQL to a browser that opens `/graphql`. A request with a query, or a request that does not prefer HTML
 * to JSON, is passed on to GraphQL itself.
 */
export function graphiqlFor(pages: BuiltPages | null): Step {
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    reply.header('vary', 'Accept');
    if (!prefersHtml(request) || new URL(request.url, 'http://localhost').searchParams.has('query')) return;
    sendPage(request, reply, required(pages).graphiql, POLICIES.graphiql);
  };
}

function prefersHtml({ headers: { accept } }: AnyRequest): boolean {
  if (accept === undefined || !accept.includes('text/')) return false;
  return new Negotiator({ headers: { accept } }).mediaType(GRAPHQL_TYPES) === 'text/html';
}

/** @throws NotFound */
function required(pages: BuiltPages | null): BuiltPages {
  if (pages) return pages;
  throw new NotFound(
    'The pages of this service were not built. Run "npm run build:pages", and start the service again.',
  );
}

function sendPage(
  request: AnyRequest,
  reply: FastifyReply,
  html: string,
  policy: string,
  caching = 'no-cache',
): FastifyReply {
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    ...SECURITY_HEADERS,
    'content-security-policy': policy,
    'cache-control': caching,
    etag,
  });
  if (isCurrent(request, etag)) return reply.code(304).send();
  reply.type('text/html; charset=utf-8').header('content-length', Buffer.byteLength(html));
  return reply.send(html);
}

/**
 * Streams a file from the disk to the socket. The files are not kept in memory, because they would take as much memory
 * as the service itself.
 */
async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  caching = 'public, max-age=31536000, immutable',
): Promise<FastifyReply> {
  const coding = codingOf(request, asset);
  const { file, bytes, etag } = asset.variants[coding] ?? asset.variants.identity;
  const isKnown = isCurrent(request, etag);
  // The file is opened before the headers of the answer are set. If the file is gone, the answer is a 404.
  const handle = isKnown || request.method === 'HEAD' ? null : await opened(file);
  reply.headers({
    ...SECURITY_HEADERS,
    'content-security-policy': POLICIES.asset,
    'cache-control': caching,
    vary: 'Accept-Encoding',
    etag,
  });
  if (isKnown) return reply.code(304).send();
  reply.type(asset.type).header('content-length', bytes);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.send(handle?.createReadStream());
}

function codingOf({ headers }: FastifyRequest, { variants }: Asset): Coding {
  const offered = CODINGS.filter((coding) => variants[coding] !== undefined);
  const taken = new Negotiator({ headers }).encodings([...offered]);
  return offered.find((coding) => taken.includes(coding)) ?? 'identity';
}

/** @throws NotFound when the pages were built again after the start of the service */
async function opened(file: URL): ReturnType<typeof open> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new NotFound('This file of a page no longer exists. Load the page again.')
      : error;
  });
}

function isCurrent({ headers }: AnyRequest, etag: string): boolean {
  const given = headers['if-none-match'];
  return given !== undefined && heldTag(given, etag, undefined) !== null;
}
