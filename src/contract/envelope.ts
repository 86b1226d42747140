import type { FastifyRequest } from 'fastify';
import type { Position, Slice } from '../generated/contract.js';
import type { Present } from './representation.js';

export interface Envelope {
  readonly data: readonly object[];
  readonly page: {
    readonly next: string | null;
    readonly previous: string | null;
    readonly total: number | null;
  };
}

/** How version 2 shows a list: what is on the page, and the cursors that lead to its neighbours. */
export function enveloped(present: Present): (request: FastifyRequest, result: unknown) => Envelope {
  return (request, result) => {
    const { items, total, next, previous } = result as Slice<object>;
    const { fields } = request.query as { readonly fields?: readonly string[] };
    const cursorOf = (position: Position | null): string | null =>
      position && request.server.cursors.write(position, request.list ?? '');
    return {
      data: items.map((item) => (fields ? select(present(item), fields) : present(item))),
      page: { next: cursorOf(next), previous: cursorOf(previous), total },
    };
  };
}

/** Only these members, in the order of the full representation. */
export function select(body: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}
