import type { Position, Slice } from '../../generated/contract.js';
import type { AnyRequest } from './any-request.js';

/** The member `page` in the envelope of a list of version 2: the cursors of the neighbours, and the total. */
export interface Neighbours {
  readonly next: string | null;
  readonly previous: string | null;
  readonly total: number | null;
}

export function neighboursOf(request: AnyRequest, { next, previous, total }: Slice<object>): Neighbours {
  const cursorOf = (position: Position | null): string | null =>
    position && request.server.cursors.write(position, request.list ?? '');
  return { next: cursorOf(next), previous: cursorOf(previous), total };
}

/** Keeps only the members that `fields` names, in the order of the full representation. */
export function select(body: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}
