import { audienceOf } from './issuer.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of the metadata that name the issuers of tokens for this service (RFC 9728). */
    resourceMetadata: string;
  }
}

export function resourceMetadataOf(place: Parameters<typeof audienceOf>[0]): string {
  return `${audienceOf(place)}/.well-known/oauth-protected-resource`;
}

/**
 * Adds the address of the metadata (`resourceMetadata`) to the `Bearer` challenge. So a client can find out where it
 * gets a token (RFC 9728, section 5.1).
 */
export function withMetadata(challenges: string, address: string): string {
  return challenges.replace('Bearer realm="store"', (bearer) => `${bearer}, resource_metadata="${address}"`);
}
