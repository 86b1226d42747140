import { sentIn } from '../testkit/event-stream.ts';
import type { Shop } from './shop.ts';

export interface Stream {
  readonly method: string;
  readonly path: string;
  /** The kind of events that carry the results. */
  readonly event: string;
  readonly body?: string;
}

export interface Heard {
  readonly id: string | null;
  readonly data: unknown;
}

/**
 * Reads server-sent events until they end. Yields the requested events and the problems. If the status is neither 200
 * nor 503, yields the status too.
 */
export async function* listen(
  shop: Shop,
  place: number,
  { method, path, event, body }: Stream,
  lastEventId: string,
  signal: AbortSignal,
  connected: () => void,
): AsyncGenerator<Heard> {
  const response = await fetch(shop.urlOf(place) + path, {
    method,
    headers: {
      'x-api-key': shop.key,
      accept: 'text/event-stream',
      'last-event-id': lastEventId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal,
  });
  const { status } = response;
  if (status !== 200 && status !== 503) yield { id: null, data: { status } };
  if (status === 200) connected();
  for await (const { event: name, id, data } of sentIn(response.body)) {
    if (data !== '' && [event, 'problem'].includes(name ?? 'message')) yield { id, data: JSON.parse(data) };
  }
}
