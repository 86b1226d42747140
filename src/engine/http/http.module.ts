import { Global, Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller.js';
import { EventStreams } from './event-streams.js';
import { HealthController } from './health.controller.js';
import { IndexController } from './index.controller.js';
import { LoopGuard } from './loop-guard.js';
import { RequestMetrics } from './request-metrics.js';
import { Readiness, Shutdown } from './readiness.js';

declare module '../../generated/contract.js' {
  interface Features {
    http: { controllers: HealthController | DocumentsController | IndexController };
  }
}

/**
 * The parts of HTTP that belong to no feature: health, the contracts as documents, the indexes. The server itself is
 * made in server.ts.
 */
@Global()
@Module({
  controllers: [HealthController, DocumentsController, IndexController],
  providers: [LoopGuard, Readiness, RequestMetrics, Shutdown, EventStreams],
  exports: [LoopGuard, RequestMetrics, Shutdown, EventStreams],
})
export class HttpModule {}
