import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/errors.js';
import type { Step } from './steps.js';

/**
 * The headers that a request may have only once. If such a header is repeated, Node takes the first value or joins the
 * values. Another parser may take the last value.
 */
const SINGLE = [
  'Authorization',
  'Content-Type',
  'Host',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'X-API-Key',
].map((name) => [name, name.toLowerCase()] as const);

/**
 * Refuses a request that a proxy in front of the service could parse in another way than Node, and closes the
 * connection, so that no data after the request is read. The parser of Node itself refuses most such requests.
 */
export const refuseAmbiguous: Step = ({ raw }, reply) => {
  const fault = ambiguityOf(raw);
  if (!fault) return;
  reply.header('connection', 'close');
  throw fault;
};

/** Finds the ambiguity of a request, also outside of Fastify. */
export function ambiguityOf({ headers, rawHeaders }: IncomingMessage): MalformedRequest | null {
  for (const [name, key] of SINGLE) {
    if (headers[key] !== undefined && occurrences(key, rawHeaders) > 1) {
      return new MalformedRequest(`The header ${name} was sent more than once.`);
    }
  }
  // Node decodes only `chunked`. It ignores all codings before `chunked`, and would take the coded bytes as the body.
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? null
    : new MalformedRequest('Transfer-Encoding must be chunked.');
}

/** `rawHeaders` has names and values in turn, in the order of the request. */
function occurrences(key: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i] as string;
    if (other.length === key.length && other.toLowerCase() === key) count += 1;
  }
  return count;
}
