import type { IncomingMessage } from 'node:http';
import { trustIn, type TrustProxy } from '../config/trusted-proxies.js';

/** Returns the address of the client that sent a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * Determines the client address as Fastify's `request.ip` does, for a request outside of Fastify. `X-Forwarded-For` is
 * read from its end, up to the first address that is not a trusted proxy.
 */
export function clientAddressOf(trustProxy: TrustProxy): ClientAddress {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = trustIn(trustProxy);
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? '';
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
    for (const hop of forwarded.split(',').toReversed()) {
      if (!isTrusted(address) || hop.trim() === '') break;
      address = hop.trim();
    }
    return address;
  };
}
