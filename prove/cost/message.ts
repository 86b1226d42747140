export type Pair = readonly [name: string, value: string];

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'text'; readonly text: string };

/** The doors. The search keeps the most expensive messages of each door separately. */
export const DOORS = [
  'REST reads',
  'REST changes',
  'batches',
  'GraphQL',
  'GraphQL by GET',
  'WebSocket',
  'streams',
  'OAuth',
  'pages',
  'forms',
  'handshakes',
] as const;

export type Door = (typeof DOORS)[number];

/**
 * A request, or one message on a WebSocket, in parts, so that each part can grow. Placeholders in `{{…}}` are filled
 * in when the message is sent.
 */
export interface Message {
  readonly door: Door;
  /** The operation, field or kind of message that it was made from. */
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly body: Body | null;
  /** For a WebSocket: the message that is sent before this message. This message itself is the body. */
  readonly opening?: 'nothing' | 'connection_init';
}

/** The value of each placeholder, by the name in its braces. */
export type Placeholders = Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The bytes that are sent: a whole HTTP request, or the payload of a frame. */
export function bytesOf(message: Message, placeholders: Placeholders): Buffer {
  const body = bodyOf(message, placeholders);
  if (message.opening) return body;
  return Buffer.concat([Buffer.from(headOf(message, body.length, placeholders), 'latin1'), body]);
}

export function bodyOf({ body }: Message, placeholders: Placeholders): Buffer {
  return Buffer.from(body ? filledIn(textOf(body), placeholders) : '');
}

export function textOf(body: Body): string {
  if (body.kind === 'text') return body.text;
  return body.kind === 'form' ? encoded(body.pairs) : (JSON.stringify(body.value) ?? '');
}

export function targetOf({ path, query }: Message): string {
  const place = escaped(path, /[^\x21-\x7e]|[#?]/gu);
  return query.length === 0 ? place : `${place}?${encoded(query)}`;
}

/** The headers of the message, and the `Content-Type` of its body. `headOf` adds all other headers that are sent. */
export function headersOf({ headers, body }: Message): readonly Pair[] {
  const isTyped = headers.some(([name]) => name === 'content-type');
  if (isTyped || !body || body.kind === 'text') return headers;
  return [...headers, ['content-type', body.kind === 'json' ? JSON_TYPE : FORM_TYPE]];
}

function headOf(message: Message, length: number, placeholders: Placeholders): string {
  const fields: readonly Pair[] = [
    ['host', 'store.example'],
    ...headersOf(message),
    ...(message.headers.some(([name]) => name === 'connection') ? [] : ([['connection', 'close']] as const)),
    ...(message.body ? ([['content-length', String(length)]] as const) : []),
  ];
  // A line break in a value would begin another header or another request.
  const lines = fields.map(
    ([name, value]) => `${name}: ${filledIn(value, placeholders).replaceAll(/[\r\n\0]/g, ' ')}\r\n`,
  );
  return `${message.method} ${filledIn(targetOf(message), placeholders)} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

export function filledIn(text: string, placeholders: Placeholders): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(/\{\{(\w{1,20})\}\}/g, (whole, name: string) => placeholders[name] ?? whole);
}

/**
 * A percent sign is not escaped, so that a growth can contain invalid encodings. The characters that end a value are
 * escaped.
 */
function encoded(pairs: readonly Pair[]): string {
  return pairs
    .map(
      ([name, value]) =>
        `${escaped(name, /[^\x21-\x7e]|[#&+=]/gu)}=${escaped(value, /[^\x21-\x7e]|[#&+]/gu)}`,
    )
    .join('&');
}

function escaped(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join(''),
  );
}
