import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Purge } from '../../engine/database/purge.js';
import { ArtifactsRepository } from './artifacts.repository.js';

/** Removes codes, tokens and sessions that have expired. */
@Injectable()
export class ExpiredArtifacts implements BeforeApplicationShutdown {
  readonly purge: Purge;

  constructor(artifacts: ArtifactsRepository) {
    this.purge = new Purge('expired tokens', (most) => artifacts.removeExpired(new Date(), most));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.purge.stop();
  }
}
