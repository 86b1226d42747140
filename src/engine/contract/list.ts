import type { FastifyRequest } from 'fastify';
import type { RowAccess } from '../access/row-access.js';
import type { Position } from '../../generated/contract.js';
import type { Operation } from '../../generated/operations.js';
import type { Cursors } from './cursors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Names the requested list, to which cursors are bound; null for operations without cursors. */
    list: string | null;
  }

  interface FastifyInstance {
    readonly cursors: Cursors;
  }
}

/** These parameters say how much of the list is shown, and how, but not what is on it. */
const NOT_OF_THE_LIST: ReadonlySet<string> = new Set(['cursor', 'limit', 'fields', 'format']);

/**
 * The position at which a validated request wants the slice of a list to begin; null for the beginning.
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
