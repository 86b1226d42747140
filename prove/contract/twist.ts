import type { Operation } from './document.ts';
import { draftOf, sentOf, wishedType, type Attempt, type Draft } from './drafts.ts';
import type { World } from './world.ts';

/** A way to make a request that must be answered in a certain manner. */
export interface Twist {
  readonly name: string;
  /** Whether the shape of an operation lets it be made, whatever statuses it documents. */
  readonly fits: (operation: Operation) => boolean;
  /** Null where chance did not find any. */
  readonly make: (world: World, operation: Operation) => Promise<Attempt | null>;
}

export function attempt(
  draft: Draft,
  status: number | readonly number[],
  reason: string,
  body?: string,
): Attempt {
  const statuses = typeof status === 'number' ? [status] : status;
  const mediaType = wishedType(draft);
  return {
    operation: draft.operation,
    sent: sentOf(draft, body),
    due: { statuses, reason, ...(mediaType !== undefined && { mediaType }) },
  };
}

/** One that spoils a good request, for an answer that is known. */
export function twist(
  name: string,
  fits: Twist['fits'],
  status: number,
  spoil: (draft: Draft, world: World) => Promise<Draft | null> | Draft | null,
): Twist {
  return {
    name,
    fits,
    make: async (world, operation) => {
      const draft = await spoil(await draftOf(world, operation), world);
      return draft && attempt(draft, status, name);
    },
  };
}

export const hasBody = ({ body }: Operation): boolean => body !== null;
