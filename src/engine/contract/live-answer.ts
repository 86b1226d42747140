import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/header.strategy.js';

export const EVENT_STREAM = 'text/event-stream';

/** Set if the client asked for a stream of events and the operation has one. */
export interface StreamWish {
  readonly caller: Caller;
  /** The id of the last event that the client got before the connection was lost. */
  readonly lastEventId: string | null;
}

/** Null if the answer is not a stream of events. */
export function streamWishOf({ headers, ip, answerType }: FastifyRequest): StreamWish | null {
  if (answerType !== EVENT_STREAM) return null;
  const { 'last-event-id': id } = headers;
  return { caller: { headers, ip }, lastEventId: typeof id === 'string' && id !== '' ? id : null };
}

/** An answer in the media type `text/event-stream`. Its sender has to make its parts as the contract says. */
export class LiveAnswer {
  private constructor(readonly begin: (request: FastifyRequest, reply: FastifyReply) => void) {}

  /** Takes the place of the finite answer, although it has another type. */
  static instead(begin: LiveAnswer['begin']): never {
    return new LiveAnswer(begin) as never;
  }
}
