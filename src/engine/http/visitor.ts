import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyRequest } from '../contract/any-request.js';
import type { Step } from './steps.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request of a browser for which the service makes this request to itself; null for every other request. */
    visitor: AnyRequest | null;
  }
}

const visitors = new AsyncLocalStorage<AnyRequest>();

/**
 * Makes a request to this service that belongs to the request of a visitor. The two requests have the same id. Only the
 * request of the visitor is in the access log and in the metrics of requests, and both together are counted once
 * against the limits. Rights, costs and errors are those of the request that is made here.
 */
export function forVisitor<T>(visitor: AnyRequest, make: () => Promise<T>): Promise<T> {
  return visitors.run(visitor, make);
}

/** The first step of each request. It marks a request that the service makes to itself. */
export const joinVisitor: Step = (request) => {
  const visitor = visitors.getStore();
  if (visitor === undefined) return;
  request.visitor = visitor;
  request.id = visitor.id;
  request.isCounted = true;
};
