import type { Position, Slice } from '../../generated/contract.js';

/** The part of a list that is wanted: so many rows behind or before a place of it. */
export interface Piece {
  /** Null for the beginning. */
  readonly position: Position | null;
  readonly limit: number;
  /** Whether nobody asks for the total, as far as it takes a statement of its own. */
  readonly isWithoutTotal?: boolean;
}

const START: Position = { isBackwards: false, key: null };
const END: Position = { isBackwards: true, key: null };

/**
 * Makes a slice of what was read on the way from its position, one row more than wanted to know whether there is
 * more. That there is something on the side where the reader came from is taken for granted: it may have been deleted
 * since, and then leads to an empty slice, from where the way leads back.
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

/** Whether a row of a list in the order of ids lies where a slice is to begin, or further on. */
export function isReached(position: Position | null, id: number): boolean {
  return position?.isBackwards ? id <= firstId(position) : id >= firstId(position);
}

/** Where a slice in the order of ids begins: the first id that may be in it, going forwards, or the last, backwards. */
export function firstId(position: Position | null): number {
  if (position === null || position.key === null) return position?.isBackwards ? Number.MAX_SAFE_INTEGER : 0;
  const id = position.key.at(-1) as number;
  return position.isBackwards ? id - 1 : id + 1;
}
