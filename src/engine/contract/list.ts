import type { RowAccess } from '../access/row-access.js';
import type { Position } from '../../generated/contract.js';
import type { Operation } from '../../generated/operations.js';
import type { Cursors } from './cursors.js';
import type { AnyRequest } from './any-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The name of the requested list; null for operations without cursors. A cursor is valid only for the list with
     * this name.
     */
    list: string | null;
  }

  interface FastifyInstance {
    readonly cursors: Cursors;
  }
}

/** These parameters select the shown part of the list, and its form. They do not decide which rows are in the list. */
const NOT_OF_THE_LIST: ReadonlySet<string> = new Set(['cursor', 'limit', 'fields', 'format']);

/**
 * The position at which the requested slice of a list begins; null for the beginning of the list. The request must have
 * been validated.
 *
 * @throws CursorInvalid
 */
export function positionIn(
  request: AnyRequest,
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
