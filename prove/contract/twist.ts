import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, sentOf, wishedType, type Attempt, type Draft } from './drafts.ts';
import type { World } from './world.ts';

/** A way to make a request with a known kind of answer. */
export interface Twist {
  readonly name: string;
  /**
   * Whether a request can be made for an operation. This depends on the shape of the operation. It does not depend on
   * the statuses that the operation documents; `twists.ts` says where there are exceptions.
   */
  readonly fits: (operation: Operation) => boolean;
  /** Null when the random choices gave no such request. */
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

/** Without a preference the answer is JSON, if the operation has JSON. */
function defaultType({ operation, headers }: Draft): string | undefined {
  const types = operation.responses.get(operation.success)?.content;
  return headers['accept'] === undefined && types?.has('application/json') ? 'application/json' : undefined;
}

/** A twist that changes a valid request. The answer must have this status. */
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
      // A doubtful request may get 400 instead of success, or instead of 404. So its answer is not known.
      const isLost = draft?.isDoubtful && (status < 400 || status === 404);
      return draft && !isLost ? attempt(draft, status, name) : null;
    },
  };
}

export const hasBody = ({ body }: Operation): boolean => body !== null;

/** HEAD is a read too, because the contract says that it works as GET does. */
export const isRead = ({ method }: Operation): boolean => method === 'GET' || method === 'HEAD';
