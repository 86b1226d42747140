import { BlockList, isIP } from 'node:net';

/** `true` trusts all addresses, `false` trusts none, and a text trusts the addresses and networks that it lists. */
export type TrustProxy = boolean | string;

/** The same networks as in Fastify; see `client-address.test.ts`. */
const NAMED_NETWORKS = new Map<string, readonly string[]>([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Reads `10.0.0.0/8, loopback`.
 *
 * @throws Error with a message that follows the name of the setting, such as «must be true, false …»
 */
export function parseTrustProxy(text: string): TrustProxy {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.split(',').every((entry) => NAMED_NETWORKS.has(entry.trim()) || isNetwork(entry.trim()))) {
    return text;
  }
  const names = [...NAMED_NETWORKS.keys()].join(', ');
  throw new Error(
    `must be true, false or a list of addresses, networks such as 10.0.0.0/8 and names (${names}), not "${text}".`,
  );
}

/** Whether a text is an address, or a network with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix = '1'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Returns a function that tells whether an address belongs to a trusted proxy. */
export function trustIn(trustProxy: TrustProxy): (address: string) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const list = new BlockList();
  const entries = trustProxy.split(',').map((entry) => entry.trim());
  for (const entry of entries.flatMap((name) => NAMED_NETWORKS.get(name) ?? name)) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // The address of an IPv4 client may have the form of an IPv6 address, such as `::ffff:10.0.0.1`. `BlockList`
    // compares such an address with its IPv4 entries too.
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
