import type { Asker } from '../database/asker.js';
import type { Subject } from './rate-limits.js';

/** The `Asker` of a request. The name is made only when it is used, because only long reads need it. */
export class RequestAsker implements Asker {
  constructor(
    private readonly subject: Subject | null | undefined,
    private readonly requestId: string,
    readonly isGone: () => boolean,
  ) {}

  /**
   * The name of the subject. If the request has no subject, or the subject is not limited, the request gets a name of
   * its own.
   */
  get name(): string {
    const { subject, requestId } = this;
    return subject?.isBounded ? `${subject.policy} ${subject.name}` : requestId;
  }
}
