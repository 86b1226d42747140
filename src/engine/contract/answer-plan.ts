import type { FastifyReply } from 'fastify';
import type { Operation } from '../../generated/operations.js';
import type { Caching } from './caching.js';
import type { Present } from './representation.js';
import type { AnyRequest } from './any-request.js';

/** Turns the result of a handler into the body of the answer, or a promise of it. Sets the headers of that body. */
export type Answer = (request: AnyRequest, reply: FastifyReply, result: unknown) => unknown;

/**
 * The facts about an operation that answers with entities, for one of its addresses. They are known when the service
 * starts.
 */
export interface AnswerPlan {
  readonly row: Operation;
  readonly version: string;
  /** The address in the router's syntax, such as `/api/v1/products/:id`. */
  readonly address: string;
  /** The beginning of links: the public address of the service, or an empty text. */
  readonly origin: string;
  readonly present: Present;
  readonly setCaching: Caching;
}
