import fastify from 'fastify';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddressOf } from '../../../src/engine/http/client-address.js';

/** The address that Fastify finds, to compare it with the result of `clientAddressOf`. */
async function addressByFastify(
  trustProxy: boolean | string,
  forwarded: string | undefined,
): Promise<string> {
  const server = fastify({ trustProxy });
  server.get('/', (request) => request.ip);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const { body } = await server.inject({ url: '/', headers, remoteAddress: '10.0.0.1' });
  return body;
}

describe.each([
  false,
  true,
  '10.0.0.1',
  '10.0.0.0/8, 2001:db8::/32',
  '192.0.2.0/24',
  'uniquelocal',
  'loopback, 10.0.0.1',
])('clientAddressOf with STORE_TRUST_PROXY %s', (trustProxy) => {
  it.each([
    undefined,
    '',
    '203.0.113.9',
    '203.0.113.9, 10.9.9.9',
    '203.0.113.9, 198.51.100.7, 10.9.9.9',
    '203.0.113.9,2001:db8::7 ,  10.9.9.9',
    '::ffff:10.0.0.7, 10.1.1.1',
  ])('returns the same address as Fastify for %s', async (forwarded) => {
    const request = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } };
    expect(clientAddressOf(trustProxy)(request as unknown as IncomingMessage)).toBe(
      await addressByFastify(trustProxy, forwarded),
    );
  });
});
