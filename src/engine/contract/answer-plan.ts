import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../generated/operations.js';
import type { Caching } from './caching.js';
import type { Present } from './representation.js';

/** Turns what a handler returned into the body of the answer, or a promise of it, and sets the headers that belong to it. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown;

/** All that is known at start of the answers with entities that an operation gives at one of its addresses. */
export interface AnswerPlan {
  readonly row: Operation;
  readonly version: string;
  /** In the router's syntax, such as `/api/v1/products/:id`. */
  readonly address: string;
  /** What links begin with: the public address of the service, or nothing. */
  readonly origin: string;
  readonly present: Present;
  readonly setCaching: Caching;
}
