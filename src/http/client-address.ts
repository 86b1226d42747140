import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Gives the address of who sent a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * Makes what Fastify's `request.ip` is, for a request that is no Fastify's: `X-Forwarded-For` is believed from its end on,
 * as long as the one before is a proxy that is trusted.
 */
export function clientAddressOf(trustProxy: boolean | string): ClientAddress {
  const isTrusted = typeof trustProxy === 'string' ? membership(trustProxy) : () => trustProxy;
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

function membership(networks: string): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of networks.split(',')) {
    const [address = '', prefix] = entry.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // IPv4 may come as IPv6, which the list knows.
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
