import type { FastifyRequest } from 'fastify';
import type { RowAccess } from '../access/row-access.js';
import type { Position } from '../../generated/contract.js';
import type { Operation } from '../../generated/operations.js';
import type { Cursors } from './cursors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Names the list that was asked for, to whom cursors are bound; null where there are none. */
    list: string | null;
  }

  interface FastifyInstance {
    readonly cursors: Cursors;
  }
}

/** They say how much of the list is shown, and how, but not what is on it. */
const NOT_OF_THE_LIST: ReadonlySet<string> = new Set(['cursor', 'limit', 'fields', 'format']);

/**
 * Where the slice of a list begins that a validated request asks for; null for its beginning.
 *
 * @throws CursorInvalid
 */
export function positionIn(
  request: FastifyRequest,
  { id, query }: Operation,
  { onlyOf }: RowAccess,
): Position | null {
  const asked = (query === null ? {} : request.query) as Readonly<Record<string, unknown>>;
  const filter = Object.entries(asked).filter(([name]) => !NOT_OF_THE_LIST.has(name));
  request.list = JSON.stringify([id, onlyOf, request.params, filter]);
  const { cursor } = asked;
  return typeof cursor === 'string'
    ? request.server.cursors.read(cursor, request.list, { parameter: 'cursor' })
    : null;
}
