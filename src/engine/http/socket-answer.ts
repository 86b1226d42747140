import type { Duplex } from 'node:stream';
import { bodyOf } from './error.filter.js';
import { STATUS_CODES } from './node-http.js';
import type { Problem } from '../contract/problem.js';
import { SECURITY_HEADERS } from './security-headers.js';

/**
 * The time after which the socket is cut off if the network has not taken the answer, because the client does not read.
 * Node sets no limit of time for a connection that leaves HTTP (`Upgrade`). So the shutdown would wait for it for ever.
 */
const PATIENCE_MS = 10_000;

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
  const patience = setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
  socket.once('close', () => clearTimeout(patience));
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
