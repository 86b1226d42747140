import { isIPv4, isIPv6 } from 'node:net';

/**
 * The part of an address that identifies a party: the whole address of IPv4, or the first 64 bits of IPv6. The rest of
 * an IPv6 address does not count, because one party can use as many addresses of its network as it likes. Different
 * spellings of an address give the same network.
 *
 * @param address undefined when the connection was reset before its address was read; Fastify's types do not say this
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (!address.includes(':')) return isIPv4(address) ? address : 'unknown';
  const [withoutZone = ''] = address.split('%', 1);
  if (!isIPv6(withoutZone)) return 'unknown';
  const groups = groupsOf(withoutZone);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight numbers of a valid address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const first = numbersIn(head);
  if (tail === undefined) return first;
  const last = numbersIn(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** The last 32 bits may be written as an IPv4 address. */
function numbersIn(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
