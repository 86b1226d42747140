import type { FastifyRequest } from 'fastify';

/**
 * By the name that the visitor asked for. It is shown in commands to paste, so that a name with anything else than
 * what names are made of is not repeated.
 */
export function originOf({ protocol, host, socket }: FastifyRequest): string {
  const isPlain = /^[\w.-]+(:\d+)?$|^\[[\dA-Fa-f:.]+\](:\d+)?$/.test(host);
  return `${protocol}://${isPlain ? host : `localhost:${socket.localPort}`}`;
}
