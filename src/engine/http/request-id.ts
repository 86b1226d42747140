import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns the id that the client sent, if it is safe in a header and in a log. Otherwise returns a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}
