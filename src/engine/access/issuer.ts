import { isIPv6 } from 'node:net';
import type { HttpConfig } from '../config/slices.js';

type Place = Pick<HttpConfig, 'publicUrl' | 'host' | 'port'>;

/** The audience of our tokens: the service, by its address for clients. */
export function audienceOf({ publicUrl, host, port }: Place): string {
  return publicUrl ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The issuer of our tokens: the OAuth server, by its address (RFC 8414). */
export function issuerOf(place: Place): string {
  return `${audienceOf(place)}/oauth`;
}
