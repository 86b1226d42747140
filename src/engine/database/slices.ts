import type { Position, Slice } from '../../generated/contract.js';

/** The requested part of a list: a number of rows after or before a position. */
export interface Piece {
  /** Null for the beginning. */
  readonly position: Position | null;
  readonly limit: number;
  /** Whether the total is not requested. The total is then left out if it needs a statement of its own. */
  readonly isWithoutTotal?: boolean;
}

const START: Position = { isBackwards: false, key: null };
const END: Position = { isBackwards: true, key: null };

/**
 * Turns the rows that were read from a position into a slice. One row more than requested was read, to know whether
 * there are more. If the position names a row, the client came from a slice that ends at this row. So the service
 * assumes that the rows of that slice still exist, and links back to them. If they were deleted in the meantime, the
 * link leads to an empty slice. The empty slice has a link in the other direction.
 *
 * @param found at most `limit + 1` rows, in the order in which they come from the position
 */
export function sliceOf<E>(
  found: readonly E[],
  { position, limit }: Piece,
  total: number | null,
  keyOf: (row: E) => Position['key'],
): Slice<E> {
  const { isBackwards, key } = position ?? START;
  const hasMore = found.length > limit;
  const items = hasMore ? found.slice(0, limit) : [...found];
  if (isBackwards) items.reverse();
  const [first, last] = [items[0], items.at(-1)];
  const cameFromRow = key !== null;
  if (first === undefined || last === undefined) {
    return {
      items,
      total,
      keyOf,
      next: isBackwards && cameFromRow ? START : null,
      previous: !isBackwards && cameFromRow ? END : null,
    };
  }
  return {
    items,
    total,
    keyOf,
    next: (isBackwards ? cameFromRow : hasMore) ? { isBackwards: false, key: keyOf(last) } : null,
    previous: (isBackwards ? hasMore : cameFromRow) ? { isBackwards: true, key: keyOf(first) } : null,
  };
}

/** Whether a row is in the slice or after it, in the direction of the position. The list is in the order of ids. */
export function isReached(position: Position | null, id: number): boolean {
  return position?.isBackwards ? id <= firstId(position) : id >= firstId(position);
}

/**
 * Returns the id at which a slice in the order of ids begins: the lowest id that may be in it, or the highest if the
 * slice goes backwards.
 */
export function firstId(position: Position | null): number {
  if (position === null || position.key === null) return position?.isBackwards ? Number.MAX_SAFE_INTEGER : 0;
  const id = position.key.at(-1) as number;
  return position.isBackwards ? id - 1 : id + 1;
}
