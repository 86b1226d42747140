import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bodyOf, bytesOf, filledIn, headersOf, type Message, type Placeholders } from './message.ts';
import type { Meter } from './meter.ts';

/**
 * Quiet times in milliseconds. After `SILENCE_MS` no answer is expected any more. After `STREAM_MS` a stream is
 * complete.
 */
const SILENCE_MS = 250;
const STREAM_MS = 30;
/**
 * Quiet times for a WebSocket, in milliseconds: `OPERATION_MS` after a message that begins the connection or an
 * operation, and `FRAME_MS` after any other message, which has a short answer or none.
 */
const OPERATION_MS = 50;
const FRAME_MS = 5;

/** The answer in short: a status, a type of message, `closed` with its code, `killed`, or `nothing`. */
export type Heard = string;

/** @param begin is called right before the measured message is sent */
export async function send(
  message: Message,
  placeholders: Placeholders,
  { url, meter, signal }: { readonly url: string; readonly meter: Meter; readonly signal: AbortSignal },
  begin: () => void,
): Promise<Heard> {
  const way = message.opening ? sendFrame : sendRequest;
  return way(message, placeholders, url, meter, signal, begin);
}

type Way = (
  message: Message,
  placeholders: Placeholders,
  url: string,
  meter: Meter,
  signal: AbortSignal,
  begin: () => void,
) => Promise<Heard>;

const sendRequest: Way = async (message, placeholders, url, meter, signal, begin) => {
  const { hostname, port } = new URL(url);
  const bytes = bytesOf(message, placeholders);
  const { promise: closed, resolve: close } = Promise.withResolvers<'closed'>();
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).once('close', () => close('closed'));
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  let head = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    if (head.length < 20) head += part.slice(0, 20);
  });
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
  begin();
  socket.write(bytes);
  for (;;) {
    if ((await Promise.race([closed, sleep(5)])) === 'closed') break;
    await Promise.race([closed, meter.quiet(head === '' ? SILENCE_MS : STREAM_MS)]);
    // If the request is not completely written, silence does not mean that a stream has ended.
    if (socket.destroyed || head === '' || socket.writableLength === 0) break;
  }
  socket.destroy();
  return /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 'nothing';
};

const sendFrame: Way = async (message, placeholders, url, meter, signal, begin) => {
  const fields = headersOf({ ...message, body: null });
  const headers = Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      filledIn(value, placeholders).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ' '),
    ]),
  );
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  const inbox: string[] = [];
  let wake: (() => void) | undefined;
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    inbox.push(data.subarray(0, 200).toString());
    wake?.();
  });
  socket.on('close', (code) => {
    inbox.push(`{"type":"closed ${code}"`);
    wake?.();
  });
  const heard = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (inbox.length > 0 || socket.readyState === WebSocket.CLOSED) resolve();
    });
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), heard()]);
  if (message.opening === 'connection_init' && socket.readyState === WebSocket.OPEN) {
    socket.send('{"type":"connection_init"}');
    await heard();
    inbox.length = 0;
    await meter.still();
  }
  begin();
  if (socket.readyState === WebSocket.OPEN) {
    await new Promise((resolve) => socket.send(bodyOf(message, placeholders).toString(), resolve));
    await Promise.race([
      heard(),
      meter.still().then(() => meter.quiet(isBeginning(message) ? OPERATION_MS : FRAME_MS)),
    ]);
    await meter.still();
  }
  socket.terminate();
  return /"type": ?"([^"]*)"/.exec(inbox.join(' '))?.[1] ?? 'nothing';
};

/** Whether a message begins the connection or an operation. */
function isBeginning({ body }: Message): boolean {
  if (body?.kind !== 'json') return false;
  const { type } = (body.value ?? {}) as { type?: unknown };
  return type === 'subscribe' || type === 'connection_init';
}
