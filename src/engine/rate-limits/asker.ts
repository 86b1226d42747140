import type { Asker } from '../database/asker.js';
import type { Subject } from './rate-limits.js';

/** The asker of a request. A request counts as a caller of its own if it is not counted, or if nothing is limited. */
export function askerOf(
  subject: Subject | null | undefined,
  requestId: string,
  isGone: () => boolean,
): Asker {
  const name = subject?.isBounded ? `${subject.policy} ${subject.name}` : requestId;
  return { name, isGone };
}
