import type { Shop } from './shop.ts';

export interface Stream {
  readonly method: string;
  readonly path: string;
  /** The kind of events that carry the results. */
  readonly event: string;
  readonly body?: string;
}

export interface Sent {
  readonly id: string | null;
  readonly data: unknown;
}

/**
 * Reads server-sent events until they end. Besides the requested events it yields problems, and statuses other than 200
 * and 503.
 */
export async function* listen(
  shop: Shop,
  place: number,
  { method, path, event, body }: Stream,
  lastEventId: string,
  signal: AbortSignal,
  connected: () => void,
): AsyncGenerator<Sent> {
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
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const events = text.split('\n\n');
    // An event that the connection cut off is ignored.
    text = events.pop() ?? '';
    for (const lines of events) {
      const data = /^data: (.*)$/m.exec(lines)?.[1];
      const name = /^event: (.*)$/m.exec(lines)?.[1] ?? 'message';
      const id = /^id: (.*)$/m.exec(lines)?.[1] ?? null;
      if (data !== undefined && (name === event || name === 'problem')) yield { id, data: JSON.parse(data) };
    }
  }
}
