import type { FastifyRequest } from 'fastify';

/**
 * The origin with the host name that the visitor used. It is shown in commands that the visitor may paste into a
 * terminal, so a name with unusual characters is not repeated.
 */
export function originOf({ protocol, host, socket }: FastifyRequest): string {
  const isPlain = /^[\w.-]+(:\d+)?$|^\[[\dA-Fa-f:.]+\](:\d+)?$/.test(host);
  return `${protocol}://${isPlain ? host : `localhost:${socket.localPort}`}`;
}
