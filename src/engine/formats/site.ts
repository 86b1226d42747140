import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Currency } from '../values/currency.js';
import { originOf } from '../../app/pages/overview.js';
import type { Version } from '../../generated/operations.js';
import type { View } from './format.js';

/** What is the same for every answer of a service. */
export interface Site {
  readonly publicUrl: string | null;
  readonly currency: Currency;
  /** What is around the content of every page, with places for it; null when the pages were not built. */
  readonly shell: string | null;
  /** What pages speak of that are of no version themselves. */
  readonly version: Version;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly site: Site;
  }
}

export function viewOf(request: FastifyRequest, reply: FastifyReply): View {
  const { site } = request.server;
  const { fields } = (request.query ?? {}) as { readonly fields?: readonly string[] };
  const header = (name: string): string | undefined => reply.getHeader(name)?.toString();
  return {
    url: request.url,
    fields,
    operation: request.routeOptions.config?.operation,
    link: header('link'),
    total: header('x-total-count'),
    origin: site.publicUrl ?? originOf(request),
    site,
  };
}
