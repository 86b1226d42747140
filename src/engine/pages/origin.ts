import type { FastifyRequest } from 'fastify';

/**
 * The origin of this service, with the host name that the visitor used. The origin is shown in commands that the
 * visitor may paste into a terminal. So a host name with unusual characters is not shown.
 */
export function originOf({ protocol, host, socket }: FastifyRequest): string {
  const isUsual = /^[\w.-]+(:\d+)?$|^\[[\dA-Fa-f:.]+\](:\d+)?$/.test(host);
  return `${protocol}://${isUsual ? host : `localhost:${socket.localPort}`}`;
}
