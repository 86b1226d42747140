import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/header.strategy.js';

export const EVENT_STREAM = 'text/event-stream';

/** Set where an operation was asked for as a stream of events, and has one. */
export interface StreamWish {
  readonly caller: Caller;
  /** Behind which the client was cut off. */
  readonly lastEventId: string | null;
}

/** Null where the answer is to have an end. */
export function streamWishOf({ headers, ip, answerType }: FastifyRequest): StreamWish | null {
  if (answerType !== EVENT_STREAM) return null;
  const { 'last-event-id': id } = headers;
  return { caller: { headers, ip }, lastEventId: typeof id === 'string' && id !== '' ? id : null };
}

/** An answer in the media type that has no end; what the contract says of its parts is for its sender to keep. */
export class LiveAnswer {
  private constructor(readonly begin: (request: FastifyRequest, reply: FastifyReply) => void) {}

  /** Stands where the answer with an end would, whose type it does not have. */
  static instead(begin: LiveAnswer['begin']): never {
    return new LiveAnswer(begin) as never;
  }
}
