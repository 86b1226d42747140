import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/errors.js';
import type { Step } from './steps.js';

/** Of several Node takes the first, or makes one of them; another reader takes the last. */
const SINGLE = [
  'Authorization',
  'Content-Type',
  'Host',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'X-API-Key',
].map((name) => [name, name.toLowerCase()] as const);

/**
 * Refuses what a proxy in front might read in another way than this service, and with it whatever comes behind it on the
 * connection. Most of its kind the parser of Node refuses by itself.
 */
export const refuseAmbiguous: Step = ({ raw }, reply, done) => {
  const fault = ambiguityOf(raw);
  if (!fault) return done();
  reply.header('connection', 'close');
  done(fault);
};

/** For a request that is no Fastify's, too. */
export function ambiguityOf({ headers, rawHeaders }: IncomingMessage): MalformedRequest | null {
  for (const [name, key] of SINGLE) {
    if (headers[key] !== undefined && occurrences(key, rawHeaders) > 1) {
      return new MalformedRequest(`The header ${name} was sent more than once.`);
    }
  }
  // Node reads past the codings before the last one, and takes for the body what they made of it.
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? null
    : new MalformedRequest('Transfer-Encoding can be chunked, and nothing else.');
}

/** `rawHeaders` has names and values in turn, as they came. */
function occurrences(key: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i] as string;
    if (other.length === key.length && other.toLowerCase() === key) count += 1;
  }
  return count;
}
