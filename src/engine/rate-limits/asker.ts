import type { Asker } from '../database/asker.js';
import type { Subject } from './rate-limits.js';

/** Where nothing is limited each request counts as a caller of its own, and so does what is not counted. */
export function askerOf(
  subject: Subject | null | undefined,
  requestId: string,
  isGone: () => boolean,
): Asker {
  const name = subject?.isBounded ? `${subject.policy} ${subject.name}` : requestId;
  return { name, isGone };
}
