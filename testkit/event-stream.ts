/** A block of an event stream: an event, an id without an event, or a comment. */
export interface Sent {
  /** Null if the block has no line `event`. */
  readonly event: string | null;
  readonly id: string | null;
  readonly data: string;
  readonly comment: boolean;
  readonly retry: string | null;
}

/** Reads server-sent events as they come. If the connection ends within a block, this block is ignored. */
export async function* sentIn(body: Response['body']): AsyncGenerator<Sent> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const end = text.lastIndexOf('\n\n');
    if (end < 0) continue;
    yield* blocksIn(text.slice(0, end + 2));
    text = text.slice(end + 2);
  }
}

/** The complete blocks of a text. */
export function blocksIn(text: string): readonly Sent[] {
  return text.split('\n\n').slice(0, -1).map(blockOf);
}

function blockOf(text: string): Sent {
  const lines = text.split('\n');
  const valueOf = (name: string): string | null =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? null;
  return {
    event: valueOf('event'),
    id: valueOf('id'),
    data: valueOf('data') ?? '',
    comment: lines.every((line) => line.startsWith(':')),
    retry: valueOf('retry'),
  };
}
