import type { Duplex } from 'node:stream';
import { bodyOf } from './error.filter.js';
import { STATUS_CODES } from './node-http.js';
import type { Problem } from '../contract/problem.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Answers with problem details where only a socket is available, and closes the socket. */
export function answerOnSocket(
  socket: Duplex,
  problem: Problem,
  path: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(bodyOf(problem, path, { requestId, trace: null }));
  // This listener also closes the socket when the client keeps its half of the connection open.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries({ ...SECURITY_HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}
