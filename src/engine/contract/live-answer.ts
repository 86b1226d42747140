import type { FastifyReply } from 'fastify';
import type { Caller } from '../access/caller.js';
import type { AnyRequest } from './any-request.js';

export const EVENT_STREAM = 'text/event-stream';

/** The request for a stream of events, at an operation that offers such a stream. */
export interface StreamWish {
  readonly caller: Caller;
  /** The id of the last event that the client got before the connection was lost. */
  readonly lastEventId: string | null;
}

/** Null if the answer is not a stream of events. */
export function streamWishOf({ headers, ip, answerType }: AnyRequest): StreamWish | null {
  if (answerType !== EVENT_STREAM) return null;
  const { 'last-event-id': id } = headers;
  return { caller: { headers, ip }, lastEventId: typeof id === 'string' && id !== '' ? id : null };
}

/**
 * An answer that the feature itself sends, such as a stream of events. The feature has to make sure that the answer
 * follows the contract.
 */
export class LiveAnswer {
  private constructor(readonly begin: (request: AnyRequest, reply: FastifyReply) => void | Promise<void>) {}

  /** Returns an answer that a handler can return instead of its result. The type `never` allows this. */
  static instead(begin: LiveAnswer['begin']): never {
    return new LiveAnswer(begin) as never;
  }
}
