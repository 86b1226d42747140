import type { Operation } from '../../testkit/contract/document.ts';
import { withMember } from '../../testkit/contract/good-requests.ts';
import { bodyOf, referencesByName } from '../../testkit/contract/relations.ts';
import { draftOf, JSON_PATCH } from './drafts.ts';
import { allOrNothing } from './knowledge.ts';
import { attempt, type Twist } from './twist.ts';
import { MISSING } from './world.ts';

/**
 * If a reference with this code names no row, the answer is a problem with the status 400, and the code is in one of
 * the faults of the problem. Any other code of a reference is the code of the problem itself.
 */
const UNKNOWN = 'UNKNOWN';
const STATUSES: Readonly<Record<string, number>> = { [UNKNOWN]: 400, NOT_FOUND: 404 };

/** Sets a member that is marked with `x-refers` to the id of a row that does not exist. */
export const missingReference: Twist = {
  name: 'a reference to a row that does not exist',
  fits: (operation) => namesIn(operation).length > 0,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation, false);
    if (draft.body === null || draft.body.type === JSON_PATCH) return null;
    const [name, { code }] = world.values.one(namesIn(operation));
    const value = withMember(allOrNothing(draft.body.value), bodyOf(operation), name, MISSING);
    if (value === undefined) return null;
    const reason = `${name} of a row that does not exist`;
    const made = attempt({ ...draft, body: { ...draft.body, value } }, STATUSES[code] ?? 409, reason);
    const due = code === UNKNOWN ? { fault: { code, member: name } } : { code };
    return { ...made, due: { ...made.due, ...due } };
  },
};

function namesIn(operation: Operation) {
  return [...referencesByName(bodyOf(operation))];
}
