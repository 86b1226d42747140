import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, sentOf, wishedType, type Attempt, type Draft } from './drafts.ts';
import type { World } from './world.ts';

/** A way to make a request with a known kind of answer. */
export interface Twist {
  readonly name: string;
  /**
   * Whether a request can be made for an operation. This depends on its shape, not on the statuses that it documents.
   */
  readonly fits: (operation: Operation) => boolean;
  /** Null when no request was found by chance. */
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

/** A twist that spoils a valid request, for a known answer. */
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
      // A request that a description refuses is refused before the row is looked up.
      const isLost = draft?.isDoubtful && (status < 400 || status === 404);
      return draft && !isLost ? attempt(draft, status, name) : null;
    },
  };
}

export const hasBody = ({ body }: Operation): boolean => body !== null;

/** The contract describes HEAD only as the same as GET. */
export const isRead = ({ method }: Operation): boolean => method === 'GET' || method === 'HEAD';
