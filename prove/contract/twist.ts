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
  const mediaType = wishedType(draft) ?? defaultType(draft);
  return {
    operation: draft.operation,
    sent: sentOf(draft, body),
    due: { statuses, reason, ...(mediaType !== undefined && { mediaType }) },
  };
}

/** Without a wish it is JSON, where there is JSON. */
function defaultType({ operation, headers }: Draft): string | undefined {
  const types = operation.responses.get(operation.success)?.content;
  return headers['accept'] === undefined && types?.has('application/json') ? 'application/json' : undefined;
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
      // What prose refuses is refused before it is looked for.
      const isLost = draft?.isDoubtful && (status < 400 || status === 404);
      return draft && !isLost ? attempt(draft, status, name) : null;
    },
  };
}

export const hasBody = ({ body }: Operation): boolean => body !== null;

/** Of HEAD nothing is documented, but it is what GET is. */
export const isRead = ({ method }: Operation): boolean => method === 'GET' || method === 'HEAD';
