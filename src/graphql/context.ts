import type DataLoader from 'dataloader';
import type { FastifyRequest } from 'fastify';
import { Reach } from '../auth/reach.js';
import { originOf, Precondition, type Context } from '../contract/context.js';
import type { GraphqlContext } from '../generated/graphql.js';

/** What resolvers get; made anew for every operation. */
declare module '../generated/graphql.js' {
  interface GraphqlContext extends Context {
    /** One loader for each relation, so that a level of the answer costs one statement; see `batched`. */
    readonly loaders: Map<object, DataLoader<number, unknown>>;
  }
}

export type { GraphqlContext };

/** For a request of HTTP, or for an operation on a WebSocket, which has an id of its own. */
export function contextOf({ principal, id }: Pick<FastifyRequest, 'principal' | 'id'>): GraphqlContext {
  return {
    principal,
    // Root fields get that of their own policy.
    reach: Reach.NOTHING,
    requestId: id,
    origin: originOf(principal, id),
    precondition: Precondition.NONE,
    loaders: new Map(),
  };
}
