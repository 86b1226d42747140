import { isIPv6 } from 'node:net';
import type { Config } from '../config/config.js';

type Place = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** Whom our tokens are for: the service, where clients reach it. */
export function audienceOf({ publicUrl, host, port }: Place): string {
  return publicUrl ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Who gives out our tokens: the OAuth server, by its address (RFC 8414). */
export function issuerOf(place: Place): string {
  return `${audienceOf(place)}/oauth`;
}
