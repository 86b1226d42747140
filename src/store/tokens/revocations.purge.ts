import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Purge } from '../../engine/database/purge.js';
import { Revocations } from './revocations.js';

/**
 * Removes revocations that are older than any valid JWT. They are not kept longer, because they name users and subjects
 * of outside issuers.
 */
@Injectable()
export class ForgottenRevocations implements BeforeApplicationShutdown {
  readonly purge: Purge;

  constructor(revocations: Revocations) {
    this.purge = new Purge('old revocations', (most) => revocations.removeForgotten(most));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.purge.stop();
  }
}
