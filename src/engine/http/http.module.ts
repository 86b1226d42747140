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
 * The operations and the parts of the server that no folder of `src/store` has. These operations show the health of the
 * service, the contracts as documents, the kinds of problems, and the addresses of each version. The parts are the
 * event streams, the guard of the event loop, the metrics of requests, the readiness and the shutdown. server.ts makes
 * the server itself.
 */
@Global()
@Module({
  controllers: [HealthController, DocumentsController, IndexController],
  providers: [LoopGuard, Readiness, RequestMetrics, Shutdown, EventStreams],
  exports: [LoopGuard, RequestMetrics, Shutdown, EventStreams],
})
export class HttpModule {}
