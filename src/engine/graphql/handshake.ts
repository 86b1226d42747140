import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { MalformedRequest, Unavailable, Unauthenticated, type StoreError } from '../errors/errors.js';
import { ambiguityOf } from '../http/ambiguity.js';
import { faultOfHost } from '../http/host.js';
import { targetOf } from '../http/request-target.js';

export const PATH = '/graphql';

/**
 * Whether a request asks for a WebSocket at `/graphql`. All other requests are answered over HTTP. The header
 * `Upgrade` of such a request is ignored (RFC 9110, section 7.8), even if it names a WebSocket.
 */
export function isHandshake({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  return targetOf(url).split('?', 1)[0] === PATH;
}

/**
 * Returns the reason to refuse a handshake; null if there is none. `Origins` decides about its origin, and `ws` checks
 * its form.
 */
export function refusalOf(request: IncomingMessage, isClosing: boolean): StoreError | null {
  const { url = '', headers } = request;
  const fault = ambiguityOf(request) ?? faultOfHost(request);
  if (fault) return fault;
  if (targetOf(url) !== PATH) {
    return new MalformedRequest(
      'The address of the WebSocket must not have a query. Send operations as messages.',
    );
  }
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (!protocols.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
    return new MalformedRequest(
      `The WebSocket uses the protocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}. Name it in Sec-WebSocket-Protocol.`,
    );
  }
  return isClosing ? new Unavailable('The service is shutting down.') : null;
}

const CREDENTIALS = ['x-api-key', 'authorization'] as const;

/**
 * Removes the credential from the headers of a handshake, for a page of another origin. The page cannot set these
 * headers, but the browser adds the password of its own dialog (Basic). So only the payload of `connection_init` may
 * have the credential.
 */
export function withoutCredential(handshake: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization: _basic, 'x-api-key': _key, ...rest } = handshake;
  return rest;
}

/**
 * The credential of a connection, as headers. It comes from the payload of `connection_init`, whose members are named
 * like headers, or from the handshake. A browser needs the payload, because it cannot set headers of the handshake.
 *
 * @throws MalformedRequest when the payload and the handshake both have a credential, or the payload has a credential
 *   twice
 * @throws Unauthenticated for a credential that is not a string
 */
export function credentialOf(
  payload: Readonly<Record<string, unknown>>,
  handshake: IncomingHttpHeaders,
): IncomingHttpHeaders {
  const given: IncomingHttpHeaders = {};
  for (const [key, value] of Object.entries(payload)) {
    const name = CREDENTIALS.find((known) => known === key.toLowerCase());
    if (name === undefined || value === null) continue;
    if (typeof value !== 'string') throw new Unauthenticated(`${key} must be a text.`);
    if (given[name] !== undefined) throw new MalformedRequest(`${name} was sent more than once.`);
    given[name] = value;
  }
  const isThere = CREDENTIALS.some((name) => handshake[name] !== undefined);
  if (!isThere) return given;
  if (Object.keys(given).length > 0) {
    throw new MalformedRequest('Send only one credential, as a header or in connection_init.');
  }
  return handshake;
}
