import type { IncomingMessage } from 'node:http';
import { trustIn, type TrustProxy } from '../config/trusted-proxies.js';

/** Gives the address of who sent a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * Makes what Fastify's `request.ip` is, for a request that is no Fastify's: `X-Forwarded-For` is believed from its end on,
 * as long as the one before is a proxy that is trusted.
 */
export function clientAddressOf(trustProxy: TrustProxy): ClientAddress {
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
