import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/errors.js';
import type { Step } from './steps.js';

// Clients use only a few host names, so each is parsed once.
const parsedHosts = new Set<string>();
const MOST_PARSED_HOSTS = 100;

/**
 * A request of HTTP/1.1 without `Host`, or with an invalid `Host`, gets the answer 400 (RFC 9112, section 3.2). Node
 * would also refuse a missing `Host`, but with an empty answer. Several `Host` headers are refused as ambiguous.
 */
export const requireHost: Step = ({ raw, host: forwarded }) => {
  const fault = faultOfHost(raw);
  if (fault) throw fault;
  // If the two hosts differ, a trusted proxy has sent `X-Forwarded-Host`: the host that its client asked for.
  if (forwarded !== raw.headers.host && !isHost(forwarded)) {
    throw new MalformedRequest('The header X-Forwarded-Host is not a valid host.');
  }
};

/** Finds the fault of `Host`, also in a request outside of Fastify. */
export function faultOfHost({
  headers: { host },
  httpVersionMajor,
  httpVersionMinor,
}: IncomingMessage): MalformedRequest | null {
  if (host === undefined && httpVersionMajor === 1 && httpVersionMinor === 0) return null;
  if (host === undefined) return new MalformedRequest('The header Host is missing.');
  return isHost(host) ? null : new MalformedRequest('The header Host is not a valid host.');
}

/** An empty host is valid, because the requested address may have no authority. */
function isHost(host: string): boolean {
  if (host === '' || parsedHosts.has(host)) return true;
  if (!/^(\[[\dA-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]+)(:\d*)?$/.test(host) || !URL.canParse(`http://${host}/`)) {
    return false;
  }
  if (parsedHosts.size < MOST_PARSED_HOSTS) parsedHosts.add(host);
  return true;
}
