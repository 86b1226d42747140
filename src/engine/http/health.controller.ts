import { Controller } from '@nestjs/common';
import { Operation, type Operations } from '../contract/operation.js';
import { Readiness } from './readiness.js';

@Controller()
export class HealthController implements Pick<Operations, 'getLiveness' | 'getReadiness'> {
  constructor(private readonly readiness: Readiness) {}

  @Operation('getLiveness')
  async getLiveness() {
    return { status: 'ok' } as const;
  }

  @Operation('getReadiness')
  getReadiness() {
    return this.readiness.state();
  }
}
