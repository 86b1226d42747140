import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { curlOf } from '../contract/client.ts';
import { bodyOf, filledIn, headersOf, targetOf, textOf, type Message, type Placeholders } from './message.ts';
import type { Cost } from './probe.ts';

const MOST_SHOWN = 1_500;
const LEAST_RUN = 8;

/** A text in a short readable form: `"Bearer" + " "×15001 + "x"`. */
export function abridged(text: string): string {
  const runs = /([\s\S]{1,40}?)\1{7,}/gu;
  const parts: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: unit = '', index } of text.matchAll(runs)) {
    if (whole.length < LEAST_RUN * 2) continue;
    if (index > at) parts.push(JSON.stringify(cut(text.slice(at, index))));
    parts.push(`${JSON.stringify(unit)}×${whole.length / unit.length}`);
    at = index + whole.length;
  }
  if (at < text.length || text === '') parts.push(JSON.stringify(cut(text.slice(at))));
  return cut(parts.join(' + '));
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN / 2)} … ${text.slice(-MOST_SHOWN / 2)}`;
}

/** A short request as a command line that sends the request again; any other message in words. */
export function shown(message: Message, url: string, placeholders: Placeholders): string {
  if (message.opening) {
    const first = message.opening === 'nothing' ? 'a WebSocket' : 'a WebSocket after connection_init';
    return `on ${first}: ${abridged(message.body ? textOf(message.body) : '')}`;
  }
  const headers = Object.fromEntries(
    headersOf(message).map(([name, value]) => [name, filledIn(value, placeholders)]),
  );
  const body = message.body ? bodyOf(message, placeholders).toString() : undefined;
  const line = curlOf(url, {
    method: message.method,
    target: filledIn(targetOf(message), placeholders),
    headers,
    ...(body !== undefined && { body }),
  });
  const isWhole = line.length <= MOST_SHOWN && Object.keys(headers).length === headersOf(message).length;
  if (isWhole) return line;
  return [
    `${message.method} ${abridged(targetOf(message))}`,
    ...headersOf(message)
      .slice(0, 12)
      .map(([name, value]) => `  ${name.slice(0, 60)}: ${abridged(value)}`),
    ...(headersOf(message).length > 12 ? [`  … ${headersOf(message).length} header fields`] : []),
    ...(body === undefined ? [] : [`  body ${abridged(body)}`]),
  ].join('\n');
}

export function figures({ size, cpu, whole, memory, heard }: Cost): string {
  return (
    `${cpu.toFixed(1)} ms of processor time (${whole.toFixed(1)} of the whole process), ${size.toLocaleString('en')} bytes, ` +
    `${(memory / 2 ** 20).toFixed(1)} MB, ${heard}`
  );
}

/** Writes a file that `--send` reads. @returns the path of the file */
export async function save(folder: string, name: string, message: Message): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify(message, null, 1)}\n`);
  return file;
}

export async function saved(file: string): Promise<Message> {
  return JSON.parse(await readFile(file, 'utf8')) as Message;
}
