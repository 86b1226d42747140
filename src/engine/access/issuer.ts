import { isIPv6 } from 'node:net';
import type { HttpConfig } from '../config/slices.js';

type ServiceAddress = Pick<HttpConfig, 'publicUrl' | 'host' | 'port'>;

/** The audience of the tokens that this service issues: the address of the service for clients. */
export function audienceOf({ publicUrl, host, port }: ServiceAddress): string {
  return publicUrl ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The issuer in the tokens of this service: the address of its OAuth server (RFC 8414). */
export function issuerOf(address: ServiceAddress): string {
  return `${audienceOf(address)}/oauth`;
}
