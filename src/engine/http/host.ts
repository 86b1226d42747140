import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/errors.js';
import type { Step } from './steps.js';

// Clients come by a few names; the parsing is paid once for each.
const parsedHosts = new Set<string>();
const MOST_PARSED_HOSTS = 100;

/**
 * HTTP/1.1 without `Host` or with an invalid one is 400 (RFC 9112, section 3.2). Node would refuse a missing one too, but
 * without a word; several are ambiguous.
 */
export const requireHost: Step = ({ raw, host: forwarded }, _reply, done) => {
  const fault = faultOfHost(raw);
  if (fault) return done(fault);
  // What a trusted proxy says of the host it was asked for.
  if (forwarded !== raw.headers.host && !isHost(forwarded)) {
    return done(new MalformedRequest('The header X-Forwarded-Host names no host.'));
  }
  done();
};

/** The same for a request that is no Fastify's. */
export function faultOfHost({
  headers: { host },
  httpVersionMajor,
  httpVersionMinor,
}: IncomingMessage): MalformedRequest | null {
  if (host === undefined && httpVersionMajor === 1 && httpVersionMinor === 0) return null;
  if (host === undefined) return new MalformedRequest('The header Host is missing.');
  return isHost(host) ? null : new MalformedRequest('The header Host names no host.');
}

/** An empty one is valid: the address that was asked for has no authority. */
function isHost(host: string): boolean {
  if (host === '' || parsedHosts.has(host)) return true;
  if (!/^(\[[\dA-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]+)(:\d*)?$/.test(host) || !URL.canParse(`http://${host}/`)) {
    return false;
  }
  if (parsedHosts.size < MOST_PARSED_HOSTS) parsedHosts.add(host);
  return true;
}
