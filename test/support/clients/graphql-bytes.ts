import { request, type Agent } from 'node:http';
import type { TestApp } from './app.js';

interface Sent {
  readonly key: string | null;
  readonly accept?: string | undefined;
}

/** The status, the headers and the bytes of an answer, without the figures that differ from request to request. */
export function bytesOf(
  { url }: Pick<TestApp, 'url'>,
  agent: Agent,
  operation: object,
  { key, accept }: Sent,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(operation);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': 'same',
      ...(key !== null && { 'x-api-key': key }),
      ...(accept !== undefined && { accept }),
    };
    request(`${url}/graphql`, { method: 'POST', agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const pairs = answer.rawHeaders.map((text, place) => {
          const name = answer.rawHeaders[place - 1]?.toLowerCase();
          if (place % 2 === 0 || name === undefined) return text;
          if (name === 'date') return 'now';
          return name === 'ratelimit' ? text.replaceAll(/(?<=;[rt]=)\d+/g, 'n') : text;
        });
        resolve(`${answer.statusCode} ${pairs.join('|')}\n${Buffer.concat(chunks).toString('latin1')}`);
      });
    })
      .on('error', reject)
      .end(body);
  });
}
