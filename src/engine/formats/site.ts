import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../pages/origin.js';
import type { PageMaker, Site, View } from './format.js';

declare module 'fastify' {
  interface FastifyInstance {
    readonly site: Site;
    readonly pageMaker: PageMaker;
  }
}

export function viewOf(request: FastifyRequest, reply: FastifyReply): View {
  const { site, pageMaker } = request.server;
  const { fields } = (request.query ?? {}) as { readonly fields?: readonly string[] };
  const header = (name: string): string | undefined => reply.getHeader(name)?.toString();
  return {
    url: request.url,
    fields,
    operation: request.routeOptions.config?.operation,
    link: header('link'),
    total: header('x-total-count'),
    etag: header('etag'),
    origin: site.publicUrl ?? originOf(request),
    site,
    pages: pageMaker,
  };
}
